"""The manager of all live tables of a process, with the one thread that writes them.

Commands of many players are executed one after the other and appended in one transaction. Only then are they answered,
and watchers notified. A command that was already answered gets the same reply again.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final, NamedTuple, TypeVar

from trueodds.fair import FairDice, ServerKey
from trueodds.journal import (
    AppendError,
    AppendRequest,
    CommandReply,
    CorruptDatabaseError,
    DatabaseUnavailableError,
    DuplicateCommandError,
    Journal,
    JournalError,
    LeaseHeldError,
    NoSuchTableError,
    ServiceEvent,
    StoredEvent,
    TableHeader,
)
from trueodds.journal.canonical_json import Json
from trueodds.journal.iter_events import iter_events
from trueodds.journal.service_event import BOT_ADDED, SECRET_REVEALED
from trueodds.journal.stored_reply import CommandKey
from trueodds.rulebook import House
from trueodds.service.bot_runner import bots_due_ms, run_bots
from trueodds.service.errors import CommandRefused
from trueodds.service.live_table import LASTING_KINDS, LiveTable, rebuild_live_table
from trueodds.service.pace import Pace
from trueodds.service.player_command import PlayerCommand, parse_command
from trueodds.service.presence import Presence
from trueodds.service.process_identity import ProcessIdentity, is_gone
from trueodds.service.self_limits import Allowance, SelfLimits, remaining_allowance
from trueodds.service.table_controller import UNLIMITED, TableController, TableUpdate, risks_money
from trueodds.service.table_status import TableStatus, read_table_status
from trueodds.table import Rolled

Clock = Callable[[], int]
"""Returns milliseconds."""

Watcher = Callable[[tuple[StoredEvent, ...]], None]
"""Called with new events on the writer thread; it must not block. No events mean that the table was dropped."""

Reply = dict[str, Json]
"""The reply to a command, as JSON."""

T = TypeVar("T")

MAX_BATCH: Final = 64
"""The most commands appended in one transaction."""

BATCH_DELAY_S: Final = 0.002
"""How long to collect commands before appending them, while several arrive at a time."""

MAX_QUEUE: Final = 10_000
"""The most commands that may wait; further ones are refused as `busy`."""

LEASE_SECONDS: Final = 10.0
"""How long a lease lasts. Another machine waits as long before it runs the tables of a killed process."""

FULL_SCAN_INTERVAL_MS: Final = 500
"""How often to look at every table. In between, only tables where something changed or is due are looked at."""

RECLAIM_INTERVAL_MS: Final = 5_000
"""How often to try to acquire tables where departing players wait."""

IDLE_RELEASE_MS: Final = 300_000
"""How long to keep a table without watchers, commands and timeouts. Later it is rebuilt from its events."""

LOG: Final = logging.getLogger("trueodds.service")


@dataclass(slots=True)
class _ManagedTable:
    """A table that this process writes: the live table as stored, its controller, lease, watchers and presence."""

    controller: TableController
    table: LiveTable
    epoch: int
    renew_ms: int
    last_used_ms: int
    next_due_ms: int | None = None
    watchers: dict[int, Watcher] = field(default_factory=dict)
    presence: Presence = field(default_factory=Presence)

    def present_since_ms(self, now_ms: int) -> int | None:
        """Return since when any player who is not departing is present, or None."""
        staying = (player for player in self.table.human_players if player not in self.table.departing)
        return self.presence.present_since_ms(staying, now_ms)

    def due_ms(self, now_ms: int) -> int | None:
        """Return when the table or its bots have something to do without a command, or None."""
        if self._is_idle:
            return None
        present_since_ms = self.present_since_ms(now_ms)
        dues = (
            self.controller.timeout_at_ms(self.table, present_since_ms),
            bots_due_ms(self.controller, self.table, present_since_ms),
        )
        return min((due for due in dues if due is not None), default=None)

    @property
    def _is_idle(self) -> bool:
        """Whether nothing can be due. This keeps many single-player tables cheap."""
        return self.table.has_single_player and self.table.fair_roll.lock is None and not self.table.departing

    def tick(self, now_ms: int) -> TableUpdate | None:
        """Run the bots, or act on a timeout. Return the update to append, or None."""
        if self._is_idle:
            return None
        present_since_ms = self.present_since_ms(now_ms)
        update = run_bots(self.controller, self.table, present_since_ms, now_ms)
        if update is not None and not update.events:
            self.table, update = update.table, None
        return update or self.controller.on_timeout(self.table, now_ms, present_since_ms)


class _PendingCommand(NamedTuple):
    """A command that waits for its reply."""

    table_id: str
    player: str
    command_id: str
    data: object
    reply: Future[Reply]
    limits: SelfLimits | None = None

    @property
    def key(self) -> CommandKey:
        """Identifies the command when it is sent again."""
        return (self.table_id, self.player, self.command_id)


class _PreparedAppend(NamedTuple):
    """An append request that is not written yet, and the reply to send once it is."""

    command: _PendingCommand | None
    request: AppendRequest
    reply: Reply
    table: LiveTable


class TableManager:
    """Manages live tables: creates them, executes commands, and acts on timeouts."""

    def __init__(
        self, journal: Journal, key: ServerKey, clock: Clock, *, pace: Pace | None = None, owner: str = ""
    ) -> None:
        self._journal = journal
        self._key = key
        self._clock = clock
        self.pace = pace or Pace()
        self._owner = owner or str(ProcessIdentity.current())
        self._tables: dict[str, _ManagedTable] = {}
        self._changed: set[str] = set()
        self._last_scan_ms = 0
        self._unclaimed_departures: set[str] | None = None
        self._last_reclaim_ms = 0
        self._is_failing = False
        self._queue: SimpleQueue[_PendingCommand | Callable[[], None] | None] = SimpleQueue()
        self._thread = Thread(target=self._writer_loop, name="table-writer", daemon=True)
        self._thread.start()

    def __repr__(self) -> str:
        state = "running" if self.is_running else "stopped"
        return f"<{type(self).__name__} {self._owner}: {len(self._tables)} tables, {state}>"

    # ------------------------------------------------------------------------------------- for any thread

    @property
    def is_running(self) -> bool:
        """Whether the writer thread is alive."""
        return self._thread.is_alive()

    def create_table(
        self, house: House, table_id: str | None = None, initial_events: tuple[ServiceEvent, ...] = ()
    ) -> Future[str]:
        """Create a table with some initial events, and return its id."""
        new_id = table_id or secrets.token_urlsafe(9).replace("-", "_")
        return self._run_on_writer_thread(lambda: self._create_table(new_id, house, initial_events))

    def submit(
        self, table_id: str, player: str, command_id: str, data: object, limits: SelfLimits | None = None
    ) -> Future[Reply]:
        """Submit a command under an id that the client chose. Sent twice, it is executed once and gets the same reply.

        `limits` are the player's self-limits, which apply over all tables.
        """
        reply: Future[Reply] = _uncancellable_future()
        if self._queue.qsize() >= MAX_QUEUE:
            reply.set_result(_refusal_reply(CommandRefused("busy", "The server is busy: try again", 1000)))
            return reply
        self._queue.put(_PendingCommand(table_id, player, command_id, data, reply, limits))
        return reply

    def watch(
        self, table_id: str, watcher: Watcher, after: int = 0, player: str | None = None
    ) -> Future[Callable[[], None]]:
        """Watch the events of a table after a sequence number, stored ones first. Return a function that ends it.

        If the watcher is called without events, the table was dropped: watch it again.
        """
        return self._run_on_writer_thread(lambda: self._watch(table_id, watcher, after, player))

    def live_table(self, table_id: str) -> Future[LiveTable]:
        """Return a table as it was last stored."""
        return self._run_on_writer_thread(lambda: self._acquire_table(table_id).table)

    def table_status(self, table_id: str) -> Future[TableStatus]:
        """Return the status of a table as it was last stored."""
        return self._run_on_writer_thread(lambda: self._table_status(table_id))

    def close(self) -> None:
        """Execute the waiting commands, release the leases, and stop."""
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()

    def _run_on_writer_thread(self, function: Callable[[], T]) -> Future[T]:
        future: Future[T] = _uncancellable_future()

        def run() -> None:
            try:
                future.set_result(function())
            except Exception as error:
                future.set_exception(error)

        self._queue.put(run)
        return future

    # ----------------------------------------------------------------------------------- the writer thread

    def _writer_loop(self) -> None:
        batch: list[_PendingCommand] = []
        while True:
            many_arrive, batch = len(batch) > 1, []
            try:
                first = self._queue.get(timeout=self._idle_seconds())
            except Empty:
                self._tick_tables()
                continue
            item: _PendingCommand | Callable[[], None] | None = first
            if many_arrive:
                time.sleep(BATCH_DELAY_S)
            while isinstance(item, _PendingCommand):
                batch.append(item)
                if len(batch) == MAX_BATCH or self._queue.empty():
                    break
                item = self._queue.get()
            self._handle_batch(batch)
            if item is None:
                break
            if not isinstance(item, _PendingCommand):
                item()
            self._tick_tables()
        for table_id, managed in self._tables.items():
            with suppress(JournalError):
                self._journal.release_lease(table_id, managed.epoch)

    def _idle_seconds(self) -> float:
        """Return how long nothing is due."""
        now_ms = self._clock()
        for table_id in self._changed & self._tables.keys():
            managed = self._tables[table_id]
            try:
                managed.next_due_ms = managed.due_ms(now_ms)
            except Exception as error:
                _log_unexpected(error)
                self._drop_table(table_id)
        self._changed.clear()
        dues = [managed.next_due_ms for managed in self._tables.values() if managed.next_due_ms is not None]
        return max(0, min([FULL_SCAN_INTERVAL_MS, *(due - now_ms for due in dues)])) / 1000

    def _tables_to_tick(self, now_ms: int) -> list[str]:
        """Return the tables where something changed or is due. Sometimes return all, as the clock may be set back."""
        if not 0 <= now_ms - self._last_scan_ms < FULL_SCAN_INTERVAL_MS:
            self._last_scan_ms = now_ms
            return list(self._tables)
        due = {
            name
            for name, managed in self._tables.items()
            if managed.next_due_ms is not None and managed.next_due_ms <= now_ms
        }
        return [name for name in self._tables if name in self._changed or name in due]

    def _reclaim_departures(self, now_ms: int) -> None:
        """Acquire the tables where departing players wait, even if no command arrives for them.

        At first these are the players who asked to leave before this process started.
        """
        if self._unclaimed_departures == set() or 0 <= now_ms - self._last_reclaim_ms < RECLAIM_INTERVAL_MS:
            return
        self._last_reclaim_ms = now_ms
        try:
            if self._unclaimed_departures is None:
                self._unclaimed_departures = set(self._journal.tables_with_departing_players())
        except Exception as error:
            _log_unexpected(error)
            return
        for table_id in sorted(self._unclaimed_departures):
            try:
                self._acquire_table(table_id)
                self._unclaimed_departures.discard(table_id)
            except (CommandRefused, DatabaseUnavailableError):
                continue  # another process has it, or the database is unavailable
            except Exception as error:
                _log_unexpected(error)
                self._unclaimed_departures.discard(table_id)

    def _tick_tables(self) -> None:
        now_ms = self._clock()
        self._reclaim_departures(now_ms)
        prepared = []
        for table_id in self._tables_to_tick(now_ms):
            managed = self._tables[table_id]
            self._changed.add(table_id)
            try:
                update = managed.tick(now_ms)
                if now_ms >= managed.renew_ms and update is None and self._may_be_released(managed, now_ms):
                    del self._tables[table_id]
                    self._journal.release_lease(table_id, managed.epoch)
                elif now_ms >= managed.renew_ms:
                    self._journal.renew_lease(table_id, managed.epoch, LEASE_SECONDS)
                    managed.renew_ms = now_ms + int(LEASE_SECONDS * 500)
            except Exception as error:
                _log_unexpected(error)
                self._drop_table(table_id)
                continue
            if update is not None:
                prepared.append(self._prepare_append(None, managed.table, update, now_ms, {}))
        self._commit(prepared)

    @staticmethod
    def _may_be_released(managed: _ManagedTable, now_ms: int) -> bool:
        is_quiet = not managed.watchers and managed.controller.timeout_at_ms(managed.table) is None
        return is_quiet and now_ms - managed.last_used_ms >= IDLE_RELEASE_MS

    def _handle_batch(self, batch: Iterable[_PendingCommand]) -> None:
        """Execute commands in the order they arrived, each after those before it, and append them together."""
        distinct: dict[CommandKey, _PendingCommand] = {}
        for pending in batch:
            if pending.key in distinct:
                self._handle_distinct(distinct)
                distinct = {}
            distinct[pending.key] = pending
        self._handle_distinct(distinct)

    def _handle_distinct(self, batch: dict[CommandKey, _PendingCommand]) -> None:
        """Execute distinct commands as if all were new; the journal refuses those that are not."""
        prepared: list[_PreparedAppend] = []
        tables: dict[str, LiveTable] = {}
        for pending in batch.values():
            if _needs_commit_first(pending, prepared):
                self._commit(prepared)
                prepared, tables = [], {}
            try:
                append = self._execute(pending, tables)
            except Exception as error:
                self._handle_failure(pending, error)
                continue
            prepared.append(append)
            tables[pending.table_id] = append.table
        self._commit(prepared)

    def _resend_stored_replies(self, batch: dict[CommandKey, _PendingCommand]) -> dict[CommandKey, _PendingCommand]:
        """Send the stored replies to commands that were already answered, and return the other commands."""
        try:
            stored = self._journal.find_replies(list(batch))
        except Exception as error:
            for pending in batch.values():
                pending.reply.set_result(_refusal_reply(error))
            return {}
        for key, stored_reply in stored.items():
            batch[key].reply.set_result(dict(stored_reply.reply))
        return {key: pending for key, pending in batch.items() if key not in stored}

    def _handle_failure(self, pending: _PendingCommand, error: Exception) -> None:
        """Reply that a command failed, unless it was already answered."""
        self._log_write_failure(error)
        is_new = isinstance(error, CommandRefused) or self._resend_stored_replies({pending.key: pending})
        if is_new:
            pending.reply.set_result(_refusal_reply(error))

    def _execute(self, pending: _PendingCommand, tables: dict[str, LiveTable]) -> _PreparedAppend:
        """Execute or refuse a command."""
        managed = self._acquire_table(pending.table_id)
        table, now_ms = tables.get(pending.table_id, managed.table), self._clock()
        try:
            command = parse_command(pending.player, pending.data)
            allowance = self._allowance(pending, command, now_ms)
            managed.presence.on_command(command, pending.player, now_ms)
            update = managed.controller.execute(table, pending.player, command, now_ms, allowance)
        except CommandRefused as refusal:
            update = managed.controller.record_limit_reached(table, pending.player, refusal, now_ms)
            return self._prepare_append(pending, table, update, now_ms, _refusal_reply(refusal))
        reply = {"ok": True, "sequence": update.table.state.sequence}
        return self._prepare_append(pending, table, update, now_ms, reply)

    def _allowance(self, pending: _PendingCommand, command: PlayerCommand, now_ms: int) -> Allowance:
        """Return what the player's self-limits allow, given the stored totals."""
        if pending.limits is None or not risks_money(command):
            return UNLIMITED
        return remaining_allowance(
            pending.limits, self._journal.player_totals.across_tables(pending.player, now_ms), now_ms
        )

    def _prepare_append(
        self, pending: _PendingCommand | None, before: LiveTable, update: TableUpdate, now_ms: int, reply: Reply
    ) -> _PreparedAppend:
        table_id = before.state.header.table_id
        command = None if pending is None else CommandReply(pending.player, pending.command_id, reply)
        epoch = self._tables[table_id].epoch
        request = AppendRequest(table_id, epoch, before.state.sequence, now_ms, update.events, command, update.applied)
        return _PreparedAppend(pending, request, reply, update.table)

    def _commit(self, prepared: list[_PreparedAppend]) -> None:
        if not prepared:
            return
        try:
            results = self._journal.append([append.request for append in prepared])
        except DuplicateCommandError:
            # Nothing was written. Resend the stored replies, and execute the other commands again.
            pending = {append.command.key: append.command for append in prepared if append.command is not None}
            self._handle_distinct(self._resend_stored_replies(pending))
            return
        except AppendError as error:
            # Nothing was written. Drop the table that failed, and append the others without it.
            failed_id = prepared[error.batch_index or 0].request.table_id
            self._fail_appends([append for append in prepared if append.request.table_id == failed_id], error)
            self._commit([append for append in prepared if append.request.table_id != failed_id])
            return
        except Exception as error:
            self._fail_appends(prepared, error)
            return
        if self._is_failing:
            self._is_failing = False
            LOG.warning("writing to the database again")
        new_events: dict[str, list[StoredEvent]] = {}
        for append, result in zip(prepared, results, strict=True):
            table_id = append.request.table_id
            self._tables[table_id].table = append.table
            self._changed.add(table_id)
            if result.events:
                new_events.setdefault(table_id, []).extend(result.events)
        for table_id, events in new_events.items():
            self._notify_watchers(self._tables[table_id], tuple(events))
        for append in prepared:
            if append.command is not None:
                append.command.reply.set_result(append.reply)

    def _fail_appends(self, prepared: list[_PreparedAppend], error: Exception) -> None:
        """Drop the tables of appends that were not written, and reply with the error."""
        self._log_write_failure(error)
        reply = _refusal_reply(error)
        for append in prepared:
            self._drop_table(append.request.table_id)
            if append.command is not None:
                append.command.reply.set_result(reply)

    def _log_write_failure(self, error: Exception) -> None:
        """Log once that nothing can be written, until something was written again."""
        if isinstance(error, DatabaseUnavailableError) and not self._is_failing:
            self._is_failing = True
            LOG.error("cannot write to the database: %s", error)

    def _drop_table(self, table_id: str) -> None:
        """Stop managing a table, and notify its watchers."""
        managed = self._tables.pop(table_id, None)
        if managed is not None:
            if managed.table.departing and self._unclaimed_departures is not None:
                self._unclaimed_departures.add(table_id)
                self._last_reclaim_ms = self._clock()
            self._notify_watchers(managed, ())

    def _notify_watchers(self, managed: _ManagedTable, events: tuple[StoredEvent, ...]) -> None:
        for watcher in list(managed.watchers.values()):
            watcher(events)

    def _create_table(self, table_id: str, house: House, initial_events: tuple[ServiceEvent, ...]) -> str:
        header = TableHeader.for_house(table_id, house, self._clock())
        self._journal.create_table(header)
        self._acquire_table(table_id, initial_events)
        return table_id

    def _table_status(self, table_id: str) -> TableStatus:
        managed, now_ms = self._acquire_table(table_id), self._clock()
        return read_table_status(managed.controller, managed.table, managed.present_since_ms(now_ms), now_ms)

    def _watch(self, table_id: str, watcher: Watcher, after: int, player: str | None) -> Callable[[], None]:
        managed = self._acquire_table(table_id)
        if player is not None:
            managed.presence.mark_present(player, self._clock())
        events = tuple(iter_events(self._journal, table_id, after))
        if events:
            watcher(events)
        number = max(managed.watchers, default=0) + 1
        managed.watchers[number] = watcher

        def stop() -> None:
            managed.watchers.pop(number, None)

        return lambda: self._queue.put(stop)

    def _acquire_table(self, table_id: str, initial_events: tuple[ServiceEvent, ...] = ()) -> _ManagedTable:
        """Return a managed table, acquiring its lease and loading it if necessary."""
        managed = self._tables.get(table_id)
        if managed is None:
            try:
                epoch = self._journal.acquire_lease(table_id, self._owner, LEASE_SECONDS, is_gone)
            except NoSuchTableError:
                raise CommandRefused("no_such_table", f"There is no table {table_id}") from None
            except LeaseHeldError:
                raise CommandRefused("held_elsewhere", "Another server process runs this table", 1000) from None
            state = self._journal.load_state(table_id)
            controller = TableController(state.header, FairDice(self._key, table_id), self.pace)
            table = rebuild_live_table(state, _events_to_rebuild(self._journal, table_id))
            now_ms = self._clock()
            managed = _ManagedTable(controller, table, epoch, now_ms + int(LEASE_SECONDS * 500), now_ms)
            self._tables[table_id] = managed
            if not state.sequence:
                update = controller.open_table(table, now_ms, initial_events)
                self._commit([self._prepare_append(None, table, update, now_ms, {})])
                if table_id not in self._tables:
                    raise DatabaseUnavailableError(f"cannot open table {table_id}")
        managed.last_used_ms = self._clock()
        self._changed.add(table_id)
        return managed


