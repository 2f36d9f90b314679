"""What a page is shown over its socket after everything that happens."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from websockets.asyncio.client import connect

from running_server import Running, asking, run

Serve = Callable[..., Running]


async def shown(socket: Any, sequence: int = 0) -> dict[str, Any]:
    """Wait for a view that has everything up to a row."""
    while True:
        frame = json.loads(await asyncio.wait_for(socket.recv(), 20))
        if "view" in frame and frame["view"]["sequence"] >= sequence:
            return dict(frame["view"])


def watch(server: Running, table: str, query: str, cookie: str = "") -> Any:
    headers = {"Origin": server.address, **({"Cookie": cookie} if cookie else {})}
    address = f"ws{server.address[4:]}/api/tables/{table}/ws?{query}"
    return connect(address, additional_headers=headers, proxy=None, compression=None)


def test_a_page_is_shown_how_the_table_stands(serve: Serve) -> None:
    server = serve()
    with asking(server, name="Ann") as http:
        table = http.post("/api/tables", json={"book": "NJ"}).json()["id"]
        cookie = f"trueodds={http.cookies['trueodds']}"
        me = http.get("/api/me").json()["id"]

        def wish(number: int, **more: Any) -> int:
            answer = http.post(f"/api/tables/{table}/wishes", json={"id": str(number), **more})
            assert answer.status_code == 200, answer.text
            return int(answer.json()["sequence"])

        async def evening() -> None:
            async with watch(server, table, "view=1", cookie) as page, watch(server, table, "view=1") as stranger:
                first = await shown(page)
                assert (first["you"], first["is_seated"], first["may_roll"]) == (me, False, False)
                (closed,) = first["closed"]
                assert len(closed["spots"]) > 60, "who has no seat is told so once"
                sat = await shown(page, await asyncio.to_thread(wish, 1, wish="sit", cents=50_000))
                assert [(seat["name"], seat["rack"], seat["is_bot"]) for seat in sat["seats"]] == [
                    ("Ann", 50_000, False)
                ]
                assert (sat["offer_to"], sat["may_roll"]) == (me, False), "no line bet yet"
                assert sat["standing"]["net_cents"] == 0
                bet = await shown(page, await asyncio.to_thread(wish, 2, wish="bet", spot="pass", cents=1000))
                (chip,) = bet["chips"]
                assert (chip["spot"], chip["stake"], chip["player"], chip["working"]) == ("pass", 1000, me, True)
                assert bet["may_roll"], "whoever is offered the dice takes them by throwing"
                assert {"take_down", "press"} <= {choice["do"] for choice in bet["choices"]}
                seen = await shown(stranger, bet["sequence"])
                assert (seen["you"], seen["chips"], seen["choices"]) == (None, bet["chips"], [])
                rolled = await shown(page, await asyncio.to_thread(wish, 3, wish="roll"))
                assert rolled["roll"] == 2
                drawn = await asyncio.to_thread(lambda: http.get(f"/api/tables/{table}").json())
                spots = drawn["layout"]["spots"]
                assert rolled["point"] == drawn["layout"]["point"]
                assert rolled["off"] == [spot["spot"] for spot in spots if not spot["working"]]
                refused = {spot["spot"]: spot["refusal"]["code"] for spot in spots if spot["refusal"]}
                assert {name: one["code"] for one in rolled["closed"] for name in one["spots"]} == refused

        run(evening())


def test_who_does_not_ask_for_views_gets_none(serve: Serve) -> None:
    server = serve()
    with asking(server, name="Ann") as http:
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
