"""Play at a table and append the events to a journal, as a service would."""

from __future__ import annotations

from random import Random
from typing import Any

from support.houses import default_house_dealer
from support.random_play import random_legal_action
from trueodds.craps_table import Table
from trueodds.journal import (
    AnyEvent,
    AppendRequest,
    AppendResult,
    CommandReply,
    Journal,
    ServiceEvent,
    TableHeader,
    bought_in,
    cashed_out,
)
from trueodds.money import Cents
from trueodds.rulebook import Spot, as_house
from trueodds.table import Bet, Event, Join, Refused

HOUSE = "new_jersey"


def table_header(table_id: str = "t1", house: str = HOUSE) -> TableHeader:
    return TableHeader.for_house(table_id, as_house(house), created_ms=1_700_000_000_000)


class JournalSession:
    """A table with a lease, and the sequence of its last event."""

    def __init__(self, journal: Journal, table_id: str = "t1", house: str = HOUSE, owner: str = "us") -> None:
        self.journal = journal
        self.table_id = table_id
        self.house = house
        self.now_ms = 1_700_000_000_000
        if table_id not in [header.table_id for header in journal.headers()]:
            journal.create_table(table_header(table_id, house))
        self.epoch = journal.acquire_lease(table_id, owner, 60)
        state = journal.load_state(table_id)
        self.sequence = state.sequence
        self.table = Table(default_house_dealer(house), position=state.position)

    def request(self, *events: AnyEvent, command_reply: CommandReply | None = None) -> AppendRequest:
        self.now_ms += 1
        return AppendRequest(self.table_id, self.epoch, self.sequence, self.now_ms, events, command_reply)

    def append(self, *events: AnyEvent, command_reply: CommandReply | None = None) -> AppendResult:
        (result,) = self.journal.append([self.request(*events, command_reply=command_reply)])
        self.sequence = result.state.sequence
        return result

    def join(self, player: str, cents: int) -> AppendResult:
        return self.append(*self.table.do(Join(player)), bought_in(player, cents))

    def bet(self, player: str, spot: str, stake_cents: int) -> AppendResult:
        return self.append(*self.table.do(Bet(player, Spot.parse(spot), Cents(stake_cents))))

    def roll(self, dice: str) -> AppendResult:
        return self.append(*self.table.roll(dice))

    def play(self, actions: int, seed: int) -> None:
        """Play random legal actions, each with a reply to a command."""
        random = Random(seed)
        for number in range(actions):
            try:
                events: tuple[Event, ...] = self.table.do(random_legal_action(self.table, random))
            except Refused:
                continue
            self.append(*events, command_reply=CommandReply("p1", f"{seed}-{number}", {"events": len(events)}))


def play_sample_session(journal: Journal, table_id: str = "t1", actions: int = 40, seed: int = 7) -> JournalSession:
    """Play with two players, and append service events too."""
    session = JournalSession(journal, table_id)
    session.append(ServiceEvent("note_added", {"anchor": "00ff"}))
    session.join("p1", 100_000_000)
    session.join("p2", 100_000_000)
    session.play(actions, seed)
    session.append(cashed_out("p2", 500), ServiceEvent("note_added", {"said": "té", "list": [1, None, True]}))
    return session


def with_types(value: Any) -> Any:
    """Return a value with its types, so that True differs from 1 and a list from a tuple."""
    if isinstance(value, tuple | list):
        return (type(value).__name__, *(with_types(item) for item in value))
    return (type(value).__name__, value)
