"""The chances of the 36 rolls of two dice: fair dice, or dice biased by weights of their faces."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from trueodds.automaton.calculation_errors import DiceWeightsError
from trueodds.dice import ROLLS, WEIGHTED_PAIRS, WEIGHTED_TOTALS, Roll

DiceChances = tuple[tuple[Roll, Fraction], ...]
"""The chance of each of the 36 rolls."""

FAIR_DICE: DiceChances = tuple((roll, Fraction(1, 36)) for roll in ROLLS)


def biased_dice(first_weights: Iterable[Fraction | int], second_weights: Iterable[Fraction | int]) -> DiceChances:
    """Return the chances of two dice from the weights of the six faces of each.

    Raise DiceWeightsError unless each die has six weights, none negative and at least one positive.

    >>> dict(biased_dice([2, 1, 1, 1, 1, 0], [1] * 6))[Roll(1, 6)]
    Fraction(1, 18)
    """
    first = _parse_weights("first", first_weights)
    second = _parse_weights("second", second_weights)
    total = sum(first) * sum(second)
    return tuple((roll, first[roll.first - 1] * second[roll.second - 1] / total) for roll in ROLLS)


def _parse_weights(die: str, weights: Iterable[Fraction | int]) -> list[Fraction]:
    given = list(weights)
    try:
        parsed = [Fraction(weight) for weight in given]
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        msg = f"weights of the {die} die must be integers or fractions, got {given}"
        raise DiceWeightsError(msg) from None
    if len(parsed) != 6 or min(parsed) < 0 or not sum(parsed):
        shown = ", ".join(map(str, parsed))
        msg = f"the {die} die must have six weights, none negative and at least one positive, got {shown or 'none'}"
        raise DiceWeightsError(msg)
    return parsed


def check_dice(dice: DiceChances) -> DiceChances:
    """Return the chances in the order of `ROLLS`.

    Raise DiceWeightsError unless there is one chance for each of the 36 rolls and they add up to 1.
    """
    chances = dict(dice)
    if len(dice) != len(ROLLS) or set(chances) != set(ROLLS):
        msg = f"dice must have one chance for each of the 36 rolls, got {len(dice)} chances for {len(chances)} rolls"
        raise DiceWeightsError(msg)
    if min(chances.values()) < 0 or sum(chances.values()) != 1:
        msg = f"chances must not be negative and must add up to 1, got a sum of {sum(chances.values())}"
        raise DiceWeightsError(msg)
    return tuple((roll, Fraction(chances[roll])) for roll in ROLLS)


def merge_equivalent_rolls(dice: DiceChances, *, reads_faces: bool) -> DiceChances:
    """Return one roll, with the summed chance, for each pair of faces or (unless `reads_faces`) for each total.

    Rolls that cannot happen are left out.

    >>> [str(chance) for _, chance in merge_equivalent_rolls(FAIR_DICE, reads_faces=False)][:3]
    ['1/36', '1/18', '1/12']
    """

    def key(roll: Roll) -> tuple[int, int] | int:
        return roll.pair if reads_faces else roll.total

    chances: dict[tuple[int, int] | int, Fraction] = {}
    for roll, chance in dice:
        chances[key(roll)] = chances.get(key(roll), Fraction(0)) + chance
    representatives = WEIGHTED_PAIRS if reads_faces else WEIGHTED_TOTALS
    return tuple((roll, chances[key(roll)]) for roll, _ in representatives if chances[key(roll)])
