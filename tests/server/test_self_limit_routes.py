"""How one stands and the limits one sets, over HTTP, over a socket and through the client, on both databases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from running_server import Running, asking, run
from trueodds.client import Client, RefusedError
from trueodds.journal import DAY_MS, check_journal

Serve = Callable[..., Running]
START = 1_700_000_000_000
HOUR_MS = 3_600_000
MINUTES_MS = 300_000
"""Less than the table waits for whoever has the dice."""
NONE = {"now": None, "later": None}


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


def wish(http: httpx.Client, table: str, command: str, **data: Any) -> httpx.Response:
    return http.post(f"/api/tables/{table}/wishes", json={"id": command, **data})


def test_how_one_stands(serve: Serve, url: str) -> None:
    clock = Clock()
    server = serve(url, clock=clock)
    with asking(server, name="Ann") as ann, asking(server, name="Bob") as bob, asking(server) as nobody:
        me = ann.get("/api/me").json()["id"]
        empty = ann.get("/api/me/standing").json()
        assert (empty["tables"], empty["total"]["net_cents"], empty["day"]["seated_ms"]) == ([], 0, 0)
        table = ann.post("/api/tables", json={"book": "RWS"}).json()["id"]
        wish(ann, table, "1", wish="sit", cents=50_000)
        clock.now_ms += MINUTES_MS
        assert wish(ann, table, "2", wish="bet", spot="dont_pass", cents=5000).status_code == 200
        wanted = {
            "bought_cents": 50_000, "cashed_cents": 0, "rack_cents": 45_000, "up_cents": 5000, "net_cents": 0,
            "since_ms": START, "seated_ms": MINUTES_MS,
        }  # fmt: skip
        look = ann.get(f"/api/tables/{table}").json()
        assert look["standing"] == wanted
        assert look["standings"] == {me: {"net_cents": 0, "seated_ms": MINUTES_MS}}
        stands = ann.get("/api/me/standing").json()
        assert stands["total"] == wanted
        assert stands["tables"] == [wanted | {"table": table, "currency": "SGD"}]
        assert stands["day"] == {"bought_cents": 50_000, "cashed_cents": 0, "net_cents": 0, "seated_ms": MINUTES_MS}
        other = bob.get(f"/api/tables/{table}").json()
        assert (other["standing"]["bought_cents"], other["standing"]["since_ms"]) == (0, None)
        assert nobody.get(f"/api/tables/{table}").json()["standing"] is None
        assert nobody.get("/api/me/standing").status_code == 401
        left = wish(ann, table, "3", wish="leave")
        assert left.status_code == 200, left.text
        clock.now_ms += DAY_MS
        stands = ann.get("/api/me/standing").json()
        assert stands["total"] == wanted | {"cashed_cents": 50_000, "rack_cents": 0, "up_cents": 0, "since_ms": None}
        assert stands["day"] == {"bought_cents": 0, "cashed_cents": 0, "net_cents": 0, "seated_ms": 0}
    assert not check_journal(server.journal)


def test_limits_tighten_now_and_loosen_tomorrow(serve: Serve, url: str) -> None:
    clock = Clock()
    server = serve(url, clock=clock)
    with asking(server, name="Ann") as http:
        assert http.get("/api/me/limits").json() == {
            "loss_cents": NONE, "time_ms": NONE, "left": {"bet_cents": None, "buy_cents": None, "time_ms": None},
        }  # fmt: skip
        set_ = put(http, 5000, HOUR_MS)
        assert set_["left"] == {"bet_cents": 5000, "buy_cents": 5000, "time_ms": HOUR_MS}
        looser = put(http, 8000, None)
        assert looser["loss_cents"] == {"now": 5000, "later": {"to": 8000, "at_ms": START + DAY_MS}}
        assert looser["time_ms"] == {"now": HOUR_MS, "later": {"to": None, "at_ms": START + DAY_MS}}
        assert http.get("/api/me/limits").json() == looser
        table = http.post("/api/tables", json={"book": "NJ"}).json()["id"]
        no = wish(http, table, "1", wish="sit", cents=8000)
        assert (no.status_code, no.json()["error"]["code"], no.json()["error"]["allowed_cents"]) == (
            409, "loss_limit", 5000,
        )  # fmt: skip
        clock.now_ms += DAY_MS - 1
        assert wish(http, table, "2", wish="sit", cents=8000).status_code == 409
        clock.now_ms += 1
        me = http.get("/api/me").json()
        assert me["limits"] == {"loss_cents": {"now": 8000, "later": None}, "time_ms": NONE}
        assert wish(http, table, "3", wish="sit", cents=8000).status_code == 200
        put(http, 9000)
        assert put(http, 7000)["loss_cents"] == {"now": 7000, "later": None}
        http.post("/api/register", json={"name": "Ann", "password": "correct horse"})
        assert http.get("/api/me").json()["limits"]["loss_cents"]["now"] == 7000, "a guest who registers keeps them"
        person = server.journal.people.find(me["id"])
        assert http.delete("/api/me").status_code == 204
        gone = server.journal.people.find(me["id"])
        assert person is not None
        assert gone is not None
        assert (bool(person.limits), gone.limits) == (True, {})
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
def test_limits_that_are_none(serve: Serve, given: Any) -> None:
    server = serve()
    with asking(server, name="Ann") as http:
        put(http, 5000, HOUR_MS)
        before = http.get("/api/me/limits").json()
        answer = http.put("/api/me/limits", json=given)
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "malformed")
        assert http.get("/api/me/limits").json() == before
        assert http.put("/api/me/limits", json=before, headers={"Origin": "https://evil.example"}).status_code == 403


def test_a_limit_holds_for_a_socket_that_is_open_already(serve: Serve, url: str) -> None:
    """Set in the middle of the evening, it holds for the next wish; the table is told, without amounts."""
    clock = Clock()
    server = serve(url, clock=clock)

    async def evening() -> list[str]:
        async with Client(server.address) as client:
            await client.guest("Ann")
            table = (await client.create_table("NJ"))["id"]
            async with await client.join(table) as session:
                await session.wish("sit", cents=50_000)
                await session.wish("bet", spot="pass", cents=3000)
                await client.set_limits(loss_cents=5000, time_ms=MINUTES_MS)
                with pytest.raises(RefusedError) as no:
                    await session.wish("bet", spot="field", cents=2500)
                assert (no.value.code, no.value.more["allowed_cents"]) == ("loss_limit", 2000)
                await session.wish("bet", spot="field", cents=2000)
                clock.now_ms += MINUTES_MS
                with pytest.raises(RefusedError) as no:
                    await client.wish(table, "buy_in", cents=100)
                assert no.value.code == "time_limit"
                assert (await client.limits())["left"]["time_ms"] == 0
                assert (await client.standing())["total"]["up_cents"] == 5000
                assert (await client.look(table))["standing"]["seated_ms"] == MINUTES_MS
                await session.wish("roll", patient=True)
                await session.wish("leave", patient=True)
                return [sentence for event in await events(client, table) for sentence in event["sentences"]]

    said = run(evening())
    assert said.count("Ann has come to a limit of their own") == 1
    assert "Ann buys in for $500" in said
    assert "Bets are closed for roll 1" in said
    assert not check_journal(server.journal)


async def events(client: Client, table: str) -> list[dict[str, Any]]:
    """Every event of a table; each has words."""
    rows: list[dict[str, Any]] = (await client.rows(table))["rows"]
    assert all(row["sentences"] for row in rows)
    return rows
