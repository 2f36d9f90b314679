"""Odds on a flat bet: they win and lose with it at true odds, up to a limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

from trueodds.money import Cents, payable_step
from trueodds.rulebook import Citation, Spot, WagerDefinition
from trueodds.wagers.rule_builder import RuleBuilder
from trueodds.wagers.wager_rule import Availability, Payout


@dataclass(frozen=True, eq=False, kw_only=True)
class OddsRule:
    """The rule of one kind of odds under one house.

    `multiples` limit the odds by number: as multiples of the flat bet, or of its winnings if `caps_winnings`.
    `max_stake` is the maximum that the house posts for odds, or None.
    """

    kind: str
    definition: WagerDefinition
    base_kind: str
    availability: Availability
    payouts: Mapping[int, Payout]
    caps_winnings: bool
    multiples: Mapping[int, int]
    rounds_up_to_payable: bool
    max_stake: Cents | None
    chip_unit: int
    pay_unit: int

    def cite(self, facet: str) -> Citation:
        """Return where the book states a facet of the odds."""
        return self.definition.cite(facet)

    def cap(self, flat: Cents, number: int) -> Fraction:
        """Return the exact limit of the odds on a flat bet, before rounding to payable stakes."""
        limit = Fraction(flat * self.multiples[number])
        return limit / self.payouts[number].odds.ratio if self.caps_winnings else limit

    def stake_step(self, number: int) -> int:
        """Return the smallest stake that can be bet and paid in full; its multiples can too."""
        return self._steps[number]

    @cached_property
    def _steps(self) -> Mapping[int, int]:
        return {
            number: lcm(self.chip_unit, payable_step((pay.odds.ratio,), self.pay_unit))
            for number, pay in self.payouts.items()
        }

    def max_odds(self, flat: Cents, number: int) -> int:
        """Return the most odds the house allows: the cap, or the next payable stake if the house rounds up."""
        cap = self.cap(flat, number)
        if not self.rounds_up_to_payable:
            return int(cap)
        step = self.stake_step(number)
        return int(-(-cap // step)) * step

    def posted_maximum(self, number: int) -> Cents | None:
        """Return the posted maximum, or the next payable stake if the house rounds up; None if none is posted."""
        if self.max_stake is None or not self.rounds_up_to_payable:
            return self.max_stake
        step = self.stake_step(number)
        return Cents(-(-self.max_stake // step) * step)

    def max_payable_odds(self, flat: Cents, number: int) -> Cents:
        """Return the most odds that the house allows and can pay in full."""
        step = self.stake_step(number)
        largest, posted = self.max_odds(flat, number), self.posted_maximum(number)
        return Cents((largest if posted is None else min(largest, posted)) // step * step)

    def trimmed_odds(self, flat: Cents, number: int, *, payable: bool) -> int:
        """Return the odds that may remain on a reduced flat bet: the cap, rounded down to what can be bet and paid."""
        step = self.stake_step(number) if payable else self.chip_unit
        return int(self.cap(flat, number)) // step * step


def build_odds(builder: RuleBuilder) -> OddsRule:
    """Build the rule of one kind of odds."""
    reader, definition, house = builder.reader, builder.definition, builder.house
    for key in ("reduce", "remove", "increase"):
        if builder.read_lock(key) != "never_locked":
            reader.fail(key, "must be never_locked: odds may always be changed")
    availability = builder.read_availability(Spot(definition.kind))
    cap = reader.table("cap")
    caps_winnings = cap.choice("of", ("stake", "winnings")) == "winnings"
    rounds_up = cap.boolean("facilitate")
    multiples = cap.table("times")
    cap.reject_unknown_keys()
    payouts = {int(number): builder.payout(key) for number, key in reader.table("pays").take_all().items()}
    max_stake = builder.read_limit("max_stake", None)
    rule = OddsRule(
        kind=definition.kind,
        definition=definition,
        base_kind=reader.string("base"),
        availability=availability,
        payouts=payouts,
        caps_winnings=caps_winnings,
        multiples={int(number): multiples.integer(number) for number in multiples.keys},
        rounds_up_to_payable=rounds_up,
        max_stake=max_stake,
        chip_unit=house.chip_unit_cents,
        pay_unit=house.pay_unit_cents,
    )
    reader.reject_unknown_keys()
    if missing := set(builder.book.points) - (set(payouts) & set(rule.multiples)):
        reader.fail("pays", f"no odds or no limit for {sorted(missing)}")
    return rule
