"""What a spot is worth under a house, as clients see it: exact fractions, and the same in words."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from pydantic import BaseModel

from trueodds.chain import WagerOdds, wager_odds
from trueodds.chain.behind import behind_odds
from trueodds.rulebook import House, Spot
from trueodds.wagers import Rules


class Share(BaseModel):
    """A part of a whole: as a fraction, and in percent."""

    exact: str
    percent: str


class Figures(BaseModel):
    """What a bet is worth at a stake that is paid without breakage. Edges are the player's, `words` says whose.

    `on` is the number that odds stand on. `spread` is the standard deviation for each unit put up, `rolls` how many
    throws a decision takes on average.
    """

    name: str
    on: int | None
    stake: int
    edge: Share
    words: str
    edge_resolved: Share
    edge_per_roll: Share
    spread: str
    win: Share
    lose: Share
    void: Share
    rolls: str


class SpotOdds(BaseModel):
    """A spot with its figures: alone and with the most odds behind it; for odds themselves, number by number."""

    spot: str
    figures: list[Figures]


def work_out(house: House, spot: Spot) -> SpotOdds:
    """Work a spot out that the house offers."""
    if spot.kind in house.book.wagers and house.book.wagers[spot.kind].family == "odds":
        found = behind_odds(house, spot.kind).items()
        return SpotOdds(spot=str(spot), figures=[_figures(one, one.name, number) for number, one in found])
    rules = Rules(house)
    name = rules.spots[spot].text.short_of(spot.selection)
    figures = [_figures(wager_odds(house, spot), name)]
    if any(rule.base == spot.kind and rule.offer.given for rule in rules.odds.values()):
        figures.append(_figures(wager_odds(house, spot, odds=True), f"{name} with full odds"))
    return SpotOdds(spot=str(spot), figures=figures)


def _figures(one: WagerOdds, name: str, on: int | None = None) -> Figures:
    return Figures(
        name=name, on=on, stake=one.stake, edge=_share(one.edge), words=_words(one.edge),
        edge_resolved=_share(one.edge_resolved), edge_per_roll=_share(one.edge_per_roll),
        spread=f"{one.deviation:.3f}", win=_share(one.win), lose=_share(one.lose), void=_share(one.void),
        rolls=_plain(one.rolls, 2),
    )  # fmt: skip


def _share(value: Fraction) -> Share:
    return Share(exact=str(value), percent=f"{_plain(value * 100, 3)} %")


def _words(edge: Fraction) -> str:
    """Say whose the edge is."""
    if not edge:
        return "none, a fair bet"
    return f"{_plain(abs(edge) * 100, 3)} % for the {'house' if edge < 0 else 'player'}"


def _plain(value: Fraction, places: int) -> str:
    """Write a number with as few digits as say it; one that is too small for its places keeps three digits that count.

    >>> _plain(Fraction(50, 33), 3), _plain(Fraction(5), 3), _plain(Fraction(1, 70000), 3)
    ('1.515', '5', '0.0000143')
    """
    if value and abs(value) < Fraction(1, 10**places):
        return f"{Decimal(f'{float(value):.3g}'):f}"
    text = f"{float(value):.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
