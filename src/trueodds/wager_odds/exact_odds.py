"""Exact odds: what a wager is worth under a house, found by asking the dealer about every throw.

Nothing of craps is said here a second time. A wager is followed from its making to its decision through every state the
dealer brings it into, and the linear equations are solved in fractions.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm, sqrt
from typing import Any, NamedTuple

from trueodds.chain.absorbing import Edge, expectations, explore, second_moments
from trueodds.chain.errors import DiceWeightsError
from trueodds.dice import BY_PAIR, BY_TOTAL, ROLLS, Roll
from trueodds.money import Cents
from trueodds.rulebook import Book, BookError, House, Spot, open_house
from trueodds.table import Bet, Dealer, Entry, Position, Seat
from trueodds.table.settlement import working
from trueodds.wagers import BonusRule, FireRule, LineRule, Phase, Result, Rules, Wager

Chances = tuple[tuple[Roll, Fraction], ...]
"""How likely each of the 36 rolls is."""

FAIR: Chances = tuple((roll, Fraction(1, 36)) for roll in ROLLS)


def biased(first: Iterable[Fraction | int], second: Iterable[Fraction | int]) -> Chances:
    """Weigh the six faces of each die; any six numbers that are not negative and not all nothing.

    >>> dict(biased([2, 1, 1, 1, 1, 0], [1] * 6))[Roll(1, 6)]
    Fraction(1, 18)
    """
    try:
        dice = [[Fraction(weight) for weight in weights] for weights in (first, second)]
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise DiceWeightsError("weights are whole numbers or fractions") from None
    for weights in dice:
        if len(weights) != 6 or min(weights) < 0 or not sum(weights):
            msg = f"a die has six weights, none negative and not all nothing, not {[str(weight) for weight in weights]}"
            raise DiceWeightsError(msg)
    whole = sum(dice[0]) * sum(dice[1])
    return tuple((roll, dice[0][roll.first - 1] * dice[1][roll.second - 1] / whole) for roll in ROLLS)


def check_chances(dice: Chances) -> Chances:
    """Refuse chances that are not those of all 36 rolls; give them in the order of the rolls."""
    shares = dict(dice)
    if len(dice) != len(ROLLS) or set(shares) != set(ROLLS):
        raise DiceWeightsError("dice have a chance for each of the 36 rolls, once")
    if min(shares.values()) < 0 or sum(shares.values()) != 1:
        raise DiceWeightsError("chances are not negative and add up to 1 exactly")
    return tuple((roll, Fraction(shares[roll])) for roll in ROLLS)


def told_apart(dice: Chances, *, by_pair: bool) -> Chances:
    """Put rolls together that do not differ for a wager: those of one pair, or those of one total.

    >>> [str(chance) for _, chance in told_apart(FAIR, by_pair=False)][:3]
    ['1/36', '1/18', '1/12']
    """
    shares: dict[Any, Fraction] = {}
    for roll, chance in dice:
        key = roll.pair if by_pair else roll.total
        shares[key] = shares.get(key, Fraction(0)) + chance
    kept = [(roll, shares[roll.pair if by_pair else roll.total]) for roll, _ in (BY_PAIR if by_pair else BY_TOTAL)]
    return tuple((roll, chance) for roll, chance in kept if chance)


class WagerOdds(NamedTuple):
    """What a wager of one stake is worth, exactly.

    `put_up` is stake and vigorish paid in front (and, with odds behind it, what they cost on average). The edges are
    the player's: negative is the house's. `rolls` counts throws while the wager works.
    """

    spot: Spot
    name: str
    stake: Cents
    put_up: Fraction
    win: Fraction
    lose: Fraction
    void: Fraction
    mean: Fraction
    variance: Fraction
    rolls: Fraction

    @property
    def edge(self) -> Fraction:
        """Expected result per unit put up, for each bet made."""
        return self.mean / self.put_up

    @property
    def edge_resolved(self) -> Fraction:
        """The same for each bet that was won or lost; nothing where none ever is."""
        return self.edge / (1 - self.void) if self.void != 1 else Fraction(0)

    @property
    def edge_per_roll(self) -> Fraction:
        """The same for each throw the bet was working on."""
        return self.edge / self.rolls

    @property
    def deviation(self) -> float:
        """Standard deviation of the result per unit put up."""
        return sqrt(self.variance) / float(self.put_up)


State = tuple[Phase, Wager]


def wager_odds(
    house: House, spot: Spot, stake: int | None = None, dice: Chances = FAIR, *, odds: bool = False
) -> WagerOdds:
    """Work a wager out at a stake (or at one that every payout of it divides), alone or with full odds behind it.

    >>> from trueodds.rulebook import load_book
    >>> wager_odds(House(load_book("new_jersey")), Spot("place", (6,))).edge
    Fraction(-1, 66)
    """
    dealer = dealer_of(house)
    rule = dealer.rules.spots[spot]
    amount = Cents(stake) if stake is not None else easy_stake(dealer.rules, spot)
    vig = rule.upfront_vig(amount)
    wager = Wager(spot, amount, "on" if rule.may_be_off else "", vig=vig)
    puck = dealer.rules.book.points[0] if rule.window == "point" else 0
    start: State = (puck, _with_full_odds(dealer, puck, wager) if odds else wager)

    thrown = told_apart(dice, by_pair=rule.by_pair)

    def step(state: State) -> Iterable[Edge[State]]:
        phase, held = state
        works = working(dealer.rules, held.spot.kind, held.call, phase)
        ways: dict[tuple[tuple[int, ...], State | None], Fraction] = {}
        for roll, chance in thrown:
            way = _way(dealer, phase, held, roll, works, odds)
            ways[way] = ways.get(way, Fraction(0)) + chance
        return [Edge(chance, rewards, to) for (rewards, to), chance in ways.items()]

    rows = explore(start, step)
    first = expectations(rows)
    win, lose, void, cash, rolls, cost = first[start]
    squares = second_moments(rows, first, 3)[start]
    put_up = amount + vig + start[1].total_odds
    mean = cash - put_up
    variance = squares - cash * cash
    return WagerOdds(spot, rule.name, amount, put_up + cost, win, lose, void, mean, variance, rolls)


def _way(
    dealer: Dealer, phase: Phase, held: Wager, roll: Roll, works: bool, odds: bool
) -> tuple[tuple[int, ...], State | None]:
    """Follow one throw; cash is what came back less what was put behind the wager afterwards."""
    rulings = dealer.settle(held, phase, roll)
    flat = rulings[0]
    won, lost, void = (int(flat.result is result) for result in (Result.WIN, Result.LOSE, Result.PUSH))
    cash = sum(ruling.cash for ruling in rulings)
    puck, after, cost = dealer.rules.puck_after(phase, roll.total), flat.after, 0
    if after is not None and after.call != held.call:
        after = after._replace(call=held.call)  # the wager is worked out as one that always works
    if odds and after is not None and not after.odds:
        backed = _with_full_odds(dealer, puck, after)
        cost = backed.up - after.up
        after = backed
    rewards = (won, lost, void, cash - cost, int(works), cost)
    if after is None:
        return rewards, None
    # Where the puck does not matter it stays, so that there are fewer states.
    return rewards, (puck if dealer.reads_puck(after) else phase, after)


def _with_full_odds(dealer: Dealer, puck: Phase, wager: Wager) -> Wager:
    """Put the most odds behind a wager that the verifier lets pass."""
    position = Position(puck, "under_way", (Seat("A", True, (Entry("1", wager),)),), serial=1)
    number = dealer.rules.spots[wager.spot].number_of(wager, puck)
    for kind, rule in dealer.rules.odds.items():
        if rule.base == wager.spot.kind and number is not None and rule.offer.given:
            most = rule.full(wager.stake, number)
            if most:
                position, _ = dealer.act(position, Bet("A", Spot(kind), most, on="1"))
                return position.seats[0].entries[0].wager
    return wager


@lru_cache(maxsize=64)
def dealer_of(house: House) -> Dealer:
    """A bet is worked out to its decision, so winners come down here whatever the house does."""
    return Dealer(Rules(winners_come_down(house)))


def winners_come_down(house: House) -> House:
    """Give the same house but for this: no winner stays up."""
    return house.change({"after_win": "down"}) if "after_win" in house.book.options else house


def easy_stake(rules: Rules, spot: Spot) -> Cents:
    """Find a stake that is paid without breakage and whose vigorish comes out even: the least such that is lawful."""
    rule = rules.spots[spot]
    if isinstance(rule, FireRule | BonusRule):
        return max(rule.least, Cents(rule.unit))
    step = lcm(rule.step, rule.unit, rules.chip_unit)
    if rule.vig is not None and rule.vig.basis_points:
        step = lcm(step, rule.vig.unit * 10_000 // gcd(10_000, rule.vig.basis_points) * rule.vig_odds.stake)
    if isinstance(rule, LineRule):
        step *= 60  # any whole times of it can be taken or laid as odds and paid in full
    return Cents(max(step, -(-rule.least // step) * step))


def odds(
    place: House | Book | str,
    wager: Spot | str | None = None,
    *,
    stake_cents: int | None = None,
    dice: Chances = FAIR,
    full_odds: bool = False,
) -> tuple[WagerOdds, ...]:
    """Work out a spot ("place:6"), a kind of wager ("place") or all that a house offers.

    With `full_odds`, of those that can have odds, with the most behind them that the house lets stand.

    >>> [str(one.edge) for one in odds("new_jersey", "pass", full_odds=True)]
    ['-7/1870']
    """
    house = open_house(place)
    rules = dealer_of(house).rules
    wanted = Spot.parse(wager) if isinstance(wager, str) else wager
    spots = offered_spots(house, None if wanted is None else wanted.kind)
    if wanted is not None and wanted.pick:
        spots = [spot for spot in spots if spot == wanted]
    if full_odds:
        backed = {rule.base for rule in rules.odds.values() if rule.offer.given}
        spots = [spot for spot in spots if spot.kind in backed]
    if not spots and wanted is not None:
        what = "with odds " if full_odds else ""
        raise BookError(house.book.id, f"no wager {wanted} {what}is offered by {house.name}")
    return tuple(wager_odds(house, spot, stake_cents, dice, odds=full_odds) for spot in spots)


def offered_spots(house: House, kind: str | None = None) -> list[Spot]:
    """List the spots of a house where a bet stands as itself: offered, not odds, not broken down."""
    rules = dealer_of(house).rules
    return [
        spot for text in house.book.wagers.values() if text.family != "odds" and kind in (None, text.kind)
        for spot in text.spots() if rules.spots[spot].offer.given and not rules.spots[spot].breakdown
    ]  # fmt: skip


def house_odds(
    house: House, kind: str | None = None, stake: int | None = None, dice: Chances = FAIR
) -> tuple[WagerOdds, ...]:
    """Work out every wager a house offers, or one kind of it."""
    return tuple(wager_odds(house, spot, stake, dice) for spot in offered_spots(house, kind))
