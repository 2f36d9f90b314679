"""`trueodds odds`: what every wager is worth under a house, exactly."""

from __future__ import annotations

import csv
import io
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer

from trueodds.chain import FAIR, Chances, DiceWeightsError, WagerOdds, biased, house_odds, wager_odds
from trueodds.cli import options
from trueodds.cli.show import clear_errors, open_book, print_json, print_table
from trueodds.explain import find_kind
from trueodds.money import checked_stake, money
from trueodds.notation import parse_amount
from trueodds.rulebook import BookError, House, book_ids, load_book, load_house
from trueodds.wagers import Rules

COLUMNS = (
    "wager", "stake", "win", "lose", "void", "edge per bet made", "edge per bet resolved", "edge per roll",
    "standard deviation", "rolls to decision",
)  # fmt: skip


class Form(StrEnum):
    """How to print."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


@clear_errors
def odds(
    book: Annotated[str, typer.Argument(help="A book's id or code.")],
    wager: Annotated[str | None, typer.Argument(help="A wager by any of its names; all of them without it.")] = None,
    house: Annotated[Path | None, typer.Option("--house", help="A house file over that book.")] = None,
    stake: Annotated[str | None, typer.Option("--stake", help="Count breakage at this stake.")] = None,
    faces: options.Faces = None,
    form: Annotated[Form, typer.Option("--format", help="How to print.")] = Form.TABLE,
    fractions: Annotated[bool, typer.Option("--fractions", help="Print exact fractions in the table.")] = False,
) -> None:
    """Print chances, edges, spread and time to a decision of every wager, exactly, under the house's own options.

    Edges are the player's: a negative one is the house's. Without --stake each wager is worked out at a stake that is
    paid without breakage. Pass, come and the don'ts are shown alone and with the most odds the house lets stand behind.
    """
    chosen = load_house(house) if house is not None else House(open_book(book))
    if house is not None and chosen.book is not open_book(book):
        raise BookError(str(house), f"is a house over {chosen.book.id}, not over {open_book(book).id}")
    rules = Rules(chosen)
    kind = None if wager is None else find_kind(rules, wager)
    if wager is not None and (kind is None or kind in rules.odds):
        raise BookError(chosen.book.id, f"no flat wager {wager!r}; there are {', '.join(chosen.book.wagers)}")
    cents = None if stake is None else checked_stake(parse_amount(stake))
    dice = FAIR if faces is None else parse_faces(faces)
    _print(chosen, _found(chosen, rules, kind, cents, dice), form, fractions)


def _found(
    house: House, rules: Rules, kind: str | None, stake: int | None, dice: Chances
) -> list[tuple[str, WagerOdds]]:
    alone = [(one.name, one) for one in house_odds(house, kind, stake, dice)]
    return alone + [(f"{one.name} with full odds", one) for one in _with_odds(house, rules, kind, stake, dice)]


def odds_pages() -> dict[str, str]:
    """Make the pages under docs/odds: one for the default house of each book, and an index."""
    pages, index = {}, [NOTE, "", "# Exact odds", "", ABOUT, ""]
    for name in book_ids():
        house = House(load_book(name))
        rows = [_row(house, *one, fractions=True) for one in _found(house, Rules(house), None, None, FAIR)]
        text = [NOTE, "", f"# {house.name}", "", ABOUT, "", *_markdown(rows)]
        pages[f"{name}.md"] = "\n".join(text) + "\n"
        index.append(f"- [{house.name}]({name}.md)")
    return pages | {"README.md": "\n".join(index) + "\n"}


NOTE = "<!-- Worked out from the books by `python3 dev.py docs`. Change a book, not this page. -->"
ABOUT = (
    "Chances and edges are exact fractions, from the player's side: a negative edge is the house's. Each wager\n"
    "is worked out at a stake that is paid without breakage; `trueodds odds BOOK --stake 10` counts breakage at a\n"
    "stake of one's own, `--house FILE` a house's own options."
)


def _with_odds(house: House, rules: Rules, kind: str | None, stake: int | None, dice: Chances) -> list[WagerOdds]:
    bases = [rule.base for rule in rules.odds.values() if rule.offer.given and kind in (None, rule.base)]
    spots = [spot for base in bases for spot in rules.spots_of(base) if rules.spots[spot].offer.given]
    return [wager_odds(house, spot, stake, dice, odds=True) for spot in spots]


def parse_faces(text: str) -> Chances:
    """Read the weights of two dice, or of one for both."""
    first, _, second = text.partition("/")
    try:
        return biased(_weights(first), _weights(second or first))
    except DiceWeightsError as error:
        raise BookError("--faces", str(error)) from None


def _weights(text: str) -> list[Fraction]:
    try:
        return [Fraction(word.strip()) for word in text.split(",")]
    except (ValueError, ZeroDivisionError):
        raise DiceWeightsError(f"weights are numbers with commas between, not {text!r}") from None


def _exact(one: WagerOdds) -> list[Fraction]:
    return [one.win, one.lose, one.void, one.edge, one.edge_resolved, one.edge_per_roll]


def _row(house: House, name: str, one: WagerOdds, fractions: bool) -> list[str]:
    said = [str(value) if fractions else f"{float(value) * 100:.4f} %" for value in _exact(one)]
    return [name, money(one.stake, house.currency), *said, f"{one.deviation:.4f}", f"{float(one.rolls):.4f}"]


def _data(name: str, one: WagerOdds) -> dict[str, Any]:
    keys = ("win", "lose", "void", "edge", "edge_resolved", "edge_per_roll")
    exact = dict(zip(keys, _exact(one), strict=True)) | {"rolls": one.rolls, "variance_cents": one.variance}
    return {
        "wager": name, "spot": str(one.spot), "stake_cents": one.stake, "put_up_cents": str(one.put_up),
        "deviation": one.deviation,
        **{key: {"exact": str(value), "decimal": float(value)} for key, value in exact.items()},
    }  # fmt: skip


def _markdown(rows: list[list[str]]) -> list[str]:
    head = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    return head + ["| " + " | ".join(row) + " |" for row in rows]


def _print(house: House, found: list[tuple[str, WagerOdds]], form: Form, fractions: bool) -> None:
    rows = [_row(house, name, one, fractions) for name, one in found]
    match form:
        case Form.JSON:
            print_json([_data(name, one) for name, one in found])
        case Form.CSV:
            out = io.StringIO()
            csv.writer(out, lineterminator="\n").writerows([COLUMNS, *rows])
            typer.echo(out.getvalue(), nl=False)
        case Form.MARKDOWN:
            typer.echo("\n".join(_markdown(rows)))
        case Form.TABLE:
            print_table(f"{house.name}: exact odds", list(COLUMNS), rows)
