"""What a strategy sees: the table and its own wagers before it decides, and the outcome of each roll."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from trueodds.dice import Roll
from trueodds.rulebook import Spot, UnknownWagerError, format_citation
from trueodds.table import HandStage, Position, Settlement
from trueodds.table.verify_bet import is_window_open
from trueodds.wagers import OddsBet, Phase, Result, TableRules, Wager


def parse_spot(target: Spot | str) -> Spot:
    """Return the spot written as text like "place:6" or "come". A spot is returned unchanged."""
    return target if isinstance(target, Spot) else Spot.parse(target)


def spot_matches(target: Spot, spot: Spot) -> bool:
    """Return whether `spot` is the target, or of its kind if the target has no number.

    >>> spot_matches(Spot("come"), Spot("come", (6,))), spot_matches(Spot("place", (6,)), Spot("place", (8,)))
    (True, False)
    """
    return target.kind == spot.kind and (not target.pick or target.pick == spot.pick)


def base_spot(rules: TableRules, target: Spot) -> Spot:
    """Return the kind of bet that odds of this kind back, or the target itself if it is not a kind of odds."""
    rule = rules.odds_rules.get(target.kind)
    return Spot(rule.base_kind) if rule else target


def unknown_spot_reason(rules: TableRules, target: Spot) -> str | None:
    """Return why the book does not have a spot or kind of wager, or None if it does."""
    wager = rules.book.wagers.get(target.kind)
    if wager is None:
        return str(UnknownWagerError(target.kind, rules.book.title, tuple(rules.book.wagers)))
    if target.pick and target not in rules.wager_rules:
        return f"{rules.book.title} has no {target}: {format_citation(wager.cite('def', wager.spots()[0].selection))}"
    return None


class PlayerView(NamedTuple):
    """The rules, the puck, the stage of the hand and the player's wagers.

    A play sees only the wagers on its watched spots.
    """

    rules: TableRules
    puck: Phase
    hand_stage: HandStage
    wagers: tuple[Wager, ...]

    @property
    def point(self) -> int | None:
        """The point, or None while the puck is off."""
        return self.puck if self.puck > 0 else None

    def wagers_on(self, target: Spot | str) -> tuple[Wager, ...]:
        """Return the wagers on a spot or of a kind."""
        wanted = parse_spot(target)
        return tuple(wager for wager in self.wagers if spot_matches(wanted, wager.spot))

    def bets_on(self, target: Spot) -> list[tuple[Wager, OddsBet | None]]:
        """Return pairs of a wager and None, or, for a kind of odds, of a wager and the odds bet behind it."""
        if target.kind not in self.rules.odds_rules:
            return [(wager, None) for wager in self.wagers_on(target)]
        return [(wager, bet) for wager in self.wagers for bet in wager.odds_bets if bet.kind == target.kind]

    def number_of(self, wager: Wager) -> int | None:
        """Return the number a wager is on, or None if it has none yet."""
        return self.rules.wager_rules[wager.spot].number_of(wager, self.puck)

    def is_window_open(self, spot: Spot) -> bool:
        """Return whether wagers on this spot can be made now. True for an unknown spot: the dealer refuses it."""
        rule = self.rules.wager_rules.get(spot)
        return rule is None or is_window_open(Position(self.puck, self.hand_stage), rule.window)


class RollOutcome(NamedTuple):
    """What a strategy can remember of a roll: the dice, the puck before and after, and its settled wagers.

    The dice have no order: `roll` has the lower face first.
    """

    roll: Roll
    puck_before: Phase
    puck_after: Phase
    seven_out: bool
    settlements: tuple[Settlement, ...]

    def results(self, target: Spot) -> tuple[Result, ...]:
        """Return the results of the wagers on a spot or of a kind. Odds count only if their kind is the target."""
        return tuple(settlement.result for settlement in self.settlements_on(target))

    def settlements_on(self, target: Spot) -> tuple[Settlement, ...]:
        """Return the settlements on a spot or of a kind. Odds count only if their kind is the target."""
        return tuple(settlement for settlement in self.settlements if spot_matches(target, settlement.spot))


def profit_cents(settlement: Settlement) -> int:
    """Return what a settlement won or lost. Vigorish that was paid with the bet is not counted."""
    return settlement.net_cents - settlement.vig_cents


def make_outcome(
    roll: Roll, puck_before: Phase, puck_after: Phase, seven_out: bool, settlements: Iterable[Settlement]
) -> RollOutcome:
    """Return an outcome that does not depend on the order of the dice or of the wagers."""
    ordered = sorted(settlements, key=lambda settlement: (settlement.spot, settlement.stake_cents, settlement.result))
    return RollOutcome(Roll(*roll.pair), puck_before, puck_after, seven_out, tuple(ordered))
