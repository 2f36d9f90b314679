"""One-roll bets: field, any seven, craps numbers, hops, 6-7-8. The next valid roll decides them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from trueodds.dice import ROLLS, DiceError, Roll
from trueodds.rulebook import Spot
from trueodds.wagers.rule_builder import CommonFields, RuleBuilder
from trueodds.wagers.wager import Phase, Result, Wager
from trueodds.wagers.wager_rule import Payout, RollEffect, WagerRule


@dataclass(frozen=True, eq=False, kw_only=True)
class OneRollRule(WagerRule):
    """A bet that pays on the rolls it names and loses on all others."""

    reads_faces: ClassVar[bool] = True

    payouts: Mapping[Roll, Payout]
    payout_rows: tuple[tuple[str, Payout], ...]

    def decide(self, wager: Wager, phase: Phase, roll: Roll) -> RollEffect:
        """Win on the rolls it names, lose on all others."""
        payout = self.payouts.get(roll)
        if payout is None:
            return RollEffect(Result.LOSE, self.cite("lose"))
        return RollEffect(Result.WIN, self.cite("win") + payout.cite, payout.odds.ratio, payout.odds)

    def win_ratios(self) -> tuple[Fraction, ...]:
        """Return every net win that is possible."""
        return tuple({payout.odds.ratio for payout in self.payouts.values()})

    @property
    def payout_texts(self) -> tuple[tuple[str, str], ...]:
        """The odds of each group of rolls."""
        return tuple((rolls, str(payout.odds)) for rolls, payout in self.payout_rows)


def build_one_roll_bets(builder: RuleBuilder) -> dict[Spot, WagerRule]:
    """Build the rule of a one-roll bet; for hops, one for each pair."""
    reader, kind = builder.reader, builder.definition.kind
    common = builder.common_fields(Spot(kind))
    if reader.has("pairs"):
        pairs, pays = reader.strings("pairs"), reader.table("pays")
        keys = {True: pays.string("hard"), False: pays.string("easy")}
        pays.reject_unknown_keys()
        reader.reject_unknown_keys()
        return {spot: _build_hop(builder, common, spot, keys) for spot in _pair_spots(builder, pairs)}
    payouts: dict[Roll, Payout] = {}
    payout_rows: list[tuple[str, Payout]] = []
    for row in reader.tables("wins"):
        payout, on = builder.payout(row.take("pays")), row.array("on")
        row.reject_unknown_keys()
        for roll in _winning_rolls(builder, on):
            if roll in payouts:
                reader.fail("wins", f"{roll} is named twice")
            payouts[roll] = payout
        payout_rows.append((", ".join(map(str, on)), payout))
    reader.reject_unknown_keys()
    if not payout_rows:
        reader.fail("wins", "must name at least one roll")
    if len(payout_rows) == 1:
        payout_rows = [("", payout_rows[0][1])]
    rule = OneRollRule(**common, spot=Spot(kind), payouts=payouts, payout_rows=tuple(payout_rows))
    return {Spot(kind): rule}


def _pair_spots(builder: RuleBuilder, pairs: tuple[str, ...]) -> list[Spot]:
    with builder.reader.location_of("pairs").errors_located_here(DiceError):
        return [Spot(builder.definition.kind, Roll.parse(pair).pair) for pair in pairs]


def _build_hop(builder: RuleBuilder, common: CommonFields, spot: Spot, keys: Mapping[bool, str]) -> WagerRule:
    rolls = [roll for roll in ROLLS if roll.pair == spot.pick]
    payout = builder.payout(keys[rolls[0].is_pair], spot.selection)
    return OneRollRule(**common, spot=spot, payouts=dict.fromkeys(rolls, payout), payout_rows=(("", payout),))


def _winning_rolls(builder: RuleBuilder, on: tuple[object, ...]) -> list[Roll]:
    """Return the rolls of totals like 7 and pairs like "3-3"."""
    found: list[Roll] = []
    for item in on:
        if type(item) is int and 2 <= item <= 12:
            found += [roll for roll in ROLLS if roll.total == item]
        elif isinstance(item, str):
            with builder.reader.location_of("wins").errors_located_here(DiceError):
                pair = Roll.parse(item).pair
            found += [roll for roll in ROLLS if roll.pair == pair]
        else:
            builder.reader.fail("wins", f"expected totals or pairs, got {item!r}")
    return found
