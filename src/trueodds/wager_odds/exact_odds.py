"""Exact odds of wagers at a house, as fractions.

The rules of craps are not repeated here. A wager is followed from the bet to its resolution through every state that
the dealer puts it in, and the resulting linear equations are solved exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm, sqrt
from typing import NamedTuple

from trueodds.dice import Roll
from trueodds.money import Cents, validate_stake
from trueodds.rulebook import House, Spot
from trueodds.table import Bet, CachedDealer, Dealer, Position, Refused, Seat, TaggedWager
from trueodds.table.settlement import is_working
from trueodds.wager_odds.dice_chances import FAIR_DICE, DiceChances, merge_equivalent_rolls
from trueodds.wager_odds.markov import Transition, expected_totals, explore_all, second_moments
from trueodds.wagers import BonusRule, FireRule, LineRule, Phase, Result, TableRules, Wager, WagerRule
from trueodds.wagers.wager import FROZEN

WagerState = tuple[Phase, Wager]


class WagerOdds(NamedTuple):
    """The exact odds of a wager at a stake.

    `cost_cents` is the stake plus any vigorish paid with the bet, plus the average cost of odds taken or laid with it.
    Edges are the player's: a negative edge favors the house. `mean_rolls` counts the rolls on which the wager is
    working. `distinct_points_chances` holds, for a fire bet, the chances that exactly 0, 1, 2, ... different points are
    made; for other wagers it is empty.
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
    distinct_points_chances: tuple[Fraction, ...] = ()

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


def house_odds(
    house: House, kind: str | None = None, stake_cents: int | None = None, dice: DiceChances = FAIR_DICE
) -> tuple[WagerOdds, ...]:
    """Return the exact odds of every wager that a house offers, or of one kind of wager."""
    return tuple(wager_odds(house, spot, stake_cents, dice) for spot in offered_spots(house, kind))


def wager_odds(
    house: House, spot: Spot, stake_cents: int | None = None, dice: DiceChances = FAIR_DICE, *, full_odds: bool = False
) -> WagerOdds:
    """Return the exact odds of a wager, by default at the smallest stake without breakage.

    With `full_odds`, the player always adds the maximum odds that the house allows. A bet that is made while a point is
    on, such as come, is made right after the point is set, so each point has the chance that these dice give it.

    Raise MoneyError if a stake is not a positive number of cents, and Refused if the house does not take it.

    >>> from trueodds.rulebook import load_book
    >>> wager_odds(House(load_book("new_jersey")), Spot("place", (6,))).edge
    Fraction(-1, 66)
    """
    dealer = resolving_dealer(house)
    rule = dealer.rules.wager_rules[spot]
    stake = breakage_free_stake(dealer.rules, spot)
    if stake_cents is not None:
        stake = validate_stake(stake_cents)
        _check_stake(dealer, rule, stake)
    vig = rule.upfront_vig(stake)
    wager = Wager(spot, stake, "on" if rule.may_be_off else "", vig=vig)
    starts: dict[WagerState, Fraction] = {
        (puck, _with_full_odds(dealer, puck, wager) if full_odds else wager): chance
        for puck, chance in _puck_chances(dealer.rules, rule, dice).items()
    }
    rolls = merge_equivalent_rolls(dice, reads_faces=rule.reads_faces)

    def step(state: WagerState) -> Iterable[Transition[WagerState]]:
        phase, wager = state
        working = is_working(dealer.rules, wager.spot.kind, wager.call, phase)
        chances: dict[tuple[tuple[int, ...], WagerState | None], Fraction] = {}
        for roll, chance in rolls:
            rewards, target = _follow_roll(dealer, phase, wager, roll, working, full_odds)
            outcome = (rewards + _distinct_points(rule, wager, target), target)
            chances[outcome] = chances.get(outcome, Fraction(0)) + chance
        return [Transition(chance, rewards, target) for (rewards, target), chance in chances.items()]

    chain = explore_all(starts, step)
    expected = expected_totals(chain)
    squares = second_moments(chain, expected, 3)
    costs = {state: stake + vig + state[1].odds_stake for state in starts}

    def average(values: Mapping[WagerState, Fraction | int]) -> Fraction:
        return sum((chance * values[state] for state, chance in starts.items()), Fraction(0))

    columns = zip(*(expected[state] for state in starts), strict=True)
    totals = [average(dict(zip(starts, column, strict=True))) for column in columns]
    win, lose, push, payout, mean_rolls, later_cost, *distinct_points = totals
    mean = payout - average(costs)
    mean_square = average(
        {state: squares[state] - 2 * cost * expected[state][3] + cost**2 for state, cost in costs.items()}
    )
    return WagerOdds(
        spot, rule.name, stake, average(costs) + later_cost, win, lose, push, mean, mean_square - mean**2, mean_rolls,
        tuple(distinct_points),
    )  # fmt: skip


def _check_stake(dealer: Dealer, rule: WagerRule, stake: Cents) -> None:
    """Raise Refused if the house does not take a stake when the wager may be made."""
    puck = dealer.rules.book.points[0] if rule.window == "point" else 0
    position = Position(puck, "under_way" if puck else "new", (Seat("A"),))
    refusal = dealer.verify(position, Bet("A", rule.spot, stake))
    if refusal is not None:
        raise Refused(refusal)


def _puck_chances(rules: TableRules, rule: WagerRule, dice: DiceChances) -> dict[Phase, Fraction]:
    """Return where the puck is when the wager is made, with the chance of each place."""
    if rule.window != "point":
        return {0: Fraction(1)}
    ways = {
        point: sum((chance for roll, chance in dice if roll.total == point), Fraction(0)) for point in rules.book.points
    }
    total = sum(ways.values())
    if not total:
        return {rules.book.points[0]: Fraction(1)}
    return {point: chance / total for point, chance in ways.items() if chance}


def _distinct_points(rule: WagerRule, wager: Wager, target: WagerState | None) -> tuple[int, ...]:
    """Return, for a fire bet, a 1 for the number of different points made if the roll ends it, and 0 for the others."""
    if not isinstance(rule, FireRule):
        return ()
    made = sum(mark != FROZEN for mark in wager.marks)
    return tuple(int(target is None and made == count) for count in range(len(rule.points) + 1))


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
    """Return the spots on which a house accepts a bet of its own, which odds are not.

    A bet that the dealer splits into others, such as a whirl in some books, is left out unless its kind is given.
    """
    rules = resolving_dealer(house).rules
    return [
        spot
        for definition in house.book.wagers.values()
        if definition.family != "odds" and kind in (None, definition.kind)
        for spot in definition.spots()
        if rules.wager_rules[spot].availability.offered and (kind or not rules.wager_rules[spot].breakdown)
    ]
