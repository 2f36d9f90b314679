"""The floor: all tables of one process, and the one thread that writes them.

Wishes of many players are granted one after the other, written down together in one transaction, and only then answered
and told to whoever watches. A wish that was answered before gets the same answer again.
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
from typing import Any, Final, NamedTuple

from trueodds.fair import FairDice, Key
from trueodds.journal import (
    AnsweredError,
    Append,
    AppendError,
    Command,
    DamagedError,
    Header,
    Journal,
    JournalError,
    LeaseHeldError,
    NoSuchTableError,
    Record,
    Row,
    UnavailableError,
)
from trueodds.journal.command import Key as CommandKey
from trueodds.journal.record import HIRED
from trueodds.journal.walk import walk
from trueodds.rulebook import House
from trueodds.service.attention import Attention
from trueodds.service.box import LASTING, REVEALED, Box, rebuild
from trueodds.service.boxman import FREE, Boxman, Granted, spends
from trueodds.service.company import company_due_ms, keep_company
from trueodds.service.errors import ServiceRefused
from trueodds.service.limit import Allowance, Limits, allowance
from trueodds.service.look import Look, look_at
from trueodds.service.pace import Pace
from trueodds.service.wish import Wish, read_wish
from trueodds.table import Rolled

Clock = Callable[[], int]
"""Gives milliseconds."""

Watcher = Callable[[tuple[Row, ...]], None]
"""Told of new rows, from the writing thread; it must not wait."""

Answer = dict[str, Any]

TOGETHER: Final = 64
"""Most wishes that are written in one transaction."""

GATHER_S: Final = 0.002
"""How long wishes are gathered, while several come at a time, before they are written."""

WAITING_MOST: Final = 10_000
"""Most that may wait to be written; further wishes are told to ask again."""

LEASE_S: Final = 10.0
"""Also how long the tables of a process that was killed cannot be had."""

ROUND_MS: Final = 500
"""How often every table is looked at; between two rounds only those where something happened or is due."""

AGAIN_MS: Final = 5_000
"""How long a table that was lost, and where somebody waits to be let go, is not asked for again."""

ALONE_MS: Final = 300_000
"""How long a table is kept that nobody watches, asks or waits at; whoever comes then takes it up from its rows."""

LOG: Final = logging.getLogger("trueodds.floor")


@dataclass(slots=True)
class _Kept:
    """A table that is kept here: its boxman, the box as written, the epoch of the lease, when it was last asked for,
    when something will be due, who watches, who is there.
    """

    boxman: Boxman
    box: Box
    epoch: int
    renew_ms: int
    asked_ms: int
    next_ms: int | None = None
    watchers: dict[int, Watcher] = field(default_factory=dict)
    attention: Attention = field(default_factory=Attention)

    def awake_ms(self, now_ms: int) -> int | None:
        """Since when anybody is there who stays; None when there is nobody."""
        staying = (player for player in self.box.people if player not in self.box.leaving)
        return self.attention.since_ms(staying, now_ms)

    def due_ms(self, now_ms: int) -> int | None:
        """When the table or its bots have something to do without being asked."""
        if self._is_quiet:
            return None
        awake_ms = self.awake_ms(now_ms)
        dues = (self.boxman.due_ms(self.box, awake_ms), company_due_ms(self.boxman, self.box, awake_ms))
        return min((due for due in dues if due is not None), default=None)

    @property
    def _is_quiet(self) -> bool:
        """Whether nothing can be due, so that a floor of many tables is not kept by those where somebody is alone."""
        return self.box.is_alone and self.box.roll.lock is None and not self.box.leaving

    def go_on(self, now_ms: int) -> Granted | None:
        """Let the bots do what they have to do by now, or act where the table has waited long enough."""
        if self._is_quiet:
            return None
        awake_ms = self.awake_ms(now_ms)
        played = keep_company(self.boxman, self.box, awake_ms, now_ms)
        if played is not None and not played.contents:
            self.box, played = played.box, None
        return played or self.boxman.wait_no_longer(self.box, now_ms, awake_ms)


class _Asked(NamedTuple):
    """A wish on its way."""

    table_id: str
    player: str
    command_id: str
    data: Any
    answer: Future[Answer]
    limits: Limits | None = None

    @property
    def key(self) -> CommandKey:
        """What is the same when it is asked again."""
        return (self.table_id, self.player, self.command_id)


class _Ready(NamedTuple):
    """A wish that was granted or refused and is not written yet."""

    asked: _Asked | None
    append: Append
    response: Answer
    box: Box


class Floor:
    """Keeps tables: opens them, lets players wish, acts where the table has waited long enough."""

    def __init__(self, journal: Journal, key: Key, clock: Clock, *, pace: Pace | None = None, owner: str = "") -> None:
        self._journal = journal
        self._key = key
        self._clock = clock
        self.pace = pace or Pace()
        self._owner = owner or secrets.token_hex(8)
        self._tables: dict[str, _Kept] = {}
        self._changed: set[str] = set()
        self._round_ms = 0
        self._left_behind: set[str] | None = None
        self._left_behind_ms = 0
        self._queue: SimpleQueue[_Asked | Callable[[], None] | None] = SimpleQueue()
        self._thread = Thread(target=self._write_on, name="floor", daemon=True)
        self._thread.start()

    # ------------------------------------------------------------------------------------- for any thread

    @property
    def is_up(self) -> bool:
        """Whether anything is written at all."""
        return self._thread.is_alive()

    def create(self, house: House, table_id: str | None = None, notes: tuple[Record, ...] = ()) -> Future[str]:
        """Open a table under a house; notes are written down before anybody comes."""
        made = table_id or secrets.token_urlsafe(9).replace("-", "_")
        return self._on_thread(lambda: self._create(made, house, notes))

    def ask(
        self, table_id: str, player: str, command_id: str, data: Any, limits: Limits | None = None
    ) -> Future[Answer]:
        """Ask for something under an id that the client made; asked twice, it is done once and answered the same.

        `limits` are those of the player, who is held to them over all tables.
        """
        answer: Future[Answer] = _promise()
        if self._queue.qsize() >= WAITING_MOST:
            answer.set_result(_no(ServiceRefused("busy", "too many ask at once: ask again", 1000)))
            return answer
        self._queue.put(_Asked(table_id, player, command_id, data, answer, limits))
        return answer

    def watch(
        self, table_id: str, watcher: Watcher, after: int = 0, player: str | None = None
    ) -> Future[Callable[[], None]]:
        """Be told of every row after a number, those that are there first; gives what ends the watching.

        No rows at all mean that nothing more will be told: watch again.
        """
        return self._on_thread(lambda: self._watch(table_id, watcher, after, player))

    def box(self, table_id: str) -> Future[Box]:
        """Give a table as it was last written."""
        return self._on_thread(lambda: self._keep(table_id).box)

    def look(self, table_id: str) -> Future[Look]:
        """Give a table as it was last written, with its clock."""
        return self._on_thread(lambda: self._look(table_id))

    def close(self) -> None:
        """Write what was asked for, give the leases up, and stop."""
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()

    def _on_thread(self, work: Callable[[], Any]) -> Future[Any]:
        done: Future[Any] = _promise()

        def run() -> None:
            try:
                done.set_result(work())
            except Exception as error:
                done.set_exception(error)

        self._queue.put(run)
        return done

    # ----------------------------------------------------------------------------------- the writing thread

    def _write_on(self) -> None:
        batch: list[_Asked] = []
        while True:
            several_come, batch = len(batch) > 1, []
            try:
                first = self._queue.get(timeout=self._patience_s())
            except Empty:
                self._wait_no_longer()
                continue
            item: _Asked | Callable[[], None] | None = first
            if several_come:
                time.sleep(GATHER_S)
            while isinstance(item, _Asked):
                batch.append(item)
                if len(batch) == TOGETHER or self._queue.empty():
                    break
                item = self._queue.get()
            self._answer(batch)
            if item is None:
                break
            if not isinstance(item, _Asked):
                item()
            self._wait_no_longer()
        for table_id, kept in self._tables.items():
            with suppress(JournalError):
                self._journal.release(table_id, kept.epoch)

    def _patience_s(self) -> float:
        """How long nothing will be due."""
        now_ms = self._clock()
        for table_id in self._changed & self._tables.keys():
            kept = self._tables[table_id]
            try:
                kept.next_ms = kept.due_ms(now_ms)
            except Exception as error:
                _no(error)
                self._forget(table_id)
        self._changed.clear()
        dues = [kept.next_ms for kept in self._tables.values() if kept.next_ms is not None]
        return max(0, min([ROUND_MS, *(due - now_ms for due in dues)])) / 1000

    def _to_be_looked_at(self, now_ms: int) -> list[str]:
        """Name the tables where something changed or is due, and every now and then all: a clock may be set back."""
        if not 0 <= now_ms - self._round_ms < ROUND_MS:
            self._round_ms = now_ms
            return list(self._tables)
        due = {name for name, kept in self._tables.items() if kept.next_ms is not None and kept.next_ms <= now_ms}
        return [name for name in self._tables if name in self._changed or name in due]

    def _take_up_left_behind(self, now_ms: int) -> None:
        """Keep the tables again where somebody waits to be let go, whether anybody asks for them or not.

        At first that is whoever left before this process began.
        """
        if self._left_behind == set() or 0 <= now_ms - self._left_behind_ms < AGAIN_MS:
            return
        self._left_behind_ms = now_ms
        try:
            if self._left_behind is None:
                self._left_behind = set(self._journal.tables_with_leavers())
        except Exception as error:
            _no(error)
            return
        for table_id in sorted(self._left_behind):
            try:
                self._keep(table_id)
                self._left_behind.discard(table_id)
            except (ServiceRefused, UnavailableError):
                continue  # another process has it, or nobody can have it now
            except Exception as error:
                _no(error)
                self._left_behind.discard(table_id)

    def _wait_no_longer(self) -> None:
        now_ms = self._clock()
        self._take_up_left_behind(now_ms)
        ready = []
        for table_id in self._to_be_looked_at(now_ms):
            kept = self._tables[table_id]
            self._changed.add(table_id)
            try:
                granted = kept.go_on(now_ms)
                if now_ms >= kept.renew_ms and granted is None and self._is_left_alone(kept, now_ms):
                    del self._tables[table_id]
                    self._journal.release(table_id, kept.epoch)
                elif now_ms >= kept.renew_ms:
                    self._journal.renew(table_id, kept.epoch, LEASE_S)
                    kept.renew_ms = now_ms + int(LEASE_S * 500)
            except Exception as error:
                _no(error)
                self._forget(table_id)
                continue
            if granted is not None:
                ready.append(self._ready(None, table_id, kept.box, granted, now_ms, {}))
        self._commit(ready)

    @staticmethod
    def _is_left_alone(kept: _Kept, now_ms: int) -> bool:
        is_quiet = not kept.watchers and kept.boxman.due_ms(kept.box) is None
        return is_quiet and now_ms - kept.asked_ms >= ALONE_MS

    def _answer(self, batch: Iterable[_Asked]) -> None:
        """Grant wishes in the order they came, each on what those before it did, and write them together."""
        fresh: dict[CommandKey, _Asked] = {}
        for asked in batch:
            if asked.key in fresh:
                self._answer_fresh(fresh)
                fresh = {}
            fresh[asked.key] = asked
        self._answer_fresh(fresh)

    def _answer_fresh(self, batch: dict[CommandKey, _Asked]) -> None:
        """Answer wishes of which no two are the same, as if all of them were new: the journal knows if they are not."""
        ready: list[_Ready] = []
        boxes: dict[str, Box] = {}
        for asked in batch.values():
            if _must_be_written(asked, ready):
                self._commit(ready)
                ready, boxes = [], {}
            try:
                found = self._consider(asked, boxes)
            except Exception as error:
                self._stumble(asked, error)
                continue
            ready.append(found)
            boxes[asked.table_id] = found.box
        self._commit(ready)

    def _answer_again(self, batch: dict[CommandKey, _Asked]) -> dict[CommandKey, _Asked]:
        """Answer wishes that were answered before as they were then; gives the others."""
        try:
            known = self._journal.answers(list(batch))
        except Exception as error:
            for asked in batch.values():
                asked.answer.set_result(_no(error))
            return {}
        for key, answered in known.items():
            batch[key].answer.set_result(dict(answered.response))
        return {key: asked for key, asked in batch.items() if key not in known}

    def _stumble(self, asked: _Asked, error: Exception) -> None:
        """Say that a wish came to nothing, unless it was answered before and only asked again."""
        is_new = isinstance(error, ServiceRefused) or self._answer_again({asked.key: asked})
        if is_new:
            asked.answer.set_result(_no(error))

    def _consider(self, asked: _Asked, boxes: dict[str, Box]) -> _Ready:
        """Grant or refuse a wish."""
        kept = self._keep(asked.table_id)
        box, now_ms = boxes.get(asked.table_id, kept.box), self._clock()
        try:
            wish = read_wish(asked.player, asked.data)
            allowed = self._allowance(asked, wish, now_ms)
            kept.attention.hear(wish, asked.player, now_ms)
            granted = kept.boxman.grant(box, asked.player, wish, now_ms, allowed)
        except ServiceRefused as no:
            told = kept.boxman.tell_of_limit(box, asked.player, no, now_ms)
            return self._ready(asked, asked.table_id, box, told, now_ms, _no(no))
        yes = {"ok": True, "sequence": granted.box.table.sequence}
        return self._ready(asked, asked.table_id, box, granted, now_ms, yes)

    def _allowance(self, asked: _Asked, wish: Wish, now_ms: int) -> Allowance:
        """Say what the limits of whoever asks allow, by all that is written."""
        if asked.limits is None or not spends(wish):
            return FREE
        return allowance(asked.limits, self._journal.standings.everywhere(asked.player, now_ms), now_ms)

    def _ready(
        self, asked: _Asked | None, table_id: str, before: Box, granted: Granted, now_ms: int, response: Answer
    ) -> _Ready:  # fmt: skip
        command = None if asked is None else Command(asked.player, asked.command_id, response)
        epoch = self._tables[table_id].epoch
        append = Append(table_id, epoch, before.table.sequence, now_ms, granted.contents, command, granted.step)
        return _Ready(asked, append, response, granted.box)

    def _commit(self, ready: list[_Ready]) -> None:
        if not ready:
            return
        try:
            written = self._journal.append([one.append for one in ready])
        except AnsweredError:
            # Nothing was written. Some only ask again, and what the others wish for is considered without those.
            asked = {one.asked.key: one.asked for one in ready if one.asked is not None}
            self._answer_fresh(self._answer_again(asked))
            return
        except AppendError as error:
            # Nothing was written. One table is lost, and what was wished for at the others is written without it.
            lost = ready[error.index or 0].append.table_id
            self._give_up([one for one in ready if one.append.table_id == lost], error)
            self._commit([one for one in ready if one.append.table_id != lost])
            return
        except Exception as error:
            self._give_up(ready, error)
            return
        news: dict[str, list[Row]] = {}
        for one, appended in zip(ready, written, strict=True):
            table_id = one.append.table_id
            self._tables[table_id].box = one.box
            self._changed.add(table_id)
            if appended.rows:
                news.setdefault(table_id, []).extend(appended.rows)
        for table_id, rows in news.items():
            self._tell(self._tables[table_id], tuple(rows))
        for one in ready:
            if one.asked is not None:
                one.asked.answer.set_result(one.response)

    def _give_up(self, ready: list[_Ready], error: Exception) -> None:
        """Nothing was written: forget what was thought of these tables, and say so."""
        no = _no(error)
        for one in ready:
            self._forget(one.append.table_id)
            if one.asked is not None:
                one.asked.answer.set_result(no)

    def _forget(self, table_id: str) -> None:
        """Keep a table no longer, and let those who watch it know."""
        kept = self._tables.pop(table_id, None)
        if kept is not None:
            if kept.box.leaving and self._left_behind is not None:
                self._left_behind.add(table_id)
                self._left_behind_ms = self._clock()
            self._tell(kept, ())

    def _tell(self, kept: _Kept, rows: tuple[Row, ...]) -> None:
        for watcher in list(kept.watchers.values()):
            watcher(rows)

    def _create(self, table_id: str, house: House, notes: tuple[Record, ...]) -> str:
        header = Header.of(table_id, house, self._clock())
        self._journal.create_table(header)
        self._keep(table_id, notes)
        return table_id

    def _look(self, table_id: str) -> Look:
        kept, now_ms = self._keep(table_id), self._clock()
        return look_at(kept.boxman, kept.box, kept.awake_ms(now_ms), now_ms)

    def _watch(self, table_id: str, watcher: Watcher, after: int, player: str | None) -> Callable[[], None]:
        kept = self._keep(table_id)
        if player is not None:
            kept.attention.show_up(player, self._clock())
        rows = tuple(walk(self._journal, table_id, after))
        if rows:
            watcher(rows)
        number = max(kept.watchers, default=0) + 1
        kept.watchers[number] = watcher

        def stop() -> None:
            kept.watchers.pop(number, None)

        return lambda: self._queue.put(stop)

    def _keep(self, table_id: str, notes: tuple[Record, ...] = ()) -> _Kept:
        """Find a table, or take it over: the lease first, then where it stands."""
        kept = self._tables.get(table_id)
        if kept is None:
            try:
                epoch = self._journal.lease(table_id, self._owner, LEASE_S)
            except NoSuchTableError:
                raise ServiceRefused("no_such_table", f"there is no table {table_id}") from None
            except LeaseHeldError:
                raise ServiceRefused("elsewhere", "this table is kept by another process", 1000) from None
            state = self._journal.load(table_id)
            boxman = Boxman(state.header, FairDice(self._key, table_id), self.pace)
            box = rebuild(state, _rows_that_matter(self._journal, table_id))
            now_ms = self._clock()
            kept = self._tables[table_id] = _Kept(boxman, box, epoch, now_ms + int(LEASE_S * 500), now_ms)
            if not box.table.sequence:
                opened: Granted = boxman.open(box, now_ms, notes)
                self._commit([self._ready(None, table_id, box, opened, now_ms, {})])
                if table_id not in self._tables:
                    raise UnavailableError("a table could not be opened")
        kept.asked_ms = self._clock()
        self._changed.add(table_id)
        return kept


def _must_be_written(asked: _Asked, ready: list[_Ready]) -> bool:
    """Tell whether something that waits to be written may change what the limits of whoever asks allow."""
    return asked.limits is not None and any(
        (one.asked is not None and one.asked.player == asked.player)
        or any(isinstance(content, Rolled) for content in one.append.contents)
        for one in ready
    )


def _promise() -> Future[Any]:
    """Make a future that whoever waits cannot cancel: what was asked for is done, whether they still wait or not."""
    future: Future[Any] = Future()
    future.set_running_or_notify_cancel()
    return future


def _rows_that_matter(journal: Journal, table_id: str) -> Iterable[Row]:
    """Give the rows that a box is made of, so that a table is opened quickly, however long its log is."""
    revealed = journal.last_of(table_id, REVEALED)
    before = () if revealed is None else journal.rows_before(table_id, revealed.sequence, {*LASTING, HIRED})
    if revealed is None or any(row.kind == HIRED for row in before):
        # What a bot remembers follows from all that happened.
        return walk(journal, table_id)
    return (*before, revealed, *walk(journal, table_id, revealed.sequence))


def _no(error: Exception) -> Answer:
    """Say no in the one shape there is. A fault is written down, and what it says is told to nobody."""
    if isinstance(error, UnavailableError):
        return _told("unavailable", "the database does not answer")
    if isinstance(error, DamagedError) or not isinstance(error, ServiceRefused | JournalError):
        LOG.error("fault", exc_info=error)
        return _told("fault", "something went wrong here, and it was written down")
    if not isinstance(error, ServiceRefused):
        return _told(error.code, str(error))
    waits = {} if error.wait_ms is None else {"wait_ms": error.wait_ms}
    return _told(error.code, str(error), **waits, **error.more)


def _told(code: str, sentence: str, **more: Any) -> Answer:
    return {"ok": False, "error": {"code": code, "sentence": sentence, **more}}
