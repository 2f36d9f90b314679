"""How one stands and the limits one sets, over HTTP, over a socket and through the client, on both databases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from support.running_server import RunningServer, http_client, run
from trueodds.client import Client, ServerRefusedError
from trueodds.journal import DAY_MS, check_journal

Serve = Callable[..., RunningServer]
START = 1_700_000_000_000
HOUR_MS = 3_600_000
MINUTES_MS = 300_000
"""Less than the table waits for whoever has the dice."""
NONE = {"current": None, "pending": None}


class Clock:
    """Time that is set by hand."""

    def __init__(self) -> None:
        self.now_ms = START

    def __call__(self) -> int:
        return self.now_ms


def put(http: httpx.Client, loss_cents: int | None = None, time_ms: int | None = None) -> Any:
    answer = http.put("/api/me/limits", json={"loss_cents": loss_cents, "time_ms": time_ms})
    assert answer.status_code == 200
    return answer.json()


def send(http: httpx.Client, table: str, command_id: str, **fields: Any) -> httpx.Response:
    return http.post(f"/api/tables/{table}/commands", json={"id": command_id, **fields})


def test_results(serve: Serve, url: str) -> None:
    clock = Clock()
    server = serve(url, clock=clock)
    with http_client(server, name="Ann") as ann, http_client(server, name="Bob") as bob, http_client(server) as nobody:
        me = ann.get("/api/me").json()["id"]
        empty = ann.get("/api/me/results").json()
        assert (empty["tables"], empty["total"]["net_cents"], empty["last_24_hours"]["seated_ms"]) == ([], 0, 0)
        table = ann.post("/api/tables", json={"book": "RWS"}).json()["id"]
        send(ann, table, "1", command="join", cents=50_000)
        clock.now_ms += MINUTES_MS
        assert send(ann, table, "2", command="bet", spot="dont_pass", stake_cents=5000).status_code == 200
        wanted = {
            "bought_in_cents": 50_000, "cashed_out_cents": 0, "rack_cents": 45_000, "layout_cents": 5000,
            "net_cents": 0, "seated_since_ms": START, "seated_ms": MINUTES_MS,
        }  # fmt: skip
        look = ann.get(f"/api/tables/{table}").json()
        assert look["results"] == wanted
        assert look["player_results"] == {me: {"net_cents": 0, "seated_ms": MINUTES_MS}}
        stands = ann.get("/api/me/results").json()
        assert stands["total"] == wanted
        assert stands["tables"] == [wanted | {"table_id": table, "currency": "SGD"}]
        assert stands["last_24_hours"] == {
            "bought_in_cents": 50_000,
            "cashed_out_cents": 0,
            "net_cents": 0,
            "seated_ms": MINUTES_MS,
        }
        other = bob.get(f"/api/tables/{table}").json()
        assert (other["results"]["bought_in_cents"], other["results"]["seated_since_ms"]) == (0, None)
        assert nobody.get(f"/api/tables/{table}").json()["results"] is None
        assert nobody.get("/api/me/results").status_code == 401
        left = send(ann, table, "3", command="leave")
        assert left.status_code == 200, left.text
        clock.now_ms += DAY_MS
        stands = ann.get("/api/me/results").json()
        assert stands["total"] == wanted | {
            "cashed_out_cents": 50_000,
            "rack_cents": 0,
            "layout_cents": 0,
            "seated_since_ms": None,
        }
        assert stands["last_24_hours"] == {"bought_in_cents": 0, "cashed_out_cents": 0, "net_cents": 0, "seated_ms": 0}
    assert not check_journal(server.journal)


def test_limits_tighten_now_and_loosen_after_a_day(serve: Serve, url: str) -> None:
    clock = Clock()
    server = serve(url, clock=clock)
    with http_client(server, name="Ann") as http:
        assert http.get("/api/me/limits").json() == {
            "loss_cents": NONE, "time_ms": NONE,
            "remaining": {"bet_cents": None, "buy_in_cents": None, "time_ms": None},
        }  # fmt: skip
        set_ = put(http, 5000, HOUR_MS)
        assert set_["remaining"] == {"bet_cents": 5000, "buy_in_cents": 5000, "time_ms": HOUR_MS}
        looser = put(http, 8000, None)
        assert looser["loss_cents"] == {"current": 5000, "pending": {"value": 8000, "effective_ms": START + DAY_MS}}
        assert looser["time_ms"] == {"current": HOUR_MS, "pending": {"value": None, "effective_ms": START + DAY_MS}}
        assert http.get("/api/me/limits").json() == looser
        table = http.post("/api/tables", json={"book": "NJ"}).json()["id"]
        no = send(http, table, "1", command="join", cents=8000)
        assert (no.status_code, no.json()["error"]["code"], no.json()["error"]["allowed_cents"]) == (
            409, "loss_limit", 5000,
        )  # fmt: skip
        clock.now_ms += DAY_MS - 1
        assert send(http, table, "2", command="join", cents=8000).status_code == 409
        clock.now_ms += 1
        me = http.get("/api/me").json()
        assert me["limits"] == {"loss_cents": {"current": 8000, "pending": None}, "time_ms": NONE}
        assert send(http, table, "3", command="join", cents=8000).status_code == 200
        put(http, 9000)
        assert put(http, 7000)["loss_cents"] == {"current": 7000, "pending": None}
        http.post("/api/register", json={"name": "Ann", "password": "correct horse"})
        assert http.get("/api/me").json()["limits"]["loss_cents"]["current"] == 7000, "a guest who registers keeps them"
        person = server.journal.people.find(me["id"])
        assert http.delete("/api/me").status_code == 204
        gone = server.journal.people.find(me["id"])
        assert person is not None
        assert gone is not None
        assert (bool(person.self_limits), gone.self_limits) == (True, {})
    assert not check_journal(server.journal)


@pytest.mark.parametrize(
    "given",
    [
        {}, {"loss_cents": 1}, {"time_ms": 1}, {"loss_cents": -1, "time_ms": None},
        {"loss_cents": 1.5, "time_ms": None}, {"loss_cents": True, "time_ms": None},
        {"loss_cents": "5", "time_ms": None},
        {"loss_cents": None, "time_ms": DAY_MS + 1}, {"loss_cents": 2**53, "time_ms": None},
        {"loss_cents": None, "time_ms": None, "more": 1}, [], 3,
    ],
)  # fmt: skip
def test_invalid_limits_are_refused(serve: Serve, given: Any) -> None:
    server = serve()
    with http_client(server, name="Ann") as http:
        put(http, 5000, HOUR_MS)
        before = http.get("/api/me/limits").json()
        answer = http.put("/api/me/limits", json=given)
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "invalid_request")
        assert http.get("/api/me/limits").json() == before
        assert http.put("/api/me/limits", json=before, headers={"Origin": "https://evil.example"}).status_code == 403


def test_a_limit_applies_to_an_open_socket(serve: Serve, url: str) -> None:
    """Set in the middle of the evening, it holds for the next wish; the table is told, without amounts."""
    clock = Clock()
    server = serve(url, clock=clock)

    async def evening() -> list[str]:
        async with Client(server.address) as client:
            await client.create_guest("Ann")
            table = (await client.create_table("NJ"))["id"]
            async with await client.connect(table) as session:
                await session.send("join", cents=50_000)
                await session.send("bet", spot="pass", stake_cents=3000)
                await client.set_limits(loss_cents=5000, time_ms=MINUTES_MS)
                with pytest.raises(ServerRefusedError) as no:
                    await session.send("bet", spot="field", stake_cents=2500)
                assert (no.value.code, no.value.details["allowed_cents"]) == ("loss_limit", 2000)
                await session.send("bet", spot="field", stake_cents=2000)
                clock.now_ms += MINUTES_MS
                with pytest.raises(ServerRefusedError) as no:
                    await client.send(table, "buy_in", cents=100)
                assert no.value.code == "time_limit"
                assert (await client.limits())["remaining"]["time_ms"] == 0
                assert (await client.results())["total"]["layout_cents"] == 5000
                assert (await client.get_table(table))["results"]["seated_ms"] == MINUTES_MS
                await session.send("roll", retry=True)
                await session.send("leave", retry=True)
                return [sentence for event in await events(client, table) for sentence in event["sentences"]]

    said = run(evening())
    assert said.count("Ann has reached a limit they set") == 1
    assert "Ann buys in for $500" in said
    assert "Bets are closed for roll 1" in said
    assert not check_journal(server.journal)


async def events(client: Client, table: str) -> list[dict[str, Any]]:
    """Every event of a table; each has words."""
    rows: list[dict[str, Any]] = (await client.events(table))["events"]
    assert all(row["sentences"] for row in rows)
    return rows
