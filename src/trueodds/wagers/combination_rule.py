"""Combination bets: C and E, horn, horn high, whirl. One-roll bets in one stack, paid share by share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from trueodds.dice import ROLLS, Roll
from trueodds.rulebook import Spot
from trueodds.wagers.one_roll import OneRollRule
from trueodds.wagers.terms import Maker, Part, Rule, Verdict
from trueodds.wagers.wager import Phase, Result, Wager


@dataclass(frozen=True, eq=False, kw_only=True)
class PartsRule(Rule):
    """A bet made of shares; it wins when any share wins, even if the rest costs as much."""

    by_pair: ClassVar[bool] = True

    shares: tuple[tuple[OneRollRule, Fraction], ...]

    def decide(self, wager: Wager, phase: Phase, roll: Roll) -> Verdict:
        """Add the shares up."""
        net, parts = self._split(roll)
        if all(part.odds is None for part in parts):
            return Verdict(Result.LOSE, self.cite("lose"))
        return Verdict(Result.WIN, self.cite("win") + self.cite("pays"), net, parts=parts)

    def _split(self, roll: Roll) -> tuple[Fraction, tuple[Part, ...]]:
        net, parts = Fraction(0), []
        for rule, share in self.shares:
            pay = rule.wins.get(roll)
            net += share * pay.odds.ratio if pay else -share
            parts.append(Part(rule.spot.kind, share, pay.odds if pay else None, rule.name))
        return net, tuple(parts)

    def ratios(self) -> tuple[Fraction, ...]:
        """Give every net a win can bring."""
        splits = (self._split(roll) for roll in ROLLS)
        return tuple({net for net, parts in splits if any(part.odds for part in parts)})

    @property
    def pay_words(self) -> tuple[tuple[str, str], ...]:
        """Say the odds of each share."""
        rules = {rule.spot: rule for rule, _ in self.shares}
        return tuple((rule.name, odds) for rule in rules.values() for _, odds in rule.pay_words)


def make_parts(maker: Maker, made: Mapping[Spot, Rule]) -> dict[Spot, Rule]:
    """Build the bet from one-roll bets that are made already; `high` picks the doubled number."""
    reader, text = maker.reader, maker.text
    common = maker.common(Spot(text.kind))
    rows, no_box = reader.take("parts"), reader.take("no_box", [])
    box = reader.flag("box", True)
    highs: Mapping[str, str] = reader.take("high", {})
    reader.done()
    rules: dict[Spot, Rule] = {}
    for pick in highs or ("",):
        spot = Spot(text.kind, (int(pick),) if pick else ())
        shares = _shares(maker, rows, highs.get(pick), made)
        breakdown = () if box else _breakdown(maker, no_box, highs.get(pick), made)
        rules[spot] = PartsRule(**{**common, "spot": spot}, shares=shares, breakdown=breakdown)
    return rules


def _rows(maker: Maker, rows: Any, high: str | None) -> list[tuple[Spot, int]]:
    found = []
    for row in rows:
        if not (isinstance(row, tuple) and len(row) == 2 and isinstance(row[0], str) and type(row[1]) is int):
            maker.reader.fail("parts", f'expected rows like ["craps2", 1], not {row!r}')
        found.append((Spot(high if row[0] == "high" and high else row[0]), row[1]))
    return found


def _shares(
    maker: Maker, rows: Any, high: str | None, made: Mapping[Spot, Rule]
) -> tuple[tuple[OneRollRule, Fraction], ...]:
    read = _rows(maker, rows, high)
    whole = sum(units for _, units in read)
    shares = []
    for spot, units in read:
        rule = made.get(spot)
        if not isinstance(rule, OneRollRule):
            maker.reader.fail("parts", f"{spot} is no one-roll wager of this book")
        shares.append((rule, Fraction(units, whole)))
    return tuple(shares)


def _breakdown(maker: Maker, rows: Any, high: str | None, made: Mapping[Spot, Rule]) -> tuple[tuple[Spot, int], ...]:
    read = _rows(maker, rows, high)
    for spot, _ in read:
        if spot not in made:
            maker.reader.fail("no_box", f"{spot} is no wager of this book")
    return tuple(read)
