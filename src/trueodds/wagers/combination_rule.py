"""Combination bets: C and E, horn, horn high, whirl. Several one-roll bets in one stack, paid share by share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from trueodds.dice import ROLLS, Roll
from trueodds.rulebook import Spot
from trueodds.wagers.one_roll_rule import OneRollRule
from trueodds.wagers.rule_builder import RuleBuilder
from trueodds.wagers.wager import Phase, Result, Wager
from trueodds.wagers.wager_rule import RollEffect, ShareResult, WagerRule


@dataclass(frozen=True, eq=False, kw_only=True)
class CombinationRule(WagerRule):
    """A bet made of shares. It wins if any share wins, even if the lost shares cost as much."""

    reads_faces: ClassVar[bool] = True

    shares: tuple[tuple[OneRollRule, Fraction], ...]

    def decide(self, wager: Wager, phase: Phase, roll: Roll) -> RollEffect:
        """Add up the shares; lose if none of them wins."""
        net, shares = self._share_results(roll)
        if all(share.odds is None for share in shares):
            return RollEffect(Result.LOSE, self.cite("lose"))
        return RollEffect(Result.WIN, self.cite("win") + self.cite("pays"), net, shares=shares)

    def _share_results(self, roll: Roll) -> tuple[Fraction, tuple[ShareResult, ...]]:
        net, results = Fraction(0), []
        for rule, fraction in self.shares:
            payout = rule.payouts.get(roll)
            net += fraction * payout.odds.ratio if payout else -fraction
            results.append(ShareResult(rule.spot.kind, fraction, payout.odds if payout else None, rule.name))
        return net, tuple(results)

    def win_ratios(self) -> tuple[Fraction, ...]:
        """Return every net win that is possible."""
        results = (self._share_results(roll) for roll in ROLLS)
        return tuple({net for net, shares in results if any(share.odds for share in shares)})

    @property
    def payout_texts(self) -> tuple[tuple[str, str], ...]:
        """The odds of each share."""
        rules = {rule.spot: rule for rule, _ in self.shares}
        return tuple((rule.name, odds) for rule in rules.values() for _, odds in rule.payout_texts)


def build_combination(builder: RuleBuilder, built: Mapping[Spot, WagerRule]) -> dict[Spot, WagerRule]:
    """Build the rule of a combination bet from one-roll bets that are built already.

    With `high`, there is a spot for each number that can be doubled.
    """
    reader, kind = builder.reader, builder.definition.kind
    common = builder.common_fields(Spot(kind))
    share_rows, no_box_rows = reader.array("shares"), reader.array("no_box", ())
    has_box = reader.boolean("box", True)
    high_kinds = reader.table("high", {})
    rules: dict[Spot, WagerRule] = {}
    for pick in high_kinds.keys or ("",):
        high_kind = high_kinds.string(pick) if pick else None
        spot = Spot(kind, (int(pick),) if pick else ())
        shares = _read_shares(builder, share_rows, high_kind, built)
        breakdown = () if has_box else _read_breakdown(builder, no_box_rows, high_kind, built)
        rules[spot] = CombinationRule(**common, spot=spot, shares=shares, breakdown=breakdown)
    reader.reject_unknown_keys()
    return rules


def _read_units(builder: RuleBuilder, rows: tuple[object, ...], high_kind: str | None) -> list[tuple[Spot, int]]:
    """Read rows like ["craps2", 1]: a kind of wager, or "high" for the doubled number, and its units."""
    found = []
    for row in rows:
        if not (isinstance(row, tuple) and len(row) == 2 and isinstance(row[0], str) and type(row[1]) is int):
            builder.reader.fail("shares", f'expected rows like ["craps2", 1], got {row!r}')
        found.append((Spot(high_kind if row[0] == "high" and high_kind else row[0]), row[1]))
    return found


def _read_shares(
    builder: RuleBuilder, rows: tuple[object, ...], high_kind: str | None, built: Mapping[Spot, WagerRule]
) -> tuple[tuple[OneRollRule, Fraction], ...]:
    units_of = _read_units(builder, rows, high_kind)
    all_units = sum(units for _, units in units_of)
    shares = []
    for spot, units in units_of:
        rule = built.get(spot)
        if not isinstance(rule, OneRollRule):
            builder.reader.fail("shares", f"this book has no one-roll wager {spot}")
        shares.append((rule, Fraction(units, all_units)))
    return tuple(shares)


def _read_breakdown(
    builder: RuleBuilder, rows: tuple[object, ...], high_kind: str | None, built: Mapping[Spot, WagerRule]
) -> tuple[tuple[Spot, int], ...]:
    units_of = _read_units(builder, rows, high_kind)
    for spot, _ in units_of:
        if spot not in built:
            builder.reader.fail("no_box", f"this book has no wager {spot}")
    return tuple(units_of)
