"""A game in progress: a table, the players' racks, what was played so far, and how to undo the last of it."""

from __future__ import annotations

from collections.abc import Iterator

from trueodds.dice import Roll
from trueodds.money import Cents, money
from trueodds.notation import History, write_history
from trueodds.rulebook import House
from trueodds.table import (
    Action,
    Bet,
    Called,
    CallWager,
    Changed,
    Event,
    Made,
    OpenTable,
    Press,
    Reduce,
    Refused,
    Rolled,
    Table,
    TakeDown,
    Throw,
    movements,
)


class NoFundsError(Exception):
    """The rack does not cover what an action costs. This is the rack's refusal, not the rulebook's."""


class NothingToUndoError(Exception):
    """There is nothing that could be undone."""


class Game:
    """One evening at a table."""

    def __init__(self, house: House, players: list[str], bankroll: Cents, rolls: Iterator[Roll]) -> None:
        self.table = Table(house, players)
        self.racks: dict[str, int] = dict.fromkeys(players, int(bankroll))
        self.bought_in: dict[str, int] = dict(self.racks)
        self._rolls = rolls
        self._start = self.table.position
        self._actions: list[Action] = []
        self._done: list[tuple[Action, tuple[Event, ...]]] = []
        self.last_throw: Rolled | None = None
        if len(players) > 1:
            self._record(OpenTable())

    @property
    def currency(self) -> str:
        """What the chips are worth."""
        return self.table.rules.house.currency

    @property
    def history(self) -> str:
        """Everything played so far, as text."""
        house = self.table.rules.house
        return write_history(History(house, self._start, tuple(self._actions), self.table.position))

    def next_roll(self) -> Roll | None:
        """Take a roll from the source; None when it has run out."""
        return next(self._rolls, None)

    def do(self, action: Action) -> tuple[Event, ...]:
        """Do an action if the rack covers it; raises `Refused` or `NoFundsError` and changes nothing."""
        position, events = self.table.dealer.act(self.table.position, action)
        for event in events:
            for moved in movements(event):
                if moved.rack < 0 and self.racks.get(moved.player, 0) + moved.rack < 0:
                    short = money(-self.racks.get(moved.player, 0) - moved.rack, self.currency)
                    msg = f"{moved.player} is {short} short of chips"
                    raise NoFundsError(msg)
        self.table.position = position
        self._keep(action, events)
        return events

    def _record(self, action: Action) -> None:
        self._keep(action, self.table.do(action))

    def _keep(self, action: Action, events: tuple[Event, ...]) -> None:
        for event in events:
            for moved in movements(event):
                self.racks[moved.player] = self.racks.get(moved.player, 0) + moved.rack
        self._actions.append(action)
        if isinstance(action, Throw):
            self._done.clear()
            self.last_throw = next((event for event in events if isinstance(event, Rolled)), self.last_throw)
        self._done.append((action, events))

    def undo(self, player: str) -> tuple[Event, ...]:
        """Undo a player's last action by its opposite, if that is lawful; a throw cannot be undone."""
        while self._done:
            action, events = self._done[-1]
            if isinstance(action, Throw):
                msg = "The dice have decided; a throw cannot be undone."
                raise NothingToUndoError(msg)
            opposite = [one for event in reversed(events) for one in self._opposites(event)]
            if getattr(action, "player", None) != player or not opposite:
                break
            self._done.pop()
            undone: tuple[Event, ...] = ()
            for step in opposite:
                try:
                    undone += self.do(step)
                except (Refused, NoFundsError):
                    self._done.append((action, events))
                    raise
                self._done.pop()
            return undone
        msg = "There is nothing of yours to undo since the last throw."
        raise NothingToUndoError(msg)

    def _opposites(self, event: Event) -> list[Action]:
        match event:
            case Made():
                return [TakeDown(event.player, event.tag)]
            case Called():
                back = "off" if event.call == "on" else "on"
                return [CallWager(event.player, event.tag, "on" if back == "on" else "off")]
            case Changed():
                return [self._restore(event)]
            case _:
                return []

    def _restore(self, event: Changed) -> Action:
        """Put a changed wager back to what it was."""
        if event.after is None:
            if event.on is not None:
                return Bet(event.player, event.spot, event.before, on=event.on, tag=event.tag)
            return Bet(event.player, event.spot, event.before, tag=event.tag)
        if event.left < event.before:
            return Press(event.player, event.tag, event.before)
        return Reduce(event.player, event.tag, event.before)