def _needs_commit_first(pending: _PendingCommand, prepared: list[_PreparedAppend]) -> bool:
    """Return whether an append that is not written yet may change what the player's self-limits allow."""
    return pending.limits is not None and any(
        (append.command is not None and append.command.player == pending.player)
        or any(isinstance(event, Rolled) for event in append.request.events)
        for append in prepared
    )


def _uncancellable_future() -> Future[T]:
    """Return a future that callers cannot cancel: its command is executed even if they stop waiting."""
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()
    return future


def _events_to_rebuild(journal: Journal, table_id: str) -> Iterable[StoredEvent]:
    """Return the events that a live table is rebuilt from: few, so that a table with a long log opens quickly."""
    last_roll = journal.last_event_of_kind(table_id, SECRET_REVEALED)
    if last_roll is None:
        return iter_events(journal, table_id)
    before = journal.events_before(table_id, last_roll.sequence, {*LASTING_KINDS, BOT_ADDED})
    if any(event.kind == BOT_ADDED for event in before):
        # The memory of a bot depends on all events.
        return iter_events(journal, table_id)
    return (*before, last_roll, *iter_events(journal, table_id, last_roll.sequence))


def _is_unexpected(error: Exception) -> bool:
    return isinstance(error, CorruptDatabaseError) or not isinstance(error, CommandRefused | JournalError)


def _log_unexpected(error: Exception) -> None:
    """Log an error that is neither a refusal nor an expected failure of the journal."""
    if _is_unexpected(error):
        LOG.error("internal error", exc_info=error)


def _refusal_reply(error: Exception) -> Reply:
    """Return the reply for an error. The details of an unexpected one are logged, not sent."""
    if isinstance(error, DatabaseUnavailableError):
        return _error_reply(error.code, "The database does not answer: try again")
    if isinstance(error, CommandRefused):
        wait = {} if error.retry_after_ms is None else {"retry_after_ms": error.retry_after_ms}
        return _error_reply(error.code, error.message, **wait, **error.details)
    if isinstance(error, JournalError) and not _is_unexpected(error):
        return _error_reply(error.code, str(error))
    _log_unexpected(error)
    return _error_reply("internal_error", "Internal server error")


def _error_reply(code: str, message: str, **details: int | str) -> Reply:
    return {"ok": False, "error": {"code": code, "message": message, **details}}
