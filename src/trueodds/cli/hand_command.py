"""`trueodds hand`: the exact length of a shooter's hand and the points it makes."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from math import sqrt
from pathlib import Path
from typing import Annotated

import typer

from trueodds.cli import options
from trueodds.cli.odds_command import parse_dice_weights
from trueodds.cli.output import (
    JsonOption,
    UsageError,
    exact_and_decimal,
    find_book,
    print_json,
    print_table,
    report_errors,
)
from trueodds.rulebook import House, load_house
from trueodds.wager_odds import FAIR_DICE, ShooterHand, wager_odds
from trueodds.wagers import BonusRule, FireRule, TableRules

SHOWN_ROLLS = (1, 2, 5, 10, 15, 20, 30, 40, 50, 75, 100)


@report_errors
def hand(
    book: Annotated[str, typer.Argument(help="Id or code of a book, or a book file.")],
    rolls: Annotated[
        int | None, typer.Option("--rolls", help="Also print the chance of at least this many rolls.")
    ] = None,
    house: Annotated[
        Path | None, typer.Option("--house", help="House file for that book (default: the book's default house).")
    ] = None,
    weights: options.WeightsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print how long a hand lasts, how many points it makes, and the chances of fire and bonus bets. All exact."""
    if rolls is not None and not 1 <= rolls <= 5000:
        raise UsageError(f"--rolls must be from 1 to 5000, got {rolls}")
    chosen = load_house(house) if house is not None else House(find_book(book))
    dice = FAIR_DICE if weights is None else parse_dice_weights(weights)
    shooter_hand = ShooterHand(chosen, dice)
    summary = shooter_hand.summary()
    shown = sorted({*SHOWN_ROLLS, *([rolls] if rolls else [])})
    survival = list(islice(shooter_hand.survival_chances(), max(shown)))
    median = next((n for n, chance in enumerate(survival, 1) if chance < Fraction(1, 2)), None)
    side_bets = {
        rule.name: wager_odds(chosen, spot, None, dice).win_chance
        for spot, rule in TableRules(chosen).wager_rules.items()
        if isinstance(rule, FireRule | BonusRule) and rule.availability.offered
    }
    data = {
        "mean_rolls": exact_and_decimal(summary.mean_rolls),
        "deviation_rolls": sqrt(summary.rolls_variance),
        "median_rolls": None if median is None else median - 1,
        "mean_points": exact_and_decimal(summary.mean_points),
        "at_least_rolls": {n: exact_and_decimal(survival[n - 1]) for n in shown},
        "points_made": {n: exact_and_decimal(chance) for n, chance in enumerate(shooter_hand.points_made_chances(10))},
        "side_bets_win": {name: exact_and_decimal(chance) for name, chance in side_bets.items()},
    }
    if as_json:
        print_json(data)
        return
    rows = [
        ["rolls on average", _format_exact(summary.mean_rolls)],
        ["standard deviation", f"{sqrt(summary.rolls_variance):.4f}"],
    ]
    rows.append(["half of all hands last at least", f"{data['median_rolls']} rolls"])
    rows.append(["points made on average", _format_exact(summary.mean_points)])
    rows += [[f"at least {n} {'roll' if n == 1 else 'rolls'}", _format_chance(survival[n - 1])] for n in shown]
    rows += [
        [f"exactly {n} {'point' if n == 1 else 'points'} made", _format_chance(chance)]
        for n, chance in enumerate(shooter_hand.points_made_chances(10))
    ]
    rows += [[f"{name} wins", _format_chance(chance)] for name, chance in side_bets.items()]
    print_table(f"{chosen.name}: a shooter's hand", ["", ""], rows)


def _format_exact(exact: Fraction) -> str:
    return f"{float(exact):.6f} ({exact})"


def _format_chance(chance: Fraction) -> str:
    odds = f", 1 in {float(1 / chance):,.1f}" if chance else ""
    return f"{float(chance) * 100:.8f} %{odds}"
