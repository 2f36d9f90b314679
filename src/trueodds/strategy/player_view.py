"""What a strategy sees: the puck, the hand and wagers before it bets, and what a throw brought after it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from trueodds.dice import Roll
from trueodds.rulebook import Spot, say
from trueodds.table import Hand, Position, Ruling
from trueodds.table.legality import window_open
from trueodds.wagers import OddsBet, Phase, Result, Rules, Wager


def spot_of(what: Spot | str) -> Spot:
    """Read "place:6" or "come"; a spot as it is."""
    return what if isinstance(what, Spot) else Spot.parse(what)


def matches(what: Spot, spot: Spot) -> bool:
    """Tell whether a spot is meant by `what`: the same one, or any of its kind when no number is named.

    >>> matches(Spot("come"), Spot("come", (6,))), matches(Spot("place", (6,)), Spot("place", (8,)))
    (True, False)
    """
    return what.kind == spot.kind and (not what.pick or what.pick == spot.pick)


def base_of(rules: Rules, what: Spot) -> Spot:
    """Name the bets that odds of a kind stand behind; anything else names itself."""
    rule = rules.odds.get(what.kind)
    return Spot(rule.base) if rule else what


def why_unknown(rules: Rules, what: Spot) -> str | None:
    """Say why a spot or kind cannot be meant under these rules; None where the book has it."""
    text = rules.book.wagers.get(what.kind)
    if text is None:
        known, why = ", ".join(rules.book.wagers), say(rules.refusal_cite("not_offered"))
        return f"{rules.book.title} has no wager {what.kind!r}; it has {known}: {why}"
    if what.pick and what not in rules.spots:
        return f"{rules.book.title} has no {what}: {say(text.cite('def', text.spots()[0].selection))}"
    return None


class View(NamedTuple):
    """A situation with the rules it stands under. A part of a strategy sees the wagers it touches, no others."""

    rules: Rules
    puck: Phase
    hand: Hand
    wagers: tuple[Wager, ...]

    @property
    def point(self) -> int | None:
        """The point, while the puck is on."""
        return self.puck if self.puck > 0 else None

    def up(self, what: Spot | str) -> tuple[Wager, ...]:
        """List the wagers on a spot, or of a kind."""
        wanted = spot_of(what)
        return tuple(wager for wager in self.wagers if matches(wanted, wager.spot))

    def meant(self, what: Spot) -> list[tuple[Wager, OddsBet | None]]:
        """List the wagers on a spot or of a kind; for a kind of odds, each odds bet with what it stands behind."""
        if what.kind not in self.rules.odds:
            return [(wager, None) for wager in self.up(what)]
        return [(wager, bet) for wager in self.wagers for bet in wager.odds if bet.kind == what.kind]

    def number_of(self, wager: Wager) -> int | None:
        """Give the number a wager stands on, if it has one yet."""
        return self.rules.spots[wager.spot].number_of(wager, self.puck)

    def is_open(self, spot: Spot) -> bool:
        """Tell whether wagers of this kind can be made now; a spot the book does not have is left to the verifier."""
        rule = self.rules.spots.get(spot)
        return rule is None or window_open(Position(self.puck, self.hand), rule.window)


class Outcome(NamedTuple):
    """One throw as a strategy may remember it: the dice, the puck before and after, and every ruling on its wagers.

    Two dice are not told apart: `roll` has the lower face first.
    """

    roll: Roll
    puck: Phase
    puck_after: Phase
    seven_out: bool
    rulings: tuple[Ruling, ...]

    def results(self, what: Spot) -> tuple[Result, ...]:
        """List what happened to the wagers on a spot or of a kind, odds not counted unless they are asked for."""
        return tuple(ruling.result for ruling in self.rulings_on(what))

    def rulings_on(self, what: Spot) -> tuple[Ruling, ...]:
        """List the rulings on the wagers on a spot or of a kind, odds not counted unless they are asked for."""
        return tuple(ruling for ruling in self.rulings if matches(what, ruling.spot))


def profit_of(ruling: Ruling) -> int:
    """Give what a ruling won or lost, in cents; vigorish that was paid in front for a first throw is not counted."""
    return ruling.net - ruling.vig


def make_outcome(roll: Roll, puck: Phase, puck_after: Phase, seven_out: bool, rulings: Iterable[Ruling]) -> Outcome:
    """Tell a throw so that neither the order of the dice nor that of the wagers shows."""
    ordered = sorted(rulings, key=lambda ruling: (ruling.spot, ruling.stake, ruling.result))
    return Outcome(Roll(*roll.pair), puck, puck_after, seven_out, tuple(ordered))
