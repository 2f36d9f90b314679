"""The table manager after internal errors, lost tables and database failures, on both databases."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import Any

import pytest

from support.table_managers import QUICK, Clock, RealClock, submit, until
from trueodds.journal import DatabaseUnavailableError, Journal, ServiceEvent, StoredEvent
from trueodds.rulebook import as_house
from trueodds.service.live_table import LiveTable
from trueodds.service.player_command import BuyIn, PlayerCommand
from trueodds.service.self_limits import Allowance
from trueodds.service.table_controller import UNLIMITED, TableController, TableUpdate
from trueodds.service.table_manager import IDLE_RELEASE_MS, TableManager


def test_an_internal_error_fails_only_its_command(
    open_manager: Callable[..., TableManager],
    journal: Journal,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The writer thread continues, and the details of the error are not sent."""
    manager = open_manager()
    table = manager.create_table(as_house("new_jersey")).result(20)
    submit(manager, table, "ann", "1", command="join", cents=50_000)
    execute = TableController.execute

    def fail(
        self: TableController,
        box: LiveTable,
        player: str,
        command: PlayerCommand,
        now_ms: int,
        allowed: Allowance = UNLIMITED,
    ) -> TableUpdate:
        if isinstance(command, BuyIn) and command.cents == 666:
            raise RuntimeError("the secret is 42")
        return execute(self, box, player, command, now_ms, allowed)

    monkeypatch.setattr(TableController, "execute", fail)
    asked = [
        manager.submit(table, "ann", f"b{cents}", {"command": "buy_in", "cents": cents}) for cents in (100, 666, 200)
    ]
    first, broken, last = (one.result(20) for one in asked)
    assert (first["ok"], last["ok"]) == (True, True)
    assert broken["error"]["code"] == "internal_error"
    assert "42" not in broken["error"]["message"]
    assert [record.message for record in caplog.records if record.name == "trueodds.service"] == ["internal error"]
    assert manager.is_running
    assert journal.load_state(table).racks_cents == {"ann": 50_300}
    assert journal.find_reply(table, "ann", "b666") is None, "it may be asked again under the same id"


