"""The floor: wishes written together and answered once, tables that outlive their process, on both databases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Event
from typing import Any

import pytest

from trueodds.fair import Key, commit_to
from trueodds.journal import Journal, Record, Row, check_journal
from trueodds.rulebook import open_house
from trueodds.service.floor import Floor
from trueodds.service.pace import Pace

KEY = Key(bytes(range(32)))
QUICK = Pace(between_ms=0, window_ms=0, opening_ms=100, shooter_ms=600_000, offer_ms=600_000)


class Clock:
    """Time that goes on by itself, a millisecond a look."""

    def __init__(self) -> None:
        self.now_ms = 1_700_000_000_000

    def __call__(self) -> int:
        self.now_ms += 1
        return self.now_ms


@pytest.fixture
def open_floor(journal: Journal) -> Iterator[Callable[..., Floor]]:
    floors: list[Floor] = []

    def make(pace: Pace = QUICK, owner: str = "") -> Floor:
        floors.append(Floor(journal, KEY, clock, pace=pace, owner=owner))
        return floors[-1]

    clock = Clock()
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


def test_a_table_that_is_lost_takes_no_other_with_it(open_floor: Callable[..., Floor], journal: Journal) -> None:
    """Wishes at two tables are written in one transaction; somebody else has the lease of one of them."""
    floor = open_floor()
    lost, kept = (floor.create(open_house("new_jersey")).result(20) for _ in range(2))
    journal.release(lost, journal.lease_of(lost).epoch)
    journal.lease(lost, "another", 60)
    busy = Event()
    held = floor._on_thread(busy.wait)
    answers = [floor.ask(table, "ann", "1", {"wish": "sit", "cents": 1000}) for table in (kept, lost)]
    busy.set()
    held.result(20)
    assert answers[0].result(20)["ok"]
    assert answers[1].result(20)["error"]["code"] == "stale_epoch"
    assert journal.load(kept).racks == {"ann": 1000}
