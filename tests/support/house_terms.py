"""What the options of a house mean for each wager: limits, units, what is offered. No rule of the engine is used."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import Final

from support.house_law import odds_of, ratio_of
from support.settlement_oracle import BONUS, HIGH, LAYS, TAKES, odds_row
from trueodds.rulebook import House, Spot
from trueodds.table import TaggedWager

BASES: Final = TAKES | LAYS
"""The kind of bet that each kind of odds stands behind."""

CENTER: Final = {
    "hard", "any7", "any_craps", "craps2", "craps3", "craps12", "yo", "ce", "horn", "horn_high", "whirl", "hop",
    "six_seven_eight", *BONUS,
}  # fmt: skip
"""The wagers with the minimum `prop_min`."""

UNITS: Final = {"horn": 4, "horn_high": 5, "whirl": 5}


def point_number(tagged: TaggedWager, point: int) -> int | None:
    """Return the number that a line, come or put bet is on."""
    spot = tagged.wager.spot
    return spot.pick[0] if spot.pick else (point or None) if spot.kind in ("pass", "dont_pass") else None


class HouseTerms:
    """The terms on which a house takes wagers."""

    def __init__(self, house: House) -> None:
        self.house = house

    def integer(self, option: str) -> int:
        """Return the value of an option that is a number."""
        value = self.house[option]
        assert isinstance(value, int)
        return value

    def minimum(self, kind: str) -> int:
        """Return the smallest new bet."""
        if kind == "fire":
            return self.integer("fire_min")
        if kind in CENTER and self.house["prop_min"] is not None:
            return self.integer("prop_min")
        return self.integer("min_bet")

    def maximum(self, kind: str) -> int | None:
        """Return the most that a player may have up on a spot, or on a number in odds; None if there is no maximum."""
        limit = self.house["fire_max" if kind == "fire" else "odds_max_bet" if kind in BASES else "max_bet"]
        return limit if isinstance(limit, int) else None

    def unit(self, kind: str) -> int:
        """Return the unit that stakes must be multiples of."""
        if kind == "fire":
            return self.integer("fire_unit")
        return UNITS[kind] * self.integer("prop_unit") if kind in UNITS and self.house[f"{kind}_unit_rule"] else 1

    def payable_step(self, ratios: set[Fraction]) -> int:
        """Return the step of stakes that the house can pay in full, or 1 if it rounds."""
        if self.house["unpayable"] != "refuse":
            return 1
        return lcm(1, *((ratio / self.house.pay_unit_cents).denominator for ratio in ratios))

    def is_offered(self, kind: str) -> bool:
        """Return whether the house takes the wager."""
        if kind in BASES:
            return kind in self.house.wager_list("odds_offered")
        if kind == "fire" and self.house.book.id == "new_jersey" and self.house["game"] != "craps":
            return False
        return bool(self.house.get(f"{'bonus' if kind in BONUS else kind}_offered", True))

    def odds_cap(self, kind: str, flat: int, number: int) -> Fraction:
        """Return the largest odds before any rounding up: a multiple of the flat bet, or one that wins it."""
        multiples = self.house["odds_take" if kind in TAKES else "odds_lay"]
        assert isinstance(multiples, Mapping)
        limit = Fraction(flat * int(str(multiples[str(number)])))
        return limit if kind in TAKES else limit / ratio_of(odds_of(self.house, odds_row(kind, number)))

    def facilitated(self, limit: Fraction, kind: str, number: int) -> Fraction:
        """Return a limit, or the next stake that is paid exactly if the house lets odds go that far."""
        if not self.house["odds_facilitate"]:
            return limit
        ratio = ratio_of(odds_of(self.house, odds_row(kind, number)))
        step = lcm(self.house.chip_unit_cents, (ratio / self.house.pay_unit_cents).denominator)
        return Fraction(-(-limit // step) * step)

    def parts(self, spot: Spot) -> list[tuple[Spot, Fraction]]:
        """Return where a bet lies: on its spot, or on two others if the layout has no box for it."""
        if spot.kind not in ("horn_high", "whirl") or self.house[f"{spot.kind}_area"]:
            return [(spot, Fraction(1))]
        other = HIGH[spot.pick[0]] if spot.pick else "any7"
        return [(Spot("horn"), Fraction(4, 5)), (Spot(other), Fraction(1, 5))]
