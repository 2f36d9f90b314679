"""The box: everything the boxman of one table has to know, as a value. It is the fold of the table's rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from trueodds.fair import FairRoll, Lock, Proof
from trueodds.journal import Content, Record, Row, TableState
from trueodds.service.bot import Bot
from trueodds.service.pace import Pace
from trueodds.strategy import named_strategy, strategy_names
from trueodds.table import DiceMoved, Left, Rolled, Seat


@dataclass(frozen=True, slots=True)
class Box:
    """A table with the roll that is on its way.

    `rolled_ms` is when the dice were last thrown, `since_ms` since when the table waits for whoever has the dice or is
    offered them, `locked_ms` when bets were closed, if they are. `leaving` have asked to go and still have wagers that
    must stay. `limited` came to a limit of their own here, and the table was told.
    `pace` is the table's own, if it has one; `bots` are the seats that the house runs.
    """

    table: TableState
    roll: FairRoll
    rolled_ms: int = 0
    since_ms: int = 0
    locked_ms: int = 0
    leaving: frozenset[str] = frozenset()
    limited: frozenset[str] = frozenset()
    pace: Pace | None = None
    bots: tuple[Bot, ...] = ()

    @classmethod
    def new(cls, table: TableState) -> Box:
        """Begin with a table that nothing happened at."""
        return cls(table, FairRoll.first(table.header.table_id))

    def seat(self, player: str) -> Seat | None:
        """Find a player's seat."""
        return self.table.position.seat_of(player)

    def rack(self, player: str) -> int:
        """What a player has in the rack, in cents."""
        return self.table.rack(player)

    def bot(self, player: str | None) -> Bot | None:
        """Find the bot that runs a seat; None for a seat of somebody, or of nobody."""
        return next((bot for bot in self.bots if bot.player == player), None)

    def with_bot(self, changed: Bot) -> Box:
        """Put a bot in the place of what it was."""
        return replace(self, bots=tuple(changed if bot.player == changed.player else bot for bot in self.bots))

    @property
    def people(self) -> tuple[str, ...]:
        """Everybody at the table who is not run by the house."""
        bots = {bot.player for bot in self.bots}
        return tuple(seat.player for seat in self.table.position.seats if seat.player not in bots)

    @property
    def is_alone(self) -> bool:
        """Whether there is nobody to wait for and nobody who waits."""
        return len(self.table.position.seats) < 2

    @property
    def all_leave(self) -> bool:
        """Whether only those are left who wait for their last wagers; bots keep nobody company who is gone."""
        return bool(self.leaving) and self.leaving.issuperset(self.people)

    def after(self, table: TableState, contents: Iterable[Content], at_ms: int) -> Box:
        """Go on to the state of the table after some contents, and take in what they say."""
        box = replace(self, table=table)
        for content in contents:
            box = box._take_in(content, at_ms)
            if box.bots:
                box = replace(box, bots=tuple(bot.after(content) for bot in box.bots))
        return box

    def _take_in(self, content: Content, at_ms: int) -> Box:
        match content:
            case Rolled():
                return replace(self, rolled_ms=at_ms, since_ms=at_ms)
            case DiceMoved():
                return replace(self, since_ms=at_ms)
            case Record("committed", body):
                promised = bytes.fromhex(body["commitment"])
                return replace(self, roll=self.roll.commit(body["player"], promised, body["roll"]))
            case Record("withdrawn", body):
                return replace(self, roll=self.roll.withdraw(body["player"]))
            case Record("locked", body):
                return replace(self, roll=self.roll.locked(Lock.from_data(dict(body["lock"]))), locked_ms=at_ms)
            case Record("opened", body):
                return replace(self, roll=self.roll.open(body["player"], bytes.fromhex(body["seed"])))
            case Record("revealed", body):
                return replace(self, roll=FairRoll.after(Proof.from_data(dict(body["proof"]))), locked_ms=0)
            case Record("went", body) if body.get("leaving"):
                return replace(self, leaving=self.leaving | {body["player"]})
            case Record("limits", body):
                return replace(self, limited=self.limited | {body["player"]})
            case Record("paced", body):
                return replace(self, pace=Pace.from_data(body))
            case Record("hired", body) if body["strategy"] in strategy_names():
                # A strategy that the library has no more leaves a seat whose player is always away.
                bot = Bot.new(named_strategy(body["strategy"]), body["player"], body["cents"])
                return replace(self, bots=(*self.bots, bot))
            case Left(player):
                return replace(self, leaving=self.leaving - {player}, limited=self.limited - {player})
            case _:
                return self


REVEALED: Final = "revealed"
LASTING: Final = frozenset({"paced", "went", "limits", "left"})
"""The kinds of rows that still matter once a later roll is revealed, and after it everything does."""


def rebuild(table: TableState, rows: Iterable[Row]) -> Box:
    """Make the box of a table again from its rows, which end where the table stands."""
    box = Box.new(table)
    for row in rows:
        box = box.after(table, [row.content()], row.at_ms)
    return box
