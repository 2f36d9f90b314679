"""Exact odds of odds bets: the bets taken or laid with a line or come bet once its number is set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from trueodds.money import Cents
from trueodds.rulebook import House, Spot
from trueodds.table import Bet, Dealer, Position, Refused, Seat, TaggedWager
from trueodds.wager_odds.dice_chances import FAIR_DICE, DiceChances
from trueodds.wager_odds.exact_odds import WagerOdds, breakage_free_stake, resolving_dealer
from trueodds.wager_odds.markov import Transition, expected_totals, explore, second_moments
from trueodds.wagers import OddsRule, Result, Wager


def odds_by_point(house: House, kind: str, dice: DiceChances = FAIR_DICE) -> dict[int, WagerOdds]:
    """Return the exact odds of the maximum odds bet of a kind for each number.

    The result is empty if the house does not offer this kind of odds bet.

    >>> from trueodds.rulebook import load_book
    >>> [str(each.edge) for each in odds_by_point(House(load_book("new_jersey")), "pass_odds").values()]
    ['0', '0', '0', '0', '0', '0']
    """
    dealer = resolving_dealer(house)
    rule = dealer.rules.odds_rules[kind]
    if not rule.availability.offered:
        return {}
    wagers = {number: _flat_bet_with_odds(dealer, rule, number) for number in sorted(rule.payouts)}
    return {number: _solve_odds_bet(dealer, number, wager, dice) for number, wager in wagers.items() if wager.odds_bets}


def iter_odds_bets(
    house: House, kind: str, stake: Cents, dice: DiceChances = FAIR_DICE
) -> Iterator[WagerOdds | Refused]:
    """Yield the exact odds of an odds bet of a stake for each number, or why the house refuses it.

    It stands behind a flat bet of the size that `wager_odds` uses.
    """
    dealer = resolving_dealer(house)
    rule = dealer.rules.odds_rules[kind]
    for number in sorted(rule.payouts):
        try:
            wager = _flat_bet_with_odds(dealer, rule, number, stake)
        except Refused as refused:
            yield refused
        else:
            yield _solve_odds_bet(dealer, number, wager, dice)


def _flat_bet_with_odds(dealer: Dealer, rule: OddsRule, number: int, stake: Cents | None = None) -> Wager:
    """Return a flat bet on a number with odds, by default the maximum. The puck is on it, so every bet is working."""
    spot = Spot(rule.base_kind, (number,))
    if spot not in dealer.rules.wager_rules:
        spot = Spot(rule.base_kind)
    wager = Wager(spot, breakage_free_stake(dealer.rules, spot))
    if stake is None:
        stake = rule.max_payable_odds(wager.stake, number)
    if not stake:
        return wager
    position = Position(number, "under_way", (Seat("A", True, (TaggedWager("1", wager),)),), wagers_made=1)
    position, _ = dealer.act(position, Bet("A", Spot(rule.kind), stake, base_tag="1"))
    return position.seats[0].wagers[0].wager


def _solve_odds_bet(dealer: Dealer, number: int, start: Wager, dice: DiceChances) -> WagerOdds:
    """Follow the odds bet alone. The puck stays on the number until the roll that resolves the bet."""

    def step(wager: Wager) -> Iterable[Transition[Wager]]:
        for roll, chance in dice:
            flat, odds = dealer.settle(wager, number, roll)
            win, lose, push = (int(odds.result is result) for result in (Result.WIN, Result.LOSE, Result.RETURNED))
            yield Transition(chance, (win, lose, push, odds.paid_cents, 1), flat.wager_after)

    chain = explore(start, step)
    expected = expected_totals(chain)
    win, lose, push, payout, mean_rolls = expected[start]
    payout_squared = second_moments(chain, expected, 3)[start]
    bet = start.odds_bets[0]
    name = dealer.rules.odds_rules[bet.kind].definition.spot_name(str(number))
    cost = Fraction(bet.stake)
    return WagerOdds(
        Spot(bet.kind), name, bet.stake, cost, win, lose, push, payout - cost, payout_squared - payout**2, mean_rolls
    )