@pytest.mark.parametrize("what", ["tick", "due_ms"])
def test_an_internal_error_in_a_tick_drops_only_its_table(
    open_manager: Callable[..., TableManager], monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """In a tick, and in computing when the next one is due."""
    manager = open_manager()
    table, other = (manager.create_table(as_house("new_jersey")).result(20) for _ in range(2))
    told: list[tuple[StoredEvent, ...]] = []
    manager.watch(table, told.append).result(20)

    def fail(managed: Any, _now_ms: int) -> None:
        if managed.table.state.header.table_id == table:
            raise RuntimeError

    monkeypatch.setattr(f"trueodds.service.table_manager._ManagedTable.{what}", fail)
    manager.live_table(table).result(20)
    assert submit(manager, other, "ann", "1", command="join", cents=50_000)["ok"]
    until(lambda: told[-1] == ())
    assert manager.is_running


def test_a_table_with_an_update_is_not_released(
    open_manager: Callable[..., TableManager], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The update is written, and the writer thread continues."""
    manager = open_manager()
    table, other = (manager.create_table(as_house("new_jersey")).result(20) for _ in range(2))
    submit(manager, table, "ann", "1", command="join", cents=50_000)
    clock = manager._clock
    assert isinstance(clock, Clock)

    def tick(managed: Any, now_ms: int) -> TableUpdate | None:
        if managed.table.state.header.table_id != table or managed.table.rack_cents("ann") == 60_000:
            return None
        update: TableUpdate = managed.controller.execute(managed.table, "ann", BuyIn(10_000), now_ms)
        return update

    with monkeypatch.context() as patch:
        patch.setattr("trueodds.service.table_manager._ManagedTable.tick", tick)
        clock.now_ms += IDLE_RELEASE_MS
        manager.live_table(other).result(20)
        manager.live_table(other).result(20)
    assert manager.is_running
    assert manager.live_table(table).result(20).rack_cents("ann") == 60_000


def until_in_time(manager: TableManager, is_so: Callable[[], bool]) -> None:
    """Advance the clock by ten minutes again and again until a condition holds."""
    clock = manager._clock
    assert isinstance(clock, RealClock)

    def is_so_by_now() -> bool:
        clock.ahead_ms += QUICK.shooter_timeout_ms + 1
        manager._queue.put(lambda: None)
        return is_so()

    until(is_so_by_now)


def leave_with_a_point(manager: TableManager, table: str) -> None:
    """Join alone, roll until a point is on, and leave."""
    submit(manager, table, "ann", "join", command="join", cents=50_000)
    for number in range(100):
        submit(manager, table, "ann", f"bet {number}", command="bet", spot="pass", stake_cents=1000)
        submit(manager, table, "ann", f"roll {number}", command="roll")
        if manager.live_table(table).result(20).state.position.puck:
            break
    assert submit(manager, table, "ann", "leave", command="leave")["ok"]
    assert manager.live_table(table).result(20).departing == {"ann"}


def test_departing_players_leave_after_a_restart(open_manager: Callable[..., TableManager], journal: Journal) -> None:
    """No command arrives for the table. Tables without departing players are not acquired."""
    manager = open_manager()
    table, other = (manager.create_table(as_house("new_jersey")).result(20) for _ in range(2))
    leave_with_a_point(manager, table)
    submit(manager, other, "bob", "1", command="join", cents=50_000)
    submit(manager, other, "bob", "2", command="bet", spot="pass", stake_cents=1000)
    assert journal.tables_with_departing_players() == (table,)
    manager.close()
    manager = open_manager(clock=RealClock())
    until_in_time(manager, lambda: not journal.load_state(table).position.seats)
    assert journal.tables_with_departing_players() == ()
    assert journal.read_lease(other).owner is None


def test_departing_players_leave_while_others_are_away(
    open_manager: Callable[..., TableManager], journal: Journal
) -> None:
    """Bob is away but keeps his seat; the table still rolls for Ann."""
    manager = open_manager(clock=RealClock())
    table = manager.create_table(as_house("new_jersey")).result(20)
    leave_with_a_point(manager, table)
    assert submit(manager, table, "bob", "join", command="join", cents=50_000)["ok"]
    until_in_time(manager, lambda: [seat.player for seat in journal.load_state(table).position.seats] == ["bob"])


def test_departing_players_leave_after_a_database_failure(
    open_manager: Callable[..., TableManager], journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager = open_manager(clock=RealClock())
    table = manager.create_table(as_house("new_jersey")).result(20)
    leave_with_a_point(manager, table)
    away = Event()

    def unavailable(_batch: object) -> None:
        away.set()
        raise DatabaseUnavailableError

    with monkeypatch.context() as patch:
        patch.setattr(journal, "append", unavailable)
        until_in_time(manager, away.is_set)
    until_in_time(manager, lambda: not journal.load_state(table).position.seats)


def test_a_lost_table_does_not_affect_others(open_manager: Callable[..., TableManager], journal: Journal) -> None:
    """Commands at two tables in one batch, and one lease is lost: the other command is executed."""
    manager = open_manager()
    lost, other = (manager.create_table(as_house("new_jersey")).result(20) for _ in range(2))
    journal.release_lease(lost, journal.read_lease(lost).epoch)
    journal.acquire_lease(lost, "another", 60)
    started, go_on = Event(), Event()

    def hold() -> None:
        started.set()
        go_on.wait(20)

    manager._queue.put(hold)
    assert started.wait(20)
    asked = [manager.submit(table, "ann", "1", {"command": "join", "cents": 1000}) for table in (lost, other)]
    go_on.set()
    no, yes = (one.result(20) for one in asked)
    assert no["error"]["code"] == "stale_epoch"
    assert yes["ok"]
    assert journal.load_state(other).racks_cents == {"ann": 1000}


def test_database_errors_are_not_sent_to_players(
    open_manager: Callable[..., TableManager], journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager = open_manager()
    table = manager.create_table(as_house("new_jersey")).result(20)

    def away(_batch: object) -> None:
        raise DatabaseUnavailableError("connection to server at 192.0.2.7, user craps, failed")

    monkeypatch.setattr(journal, "append", away)
    no = submit(manager, table, "ann", "1", command="join", cents=1000)
    assert no["error"] == {"code": "unavailable", "message": "The database does not answer: try again"}
    with pytest.raises(DatabaseUnavailableError):
        manager.create_table(
            as_house("new_jersey"), "t2", initial_events=(ServiceEvent("note_added", {"invitation_only": True}),)
        ).result(20)
    assert not journal.events("t2"), "a table is opened with its notes or not at all"


def test_an_idle_table_is_released(open_manager: Callable[..., TableManager], journal: Journal) -> None:
    """Its lease is released, and the next player finds the table as it was."""
    manager = open_manager()
    quiet, watched, seated = (manager.create_table(as_house("new_jersey")).result(20) for _ in range(3))
    manager.watch(watched, lambda _rows: None).result(20)
    submit(manager, seated, "ann", "1", command="join", cents=1000)
    clock = manager._clock
    assert isinstance(clock, Clock)
    clock.now_ms += IDLE_RELEASE_MS
    manager.live_table(watched).result(20)
    manager.live_table(watched).result(20)
    assert journal.read_lease(quiet).owner is None
    assert journal.read_lease(watched).owner is not None
    assert submit(manager, quiet, "ann", "1", command="join", cents=1000)["ok"]
    assert manager.live_table(seated).result(20).rack_cents("ann") == 1000


def test_a_full_queue_refuses_commands(
    open_manager: Callable[..., TableManager], monkeypatch: pytest.MonkeyPatch
) -> None:
    manager = open_manager()
    table = manager.create_table(as_house("new_jersey")).result(20)
    monkeypatch.setattr("trueodds.service.table_manager.MAX_QUEUE", 0)
    no = submit(manager, table, "ann", "1", command="join", cents=1000)["error"]
    assert (no["code"], no["retry_after_ms"]) == ("busy", 1000)
    monkeypatch.undo()
    assert submit(manager, table, "ann", "1", command="join", cents=1000)["ok"]
