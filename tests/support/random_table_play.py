"""Random play at an audited table: rolls, bets near the limits of the house, and changes of what is up."""

from __future__ import annotations

from math import lcm
from random import Random
from typing import Final

from support.audited_table import PLAYERS, AuditedTable
from support.house_law import odds_of, ratio_of
from support.house_terms import BASES, point_number
from support.settlement_oracle import BONUS, odds_row, possible_wins
from trueodds.dice import ROLLS, Roll
from trueodds.money import MAX_STAKE_CENTS, Cents
from trueodds.rulebook import Spot
from trueodds.table import Bet, Press, Reduce, TakeDown, ToggleBet

LINES: Final = ("pass", "come", "dont_pass", "dont_come")
STRAY_STAKES: Final = (1, 7, 100, 150, 500, 1000, 1100, 2000, 6000, 10_000, 10**7, 10**13)


def play_randomly(table: AuditedTable, random: Random, steps: int) -> None:
    """Play random steps and check each. One hand in five is a long one, on which fire and bonus bets can win."""
    is_long = random.random() < 0.2
    for kind in ("fire", *BONUS) if is_long else ():
        if kind in table.house.book.wagers:
            table.act(Bet("A", Spot(kind), _valid_stake(_random_stake(table, Spot(kind), random))))
    for _ in range(steps):
        drawn = random.random()
        if drawn < (0.6 if is_long else 0.3):
            table.roll(_long_hand_roll(table, random) if is_long else random.choice(ROLLS))
        else:
            table.act(_random_bet(table, random) if drawn < 0.8 else _random_change(table, random))
    table.check_racks()
    table.check_offers(random.choice(PLAYERS))


def _long_hand_roll(table: AuditedTable, random: Random) -> Roll:
    """Return a roll that is seldom a seven and often the point, or else any total alike."""
    point = table.table.position.puck
    total = 7 if random.random() < 0.02 else point if point and random.random() < 0.4 else random.randint(2, 12)
    return random.choice([roll for roll in ROLLS if roll.total == total])


def _random_bet(table: AuditedTable, random: Random) -> Bet:
    player = random.choice(PLAYERS)
    bases = [tagged for tagged in table.wagers_of(player) if tagged.wager.spot.kind in BASES.values()]
    if bases and random.random() < 0.3:
        base = random.choice(bases)
        kind = next(kind for kind, base_kind in BASES.items() if base_kind == base.wager.spot.kind)
        number = point_number(base, table.table.position.puck) or 6
        ratio = ratio_of(odds_of(table.house, odds_row(kind, number)))
        step = lcm(table.house.chip_unit_cents, table.terms.payable_step({ratio}))
        steps = int(table.terms.odds_cap(kind, base.wager.stake, number)) // step
        stake = random.choice((step, steps * step, (steps + 1) * step, base.wager.stake))
        return Bet(player, Spot(kind), _valid_stake(stake), base_tag=base.tag)
    spots = [spot for wager in table.house.book.wagers.values() for spot in wager.spots()]
    lines = [spot for spot in spots if spot.kind in LINES]
    spot = random.choice(lines if random.random() < 0.3 else spots)
    return Bet(player, spot, _valid_stake(_random_stake(table, spot, random)))


def _random_stake(table: AuditedTable, spot: Spot, random: Random) -> int:
    """Return a stake that the house can pay, near its minimum or maximum, or now and then any stake."""
    if random.random() < 0.1 or spot.kind in BASES:
        return random.choice(STRAY_STAKES)
    house, terms = table.house, table.terms
    step = lcm(house.chip_unit_cents, terms.unit(spot.kind), terms.payable_step(possible_wins(house, spot)))
    least, most = terms.minimum(spot.kind), terms.maximum(spot.kind)
    if spot.kind in ("buy", "lay") and random.random() < 0.7:
        least = max(least, 20 * terms.integer("vig_unit"))
    if most is not None and random.random() < 0.3:
        return max(step, most // random.choice((1, 2)) // step * step)
    return (max(1, -(-least // step)) + random.choice((0, 0, 1, 2, 10))) * step


def _random_change(table: AuditedTable, random: Random) -> TakeDown | Reduce | Press | ToggleBet:
    player = random.choice(PLAYERS)
    bets = [("1", Cents(100))]
    for tag, wager, odds_tags in table.wagers_of(player):
        bets.append((tag, wager.stake))
        bets += zip(odds_tags, (bet.stake for bet in wager.odds_bets), strict=True)
    tag, stake = random.choice(bets[1:] or bets)
    match random.randrange(5):
        case 0:
            return TakeDown(player, tag)
        case 1:
            return Reduce(player, tag, Cents(random.choice((stake // 2, stake - 1, 1))))
        case 2:
            return Press(player, tag, _valid_stake(random.choice((stake * 2, stake * 3, stake + 1, stake + 500))))
        case _:
            return ToggleBet(player, tag, random.choice(("on", "off")))


def _valid_stake(cents: int) -> Cents:
    return Cents(max(1, min(cents, MAX_STAKE_CENTS)))
