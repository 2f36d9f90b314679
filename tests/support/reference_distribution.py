"""The distribution of a session by brute force: the reference plays every sequence of rolls."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import NamedTuple

from trueodds.dice import Roll
from trueodds.sessions.reference import ReferencePlayer
from trueodds.wager_odds.dice_chances import DiceChances


class ReferenceDistribution(NamedTuple):
    """The chances of final racks in cents and of causes, and the chance of sequences that were not played to an end."""

    by_rack: dict[int, Fraction]
    by_cause: dict[str, Fraction]
    undecided: Fraction


def reference_distribution(player: ReferencePlayer, dice: DiceChances, smallest: Fraction) -> ReferenceDistribution:
    """Play every sequence of rolls until the session ends or the chance of the sequence is below the smallest."""
    by_rack: dict[int, Fraction] = defaultdict(Fraction)
    by_cause: dict[str, Fraction] = defaultdict(Fraction)
    undecided = Fraction(0)
    pending: list[tuple[tuple[Roll, ...], Fraction]] = [((), Fraction(1))]
    while pending:
        rolls, chance = pending.pop()
        try:
            played = player.play(iter(rolls))
        except StopIteration:
            if chance < smallest:
                undecided += chance
            else:
                pending += [((*rolls, roll), chance * share) for roll, share in dice if share]
            continue
        by_rack[played.worths_cents[-1]] += chance
        by_cause[played.ended_by] += chance
    return ReferenceDistribution(dict(by_rack), dict(by_cause), undecided)
