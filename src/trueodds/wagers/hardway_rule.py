"""Hardways: a pair before the same total any other way and before the seven."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from trueodds.dice import Roll
from trueodds.rulebook import Spot
from trueodds.rulebook.wager_definition import read_totals
from trueodds.wagers.rule_builder import RuleBuilder
from trueodds.wagers.wager import Phase, Result, Wager
from trueodds.wagers.wager_rule import RollEffect, SinglePayoutRule, WagerRule


@dataclass(frozen=True, eq=False, kw_only=True)
class HardwayRule(SinglePayoutRule):
    """A bet that an even number is rolled as a pair first."""

    reads_faces: ClassVar[bool] = True

    number: int
    seven: int

    def decide(self, wager: Wager, phase: Phase, roll: Roll) -> RollEffect:
        """Win on the pair, lose on the same total the easy way or on the seven."""
        if roll.total not in (self.number, self.seven):
            return self.no_effect()
        if roll.total == self.number and roll.is_pair:
            return self.win_effect()
        return RollEffect(Result.LOSE, self.cite("lose"))


def build_hardways(builder: RuleBuilder) -> dict[Spot, WagerRule]:
    """Build the rule of each hardway number."""
    reader, kind = builder.reader, builder.definition.kind
    common = builder.common_fields(Spot(kind))
    pays = reader.table("pays")
    rules: dict[Spot, WagerRule] = {}
    for number in read_totals(reader, "numbers"):
        if number % 2:
            reader.fail("numbers", f"{number} cannot be rolled as a pair")
        spot = Spot(kind, (number,))
        payout = builder.payout(pays.take(str(number)), spot.selection)
        rules[spot] = HardwayRule(**common, spot=spot, number=number, seven=builder.book.seven, payout=payout)
    pays.reject_unknown_keys()
    reader.reject_unknown_keys()
    return rules
