"""The floor: wishes written together and answered once, tables that outlive their process, on both databases."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from threading import Event
from typing import Any

import pytest

from trueodds.fair import Key, commit_to
from trueodds.journal import Journal, Record, Row, UnavailableError, check_journal
from trueodds.rulebook import open_house
from trueodds.service.attention import AWAY_MS
from trueodds.service.box import Box, rebuild
from trueodds.service.boxman import FREE, Boxman, Granted
from trueodds.service.company import hired
from trueodds.service.floor import ALONE_MS, Floor, _rows_that_matter
from trueodds.service.limit import Allowance, Limits
from trueodds.service.pace import Pace
from trueodds.service.wish import BuyIn, Wish

KEY = Key(bytes(range(32)))
QUICK = Pace(between_ms=0, window_ms=0, opening_ms=100, shooter_ms=600_000, offer_ms=600_000)

BRISK = Pace(between_ms=0, window_ms=20, opening_ms=100, shooter_ms=600, offer_ms=300)


class Clock:
    """Time that goes on by itself, a millisecond a look."""

    def __init__(self) -> None:
        self.now_ms = 1_700_000_000_000

    def __call__(self) -> int:
        self.now_ms += 1
        return self.now_ms


class RealClock:
    """Time as it passes, and ahead of itself."""

    def __init__(self) -> None:
        self.ahead_ms = 0

    def __call__(self) -> int:
        return time.time_ns() // 1_000_000 + self.ahead_ms


@pytest.fixture
def open_floor(journal: Journal) -> Iterator[Callable[..., Floor]]:
    floors: list[Floor] = []
    clock = Clock()

    def make(pace: Pace = QUICK, owner: str = "", clock: Callable[[], int] = clock) -> Floor:
        floors.append(Floor(journal, KEY, clock, pace=pace, owner=owner))
        return floors[-1]

    yield make
    for floor in floors:
        floor.close()


def ask(floor: Floor, table: str, player: str, command: str, **data: Any) -> dict[str, Any]:
    return floor.ask(table, player, command, data).result(20)


def test_a_table_and_its_watchers(open_floor: Callable[..., Floor], journal: Journal) -> None:
    floor = open_floor()
    table = floor.create(open_house("new_jersey")).result(20)
    seen: list[Row] = []
    stop = floor.watch(table, seen.extend).result(20)
    assert ask(floor, table, "ann", "1", wish="sit", cents=50_000) == {"ok": True, "sequence": 4}
    refused = ask(floor, table, "ann", "2", wish="roll")
    assert (refused["ok"], refused["error"]["code"]) == (False, "no_line_bet")
    assert ask(floor, table, "ann", "3", wish="bet", spot="pass", cents=1000)["ok"]
    assert ask(floor, table, "ann", "4", wish="roll")["ok"]
    assert [row.sequence for row in seen] == list(range(1, len(seen) + 1))
    assert [row.kind for row in seen[:4]] == ["anchored", "joined", "bought_in", "dice_moved"]
    late: list[Row] = []
    floor.watch(table, late.extend, after=3).result(20)
    assert late == seen[3:]
    stop()
    count = len(seen)
    ask(floor, table, "ann", "5", wish="bet", spot="field", cents=1000)
    assert (len(seen), len(late)) == (count, count - 3 + 1)
    assert not check_journal(journal)


def test_asked_twice_is_done_once(open_floor: Callable[..., Floor], journal: Journal) -> None:
    """In one batch, later, by another process, and when the answer was no."""
    floor = open_floor()
    table = floor.create(open_house("maryland")).result(20)
    ask(floor, table, "ann", "1", wish="sit", cents=50_000)
    bets = [floor.ask(table, "ann", "2", {"wish": "bet", "spot": "pass", "cents": 1000}) for _ in range(20)]
    answers = [bet.result(20) for bet in bets]
    assert answers == [answers[0]] * 20
    no = ask(floor, table, "ann", "3", wish="bet", spot="pass", cents=60_000)
    assert no["error"]["code"] == "funds"
    floor.close()
    other = open_floor()
    assert ask(other, table, "ann", "2", wish="bet", spot="pass", cents=1000) == answers[0]
    assert ask(other, table, "ann", "3", wish="roll") == no
    assert journal.load(table).racks == {"ann": 49_000}


def test_new_wishes_among_those_asked_again(
    open_floor: Callable[..., Floor], journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All written together: what is new is done once, on what really happened, and the rest is answered as it was."""
    floor = open_floor()
    tables = [floor.create(open_house("maryland")).result(20) for _ in range(2)]
    first = [ask(floor, table, "ann", "sit", wish="sit", cents=50_000) for table in tables]
    no = ask(floor, tables[0], "ann", "no", wish="bet", spot="pass", cents=60_000)
    busy = Event()
    held = floor._on_thread(busy.wait)
    bet = {"wish": "bet", "spot": "field", "cents": 1000}
    asked = [
        floor.ask(tables[0], "ann", "b1", bet),
        floor.ask(tables[0], "ann", "sit", {"wish": "buy_in", "cents": 700}),
        floor.ask(tables[1], "ann", "sit", {"wish": "sit", "cents": 50_000}),
        floor.ask(tables[0], "ann", "no", bet),
        floor.ask(tables[1], "ann", "b1", bet),
        floor.ask(tables[0], "ann", "b2", bet),
    ]
    busy.set()
    held.result(20)
    answers = [one.result(20) for one in asked]
    assert [answers[1], answers[2], answers[3]] == [*first, no]
    assert [answers[0]["sequence"], answers[5]["sequence"]] == [first[0]["sequence"] + 1, first[0]["sequence"] + 2]
    assert answers[4]["ok"]
    assert [journal.load(table).racks for table in tables] == [{"ann": 48_000}, {"ann": 49_000}]
    monkeypatch.setattr(Boxman, "grant", lambda *_given: 1 // 0)
    assert ask(floor, tables[0], "ann", "b1", **bet) == answers[0], "a fault changes no answer that was given"
    assert not check_journal(journal)


def test_many_wishes_at_once(open_floor: Callable[..., Floor], journal: Journal) -> None:
    floor = open_floor()
    table = floor.create(open_house("new_jersey")).result(20)
    for player in range(5):
        ask(floor, table, f"p{player}", "sit", wish="sit", cents=20_000)
    asked = [
        floor.ask(table, f"p{player}", f"b{bet}", {"wish": "bet", "spot": "field", "cents": 1000})
        for bet in range(50)
        for player in range(5)
    ]
    answers = [one.result(60) for one in asked]
    assert sum(answer["ok"] for answer in answers) == 5 * 20
    assert {answer["error"]["code"] for answer in answers if not answer["ok"]} == {"funds"}
    assert set(journal.load(table).racks.values()) == {0}
    assert not check_journal(journal)


def test_a_table_goes_on_in_another_process_in_the_middle_of_a_roll(
    open_floor: Callable[..., Floor], journal: Journal
) -> None:
    """Locked by one, thrown by the next, with the link that the lock names."""
    slow = Pace(between_ms=0, window_ms=0, opening_ms=600_000, shooter_ms=600_000, offer_ms=600_000)
    floor = open_floor(slow)
    table = floor.create(open_house("new_jersey")).result(20)
    ask(floor, table, "ann", "1", wish="sit", cents=50_000)
    ask(floor, table, "ann", "2", wish="bet", spot="pass", cents=1000)
    promised = commit_to(table, 1, "ann", bytes(32)).hex()
    assert ask(floor, table, "ann", "3", wish="commit", roll=1, commitment=promised)["ok"]
    assert ask(floor, table, "ann", "4", wish="roll")["ok"]
    assert floor.box(table).result(20).roll.missing == ("ann",)
    floor.close()
    other = open_floor(slow)
    assert ask(other, table, "ann", "5", wish="bet", spot="field", cents=1000)["error"]["code"] == "closed"
    assert ask(other, table, "ann", "6", wish="open", seed="00" * 32)["ok"]
    box = other.box(table).result(20)
    assert (box.roll.number, box.roll.lock) == (2, None)
    assert not check_journal(journal)


def test_a_table_is_taken_up_from_few_rows_as_it_was(open_floor: Callable[..., Floor], journal: Journal) -> None:
    """After every step: what is read of a long log gives the same box as all of it."""
    pace = Pace(between_ms=0, window_ms=0, opening_ms=600_000, shooter_ms=600_000, offer_ms=600_000)
    floor = open_floor(pace)
    table = floor.create(open_house("new_jersey"), notes=(pace.to_record(),)).result(20)
    limits = Limits().wish(60_000, None, 0)

    def promise(roll: int, player: str) -> dict[str, Any]:
        return {"wish": "commit", "roll": roll, "commitment": commit_to(table, roll, player, bytes(32)).hex()}

    steps: list[tuple[str, dict[str, Any]]] = [
        *((player, {"wish": "sit", "cents": 50_000}) for player in ("ann", "bob", "cleo")),
        ("ann", {"wish": "bet", "spot": "pass", "cents": 1000}),
        ("cleo", {"wish": "bet", "spot": "hard:4", "cents": 1000}),
        ("bob", promise(1, "bob")),
        ("ann", {"wish": "roll"}),
        ("bob", {"wish": "open", "seed": "00" * 32}),
        ("bob", {"wish": "buy_in", "cents": 90_000}),
        ("cleo", {"wish": "leave"}),
        ("bob", promise(2, "bob")),
        ("ann", promise(2, "ann")),
        ("ann", {"wish": "bet", "spot": "pass", "cents": 1000}),
        ("ann", {"wish": "roll"}),
        ("ann", {"wish": "open", "seed": "00" * 32}),
        ("bob", {"wish": "open", "seed": "00" * 32}),
        ("ann", {"wish": "leave"}),
        ("bob", promise(3, "bob")),
    ]
    for number, (player, wish) in enumerate(steps):
        held = limits if player == "bob" else None
        floor.ask(table, player, str(number), wish, held).result(20)
        other = open_floor(pace)
        floor.close()
        floor = other
        assert floor.box(table).result(20) == rebuild(journal.load(table), journal.rows(table))
    box = floor.box(table).result(20)
    assert (box.pace, box.limited, box.roll.number) == (pace, frozenset({"bob"}), 3)
    assert len(list(_rows_that_matter(journal, table))) < box.table.sequence / 2


def test_a_table_has_one_writer(open_floor: Callable[..., Floor]) -> None:
    first = open_floor(owner="first")
    table = first.create(open_house("new_jersey")).result(20)
    second = open_floor(owner="second")
    assert ask(second, table, "ann", "1", wish="sit", cents=1000)["error"]["code"] == "elsewhere"
    assert ask(first, table, "ann", "2", wish="sit", cents=1000)["ok"]
    assert ask(first, "nowhere", "ann", "3", wish="sit", cents=1000)["error"]["code"] == "no_such_table"


def test_the_floor_waits_no_longer(open_floor: Callable[..., Floor], journal: Journal) -> None:
    """Nobody answers the offer of the dice; the table goes on by itself."""
    floor = open_floor(Pace(between_ms=0, window_ms=0, opening_ms=10, shooter_ms=50, offer_ms=50))
    table = floor.create(open_house("new_jersey")).result(20)
    for player in ("ann", "bob"):
        ask(floor, table, player, "sit", wish="sit", cents=50_000)
    for tries in range(400):
        ask(floor, table, "ann", f"try{tries}", wish="buy_in", cents=100)
        if any(row.kind == "acted_for_absent" for row in journal.rows(table)):
            break
    assert any(row.kind == "acted_for_absent" for row in journal.rows(table))
    assert not check_journal(journal)


def test_what_was_asked_for_is_done_though_nobody_waits(open_floor: Callable[..., Floor], journal: Journal) -> None:
    """Whoever asked may be gone: the answer cannot be cancelled, and the floor goes on."""
    floor = open_floor()
    table = floor.create(open_house("new_jersey")).result(20)
    assert not floor.ask(table, "ann", "1", {"wish": "sit", "cents": 1000}).cancel()
    assert not floor.box(table).cancel()
    assert ask(floor, table, "ann", "2", wish="buy_in", cents=100)["ok"]
    assert journal.load(table).racks == {"ann": 1100}
    assert floor.is_up


def test_a_table_that_is_lost_is_told_to_its_watchers(open_floor: Callable[..., Floor], journal: Journal) -> None:
    """Somebody else took the lease: nothing is written, and who watches is told to watch again."""
    floor = open_floor()
    table = floor.create(open_house("new_jersey")).result(20)
    seen: list[tuple[Row, ...]] = []
    floor.watch(table, seen.append).result(20)
    journal.release(table, journal.lease_of(table).epoch)
    epoch = journal.lease(table, "another", 60)
    refused = ask(floor, table, "ann", "1", wish="sit", cents=1000)
    assert refused["error"]["code"] == "stale_epoch"
    assert seen[-1] == ()
    assert ask(floor, table, "ann", "2", wish="sit", cents=1000)["error"]["code"] == "elsewhere"
    journal.release(table, epoch)
    assert ask(floor, table, "ann", "3", wish="sit", cents=1000)["ok"]


def test_notes_are_written_with_the_anchor(open_floor: Callable[..., Floor], journal: Journal) -> None:
    floor = open_floor()
    table = floor.create(open_house("new_jersey"), notes=(Record("noted", {"why": "a test"}),)).result(20)
    assert [row.kind for row in journal.rows(table)] == ["anchored", "noted"]
    assert not check_journal(journal)


def rolls(journal: Journal, table: str) -> int:
    return len(journal.rows_of(table, "rolled"))


def until(is_so: Callable[[], bool]) -> None:
    """Wait for what the floor does by itself."""
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_bots_play_while_somebody_is_there(open_floor: Callable[..., Floor], journal: Journal) -> None:
    """Nobody there: no row. Somebody: they play, also in another process; away or gone: no row again."""
    company = (hired("b1", "pass_345", 100_000), hired("b2", "molly", 100_000))
    clock = RealClock()
    floor = open_floor(BRISK, clock=clock)
    table = floor.create(open_house("new_jersey"), notes=company).result(20)
    opened = floor.box(table).result(20).table.sequence
    time.sleep(0.2)
    assert floor.box(table).result(20).table.sequence == opened
    ask(floor, table, "ann", "1", wish="sit", cents=50_000)
    until(lambda: rolls(journal, table) >= 5)
    floor.close()
    before = rolls(journal, table)
    other = open_floor(BRISK, clock=clock)
    remembered = [bot.memory for bot in other.box(table).result(20).bots]
    assert len(remembered) == 2
    time.sleep(0.2)
    assert rolls(journal, table) == before, "nobody has come back yet"
    other.watch(table, lambda _rows: None, player="ann").result(20)
    until(lambda: rolls(journal, table) >= before + 5)
    clock.ahead_ms += AWAY_MS + 1
    resting = other.look(table).result(20)
    assert resting.waiting is None or resting.waiting.due_ms is None
    count = resting.box.table.sequence
    time.sleep(0.2)
    assert other.box(table).result(20).table.sequence == count
    ask(other, table, "ann", "2", wish="buy_in", cents=100)
    until(lambda: other.box(table).result(20).table.sequence > count + 5)
    ask(other, table, "ann", "3", wish="leave")
    until(lambda: other.box(table).result(20).people == ())
    count = other.box(table).result(20).table.sequence
    time.sleep(0.2)
    assert other.box(table).result(20).table.sequence == count
    assert not check_journal(journal)
    assert not journal.rows_of(table, "committed")


def test_a_look_says_what_the_table_waits_for(open_floor: Callable[..., Floor]) -> None:
    pace = Pace(between_ms=0, window_ms=5_000, opening_ms=60_000, shooter_ms=60_000, offer_ms=40_000)
    floor = open_floor(pace)
    table = floor.create(open_house("new_jersey")).result(20)
    assert floor.look(table).result(20).waiting is None
    ask(floor, table, "ann", "1", wish="sit", cents=50_000)
    assert floor.look(table).result(20).waiting == ("offer", ("ann",), None), "alone, there is all the time"
    ask(floor, table, "bob", "1", wish="sit", cents=50_000)
    seen = floor.look(table).result(20)
    assert seen.waiting is not None
    assert seen.waiting[:2] == ("offer", ("ann",))
    assert 0 < (seen.waiting.due_ms or 0) - seen.now_ms <= 40_000
    ask(floor, table, "ann", "2", wish="bet", spot="pass", cents=1000)
    promised = commit_to(table, 1, "bob", bytes(32)).hex()
    ask(floor, table, "bob", "2", wish="commit", roll=1, commitment=promised)
    ask(floor, table, "ann", "3", wish="roll")
    seen = floor.look(table).result(20)
    assert seen.waiting == ("openings", ("bob",), seen.box.locked_ms + 60_000)
    ask(floor, table, "bob", "3", wish="open", seed="00" * 32)
    seen = floor.look(table).result(20)
    assert seen.waiting is not None
    assert seen.throw_from_ms == seen.box.rolled_ms + 5_000
    assert seen.pace == pace


def test_a_fault_ends_one_wish_and_nothing_else(
    open_floor: Callable[..., Floor],
    journal: Journal,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Whatever goes wrong with a wish, the thread that writes goes on; what was wrong is told to nobody outside."""
    floor = open_floor()
    table = floor.create(open_house("new_jersey")).result(20)
    ask(floor, table, "ann", "1", wish="sit", cents=50_000)
    grant = Boxman.grant

    def stumble(self: Boxman, box: Box, player: str, wish: Wish, now_ms: int, allowed: Allowance = FREE) -> Granted:
        if isinstance(wish, BuyIn) and wish.cents == 666:
            raise RuntimeError("the secret is 42")
        return grant(self, box, player, wish, now_ms, allowed)

    monkeypatch.setattr(Boxman, "grant", stumble)
    asked = [floor.ask(table, "ann", f"b{cents}", {"wish": "buy_in", "cents": cents}) for cents in (100, 666, 200)]
    first, broken, last = (one.result(20) for one in asked)
    assert (first["ok"], last["ok"]) == (True, True)
    assert broken["error"]["code"] == "fault"
    assert "42" not in broken["error"]["sentence"]
    assert [record.message for record in caplog.records if record.name == "trueodds.floor"] == ["fault"]
    assert floor.is_up
    assert journal.load(table).racks == {"ann": 50_300}
    assert journal.answer(table, "ann", "b666") is None, "it may be asked again under the same id"


@pytest.mark.parametrize("what", ["go_on", "due_ms"])
def test_a_fault_in_waiting_ends_one_table_and_nothing_else(
    open_floor: Callable[..., Floor], monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """In what is done when something is due, and in saying when that is."""
    floor = open_floor()
    table, other = (floor.create(open_house("new_jersey")).result(20) for _ in range(2))
    told: list[tuple[Row, ...]] = []
    floor.watch(table, told.append).result(20)

    def stumble(kept: Any, _now_ms: int) -> None:
        if kept.box.table.header.table_id == table:
            raise RuntimeError

    monkeypatch.setattr(f"trueodds.service.floor._Kept.{what}", stumble)
    floor.box(table).result(20)
    assert ask(floor, other, "ann", "1", wish="sit", cents=50_000)["ok"]
    until(lambda: told[-1] == ())
    assert floor.is_up


def test_a_table_that_goes_on_as_it_is_left_alone_is_not_given_up(
    open_floor: Callable[..., Floor], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it did is written, and the thread that writes goes on."""
    floor = open_floor()
    table, other = (floor.create(open_house("new_jersey")).result(20) for _ in range(2))
    ask(floor, table, "ann", "1", wish="sit", cents=50_000)
    clock = floor._clock
    assert isinstance(clock, Clock)

    def go_on(kept: Any, now_ms: int) -> Granted | None:
        if kept.box.table.header.table_id != table or kept.box.rack("ann") == 60_000:
            return None
        granted: Granted = kept.boxman.grant(kept.box, "ann", BuyIn(10_000), now_ms)
        return granted

    with monkeypatch.context() as patch:
        patch.setattr("trueodds.service.floor._Kept.go_on", go_on)
        clock.now_ms += ALONE_MS
        floor.box(other).result(20)
        floor.box(other).result(20)
    assert floor.is_up
    assert floor.box(table).result(20).rack("ann") == 60_000


def until_in_time(floor: Floor, is_so: Callable[[], bool]) -> None:
    """Let ten minutes pass again and again: what is due is done, and nothing before a test lets it."""
    clock = floor._clock
    assert isinstance(clock, RealClock)

    def is_so_by_now() -> bool:
        clock.ahead_ms += QUICK.shooter_ms + 1
        floor._queue.put(lambda: None)
        return is_so()

    until(is_so_by_now)


def leave_with_a_point(floor: Floor, table: str) -> None:
    """Sit down alone, throw until a point is on, and leave."""
    ask(floor, table, "ann", "sit", wish="sit", cents=50_000)
    for number in range(100):
        ask(floor, table, "ann", f"bet {number}", wish="bet", spot="pass", cents=1000)
        ask(floor, table, "ann", f"roll {number}", wish="roll")
        if floor.box(table).result(20).table.position.puck:
            break
    assert ask(floor, table, "ann", "leave", wish="leave")["ok"]
    assert floor.box(table).result(20).leaving == {"ann"}


def test_who_left_is_let_go_though_the_process_began_anew(open_floor: Callable[..., Floor], journal: Journal) -> None:
    """Nobody asks for the table any more; a table where somebody sits and does not leave is left alone."""
    floor = open_floor()
    table, other = (floor.create(open_house("new_jersey")).result(20) for _ in range(2))
    leave_with_a_point(floor, table)
    ask(floor, other, "bob", "1", wish="sit", cents=50_000)
    ask(floor, other, "bob", "2", wish="bet", spot="pass", cents=1000)
    assert journal.tables_with_leavers() == (table,)
    floor.close()
    floor = open_floor(clock=RealClock())
    until_in_time(floor, lambda: not journal.load(table).position.seats)
    assert journal.tables_with_leavers() == ()
    assert journal.lease_of(other).owner is None


def test_who_left_is_let_go_though_who_stays_is_away(open_floor: Callable[..., Floor], journal: Journal) -> None:
    """Bob has closed the page and keeps the seat; the dice are thrown for Ann all the same."""
    floor = open_floor(clock=RealClock())
    table = floor.create(open_house("new_jersey")).result(20)
    leave_with_a_point(floor, table)
    assert ask(floor, table, "bob", "sit", wish="sit", cents=50_000)["ok"]
    until_in_time(floor, lambda: [seat.player for seat in journal.load(table).position.seats] == ["bob"])


def test_who_left_is_let_go_though_the_database_was_away(
    open_floor: Callable[..., Floor], journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor = open_floor(clock=RealClock())
    table = floor.create(open_house("new_jersey")).result(20)
    leave_with_a_point(floor, table)
    away = Event()

    def unavailable(_batch: object) -> None:
        away.set()
        raise UnavailableError

    with monkeypatch.context() as patch:
        patch.setattr(journal, "append", unavailable)
        until_in_time(floor, away.is_set)
    until_in_time(floor, lambda: not journal.load(table).position.seats)


def test_a_table_that_was_lost_takes_no_other_with_it(open_floor: Callable[..., Floor], journal: Journal) -> None:
    """Wishes at two tables that are written together, and the lease on one is gone: the other's is granted."""
    floor = open_floor()
    lost, other = (floor.create(open_house("new_jersey")).result(20) for _ in range(2))
    journal.release(lost, journal.lease_of(lost).epoch)
    journal.lease(lost, "another", 60)
    started, go_on = Event(), Event()

    def hold() -> None:
        started.set()
        go_on.wait(20)

    floor._queue.put(hold)
    assert started.wait(20)
    asked = [floor.ask(table, "ann", "1", {"wish": "sit", "cents": 1000}) for table in (lost, other)]
    go_on.set()
    no, yes = (one.result(20) for one in asked)
    assert no["error"]["code"] == "stale_epoch"
    assert yes["ok"]
    assert journal.load(other).racks == {"ann": 1000}


def test_what_the_database_says_is_told_to_nobody(
    open_floor: Callable[..., Floor], journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor = open_floor()
    table = floor.create(open_house("new_jersey")).result(20)

    def away(_batch: object) -> None:
        raise UnavailableError("connection to server at 192.0.2.7, user craps, failed")

    monkeypatch.setattr(journal, "append", away)
    no = ask(floor, table, "ann", "1", wish="sit", cents=1000)
    assert no["error"] == {"code": "unavailable", "sentence": "the database does not answer"}
    with pytest.raises(UnavailableError):
        floor.create(open_house("new_jersey"), "t2", notes=(Record("noted", {"by_invitation": True}),)).result(20)
    assert not journal.rows("t2"), "a table is opened with its notes or not at all"


def test_a_table_that_is_left_alone_is_given_up(open_floor: Callable[..., Floor], journal: Journal) -> None:
    """Its lease is free again, nobody pays for it, and whoever comes finds it as it was."""
    floor = open_floor()
    quiet, watched, seated = (floor.create(open_house("new_jersey")).result(20) for _ in range(3))
    floor.watch(watched, lambda _rows: None).result(20)
    ask(floor, seated, "ann", "1", wish="sit", cents=1000)
    clock = floor._clock
    assert isinstance(clock, Clock)
    clock.now_ms += ALONE_MS
    floor.box(watched).result(20)
    floor.box(watched).result(20)
    assert journal.lease_of(quiet).owner is None
    assert journal.lease_of(watched).owner is not None
    assert ask(floor, quiet, "ann", "1", wish="sit", cents=1000)["ok"]
    assert floor.box(seated).result(20).rack("ann") == 1000


def test_not_everybody_is_let_wait(open_floor: Callable[..., Floor], monkeypatch: pytest.MonkeyPatch) -> None:
    floor = open_floor()
    table = floor.create(open_house("new_jersey")).result(20)
    monkeypatch.setattr("trueodds.service.floor.WAITING_MOST", 0)
    no = ask(floor, table, "ann", "1", wish="sit", cents=1000)["error"]
    assert (no["code"], no["wait_ms"]) == ("busy", 1000)
    monkeypatch.undo()
    assert ask(floor, table, "ann", "1", wish="sit", cents=1000)["ok"]
