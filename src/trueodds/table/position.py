"""Positions: everything about a table that the next roll or action can depend on."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from trueodds.errors import TrueoddsError
from trueodds.wagers import COME_SETTLEMENT, Phase, Wager


class PositionError(TrueoddsError, ValueError):
    """Raised for a position that cannot stand at a table."""


HandStage = Literal["new", "seven", "under_way"]
"""The stage of a hand: before the first roll, after a seven that did not end it, or any other."""


class TaggedWager(NamedTuple):
    """A wager and its tag, the name by which actions refer to it. `odds_tags` are the tags of `wager.odds_bets`."""

    tag: str
    wager: Wager
    odds_tags: tuple[str, ...] = ()


class Seat(NamedTuple):
    """A player at the table, with the player's wagers in the order they were made."""

    player: str
    seated: bool = True
    wagers: tuple[TaggedWager, ...] = ()


class Markers(NamedTuple):
    """The numbers marked in the fire and bonus areas while such bets are up."""

    fire: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()


NO_MARKERS: Final = Markers()


class Custody(NamedTuple):
    """Who holds the dice or is offered them.

    `previous_shooter` gave up the dice last, and the players in `declined_by` have declined them since. In the mode
    `come_settlement` rolls only decide come bets. `for_come_settlement` is set from when the dice are offered for such
    a round until it ends. Pending fire and bonus bets were made on a shooter who gave up the dice without a seven.
    """

    shooter: str | None = None
    offered_to: str | None = None
    previous_shooter: str | None = None
    declined_by: tuple[str, ...] = ()
    mode: Literal["normal", "come_settlement"] = "normal"
    for_come_settlement: bool = False
    fire_pending: bool = False
    bonus_pending: bool = False


class BarredBet(NamedTuple):
    """A kind of don't bet that a player may not make or increase before the next roll."""

    player: str
    kind: str


class Position(NamedTuple):
    """The state of a table.

    `puck` is the point, or 0 if the puck is off. `wagers_made` counts the bets made so far and numbers the next one.
    Without custody, the game does not track who shoots. `barred` lists the don't bets that may not be replaced
    before the next roll.
    """

    puck: Phase = 0
    hand_stage: HandStage = "new"
    seats: tuple[Seat, ...] = ()
    markers: Markers = NO_MARKERS
    wagers_made: int = 0
    custody: Custody | None = None
    barred: tuple[BarredBet, ...] = ()

    @property
    def phase(self) -> Phase:
        """The phase of the next roll: the point, a come-out, or a roll that only decides come bets."""
        if self.custody is None or self.puck or self.custody.mode == "normal":
            return self.puck
        return COME_SETTLEMENT

    @property
    def point(self) -> int | None:
        """The point, or None if the puck is off."""
        return self.puck or None

    def find_seat(self, player: str) -> Seat | None:
        """Return the seat of a player, or None if the player is not at the table."""
        for seat in self.seats:
            if seat.player == player:
                return seat
        return None

    def find_owner(self, tag: str) -> str | None:
        """Return the player whose wager or odds bet has a tag, or None if there is no such bet."""
        for player, _, wagers in self.seats:
            for wager_tag, _, odds_tags in wagers:
                if wager_tag == tag or tag in odds_tags:
                    return player
        return None


class Situation(NamedTuple):
    """A position as one player's strategy sees it: without tags, and with the wagers in a fixed order."""

    puck: Phase
    hand_stage: HandStage
    wagers: tuple[Wager, ...]


def player_situation(position: Position, player: str) -> Situation:
    """Return the situation of a player. Positions that only differ in tags and order have equal situations."""
    seat = position.find_seat(player)
    wagers = sorted(
        wager if len(wager.odds_bets) < 2 else wager._replace(odds_bets=tuple(sorted(wager.odds_bets)))
        for _, wager, _ in (seat.wagers if seat else ())
    )
    return Situation(position.puck, position.hand_stage, tuple(wagers))


def new_position(players: tuple[str, ...]) -> Position:
    """Return an empty table with these players, clockwise."""
    for player in players:
        if type(player) is not str or not player:
            raise PositionError(f"a player must be a name, got {player!r}")
    if len(set(players)) != len(players):
        raise PositionError(f"players must have different names, got {', '.join(players)}")
    return Position(seats=tuple(Seat(player) for player in players))
