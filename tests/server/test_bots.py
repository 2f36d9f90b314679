"""Tables with company and with a pace of their own, as they are asked for over HTTP."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from support.running_server import RunningServer, http_client
from trueodds.journal import check_journal
from trueodds.service.bot_runner import MAX_BOTS
from trueodds.service.pace import Pace

BRISK = Pace(
    min_roll_interval_ms=0, betting_window_ms=30, seed_timeout_ms=300, shooter_timeout_ms=5_000, offer_timeout_ms=5_000
)


def made(http: httpx.Client, **more: Any) -> dict[str, Any]:
    answer = http.post("/api/tables", json={"book": "new_jersey", **more})
    assert answer.status_code == 201, answer.text
    look: dict[str, Any] = http.get(f"/api/tables/{answer.json()['id']}").json()
    return look


def send(http: httpx.Client, table: str, command_id: str, **fields: Any) -> httpx.Response:
    return http.post(f"/api/tables/{table}/commands", json={"id": command_id, **fields})


def test_bots_have_names_and_cannot_be_logged_in_as(serve: Callable[..., RunningServer]) -> None:
    server = serve()
    with http_client(server, name="Molly 2 (bot)") as http:
        mine = http.get("/api/me").json()["id"]
        look = made(http, bots=["molly", "molly", "pass_345"])
        assert list(look["names"].values()) == ["Molly (bot)", "Molly 3 (bot)", "Pass 345 (bot)"]
        assert look["bots"] == list(look["names"])
        assert mine not in look["names"]
        again = made(http, bots=["pass_345", "molly"])
        assert set(again["bots"]) < set(look["bots"]), "the house has few people"
        for name in ("Molly (bot)", "molly (BOT)"):
            assert http.post("/api/guests", json={"name": name}).json()["error"]["code"] == "name_taken"
            login = http.post("/api/login", json={"name": name, "password": "no password fits"})
            assert login.json()["error"]["code"] == "wrong_password"
        rows = http.get(f"/api/tables/{look['id']}/events").json()["events"]
        joined = [row for row in rows if row["kind"] == "player_joined"]
        assert [row["names"][row["body"]["player"]] for row in joined] == list(look["names"].values())
        assert all("Molly" not in str(row["body"]) for row in rows), "the log has ids"
    assert server.journal.people.find(look["bots"][0]).kind == "bot"  # type: ignore[union-attr]  # there it is


@pytest.mark.parametrize(
    ("more", "status", "code"),
    [
        ({"bots": ["nobody_knows_it"]}, 409, "no_such_strategy"),
        ({"bots": ["molly", "../molly"]}, 409, "no_such_strategy"),
        ({"bots": ["pass"], "options": {"min_bet": 2500}}, 409, "below_min"),
        ({"bots": ["big_6_8"]}, 409, "not_offered"),
        ({"bots": ["pass"] * (MAX_BOTS + 1)}, 422, "invalid_request"),
        ({"bots": "molly"}, 422, "invalid_request"),
        ({"bots": [3]}, 422, "invalid_request"),
        ({"pace": {"betting_window_ms": 0}}, 422, "invalid_request"),
        ({"pace": {"betting_window_ms": 1500.5}}, 422, "invalid_request"),
        ({"pace": {"shooter_timeout_ms": 10**7}}, 422, "invalid_request"),
        ({"pace": {"min_roll_interval_ms": True}}, 422, "invalid_request"),
        ({"pace": {"retry_after_ms": 1000}}, 422, "invalid_request"),
        ({"pace": {"betting_window_ms": 20_000, "shooter_timeout_ms": 20_000}}, 422, "invalid_request"),
    ],
)
def test_invalid_bots_and_paces_are_refused(
    serve: Callable[..., RunningServer], more: dict[str, Any], status: int, code: str
) -> None:
    server = serve()
    with http_client(server, name="Ann") as http:
        answer = http.post("/api/tables", json={"book": "new_jersey", **more})
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code), answer.text
        assert answer.json()["error"]["message"]
        assert http.get("/api/tables").json() == []
    assert server.journal.people.find_by_name("Molly (bot)") is None
    assert server.journal.people.find_by_name("Pass (bot)") is None


def test_a_bot_is_refused_with_the_clause(serve: Callable[..., RunningServer]) -> None:
    with http_client(serve(), name="Ann") as http:
        error = http.post("/api/tables", json={"book": "maryland", "bots": ["pass"], "options": {"min_bet": 2500}})
        told = error.json()["error"]
        assert (told["code"], told["field"]) == ("below_min", "bots")
        assert told["message"].startswith("pass cannot play at this table:")
        assert "cite" in told


def test_a_pace_survives_a_restart(serve: Callable[..., RunningServer]) -> None:
    server = serve()
    own = {
        "min_roll_interval_ms": 300,
        "betting_window_ms": 2_000,
        "seed_timeout_ms": 800,
        "shooter_timeout_ms": 8_000,
        "offer_timeout_ms": 5_000,
    }
    with http_client(server, name="Ann") as http:
        look = made(http, pace=own)
        assert look["pace"] == own
        part = made(http, pace={"betting_window_ms": 4_000})
        assert part["pace"] == {**server.pace.to_data(), "betting_window_ms": 4_000}
        assert made(http)["pace"] == server.pace.to_data()
        server.stop()
        server.start()
        assert http.get(f"/api/tables/{look['id']}").json()["pace"] == own


def test_the_timers_of_a_table(serve: Callable[..., RunningServer]) -> None:
    """Alone nothing runs out; with another there is a window after a throw, and a time for everybody."""
    server = serve()
    with http_client(server, name="Ann") as ann, http_client(server, name="Bob") as bob:
        me = ann.get("/api/me").json()["id"]
        table = made(
            ann, pace={"betting_window_ms": 60_000, "shooter_timeout_ms": 600_000, "offer_timeout_ms": 600_000}
        )["id"]
        look = ann.get(f"/api/tables/{table}").json()
        assert [look[key] for key in ("last_roll_ms", "roll_allowed_at_ms", "waiting_for", "deadline_ms")] == [None] * 4
        send(ann, table, "1", command="join", cents=50_000)
        look = ann.get(f"/api/tables/{table}").json()
        assert (look["waiting_for"], look["deadline_ms"]) == ({"kind": "offer", "players": [me]}, None)
        send(bob, table, "1", command="join", cents=50_000)
        look = ann.get(f"/api/tables/{table}").json()
        assert 0 < look["deadline_ms"] - look["now_ms"] <= 600_000
        send(ann, table, "2", command="bet", spot="pass", stake_cents=1000)
        assert send(ann, table, "3", command="roll").status_code == 200
        look = ann.get(f"/api/tables/{table}").json()
        assert look["last_roll_ms"] <= look["now_ms"] < look["last_roll_ms"] + 60_000
        assert look["roll_allowed_at_ms"] == look["last_roll_ms"] + 60_000
        send(ann, table, "4", command="bet", spot="pass", stake_cents=1000)
        no = send(ann, table, "5", command="roll").json()["error"]
        assert no["code"] == "too_soon"
        assert 0 < no["retry_after_ms"] <= 60_000


def test_one_player_with_bots(serve: Callable[..., RunningServer]) -> None:
    """They play as soon as somebody sits there, go on after a restart, and stop when the table is theirs alone."""
    server = serve(pace=BRISK)
    with http_client(server, name="Ann") as http:
        table = made(http, bots=["pass_345", "molly", "iron_cross"])["id"]
        where = f"/api/tables/{table}"
        assert len(http.get(where).json()["racks"]) == 3
        send(http, table, "1", command="join", cents=50_000)
        _until(lambda: _number(http, where) > 8, lambda: decline_dice(http, table))
        server.stop()
        server.start()
        before = _number(http, where)
        time.sleep(0.3)
        assert _number(http, where) == before
        _until(lambda: _number(http, where) > before + 8, lambda: decline_dice(http, table))
        look = http.get(where).json()
        assert len(look["bots"]) == 3
        assert send(http, table, "3", command="leave").status_code == 200
        assert not http.get(where).json()["is_seated"]
        before = http.get(where).json()["sequence"]
        time.sleep(0.3)
        assert http.get(where).json()["sequence"] == before
        proofs = http.get(f"{where}/proofs").json()
        assert len(proofs) > 16
        assert not any(proof["lock"]["commitments"] for proof in proofs)
    state = server.journal.load_state(table)
    assert sum(state.balances.values()) == 0
    assert not check_journal(server.journal)


def _number(http: httpx.Client, where: str) -> int:
    return int(http.get(where).json()["roll"]["number"])


def decline_dice(http: httpx.Client, table: str) -> None:
    """Decline the dice if they are offered; either way, be there."""
    send(http, table, f"no {time.monotonic_ns()}", command="decline_dice")


def _until(is_so: Callable[[], bool], meanwhile: Callable[[], None]) -> None:
    end = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < end
        meanwhile()
        time.sleep(0.02)
