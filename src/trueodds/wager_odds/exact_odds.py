"""Exact odds of wagers at a house, as fractions.

The rules of craps are not repeated here. A wager is followed from the bet to its resolution through every state that
the dealer puts it in, and the resulting linear equations are solved exactly.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm, sqrt
from typing import NamedTuple

from trueodds.dice import Roll
from trueodds.money import Cents, Dollars, parse_dollars
from trueodds.rulebook import Book, BookError, House, Spot, as_house
from trueodds.table import Bet, CachedDealer, Dealer, Position, Seat, TaggedWager
from trueodds.table.settlement import is_working
from trueodds.wager_odds.dice_chances import FAIR_DICE, DiceChances, merge_equivalent_rolls
from trueodds.wager_odds.markov import Transition, expected_totals, explore, second_moments
from trueodds.wagers import BonusRule, FireRule, LineRule, Phase, Result, TableRules, Wager

WagerState = tuple[Phase, Wager]


class WagerOdds(NamedTuple):
    """The exact odds of a wager at a stake.

    `cost_cents` is the stake plus any vigorish paid with the bet, plus the average cost of odds taken or laid with it.
    Edges are the player's: a negative edge favors the house. `mean_rolls` counts the rolls on which the wager is
    working.
    """

    spot: Spot
    name: str
    stake_cents: Cents
    cost_cents: Fraction
    win_chance: Fraction
    lose_chance: Fraction
    push_chance: Fraction
    mean_cents: Fraction
    variance_cents2: Fraction
    mean_rolls: Fraction

    @property
    def edge(self) -> Fraction:
        """The expected result per dollar of cost, counting every bet made."""
        return self.mean_cents / self.cost_cents

    @property
    def edge_per_resolved(self) -> Fraction:
        """The expected result per dollar of cost, counting only bets won or lost; 0 if every bet is a push."""
        return self.edge / (1 - self.push_chance) if self.push_chance != 1 else Fraction(0)

    @property
    def edge_per_roll(self) -> Fraction:
        """The expected result per dollar of cost and per roll on which the bet is working."""
        return self.edge / self.mean_rolls

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of the result per dollar of cost."""
        return sqrt(self.variance_cents2) / float(self.cost_cents)


def odds(
    house: House | Book | str,
    wager: Spot | str | None = None,
    *,
    stake: Dollars | None = None,
    dice: DiceChances = FAIR_DICE,
    full_odds: bool = False,
) -> tuple[WagerOdds, ...]:
    """Return the exact odds of a spot ("place:6"), of a kind of wager ("place"), or of all wagers of a house.

    `house` may be the name of a book, which stands for its default house. `stake` is in dollars; by default it is one
    that is paid without rounding. With `full_odds`, only wagers that can have odds are returned, each with the maximum
    odds that the house allows.

    Raise UnknownWagerError if the book has no such wager, and BookError if the house does not offer it.

    >>> [str(each.edge) for each in odds("new_jersey", "pass", full_odds=True)]
    ['-7/1870']
    """
    stake_cents = None if stake is None else parse_dollars(stake, "stake")
    house = as_house(house)
    rules = resolving_dealer(house).rules
    wanted = None if wager is None else _find_spot(house.book, wager)
    spots = offered_spots(house, None if wanted is None else wanted.kind)
    if wanted is not None and wanted.pick:
        spots = [spot for spot in spots if spot == wanted]
    if full_odds:
        base_kinds = {rule.base_kind for rule in rules.odds_rules.values() if rule.availability.offered}
        spots = [spot for spot in spots if spot.kind in base_kinds]
    if not spots and wanted is not None:
        with_odds = " with odds" if full_odds else ""
        raise BookError(house.book.id, f"{house.name} offers no wager called {wanted}{with_odds}")
    return tuple(wager_odds(house, spot, stake_cents, dice, full_odds=full_odds) for spot in spots)


def _find_spot(book: Book, wager: Spot | str) -> Spot:
    """Return a spot from its text, or the kind of a wager (a spot without a pick) from any of its names."""
    if isinstance(wager, Spot):
        book.find_wager(wager.kind)
        return wager
    kind = book.find_wager(wager).kind
    return Spot.parse(wager) if ":" in wager else Spot(kind)


def house_odds(
    house: House, kind: str | None = None, stake_cents: int | None = None, dice: DiceChances = FAIR_DICE
) -> tuple[WagerOdds, ...]:
    """Return the exact odds of every wager that a house offers, or of one kind of wager."""
    return tuple(wager_odds(house, spot, stake_cents, dice) for spot in offered_spots(house, kind))


