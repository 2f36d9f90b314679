"""Odds behind a flat bet: they win and lose with it, at true odds, up to a limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

from trueodds.money import Cents, payable_step
from trueodds.rulebook import Cite, Spot, WagerText
from trueodds.wagers.terms import Maker, Offer, Pay


@dataclass(frozen=True, eq=False, kw_only=True)
class OddsRule:
    """One kind of odds under one house."""

    kind: str
    text: WagerText
    base: str
    offer: Offer
    pays: Mapping[int, Pay]
    of_winnings: bool
    times: Mapping[int, int]
    facilitate: bool
    chip_unit: int
    pay_unit: int

    def cite(self, facet: str) -> Cite:
        """Where the book says this about the odds."""
        return self.text.cite(facet)

    def cap(self, flat: Cents, number: int) -> Fraction:
        """Give the largest odds on a flat bet: a multiple of it, or what wins a multiple of it."""
        most = Fraction(flat * self.times[number])
        return most / self.pays[number].odds.ratio if self.of_winnings else most

    def step(self, number: int) -> int:
        """Stakes that can be put up and paid in full are the multiples of this."""
        return self._steps[number]

    @cached_property
    def _steps(self) -> Mapping[int, int]:
        return {
            number: lcm(self.chip_unit, payable_step((pay.odds.ratio,), self.pay_unit))
            for number, pay in self.pays.items()
        }

    def limit(self, flat: Cents, number: int) -> int:
        """Give the largest lawful odds: the cap, or the next payable stake where the house may go there."""
        cap = self.cap(flat, number)
        if not self.facilitate:
            return int(cap)
        step = self.step(number)
        return int(-(-cap // step)) * step

    def full(self, flat: Cents, number: int) -> Cents:
        """Give the most odds that are taken and paid in full."""
        step = self.step(number)
        return Cents(self.limit(flat, number) // step * step)

    def trimmed(self, flat: Cents, number: int, *, payable: bool) -> int:
        """Give what may remain when the flat bet was cut: the cap, down to what can be put up and paid."""
        step = self.step(number) if payable else self.chip_unit
        return int(self.cap(flat, number)) // step * step


def make_odds(maker: Maker) -> OddsRule:
    """Build one kind of odds."""
    reader, text, house = maker.reader, maker.text, maker.house
    for key in ("reduce", "remove", "increase"):
        if maker.lock(key) != "never_locked":
            reader.fail(key, "odds may always be changed")
    offer = maker.offer(Spot(text.kind))
    cap = reader.table("cap")
    of, facilitate, times = (
        cap.choice("of", ("stake", "winnings")),
        cap.flag("facilitate"),
        cap.table("times"),
    )
    cap.done()
    pays = {int(number): maker.pay(key) for number, key in reader.table("pays").items()}
    rule = OddsRule(
        kind=text.kind,
        text=text,
        base=reader.text("base"),
        offer=offer,
        pays=pays,
        of_winnings=of == "winnings",
        times={int(number): value for number, value in times.items()},
        facilitate=facilitate,
        chip_unit=house["chip_unit"],
        pay_unit=house["pay_unit"],
    )
    reader.done()
    if missing := set(maker.book.points) - (set(pays) & set(rule.times)):
        reader.fail("pays", f"no odds or limit for {sorted(missing)}")
    return rule
