"""Hand bets: fire and bonus. They collect points made or totals thrown until a seven ends them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from trueodds.dice import Roll
from trueodds.rulebook import Spot
from trueodds.wagers.terms import Maker, Pay, Rule, SinglePayRule, Verdict
from trueodds.wagers.wager import COME_SETTLEMENT, FROZEN, Phase, Result, Wager


@dataclass(frozen=True, eq=False, kw_only=True)
class FireRule(Rule):
    """Counts the different points the shooter makes; paid once, by the count, when the seven comes."""

    seven: int
    any_seven: bool
    freezes: bool
    points: tuple[int, ...]
    pays: Mapping[int, Pay]

    def decide(self, wager: Wager, phase: Phase, roll: Roll) -> Verdict:
        """Mark a point made for the first time; settle at the seven that ends it."""
        if phase == COME_SETTLEMENT:
            return Verdict(Result.NO_ACTION, self.cite("def"))
        if roll.total == self.seven and (phase > 0 or self.any_seven):
            count = sum(mark != FROZEN for mark in wager.marks)
            pay = self.pays.get(min(count, max(self.pays)))
            if pay is None:
                return Verdict(Result.LOSE, self.cite("lose"))
            return Verdict(Result.WIN, self.cite("win") + pay.cite, pay.odds.ratio, pay.odds)
        marks = wager.marks
        if roll.total == phase and phase not in marks and FROZEN not in marks:
            marks = tuple(sorted((*marks, phase)))
        return Verdict(Result.NO_ACTION, self.cite("def"), marks=marks)

    @property
    def collects(self) -> tuple[int, ...]:
        """Any point counts once."""
        return self.points

    def ratios(self) -> tuple[Fraction, ...]:
        """Give every net a win can bring."""
        return tuple(pay.odds.ratio for pay in self.pays.values())

    @property
    def pay_words(self) -> tuple[tuple[str, str], ...]:
        """Say the odds by the number of points."""
        return tuple((f"{count} points", str(pay.odds)) for count, pay in self.pays.items())


@dataclass(frozen=True, eq=False, kw_only=True)
class BonusRule(SinglePayRule):
    """Wants every total of its set before any seven; paid at once when the set is complete."""

    seven: int
    wanted: frozenset[int]

    by_phase: ClassVar[bool] = False

    @property
    def collects(self) -> tuple[int, ...]:
        """Every total of its set."""
        return tuple(sorted(self.wanted))

    def decide(self, wager: Wager, phase: Phase, roll: Roll) -> Verdict:
        """Mark a total of the set; win when it is complete, lose to any seven."""
        total = roll.total
        if total == self.seven:
            return Verdict(Result.LOSE, self.cite("lose"))
        if total not in self.wanted or total in wager.marks:
            return Verdict(Result.NO_ACTION, self.cite("def"))
        marks = tuple(sorted((*wager.marks, total)))
        if len(marks) < len(self.wanted):
            return Verdict(Result.NO_ACTION, self.cite("def"), marks=marks)
        return self.won()


def make_hand(maker: Maker) -> dict[Spot, Rule]:
    """Build a bet that collects points made, or one that collects totals."""
    reader, book = maker.reader, maker.book
    spot = Spot(maker.text.kind)
    common = maker.common(spot)
    collect = reader.table("collect")
    what = collect.choice("what", ("points_made", "totals"))
    any_seven = collect.choice("ends_on", ("loser_7", "any_7")) == "any_7"
    rule: Rule
    if what == "points_made":
        table = reader.text("table")
        rows = reader.table("tables").take(table)
        pays = {int(count): maker.pay(key) for count, key in rows.items()}
        freezes = collect.choice("after_surrender", ("count", "freeze")) == "freeze"
        rule = FireRule(
            **common, seven=book.seven, any_seven=any_seven, freezes=freezes, points=book.points, pays=pays
        )  # fmt: skip
    else:
        wanted = frozenset(collect.totals("set"))
        if not any_seven or book.seven in wanted:
            collect.fail("ends_on", "a wager that collects totals ends on any seven and cannot collect it")
        rule = BonusRule(**common, seven=book.seven, wanted=wanted, pay=maker.pay(reader.take("pays")))
    collect.done()
    reader.done()
    return {spot: rule}
