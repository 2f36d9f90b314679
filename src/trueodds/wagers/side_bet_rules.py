"""Side bets: fire and bonus. They collect points made or totals rolled until a seven ends them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from trueodds.dice import Roll
from trueodds.rulebook import Spot
from trueodds.rulebook.wager_definition import read_totals
from trueodds.wagers.rule_builder import RuleBuilder
from trueodds.wagers.wager import COME_SETTLEMENT, FROZEN, Phase, Result, Wager
from trueodds.wagers.wager_rule import Payout, RollEffect, SinglePayoutRule, WagerRule


@dataclass(frozen=True, eq=False, kw_only=True)
class FireRule(WagerRule):
    """A bet on how many different points are made before the seven. It is paid once, at the seven.

    Only a seven-out ends it, or any seven if `any_seven`. If `freezes_on_surrender`, points do not count any more
    once the shooter gives up the dice.
    """

    seven: int
    any_seven: bool
    freezes_on_surrender: bool
    points: tuple[int, ...]
    payouts: Mapping[int, Payout]

    def decide(self, wager: Wager, phase: Phase, roll: Roll) -> RollEffect:
        """Mark a point that is made for the first time; decide at the seven."""
        if phase == COME_SETTLEMENT:
            return RollEffect(Result.NO_ACTION, self.cite("def"))
        if roll.total == self.seven and (phase > 0 or self.any_seven):
            count = sum(mark != FROZEN for mark in wager.marks)
            pay = self.payouts.get(min(count, max(self.payouts)))
            if pay is None:
                return RollEffect(Result.LOSE, self.cite("lose"))
            return RollEffect(Result.WIN, self.cite("win") + pay.cite, pay.odds.ratio, pay.odds)
        marks = wager.marks
        if roll.total == phase and phase not in marks and FROZEN not in marks:
            marks = tuple(sorted((*marks, phase)))
        return RollEffect(Result.NO_ACTION, self.cite("def"), marks=marks)

    @property
    def collected_numbers(self) -> tuple[int, ...]:
        """The points; each counts once."""
        return self.points

    def win_ratios(self) -> tuple[Fraction, ...]:
        """Return every net win that is possible."""
        return tuple(pay.odds.ratio for pay in self.payouts.values())

    @property
    def payout_texts(self) -> tuple[tuple[str, str], ...]:
        """The odds by the number of points."""
        return tuple((f"{count} points", str(pay.odds)) for count, pay in self.payouts.items())


@dataclass(frozen=True, eq=False, kw_only=True)
class BonusRule(SinglePayoutRule):
    """A bet that every total of a set is rolled before a seven. It is paid when the set is complete."""

    seven: int
    totals: frozenset[int]

    reads_puck: ClassVar[bool] = False

    @property
    def collected_numbers(self) -> tuple[int, ...]:
        """The totals of the set."""
        return tuple(sorted(self.totals))

    def decide(self, wager: Wager, phase: Phase, roll: Roll) -> RollEffect:
        """Mark a total of the set; win when the set is complete, lose on any seven."""
        total = roll.total
        if total == self.seven:
            return RollEffect(Result.LOSE, self.cite("lose"))
        if total not in self.totals or total in wager.marks:
            return RollEffect(Result.NO_ACTION, self.cite("def"))
        marks = tuple(sorted((*wager.marks, total)))
        if len(marks) < len(self.totals):
            return RollEffect(Result.NO_ACTION, self.cite("def"), marks=marks)
        return self.win_effect()


def build_side_bet(builder: RuleBuilder) -> dict[Spot, WagerRule]:
    """Build the rule of a fire bet (collects points made) or a bonus bet (collects totals)."""
    reader, book = builder.reader, builder.book
    spot = Spot(builder.definition.kind)
    common = builder.common_fields(spot)
    collect = reader.table("collect")
    collects_points = collect.choice("what", ("points_made", "totals")) == "points_made"
    any_seven = collect.choice("ends_on", ("loser_7", "any_7")) == "any_7"
    rule: WagerRule
    if collects_points:
        table = reader.string("table")
        rows = reader.table("tables").table(table).take_all()
        rule = FireRule(
            **common,
            spot=spot,
            seven=book.seven,
            any_seven=any_seven,
            freezes_on_surrender=collect.choice("after_surrender", ("count", "freeze")) == "freeze",
            points=book.points,
            payouts={int(count): builder.payout(key) for count, key in rows.items()},
        )
    else:
        totals = frozenset(read_totals(collect, "set"))
        if not any_seven or book.seven in totals:
            collect.fail("ends_on", "a bet that collects totals must end on any seven and cannot collect it")
        payout = builder.payout(reader.take("pays"))
        rule = BonusRule(**common, spot=spot, seven=book.seven, totals=totals, payout=payout)
    collect.reject_unknown_keys()
    reader.reject_unknown_keys()
    return {spot: rule}
