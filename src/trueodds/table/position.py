"""A position: everything about a table that the next throw or action can depend on."""

from __future__ import annotations

from typing import Literal, NamedTuple

from trueodds.wagers import COME_SETTLEMENT, Phase, Wager


class PositionError(ValueError):
    """A table that cannot be set up."""


Hand = Literal["new", "seven", "under_way"]
"""How far the hand has come: no come-out yet, the last throw a seven that did not end it, or neither."""


class Entry(NamedTuple):
    """A wager with the name people use for it; odds have names of their own, in the order of `wager.odds`."""

    tag: str
    wager: Wager
    odds_tags: tuple[str, ...] = ()


class Seat(NamedTuple):
    """One player's place and the wagers of that player in the order they were made."""

    player: str
    seated: bool = True
    entries: tuple[Entry, ...] = ()


class Markers(NamedTuple):
    """The marker buttons of the fire and bonus areas, shown while such a bet is up."""

    fire: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()


NO_MARKERS = Markers()


class Custody(NamedTuple):
    """Who has the dice or is offered them.

    `previous` gave them up last and `declined` let them go by since. `puck_off` says that the offer is for a
    round that only decides come bets, which `come_settlement` then is. Pending fire and bonus bets were made on
    a shooter who gave the dice up without a seven.
    """

    shooter: str | None = None
    offer_to: str | None = None
    previous: str | None = None
    declined: tuple[str, ...] = ()
    mode: Literal["normal", "come_settlement"] = "normal"
    puck_off: bool = False
    fire_pending: bool = False
    bonus_pending: bool = False


class Position(NamedTuple):
    """The state of a table. `serial` counts the wagers ever made, for naming them."""

    puck: Phase = 0
    hand: Hand = "new"
    seats: tuple[Seat, ...] = ()
    markers: Markers = NO_MARKERS
    serial: int = 0
    custody: Custody | None = None

    @property
    def phase(self) -> Phase:
        """What kind of throw comes next: the point, a come-out, or one that only decides come bets."""
        if self.custody is None or self.puck or self.custody.mode == "normal":
            return self.puck
        return COME_SETTLEMENT

    @property
    def point(self) -> int | None:
        """The point the puck stands on, if it is on."""
        return self.puck or None

    def seat_of(self, player: str) -> Seat | None:
        """Find a player."""
        for seat in self.seats:
            if seat.player == player:
                return seat
        return None

    def owner_of(self, tag: str) -> str | None:
        """Find whose wager or odds carry a tag."""
        for seat in self.seats:
            for entry in seat.entries:
                if entry.tag == tag or tag in entry.odds_tags:
                    return seat.player
        return None


class Situation(NamedTuple):
    """A position as one player's strategy and the chain see it: no names, equal wagers in one order."""

    puck: Phase
    hand: Hand
    wagers: tuple[Wager, ...]


def situation(position: Position, player: str) -> Situation:
    """Drop the tags of a player's wagers and sort them, so that equal situations are equal values."""
    seat = position.seat_of(player)
    wagers = sorted(
        entry.wager if len(entry.wager.odds) < 2 else entry.wager._replace(odds=tuple(sorted(entry.wager.odds)))
        for entry in (seat.entries if seat else ())
    )
    return Situation(position.puck, position.hand, tuple(wagers))


def new_position(players: tuple[str, ...]) -> Position:
    """Set up an empty layout with these players, clockwise."""
    if len(set(players)) != len(players):
        msg = f"players at a table have different names, not {', '.join(players)}"
        raise PositionError(msg)
    return Position(seats=tuple(Seat(player) for player in players))
