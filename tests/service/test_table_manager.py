"""The table manager: batches, replies, restarts and timeouts, on both databases."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event
from typing import Any

import pytest

from support.table_managers import BRISK, RealClock, rolls, submit, until
from trueodds.fair import make_commitment
from trueodds.journal import Journal, ServiceEvent, StoredEvent, check_journal
from trueodds.rulebook import as_house
from trueodds.service.bot_runner import bot_added
from trueodds.service.live_table import rebuild_live_table
from trueodds.service.pace import Pace
from trueodds.service.presence import AWAY_AFTER_MS
from trueodds.service.self_limits import SelfLimits
from trueodds.service.table_controller import TableController
from trueodds.service.table_manager import TableManager, _events_to_rebuild


def test_a_table_and_its_watchers(open_manager: Callable[..., TableManager], journal: Journal) -> None:
    manager = open_manager()
    table = manager.create_table(as_house("new_jersey")).result(20)
    seen: list[StoredEvent] = []
    stop = manager.watch(table, seen.extend).result(20)
    assert submit(manager, table, "ann", "1", command="join", cents=50_000) == {"ok": True, "sequence": 4}
    refused = submit(manager, table, "ann", "2", command="roll")
    assert (refused["ok"], refused["error"]["code"]) == (False, "no_line_bet")
    assert submit(manager, table, "ann", "3", command="bet", spot="pass", stake_cents=1000)["ok"]
    assert submit(manager, table, "ann", "4", command="roll")["ok"]
    assert [row.sequence for row in seen] == list(range(1, len(seen) + 1))
    assert [row.kind for row in seen[:4]] == ["anchor_published", "player_joined", "bought_in", "custody_changed"]
    late: list[StoredEvent] = []
    manager.watch(table, late.extend, after=3).result(20)
    assert late == seen[3:]
    stop()
    count = len(seen)
    submit(manager, table, "ann", "5", command="bet", spot="field", stake_cents=1000)
    assert (len(seen), len(late)) == (count, count - 3 + 1)
    assert not check_journal(journal)


def test_a_repeated_command_is_executed_once(open_manager: Callable[..., TableManager], journal: Journal) -> None:
    """In one batch, later, in another process, and after a refusal."""
    manager = open_manager()
    table = manager.create_table(as_house("maryland")).result(20)
    submit(manager, table, "ann", "1", command="join", cents=50_000)
    bets = [
        manager.submit(table, "ann", "2", {"command": "bet", "spot": "pass", "stake_cents": 1000}) for _ in range(20)
    ]
    answers = [bet.result(20) for bet in bets]
    assert answers == [answers[0]] * 20
    no = submit(manager, table, "ann", "3", command="bet", spot="pass", stake_cents=60_000)
    assert no["error"]["code"] == "insufficient_funds"
    manager.close()
    other = open_manager()
    assert submit(other, table, "ann", "2", command="bet", spot="pass", stake_cents=1000) == answers[0]
    assert submit(other, table, "ann", "3", command="roll") == no
    assert journal.load_state(table).racks_cents == {"ann": 49_000}


def test_new_commands_among_repeated_ones(
    open_manager: Callable[..., TableManager], journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one batch: new commands are executed once, and repeated ones get their stored replies."""
    manager = open_manager()
    tables = [manager.create_table(as_house("maryland")).result(20) for _ in range(2)]
    first = [submit(manager, table, "ann", "join", command="join", cents=50_000) for table in tables]
    no = submit(manager, tables[0], "ann", "no", command="bet", spot="pass", stake_cents=60_000)
    busy = Event()
    held = manager._run_on_writer_thread(busy.wait)
    bet = {"command": "bet", "spot": "field", "stake_cents": 1000}
    asked = [
        manager.submit(tables[0], "ann", "b1", bet),
        manager.submit(tables[0], "ann", "join", {"command": "buy_in", "cents": 700}),
        manager.submit(tables[1], "ann", "join", {"command": "join", "cents": 50_000}),
        manager.submit(tables[0], "ann", "no", bet),
        manager.submit(tables[1], "ann", "b1", bet),
        manager.submit(tables[0], "ann", "b2", bet),
    ]
    busy.set()
    held.result(20)
    answers = [one.result(20) for one in asked]
    assert [answers[1], answers[2], answers[3]] == [*first, no]
    assert [answers[0]["sequence"], answers[5]["sequence"]] == [first[0]["sequence"] + 1, first[0]["sequence"] + 2]
    assert answers[4]["ok"]
    assert [journal.load_state(table).racks_cents for table in tables] == [{"ann": 48_000}, {"ann": 49_000}]
    monkeypatch.setattr(TableController, "execute", lambda *_given: 1 // 0)
    assert submit(manager, tables[0], "ann", "b1", **bet) == answers[0], "a fault changes no answer that was given"
    assert not check_journal(journal)


def test_many_commands_at_once(open_manager: Callable[..., TableManager], journal: Journal) -> None:
    manager = open_manager()
    table = manager.create_table(as_house("new_jersey")).result(20)
    for player in range(5):
        submit(manager, table, f"p{player}", "join", command="join", cents=20_000)
    asked = [
        manager.submit(table, f"p{player}", f"b{bet}", {"command": "bet", "spot": "field", "stake_cents": 1000})
        for bet in range(50)
        for player in range(5)
    ]
    answers = [one.result(60) for one in asked]
    assert sum(answer["ok"] for answer in answers) == 5 * 20
    assert {answer["error"]["code"] for answer in answers if not answer["ok"]} == {"insufficient_funds"}
    assert set(journal.load_state(table).racks_cents.values()) == {0}
    assert not check_journal(journal)


def test_another_process_finishes_a_locked_roll(open_manager: Callable[..., TableManager], journal: Journal) -> None:
    """Locked by one process and rolled by the next, with the link that the lock names."""
    slow = Pace(
        min_roll_interval_ms=0,
        betting_window_ms=0,
        seed_timeout_ms=600_000,
        shooter_timeout_ms=600_000,
        offer_timeout_ms=600_000,
    )
    manager = open_manager(slow)
    table = manager.create_table(as_house("new_jersey")).result(20)
    submit(manager, table, "ann", "1", command="join", cents=50_000)
    submit(manager, table, "ann", "2", command="bet", spot="pass", stake_cents=1000)
    promised = make_commitment(table, 1, "ann", bytes(32)).hex()
    assert submit(manager, table, "ann", "3", command="commit_seed", roll=1, commitment=promised)["ok"]
    assert submit(manager, table, "ann", "4", command="roll")["ok"]
    assert manager.live_table(table).result(20).fair_roll.missing == ("ann",)
    manager.close()
    other = open_manager(slow)
    assert (
        submit(other, table, "ann", "5", command="bet", spot="field", stake_cents=1000)["error"]["code"]
        == "bets_closed"
    )
    assert submit(other, table, "ann", "6", command="open_seed", seed="00" * 32)["ok"]
    box = other.live_table(table).result(20)
    assert (box.fair_roll.number, box.fair_roll.lock) == (2, None)
    assert not check_journal(journal)


def test_a_table_is_rebuilt_from_few_events(open_manager: Callable[..., TableManager], journal: Journal) -> None:
    """After every step, the few events give the same live table as all of them."""
    pace = Pace(
        min_roll_interval_ms=0,
        betting_window_ms=0,
        seed_timeout_ms=600_000,
        shooter_timeout_ms=600_000,
        offer_timeout_ms=600_000,
    )
    manager = open_manager(pace)
    table = manager.create_table(as_house("new_jersey"), initial_events=(pace.to_event(),)).result(20)
    limits = SelfLimits().request(60_000, None, 0)

    def promise(roll: int, player: str) -> dict[str, Any]:
        return {
            "command": "commit_seed",
            "roll": roll,
            "commitment": make_commitment(table, roll, player, bytes(32)).hex(),
        }

    steps: list[tuple[str, dict[str, Any]]] = [
        *((player, {"command": "join", "cents": 50_000}) for player in ("ann", "bob", "cleo")),
        ("ann", {"command": "bet", "spot": "pass", "stake_cents": 1000}),
        ("cleo", {"command": "bet", "spot": "hard:4", "stake_cents": 1000}),
        ("bob", promise(1, "bob")),
        ("ann", {"command": "roll"}),
        ("bob", {"command": "open_seed", "seed": "00" * 32}),
        ("bob", {"command": "buy_in", "cents": 90_000}),
        ("cleo", {"command": "leave"}),
        ("bob", promise(2, "bob")),
        ("ann", promise(2, "ann")),
        ("ann", {"command": "bet", "spot": "pass", "stake_cents": 1000}),
        ("ann", {"command": "roll"}),
        ("ann", {"command": "open_seed", "seed": "00" * 32}),
        ("bob", {"command": "open_seed", "seed": "00" * 32}),
        ("ann", {"command": "leave"}),
        ("bob", promise(3, "bob")),
    ]
    for number, (player, command) in enumerate(steps):
        held = limits if player == "bob" else None
        manager.submit(table, player, str(number), command, held).result(20)
        other = open_manager(pace)
        manager.close()
        manager = other
        assert manager.live_table(table).result(20) == rebuild_live_table(
            journal.load_state(table), journal.events(table)
        )
    box = manager.live_table(table).result(20)
    assert (box.pace, box.limit_reached, box.fair_roll.number) == (pace, frozenset({"bob"}), 3)
    assert len(list(_events_to_rebuild(journal, table))) < box.state.sequence / 2


def test_a_table_has_one_writer(open_manager: Callable[..., TableManager]) -> None:
    first = open_manager(owner="first")
    table = first.create_table(as_house("new_jersey")).result(20)
    second = open_manager(owner="second")
    assert submit(second, table, "ann", "1", command="join", cents=1000)["error"]["code"] == "held_elsewhere"
    assert submit(first, table, "ann", "2", command="join", cents=1000)["ok"]
    assert submit(first, "nowhere", "ann", "3", command="join", cents=1000)["error"]["code"] == "no_such_table"


def test_the_manager_acts_on_timeouts(open_manager: Callable[..., TableManager], journal: Journal) -> None:
    """No player answers the offer of the dice; the table continues by itself."""
    manager = open_manager(
        Pace(
            min_roll_interval_ms=0, betting_window_ms=0, seed_timeout_ms=10, shooter_timeout_ms=50, offer_timeout_ms=50
        )
    )
    table = manager.create_table(as_house("new_jersey")).result(20)
    for player in ("ann", "bob"):
        submit(manager, table, player, "join", command="join", cents=50_000)
    for tries in range(400):
        submit(manager, table, "ann", f"try{tries}", command="buy_in", cents=100)
        if any(row.kind == "acted_for_absent" for row in journal.events(table)):
            break
    assert any(row.kind == "acted_for_absent" for row in journal.events(table))
    assert not check_journal(journal)


def test_a_submitted_command_cannot_be_cancelled(open_manager: Callable[..., TableManager], journal: Journal) -> None:
    """The caller may be gone: the reply cannot be cancelled, and the manager continues."""
    manager = open_manager()
    table = manager.create_table(as_house("new_jersey")).result(20)
    assert not manager.submit(table, "ann", "1", {"command": "join", "cents": 1000}).cancel()
    assert not manager.live_table(table).cancel()
    assert submit(manager, table, "ann", "2", command="buy_in", cents=100)["ok"]
    assert journal.load_state(table).racks_cents == {"ann": 1100}
    assert manager.is_running


def test_watchers_are_notified_of_a_lost_table(open_manager: Callable[..., TableManager], journal: Journal) -> None:
    """Another process took the lease: nothing is written, and watchers are told to watch again."""
    manager = open_manager()
    table = manager.create_table(as_house("new_jersey")).result(20)
    seen: list[tuple[StoredEvent, ...]] = []
    manager.watch(table, seen.append).result(20)
    journal.release_lease(table, journal.read_lease(table).epoch)
    epoch = journal.acquire_lease(table, "another", 60)
    refused = submit(manager, table, "ann", "1", command="join", cents=1000)
    assert refused["error"]["code"] == "stale_epoch"
    assert seen[-1] == ()
    assert submit(manager, table, "ann", "2", command="join", cents=1000)["error"]["code"] == "held_elsewhere"
    journal.release_lease(table, epoch)
    assert submit(manager, table, "ann", "3", command="join", cents=1000)["ok"]


def test_initial_events_follow_the_anchor(open_manager: Callable[..., TableManager], journal: Journal) -> None:
    manager = open_manager()
    table = manager.create_table(
        as_house("new_jersey"), initial_events=(ServiceEvent("note_added", {"why": "a test"}),)
    ).result(20)
    assert [row.kind for row in journal.events(table)] == ["anchor_published", "note_added"]
    assert not check_journal(journal)


def test_bots_play_while_a_player_is_present(open_manager: Callable[..., TableManager], journal: Journal) -> None:
    """No events without a player; bots play with one, also in another process; none when the player is away or gone."""
    company = (bot_added("b1", "pass_345", 100_000), bot_added("b2", "molly", 100_000))
    clock = RealClock()
    manager = open_manager(BRISK, clock=clock)
    table = manager.create_table(as_house("new_jersey"), initial_events=company).result(20)
    opened = manager.live_table(table).result(20).state.sequence
    time.sleep(0.2)
    assert manager.live_table(table).result(20).state.sequence == opened
    submit(manager, table, "ann", "1", command="join", cents=50_000)
    until(lambda: rolls(journal, table) >= 5)
    manager.close()
    before = rolls(journal, table)
    other = open_manager(BRISK, clock=clock)
    remembered = [bot.memory for bot in other.live_table(table).result(20).bots]
    assert len(remembered) == 2
    time.sleep(0.2)
    assert rolls(journal, table) == before, "nobody has come back yet"
    other.watch(table, lambda _rows: None, player="ann").result(20)
    until(lambda: rolls(journal, table) >= before + 5)
    clock.ahead_ms += AWAY_AFTER_MS + 1
    resting = other.table_status(table).result(20)
    assert resting.waiting is None or resting.waiting.due_ms is None
    count = resting.table.state.sequence
    time.sleep(0.2)
    assert other.live_table(table).result(20).state.sequence == count
    submit(other, table, "ann", "2", command="buy_in", cents=100)
    until(lambda: other.live_table(table).result(20).state.sequence > count + 5)
    submit(other, table, "ann", "3", command="leave")
    until(lambda: other.live_table(table).result(20).human_players == ())
    count = other.live_table(table).result(20).state.sequence
    time.sleep(0.2)
    assert other.live_table(table).result(20).state.sequence == count
    assert not check_journal(journal)
    assert not journal.events_of_kind(table, "seed_committed")


def test_the_status_says_what_the_table_waits_for(open_manager: Callable[..., TableManager]) -> None:
    pace = Pace(
        min_roll_interval_ms=0,
        betting_window_ms=5_000,
        seed_timeout_ms=60_000,
        shooter_timeout_ms=60_000,
        offer_timeout_ms=40_000,
    )
    manager = open_manager(pace)
    table = manager.create_table(as_house("new_jersey")).result(20)
    assert manager.table_status(table).result(20).waiting is None
    submit(manager, table, "ann", "1", command="join", cents=50_000)
    assert manager.table_status(table).result(20).waiting == ("offer", ("ann",), None), "alone, there is all the time"
    submit(manager, table, "bob", "1", command="join", cents=50_000)
    seen = manager.table_status(table).result(20)
    assert seen.waiting is not None
    assert seen.waiting[:2] == ("offer", ("ann",))
    assert 0 < (seen.waiting.due_ms or 0) - seen.now_ms <= 40_000
    submit(manager, table, "ann", "2", command="bet", spot="pass", stake_cents=1000)
    promised = make_commitment(table, 1, "bob", bytes(32)).hex()
    submit(manager, table, "bob", "2", command="commit_seed", roll=1, commitment=promised)
    submit(manager, table, "ann", "3", command="roll")
    seen = manager.table_status(table).result(20)
    assert seen.waiting == ("openings", ("bob",), seen.table.locked_ms + 60_000)
    submit(manager, table, "bob", "3", command="open_seed", seed="00" * 32)
    seen = manager.table_status(table).result(20)
    assert seen.waiting is not None
    assert seen.roll_allowed_at_ms == seen.table.last_roll_ms + 5_000
    assert seen.pace == pace
