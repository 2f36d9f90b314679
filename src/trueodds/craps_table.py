"""A table: a dealer and the position so far."""

from __future__ import annotations

from collections.abc import Iterable

from trueodds.dice import Roll
from trueodds.money import Cents
from trueodds.rulebook import Book, House, Spot, open_house
from trueodds.table.action import Action, Bet, Throw
from trueodds.table.check import check_position
from trueodds.table.dealer import Dealer
from trueodds.table.event import Event
from trueodds.table.layout import Choice, Layout, draw_layout, list_choices
from trueodds.table.position import Position, PositionError, Situation, new_position, situation
from trueodds.table.refusal import Refusal
from trueodds.wagers import Rules


class Table:
    """A craps table under one house.

    >>> table = Table("new_jersey", players=["Ann"])
    >>> _ = table.bet("Ann", "pass", 1000)
    >>> _ = table.roll("4-4")
    >>> _ = table.bet("Ann", "place:6", 1200)
    >>> rolled, = table.roll("2-4")
    >>> rolled.settled[1].sentence
    'Place 6 wins $14 on $12 at 7 to 6, and stays up: N.J.A.C. 19:47-1.2(a)5; N.J.A.C. 19:47-1.4(b)'
    """

    def __init__(
        self,
        rules: Rules | House | Book | str | Dealer,
        players: Iterable[str] = ("A",),
        position: Position | None = None,
    ) -> None:
        """Open a table for a house, or for the default house of a book or a book's name."""
        if isinstance(rules, str | Book | House):
            rules = Rules(open_house(rules))
        self.dealer = rules if isinstance(rules, Dealer) else Dealer(rules)
        if isinstance(players, str):
            raise PositionError(f"players are a list of names, not {players!r}")
        self.position = new_position(tuple(players)) if position is None else position
        check_position(self.rules, self.position)
        most = self.rules.game.seats
        if most is not None and len(self.position.seats) > most:
            raise PositionError(f"{len(self.position.seats)} players at {most} seats")

    @property
    def rules(self) -> Rules:
        """What the table plays by."""
        return self.dealer.rules

    def verify(self, action: Action) -> Refusal | None:
        """Say why an action may not be done now; None when it may."""
        return self.dealer.verify(self.position, action)

    def can(self, action: Action) -> bool:
        """Tell whether an action may be done now."""
        return self.verify(action) is None

    def do(self, action: Action) -> tuple[Event, ...]:
        """Do an action and tell what happened; raises `Refused` and changes nothing if it may not be done."""
        self.position, events = self.dealer.act(self.position, action)
        return events

    def bet(
        self, player: str, spot: Spot | str, stake: int, *, on: str | None = None, tag: str | None = None
    ) -> tuple[Event, ...]:
        """Put a wager up; `spot` may be written like "place:6"."""
        return self.do(Bet(player, Spot.parse(spot) if isinstance(spot, str) else spot, Cents(stake), on, tag))

    def roll(self, dice: Roll | str, player: str | None = None) -> tuple[Event, ...]:
        """Throw the dice; they may be written like "3-4"."""
        roll = dice if type(dice) is Roll else Roll.parse(dice)
        if player is not None:
            return self.do(Throw(roll, player))
        self.position, events = self.dealer.roll(self.position, roll)
        return events

    def situation(self, player: str) -> Situation:
        """Give the position as this player's strategy sees it."""
        return situation(self.position, player)

    def legal_actions(self, player: str) -> tuple[Choice, ...]:
        """List what this player may do now, with the stakes that would be accepted."""
        return list_choices(self.dealer, self.position, player)

    def layout(self, player: str) -> Layout:
        """Draw the layout as this player sees it: every spot, what it pays, its limits and its state."""
        return draw_layout(self.dealer, self.position, player)
