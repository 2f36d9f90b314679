"""Hardways: the pair before the same total any other way and before the seven."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from trueodds.dice import Roll
from trueodds.rulebook import Spot
from trueodds.wagers.terms import Maker, Rule, SinglePayRule, Verdict
from trueodds.wagers.wager import Phase, Result, Wager


@dataclass(frozen=True, eq=False, kw_only=True)
class HardwayRule(SinglePayRule):
    """A bet on one even number thrown as a pair."""

    by_pair: ClassVar[bool] = True

    number: int
    seven: int

    def decide(self, wager: Wager, phase: Phase, roll: Roll) -> Verdict:
        """Win on the pair, lose on the easy way or the seven."""
        if roll.total not in (self.number, self.seven):
            return self.idle()
        if roll.total == self.number and roll.is_pair:
            return self.won()
        return Verdict(Result.LOSE, self.cite("lose"))


def make_hardway(maker: Maker) -> dict[Spot, Rule]:
    """Build a hardway for each of its numbers."""
    reader, text = maker.reader, maker.text
    common = maker.common(Spot(text.kind))
    pays = reader.table("pays")
    rules: dict[Spot, Rule] = {}
    for number in reader.totals("numbers"):
        if number % 2:
            reader.fail("numbers", f"{number} cannot be thrown as a pair")
        spot = Spot(text.kind, (number,))
        pay = maker.pay(pays.take(str(number)), spot.selection)
        rules[spot] = HardwayRule(**{**common, "spot": spot}, number=number, seven=maker.book.seven, pay=pay)
    pays.done()
    reader.done()
    return rules
