"""What a page is shown over its socket after everything that happens."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from websockets.asyncio.client import connect

from support.running_server import RunningServer, http_client, run

Serve = Callable[..., RunningServer]


async def shown(socket: Any, sequence: int = 0) -> dict[str, Any]:
    """Wait for a view that has everything up to a row."""
    while True:
        frame = json.loads(await asyncio.wait_for(socket.recv(), 20))
        if "view" in frame and frame["view"]["sequence"] >= sequence:
            return dict(frame["view"])


def watch(server: RunningServer, table: str, query: str, cookie: str = "") -> Any:
    headers = {"Origin": server.address, **({"Cookie": cookie} if cookie else {})}
    address = f"ws{server.address[4:]}/api/tables/{table}/ws?{query}"
    return connect(address, additional_headers=headers, proxy=None, compression=None)


def test_the_live_view(serve: Serve) -> None:
    server = serve()
    with http_client(server, name="Ann") as http:
        table = http.post("/api/tables", json={"book": "NJ"}).json()["id"]
        cookie = f"trueodds={http.cookies['trueodds']}"
        me = http.get("/api/me").json()["id"]

        def wish(number: int, **more: Any) -> int:
            answer = http.post(f"/api/tables/{table}/commands", json={"id": str(number), **more})
            assert answer.status_code == 200, answer.text
            return int(answer.json()["sequence"])

        async def evening() -> None:
            async with watch(server, table, "view=1", cookie) as page, watch(server, table, "view=1") as stranger:
                first = await shown(page)
                assert (first["you"], first["is_seated"], first["can_roll"]) == (me, False, False)
                assert first["roll_refusal"]["code"] == "not_at_table"
                (closed,) = first["closed_spots"]
                assert len(closed["spots"]) > 60, "who has no seat is told so once"
                sat = await shown(page, await asyncio.to_thread(wish, 1, command="join", cents=50_000))
                assert [(seat["name"], seat["rack_cents"], seat["is_bot"]) for seat in sat["seats"]] == [
                    ("Ann", 50_000, False)
                ]
                assert (sat["offered_to"], sat["can_roll"]) == (me, False), "no line bet yet"
                no = sat["roll_refusal"]
                assert (no["code"], no["message"], bool(no["cite"])) == ("no_line_bet", "make a line bet first", True)
                assert sat["results"]["net_cents"] == 0
                bet = await shown(page, await asyncio.to_thread(wish, 2, command="bet", spot="pass", stake_cents=1000))
                (chip,) = bet["bets"]
                assert (chip["spot"], chip["stake_cents"], chip["player"], chip["working"]) == ("pass", 1000, me, True)
                assert bet["can_roll"], "whoever is offered the dice takes them by throwing"
                assert bet["roll_refusal"] is None
                assert {"take_down", "press"} <= {choice["verb"] for choice in bet["legal_actions"]}
                seen = await shown(stranger, bet["sequence"])
                assert (seen["you"], seen["bets"], seen["legal_actions"]) == (None, bet["bets"], [])
                rolled = await shown(page, await asyncio.to_thread(wish, 3, command="roll"))
                assert rolled["roll_number"] == 2
                drawn = await asyncio.to_thread(lambda: http.get(f"/api/tables/{table}").json())
                spots = drawn["layout"]["spots"]
                assert rolled["point"] == drawn["layout"]["point"]
                assert rolled["off_spots"] == [spot["spot"] for spot in spots if not spot["working"]]
                refused = {spot["spot"]: spot["refusal"]["code"] for spot in spots if spot["refusal"]}
                assert {name: one["code"] for one in rolled["closed_spots"] for name in one["spots"]} == refused

        run(evening())


def test_the_view_has_what_is_free_under_the_maximum(serve: Serve) -> None:
    server = serve()
    with http_client(server, name="Ann") as http:
        house = {"max_bet": 5000, "horn_high_area": False}
        table = http.post("/api/tables", json={"book": "NJ", "options": house}).json()["id"]
        cookie = f"trueodds={http.cookies['trueodds']}"

        def command(number: int, **more: Any) -> int:
            answer = http.post(f"/api/tables/{table}/commands", json={"id": str(number), **more})
            assert answer.status_code == 200, answer.text
            return int(answer.json()["sequence"])

        def limits(spot: str) -> tuple[int, int]:
            (found,) = (
                one for one in http.get(f"/api/tables/{table}").json()["layout"]["spots"] if one["spot"] == spot
            )
            return found["stake_range"]["max_cents"], found["max_cents"]

        async def bets() -> None:
            async with watch(server, table, "view=1", cookie) as page, watch(server, table, "view=1") as stranger:
                view = await shown(page, await asyncio.to_thread(command, 1, command="join", cents=50_000))
                assert view["free_stakes"] == {}
                await asyncio.to_thread(command, 2, command="bet", spot="pass", stake_cents=3000)
                last = await asyncio.to_thread(command, 3, command="bet", spot="craps2", stake_cents=4600)
                view = await shown(page, last)
                assert view["free_stakes"] == {"pass": 2000, "craps2": 400, "horn_high:2": 2000}
                assert (await shown(stranger, last))["free_stakes"] == {}
                assert await asyncio.to_thread(limits, "pass") == (2000, 5000)
                assert await asyncio.to_thread(limits, "horn_high:3") == (6000, 6000), "four fifths are a horn bet"
                taken = await asyncio.to_thread(command, 4, command="take_down", tag="1")
                assert "pass" not in (await shown(page, taken))["free_stakes"]

        run(bets())


def test_views_are_sent_on_request_only(serve: Serve) -> None:
    server = serve()
    with http_client(server, name="Ann") as http:
        table = http.post("/api/tables", json={"book": "NJ"}).json()["id"]

    async def listen() -> list[set[str]]:
        async with watch(server, table, "") as socket:
            frames = [json.loads(await asyncio.wait_for(socket.recv(), 20))]
            while "caught_up" not in frames[-1]:
                frames.append(json.loads(await asyncio.wait_for(socket.recv(), 20)))
            with suppress(TimeoutError):
                frames.append(json.loads(await asyncio.wait_for(socket.recv(), 0.3)))
            return [set(frame) for frame in frames]

    assert run(listen()) == [{"event"}, {"caught_up"}]


def test_the_roll_refusal_names_the_shooter(serve: Serve) -> None:
    server = serve()
    with http_client(server, name="Ann") as ann, http_client(server, name="Bo") as bo:
        table = ann.post("/api/tables", json={"book": "NJ"}).json()["id"]
        seen: list[tuple[str, str]] = []

        def wish(http: Any, number: int, **more: Any) -> int:
            answer = http.post(f"/api/tables/{table}/commands", json={"id": str(number), **more})
            assert answer.status_code == 200, answer.text
            return int(answer.json()["sequence"])

        async def evening() -> None:
            async with watch(server, table, "view=1", f"trueodds={bo.cookies['trueodds']}") as page:
                wish(ann, 1, command="join", cents=50_000)
                for http, number, more in (
                    (bo, 1, {"command": "join", "cents": 50_000}),
                    (ann, 2, {"command": "accept_dice"}),
                ):
                    view = await shown(page, await asyncio.to_thread(wish, http, number, **more))
                    assert not view["can_roll"]
                    seen.append((view["roll_refusal"]["code"], view["roll_refusal"]["message"]))

        run(evening())
    assert seen == [("wrong_shooter", "the dice are offered to Ann"), ("wrong_shooter", "Ann has the dice")]


def test_a_bet_has_the_spot_where_it_was_made(serve: Serve) -> None:
    """Come bets travel; everything else stands where it was put."""
    server = serve()
    with http_client(server, name="Ann") as http:
        table = http.post("/api/tables", json={"book": "NJ"}).json()["id"]
        for number in range(200):
            wish = {0: {"command": "join", "cents": 10_000_000}}.get(number, {"command": "roll"})
            look = http.get(f"/api/tables/{table}").json()
            chips = {chip["bet_spot"]: spot["spot"] for spot in look["layout"]["spots"] for chip in spot["bets"]}
            if number and "pass" not in chips and not look["layout"]["point"]:
                wish = {"command": "bet", "spot": "pass", "stake_cents": 1000}
            elif number and look["layout"]["point"] and "come" not in chips:
                wish = {"command": "bet", "spot": "come", "stake_cents": 1000}
            elif chips.get("come", "come") != "come":
                break
            http.post(f"/api/tables/{table}/commands", json={"id": str(number), **wish}).raise_for_status()
        homes = {spot["spot"]: spot["bet_spot"] for spot in look["layout"]["spots"]}
    assert chips["come"].startswith("come:")
    assert {spot for spot, home in homes.items() if spot != home} == {
        f"{kind}:{number}" for kind in ("come", "dont_come") for number in (4, 5, 6, 8, 9, 10)
    }
