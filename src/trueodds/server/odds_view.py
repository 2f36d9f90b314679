"""The exact odds of a spot as clients see them: fractions, percentages and words."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from pydantic import BaseModel

from trueodds.rulebook import House, Spot
from trueodds.wager_odds import WagerOdds, wager_odds
from trueodds.wager_odds.odds_bets import odds_by_point
from trueodds.wagers import TableRules


class Ratio(BaseModel):
    """A probability or an edge: as an exact fraction and in percent."""

    exact: str
    percent: str


class BetOdds(BaseModel):
    """The exact odds of a bet, at a stake that is paid without breakage.

    Edges are the player's, so a negative edge favors the house; `edge_text` says it in words. `number` is the number of
    an odds bet. The figures have the definitions of `WagerOdds`.
    """

    name: str
    number: int | None
    stake_cents: int
    edge: Ratio
    edge_text: str
    edge_per_resolved: Ratio
    edge_per_roll: Ratio
    standard_deviation: str
    win: Ratio
    lose: Ratio
    push: Ratio
    mean_rolls: str


class SpotOdds(BaseModel):
    """The odds of a spot: alone and with full odds. For an odds bet, one entry per number."""

    spot: str
    odds: list[BetOdds]


def compute_odds(house: House, spot: Spot) -> SpotOdds:
    """Return the odds of a spot that the house offers."""
    if spot.kind in house.book.wagers and house.book.wagers[spot.kind].family == "odds":
        by_point = odds_by_point(house, spot.kind).items()
        return SpotOdds(spot=str(spot), odds=[_bet_odds(odds, odds.name, number) for number, odds in by_point])
    rules = TableRules(house)
    name = rules.wager_rules[spot].definition.spot_name(spot.selection)
    entries = [_bet_odds(wager_odds(house, spot), name)]
    if any(rule.base_kind == spot.kind and rule.availability.offered for rule in rules.odds_rules.values()):
        entries.append(_bet_odds(wager_odds(house, spot, full_odds=True), f"{name} with full odds"))
    return SpotOdds(spot=str(spot), odds=entries)


def _bet_odds(odds: WagerOdds, name: str, number: int | None = None) -> BetOdds:
    return BetOdds(
        name=name, number=number, stake_cents=odds.stake_cents, edge=_ratio(odds.edge),
        edge_text=_edge_text(odds.edge), edge_per_resolved=_ratio(odds.edge_per_resolved),
        edge_per_roll=_ratio(odds.edge_per_roll), standard_deviation=f"{odds.standard_deviation:.3f}",
        win=_ratio(odds.win_chance), lose=_ratio(odds.lose_chance), push=_ratio(odds.push_chance),
        mean_rolls=_format_decimal(odds.mean_rolls, 2),
    )  # fmt: skip


def _ratio(value: Fraction) -> Ratio:
    return Ratio(exact=str(value), percent=f"{_format_decimal(value * 100, 3)} %")


def _edge_text(edge: Fraction) -> str:
    """Return an edge in words, such as "1.515 % for the house"."""
    if not edge:
        return "none, a fair bet"
    return f"{_format_decimal(abs(edge) * 100, 3)} % for the {'house' if edge < 0 else 'player'}"


def _format_decimal(value: Fraction, places: int) -> str:
    """Return a number without trailing zeros. A number too small for its places keeps three significant digits.

    >>> _format_decimal(Fraction(50, 33), 3), _format_decimal(Fraction(5), 3), _format_decimal(Fraction(1, 70000), 3)
    ('1.515', '5', '0.0000143')
    """
    if value and abs(value) < Fraction(1, 10**places):
        return f"{Decimal(f'{float(value):.3g}'):f}"
    text = f"{float(value):.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
