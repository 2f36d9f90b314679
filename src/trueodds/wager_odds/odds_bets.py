"""Exact odds of odds: what the bet behind a flat bet is worth by itself, number by number."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from trueodds.chain.absorbing import Edge, expectations, explore, second_moments
from trueodds.chain.odds import FAIR, Chances, WagerOdds, dealer_of, easy_stake
from trueodds.rulebook import House, Spot
from trueodds.table import Bet, Dealer, Entry, Position, Seat
from trueodds.wagers import OddsRule, Result, Wager


def behind_odds(house: House, kind: str, dice: Chances = FAIR) -> dict[int, WagerOdds]:
    """Work out the most odds that are taken behind an easy stake, by number; nothing where none can stand.

    >>> from trueodds.rulebook import load_book
    >>> [str(one.edge) for one in behind_odds(House(load_book("new_jersey")), "pass_odds").values()]
    ['0', '0', '0', '0', '0', '0']
    """
    dealer = dealer_of(house)
    rule = dealer.rules.odds[kind]
    if not rule.offer.given:
        return {}
    found = {number: _backed(dealer, rule, number) for number in sorted(rule.pays)}
    return {number: _worth(dealer, number, wager, dice) for number, wager in found.items() if wager.odds}


def _backed(dealer: Dealer, rule: OddsRule, number: int) -> Wager:
    """Put the most odds behind a bet that stands on a number, with the puck there, so that everything works."""
    spot = Spot(rule.base, (number,))
    if spot not in dealer.rules.spots:
        spot = Spot(rule.base)
    wager = Wager(spot, easy_stake(dealer.rules, spot))
    most = rule.full(wager.stake, number)
    if not most:
        return wager
    position = Position(number, "under_way", (Seat("A", True, (Entry("1", wager),)),), serial=1)
    position, _ = dealer.act(position, Bet("A", Spot(rule.kind), most, on="1"))
    return position.seats[0].entries[0].wager


def _worth(dealer: Dealer, number: int, start: Wager, dice: Chances) -> WagerOdds:
    """Follow the odds alone; the throw that decides them takes the puck off, so it never moves before."""

    def step(held: Wager) -> Iterable[Edge[Wager]]:
        for roll, chance in dice:
            flat, odds = dealer.settle(held, number, roll)
            won, lost, void = (int(odds.result is result) for result in (Result.WIN, Result.LOSE, Result.RETURNED))
            yield Edge(chance, (won, lost, void, odds.cash, 1), flat.after)

    rows = explore(start, step)
    first = expectations(rows)
    win, lose, void, cash, rolls = first[start]
    squares = second_moments(rows, first, 3)[start]
    bet = start.odds[0]
    name = dealer.rules.odds[bet.kind].text.short_of(str(number))
    stake = Fraction(bet.stake)
    return WagerOdds(
        Spot(bet.kind), name, bet.stake, stake, win, lose, void, cash - stake, squares - cash * cash, rolls
    )  # fmt: skip
