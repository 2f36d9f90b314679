"""`trueodds hand`: how long a shooter's hand lasts and what it makes, exactly."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from math import sqrt
from pathlib import Path
from typing import Annotated, Any

import typer

from trueodds.chain import FAIR, HandChain, wager_odds
from trueodds.cli import options
from trueodds.cli.odds import parse_faces
from trueodds.cli.show import AsJson, clear_errors, open_book, print_json, print_table
from trueodds.rulebook import BookError, House, load_house
from trueodds.wagers import BonusRule, FireRule, Rules

SHOWN = (1, 2, 5, 10, 15, 20, 30, 40, 50, 75, 100)


@clear_errors
def hand(
    book: Annotated[str, typer.Argument(help="A book's id or code, or a book file.")],
    throws: Annotated[int | None, typer.Option("--throws", help="Also: a hand of at least this many throws.")] = None,
    house: Annotated[Path | None, typer.Option("--house", help="A house file over that book.")] = None,
    faces: options.Faces = None,
    as_json: AsJson = False,
) -> None:
    """Print how long a hand lasts, how many points it makes, and the chances of fire and bonus bets, exactly."""
    if throws is not None and not 1 <= throws <= 5000:
        raise BookError("--throws", f"from 1 to 5000, not {throws}")
    chosen = load_house(house) if house is not None else House(open_book(book))
    dice = FAIR if faces is None else parse_faces(faces)
    chain = HandChain(chosen, dice)
    told = chain.summary()
    wanted = sorted({*SHOWN, *([throws] if throws else [])})
    lasting = list(islice(chain.lasting(), max(wanted)))
    median = next((n for n, chance in enumerate(lasting, 1) if chance < Fraction(1, 2)), None)
    sides = {
        rule.name: wager_odds(chosen, spot, None, dice).win
        for spot, rule in Rules(chosen).spots.items()
        if isinstance(rule, FireRule | BonusRule) and rule.offer.given
    }
    data: dict[str, Any] = {
        "mean_throws": _value(told.throws),
        "deviation_throws": sqrt(told.variance),
        "median_throws": None if median is None else median - 1,
        "mean_points": _value(told.points),
        "at_least_throws": {n: _value(lasting[n - 1]) for n in wanted},
        "points_made": {n: _value(chance) for n, chance in enumerate(chain.points_made(10))},
        "side_bets_win": {name: _value(chance) for name, chance in sides.items()},
    }
    if as_json:
        print_json(data)
        return
    rows = [["throws on average", _said(told.throws)], ["standard deviation", f"{sqrt(told.variance):.4f}"]]
    rows.append(["half of all hands last at least", f"{data['median_throws']} throws"])
    rows.append(["points made on average", _said(told.points)])
    rows += [[f"at least {n} {'throw' if n == 1 else 'throws'}", _chance(lasting[n - 1])] for n in wanted]
    rows += [
        [f"exactly {n} {'point' if n == 1 else 'points'} made", _chance(chance)]
        for n, chance in enumerate(chain.points_made(10))
    ]
    rows += [[f"{name} wins", _chance(chance)] for name, chance in sides.items()]
    print_table(f"{chosen.name}: a shooter's hand", ["", ""], rows)


def _value(exact: Fraction) -> dict[str, Any]:
    return {"exact": str(exact), "decimal": float(exact)}


def _said(exact: Fraction) -> str:
    return f"{float(exact):.6f} ({exact})"


def _chance(chance: Fraction) -> str:
    odds = f", 1 in {float(1 / chance):,.1f}" if chance else ""
    return f"{float(chance) * 100:.8f} %{odds}"
