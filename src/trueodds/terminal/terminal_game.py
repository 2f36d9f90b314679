"""A game in the terminal: a table, a source of rolls, and undo by lawful actions."""

from __future__ import annotations

from collections.abc import Iterator

from trueodds.craps_table import NothingToUndoError, Table
from trueodds.dice import Roll
from trueodds.errors import TrueoddsError
from trueodds.money import Dollars
from trueodds.rulebook import House
from trueodds.table import (
    Action,
    Bet,
    BetMade,
    BetResized,
    BetToggled,
    Event,
    OpenTable,
    Press,
    Reduce,
    RollDice,
    TakeDown,
    ToggleBet,
)


class TerminalGame:
    """A table with a source of rolls. With several players the dice are offered around the table."""

    def __init__(self, house: House, players: list[str], buy_in: Dollars, rolls: Iterator[Roll]) -> None:
        self.table = Table(house, players, buy_in=buy_in)
        self.buy_in_cents = self.table.racks_cents[players[0]]
        self._rolls = rolls
        self._undoable: list[tuple[Action, tuple[Event, ...]]] = []
        if len(players) > 1:
            self.do(OpenTable())

    @property
    def currency(self) -> str:
        """The currency of the chips."""
        return self.table.rules.house.currency

    def next_roll(self) -> Roll | None:
        """Return the next roll of the source, or None if there are no more."""
        return next(self._rolls, None)

    def do(self, action: Action) -> tuple[Event, ...]:
        """Do an action and return its events. Raise `Refused` or `NotEnoughChipsError` if it cannot be done."""
        events = self.table.do(action)
        if isinstance(action, RollDice):
            self._undoable.clear()
        self._undoable.append((action, events))
        return events

    def undo(self, player: str) -> tuple[Event, ...]:
        """Undo a player's last action by the opposite action, if the rules allow it, and return the events.

        Unlike `Table.undo`, this is a move in the game. Raise `NothingToUndoError` after a roll.
        """
        action, events = self._undoable[-1] if self._undoable else (None, ())
        if isinstance(action, RollDice):
            raise NothingToUndoError("A roll cannot be undone.")
        opposites = [opposite for event in reversed(events) if (opposite := _opposite(event)) is not None]
        if getattr(action, "player", None) != player or not opposites:
            raise NothingToUndoError("You have nothing to undo since the last roll.")
        undo_events: tuple[Event, ...] = ()
        for done, opposite in enumerate(opposites):
            try:
                undo_events += self.table.do(opposite)
            except TrueoddsError:
                for _ in range(done):
                    self.table.undo()
                raise
        self._undoable.pop()
        return undo_events


def _opposite(event: Event) -> Action | None:
    """Return the action that undoes an event, or None if it cannot be undone."""
    match event:
        case BetMade():
            return TakeDown(event.player, event.tag)
        case BetToggled():
            return ToggleBet(event.player, event.tag, "off" if event.call == "on" else "on")
        case BetResized(after=None):
            return Bet(event.player, event.spot, event.old_stake_cents, base_tag=event.base_tag, tag=event.tag)
        case BetResized() if event.new_stake_cents < event.old_stake_cents:
            return Press(event.player, event.tag, event.old_stake_cents)
        case BetResized():
            return Reduce(event.player, event.tag, event.old_stake_cents)
        case _:
            return None
