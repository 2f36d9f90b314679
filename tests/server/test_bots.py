"""Tables with company and with a pace of their own, as they are asked for over HTTP."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from running_server import Running, asking
from trueodds.journal import check_journal
from trueodds.service.company import MOST_BOTS
from trueodds.service.pace import Pace

BRISK = Pace(between_ms=0, window_ms=30, opening_ms=300, shooter_ms=5_000, offer_ms=5_000)


def made(http: httpx.Client, **more: Any) -> dict[str, Any]:
    answer = http.post("/api/tables", json={"book": "new_jersey", **more})
    assert answer.status_code == 201, answer.text
    look: dict[str, Any] = http.get(f"/api/tables/{answer.json()['id']}").json()
    return look


def wish(http: httpx.Client, table: str, command: str, **more: Any) -> httpx.Response:
    return http.post(f"/api/tables/{table}/wishes", json={"id": command, **more})


def test_bots_have_names_and_nobody_can_be_them(serve: Callable[..., Running]) -> None:
    server = serve()
    with asking(server, name="Molly 2 (bot)") as http:
        mine = http.get("/api/me").json()["id"]
        look = made(http, bots=["molly", "molly", "pass_345"])
        assert list(look["players"].values()) == ["Molly (bot)", "Molly 3 (bot)", "Pass 345 (bot)"]
        assert look["bots"] == list(look["players"])
        assert mine not in look["players"]
        again = made(http, bots=["pass_345", "molly"])
        assert set(again["bots"]) < set(look["bots"]), "the house has few people"
        for name in ("Molly (bot)", "molly (BOT)"):
            assert http.post("/api/guests", json={"name": name}).json()["error"]["code"] == "name_taken"
            login = http.post("/api/login", json={"name": name, "password": "no password fits"})
            assert login.json()["error"]["code"] == "wrong_password"
        rows = http.get(f"/api/tables/{look['id']}/rows").json()["rows"]
        joined = [row for row in rows if row["kind"] == "joined"]
        assert [row["names"][row["body"]["player"]] for row in joined] == list(look["players"].values())
        assert all("Molly" not in str(row["body"]) for row in rows), "the log has ids"
    assert server.journal.people.find(look["bots"][0]).kind == "house"  # type: ignore[union-attr]  # there it is


@pytest.mark.parametrize(
    ("more", "status", "code"),
    [
        ({"bots": ["nobody_knows_it"]}, 409, "no_such_strategy"),
        ({"bots": ["molly", "../molly"]}, 409, "no_such_strategy"),
        ({"bots": ["pass"], "options": {"min_bet": 2500}}, 409, "below_min"),
        ({"bots": ["big_6_8"]}, 409, "not_offered"),
        ({"bots": ["pass"] * (MOST_BOTS + 1)}, 422, "malformed"),
        ({"bots": "molly"}, 422, "malformed"),
        ({"bots": [3]}, 422, "malformed"),
        ({"pace": {"window_ms": 0}}, 422, "malformed"),
        ({"pace": {"window_ms": 1500.5}}, 422, "malformed"),
        ({"pace": {"shooter_ms": 10**7}}, 422, "malformed"),
        ({"pace": {"between_ms": True}}, 422, "malformed"),
        ({"pace": {"wait_ms": 1000}}, 422, "malformed"),
        ({"pace": {"window_ms": 20_000, "shooter_ms": 20_000}}, 422, "malformed"),
    ],
)
def test_what_cannot_be_had(serve: Callable[..., Running], more: dict[str, Any], status: int, code: str) -> None:
    server = serve()
    with asking(server, name="Ann") as http:
        answer = http.post("/api/tables", json={"book": "new_jersey", **more})
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code), answer.text
        assert answer.json()["error"]["sentence"]
        assert http.get("/api/tables").json() == []
    assert server.journal.people.find_by_name("Molly (bot)") is None
    assert server.journal.people.find_by_name("Pass (bot)") is None


def test_a_bot_that_the_book_refuses_is_refused_with_the_clause(serve: Callable[..., Running]) -> None:
    with asking(serve(), name="Ann") as http:
        error = http.post("/api/tables", json={"book": "maryland", "bots": ["pass"], "options": {"min_bet": 2500}})
        told = error.json()["error"]
        assert (told["code"], told["where"]) == ("below_min", "bots")
        assert told["sentence"].startswith("pass cannot play at this table:")
        assert "cite" in told


def test_a_pace_of_its_own_outlives_the_server(serve: Callable[..., Running]) -> None:
    server = serve()
    own = {"between_ms": 300, "window_ms": 2_000, "opening_ms": 800, "shooter_ms": 8_000, "offer_ms": 5_000}
    with asking(server, name="Ann") as http:
        look = made(http, pace=own)
        assert look["pace"] == own
        part = made(http, pace={"window_ms": 4_000})
        assert part["pace"] == {**server.pace.to_data(), "window_ms": 4_000}
        assert made(http)["pace"] == server.pace.to_data()
        server.stop()
        server.start()
        assert http.get(f"/api/tables/{look['id']}").json()["pace"] == own


def test_the_clock_of_a_table(serve: Callable[..., Running]) -> None:
    """Alone nothing runs out; with another there is a window after a throw, and a time for everybody."""
    server = serve()
    with asking(server, name="Ann") as ann, asking(server, name="Bob") as bob:
        me = ann.get("/api/me").json()["id"]
        table = made(ann, pace={"window_ms": 60_000, "shooter_ms": 600_000, "offer_ms": 600_000})["id"]
        look = ann.get(f"/api/tables/{table}").json()
        assert [look[key] for key in ("rolled_ms", "window_until_ms", "waits_for", "due_ms")] == [None] * 4
        wish(ann, table, "1", wish="sit", cents=50_000)
        look = ann.get(f"/api/tables/{table}").json()
        assert (look["waits_for"], look["due_ms"]) == ({"what": "offer", "whom": [me]}, None)
        wish(bob, table, "1", wish="sit", cents=50_000)
        look = ann.get(f"/api/tables/{table}").json()
        assert 0 < look["due_ms"] - look["now_ms"] <= 600_000
        wish(ann, table, "2", wish="bet", spot="pass", cents=1000)
        assert wish(ann, table, "3", wish="roll").status_code == 200
        look = ann.get(f"/api/tables/{table}").json()
        assert look["rolled_ms"] <= look["now_ms"] < look["rolled_ms"] + 60_000
        assert look["window_until_ms"] == look["rolled_ms"] + 60_000
        wish(ann, table, "4", wish="bet", spot="pass", cents=1000)
        no = wish(ann, table, "5", wish="roll").json()["error"]
        assert no["code"] == "pace"
        assert 0 < no["wait_ms"] <= 60_000


def test_somebody_alone_with_bots(serve: Callable[..., Running]) -> None:
    """They play as soon as somebody sits there, go on after a restart, and stop when the table is theirs alone."""
    server = serve(pace=BRISK)
    with asking(server, name="Ann") as http:
        table = made(http, bots=["pass_345", "molly", "iron_cross"])["id"]
        where = f"/api/tables/{table}"
        assert len(http.get(where).json()["racks"]) == 3
        wish(http, table, "1", wish="sit", cents=50_000)
        _until(lambda: _number(http, where) > 8, lambda: wish_dice(http, table))
        server.stop()
        server.start()
        before = _number(http, where)
        time.sleep(0.3)
        assert _number(http, where) == before
        _until(lambda: _number(http, where) > before + 8, lambda: wish_dice(http, table))
        look = http.get(where).json()
        assert len(look["bots"]) == 3
        assert wish(http, table, "3", wish="leave").status_code == 200
        assert not http.get(where).json()["seated"]
        before = http.get(where).json()["sequence"]
        time.sleep(0.3)
        assert http.get(where).json()["sequence"] == before
        proofs = http.get(f"{where}/proofs").json()
        assert len(proofs) > 16
        assert not any(proof["lock"]["commitments"] for proof in proofs)
    state = server.journal.load(table)
    assert sum(state.balances.values()) == 0
    assert not check_journal(server.journal)


def _number(http: httpx.Client, where: str) -> int:
    return int(http.get(where).json()["roll"]["number"])


def wish_dice(http: httpx.Client, table: str) -> None:
    """Decline the dice if they are offered; either way, be there."""
    wish(http, table, f"no {time.monotonic_ns()}", wish="decline_dice")


def _until(is_so: Callable[[], bool], meanwhile: Callable[[], None]) -> None:
    end = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < end
        meanwhile()
        time.sleep(0.02)
