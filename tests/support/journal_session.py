"""Evenings at a table, written into a journal as a service would."""

from __future__ import annotations

from random import Random
from typing import Any

from houses import default_dealer
from play import lawful_action
from trueodds.journal import Append, Appended, Command, Content, Header, Journal, Record, bought_in, cashed_out
from trueodds.rulebook import open_house
from trueodds.table import Event, Join, Refused, Table

HOUSE = "new_jersey"


def header(table_id: str = "t1", house: str = HOUSE) -> Header:
    return Header.of(table_id, open_house(house), created_ms=1_700_000_000_000)


class Evening:
    """A table with a lease, whose next append follows the last."""

    def __init__(self, journal: Journal, table_id: str = "t1", house: str = HOUSE, owner: str = "us") -> None:
        self.journal = journal
        self.table_id = table_id
        self.house = house
        self.now_ms = 1_700_000_000_000
        if table_id not in [one.table_id for one in journal.tables()]:
            journal.create_table(header(table_id, house))
        self.epoch = journal.lease(table_id, owner, 60)
        state = journal.load(table_id)
        self.head = state.sequence
        self.table = Table(default_dealer(house), position=state.position)

    def next(self, *contents: Content, command: Command | None = None) -> Append:
        self.now_ms += 1
        return Append(self.table_id, self.epoch, self.head, self.now_ms, contents, command)

    def write(self, *contents: Content, command: Command | None = None) -> Appended:
        (done,) = self.journal.append([self.next(*contents, command=command)])
        self.head = done.state.sequence
        return done

    def sit(self, player: str, cents: int) -> Appended:
        return self.write(*self.table.do(Join(player)), bought_in(player, cents))

    def bet(self, player: str, spot: str, stake: int) -> Appended:
        return self.write(*self.table.bet(player, spot, stake))

    def roll(self, dice: str) -> Appended:
        return self.write(*self.table.roll(dice))

    def play(self, actions: int, seed: int) -> None:
        """Let people do whatever they may, each action answered as a command."""
        random = Random(seed)
        for number in range(actions):
            try:
                events: tuple[Event, ...] = self.table.do(lawful_action(self.table, random))
            except Refused:
                continue
            self.write(*events, command=Command("p1", f"{seed}-{number}", {"events": len(events)}))


def usual_evening(journal: Journal, table_id: str = "t1", actions: int = 40, seed: int = 7) -> Evening:
    """Two players, records of every sort, and some play."""
    evening = Evening(journal, table_id)
    evening.write(Record("noted", {"anchor": "00ff"}))
    evening.sit("p1", 100_000_000)
    evening.sit("p2", 100_000_000)
    evening.play(actions, seed)
    evening.write(cashed_out("p2", 500), Record("noted", {"said": "té", "list": [1, None, True]}))
    return evening


def plain(value: Any) -> Any:
    """A value with its types spelled out, so that True is not 1 and a list is no tuple."""
    if isinstance(value, tuple | list):
        return (type(value).__name__, *(plain(item) for item in value))
    return (type(value).__name__, value)