def wager_odds(
    house: House, spot: Spot, stake_cents: int | None = None, dice: DiceChances = FAIR_DICE, *, full_odds: bool = False
) -> WagerOdds:
    """Return the exact odds of a wager, by default at the smallest stake without breakage.

    With `full_odds`, the player always adds the maximum odds that the house allows.

    >>> from trueodds.rulebook import load_book
    >>> wager_odds(House(load_book("new_jersey")), Spot("place", (6,))).edge
    Fraction(-1, 66)
    """
    dealer = resolving_dealer(house)
    rule = dealer.rules.wager_rules[spot]
    stake = Cents(stake_cents) if stake_cents is not None else breakage_free_stake(dealer.rules, spot)
    vig = rule.upfront_vig(stake)
    wager = Wager(spot, stake, "on" if rule.may_be_off else "", vig=vig)
    puck = dealer.rules.book.points[0] if rule.window == "point" else 0
    start: WagerState = (puck, _with_full_odds(dealer, puck, wager) if full_odds else wager)
    rolls = merge_equivalent_rolls(dice, reads_faces=rule.reads_faces)

    def step(state: WagerState) -> Iterable[Transition[WagerState]]:
        phase, wager = state
        working = is_working(dealer.rules, wager.spot.kind, wager.call, phase)
        chances: dict[tuple[tuple[int, ...], WagerState | None], Fraction] = {}
        for roll, chance in rolls:
            outcome = _follow_roll(dealer, phase, wager, roll, working, full_odds)
            chances[outcome] = chances.get(outcome, Fraction(0)) + chance
        return [Transition(chance, rewards, target) for (rewards, target), chance in chances.items()]

    chain = explore(start, step)
    expected = expected_totals(chain)
    win, lose, push, payout, mean_rolls, later_cost = expected[start]
    payout_squared = second_moments(chain, expected, 3)[start]
    cost = stake + vig + start[1].odds_stake
    variance = payout_squared - payout**2
    return WagerOdds(
        spot, rule.name, stake, cost + later_cost, win, lose, push, payout - cost, variance, mean_rolls
    )  # fmt: skip


def _follow_roll(
    dealer: Dealer, phase: Phase, wager: Wager, roll: Roll, working: bool, full_odds: bool
) -> tuple[tuple[int, ...], WagerState | None]:
    """Return the rewards of a roll (win, lose, push, payout, working, cost) and the next state.

    The cost is that of the odds added after the roll, and the payout is net of it.
    """
    settlements = dealer.settle(wager, phase, roll)
    flat = settlements[0]
    win, lose, push = (int(flat.result is result) for result in (Result.WIN, Result.LOSE, Result.PUSH))
    payout = sum(settlement.paid_cents for settlement in settlements)
    puck, after, cost = dealer.rules.puck_after(phase, roll.total), flat.wager_after, 0
    if after is not None and after.call != wager.call:
        after = after._replace(call=wager.call)  # these are the odds of a wager that always works
    if full_odds and after is not None and not after.odds_bets:
        with_odds = _with_full_odds(dealer, puck, after)
        cost = with_odds.total_stake - after.total_stake
        after = with_odds
    rewards = (win, lose, push, payout - cost, int(working), cost)
    if after is None:
        return rewards, None
    # If the wager does not depend on the puck, the puck stays where it is, which makes fewer states.
    return rewards, (puck if dealer.depends_on_puck(after) else phase, after)


def _with_full_odds(dealer: Dealer, puck: Phase, wager: Wager) -> Wager:
    """Return a wager with the maximum odds that the rules allow, or as it is if it cannot have odds."""
    position = Position(puck, "under_way", (Seat("A", True, (TaggedWager("1", wager),)),), wagers_made=1)
    number = dealer.rules.wager_rules[wager.spot].number_of(wager, puck)
    for kind, rule in dealer.rules.odds_rules.items():
        if rule.base_kind == wager.spot.kind and number is not None and rule.availability.offered:
            max_odds = rule.max_payable_odds(wager.stake, number)
            if max_odds:
                position, _ = dealer.act(position, Bet("A", Spot(kind), max_odds, base_tag="1"))
                return position.seats[0].wagers[0].wager
    return wager


@lru_cache(maxsize=64)
def resolving_dealer(house: House) -> Dealer:
    """Return a dealer who takes winning bets down, so that every bet is resolved once."""
    return CachedDealer(TableRules(with_winners_down(house)))


def with_winners_down(house: House) -> House:
    """Return the house with its option changed so that winning bets come down."""
    return house.with_changes({"after_win": "down"}) if "after_win" in house.book.options else house


def breakage_free_stake(rules: TableRules, spot: Spot) -> Cents:
    """Return the smallest legal stake that is paid without breakage and whose vigorish needs no rounding."""
    rule = rules.wager_rules[spot]
    if isinstance(rule, FireRule | BonusRule):
        return max(rule.min_stake, Cents(rule.stake_unit))
    step = lcm(rule.payable_step, rule.stake_unit, rules.chip_unit)
    if rule.vig is not None and rule.vig.basis_points:
        step = lcm(step, rule.vig.rounding_unit * 10_000 // gcd(10_000, rule.vig.basis_points) * rule.vig_odds.stake)
    if isinstance(rule, LineRule):
        step *= 60  # then any whole multiple can be taken or laid as odds and is paid in full
    return Cents(max(step, -(-rule.min_stake // step) * step))


def offered_spots(house: House, kind: str | None = None) -> list[Spot]:
    """Return the spots on which a house accepts a bet of its own: no odds, no bets that are split into others."""
    rules = resolving_dealer(house).rules
    return [
        spot
        for definition in house.book.wagers.values()
        if definition.family != "odds" and kind in (None, definition.kind)
        for spot in definition.spots()
        if rules.wager_rules[spot].availability.offered and not rules.wager_rules[spot].breakdown
    ]
