"""`trueodds odds`: the exact odds of every wager under a house."""

from __future__ import annotations

import csv
import io
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer

from trueodds.automaton import DiceWeightsError
from trueodds.cli import options
from trueodds.cli.output import UsageError, find_book, print_json, print_table, report_errors
from trueodds.money import format_money, validate_stake
from trueodds.notation import parse_amount
from trueodds.rulebook import House, book_ids, load_book, load_house
from trueodds.wager_odds import FAIR_DICE, DiceChances, WagerOdds, biased_dice, house_odds, wager_odds
from trueodds.wagers import TableRules

COLUMNS = (
    "wager", "stake", "win", "lose", "push", "edge per bet made", "edge per bet resolved", "edge per roll",
    "standard deviation", "mean rolls",
)  # fmt: skip


class OutputFormat(StrEnum):
    """Output formats."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


@report_errors
def odds(
    book: Annotated[str, typer.Argument(help="Id or code of a book.")],
    wager: Annotated[str | None, typer.Argument(help="Wager, by any of its names (default: all wagers).")] = None,
    house: Annotated[
        Path | None, typer.Option("--house", help="House file for that book (default: the book's default house).")
    ] = None,
    stake: Annotated[
        str | None, typer.Option("--stake", help="Stake in dollars (default: a stake that is paid without breakage).")
    ] = None,
    weights: options.WeightsOption = None,
    output_format: Annotated[OutputFormat, typer.Option("--format", help="Output format.")] = OutputFormat.TABLE,
    fractions: Annotated[bool, typer.Option("--fractions", help="Print exact fractions in the table.")] = False,
) -> None:
    """Print the exact odds of every wager: chances, edges, standard deviation and mean number of rolls.

    Edges are the player's, so a negative edge favors the house. Line and come bets are shown alone and with the
    maximum odds that the house allows.
    """
    chosen = load_house(house) if house is not None else House(find_book(book))
    if house is not None and chosen.book is not find_book(book):
        raise UsageError(f"{house} is a house of {chosen.book.id}, not of {find_book(book).id}")
    rules = TableRules(chosen)
    kind = None if wager is None else rules.book.find_wager(wager).kind
    if kind is not None and kind in rules.odds_rules:
        raise UsageError(f"{wager} is an odds bet: give the wager it belongs to, {rules.odds_rules[kind].base_kind}")
    cents = None if stake is None else validate_stake(parse_amount(stake))
    dice = FAIR_DICE if weights is None else parse_dice_weights(weights)
    _print(chosen, _all_odds(chosen, rules, kind, cents, dice), output_format, fractions)


def _all_odds(
    house: House, rules: TableRules, kind: str | None, stake: int | None, dice: DiceChances
) -> list[tuple[str, WagerOdds]]:
    flat = [(odds.name, odds) for odds in house_odds(house, kind, stake, dice)]
    full = [(f"{odds.name} with full odds", odds) for odds in _with_odds(house, rules, kind, stake, dice)]
    return flat + full


def odds_pages() -> dict[str, str]:
    """Return the pages of docs/odds: one for the default house of each book, and an index."""
    pages, index = {}, [GENERATED_NOTE, "", "# Exact odds", "", PAGE_INTRO, ""]
    for book_id in book_ids():
        house = House(load_book(book_id))
        rows = [
            _table_row(house, name, odds, fractions=True)
            for name, odds in _all_odds(house, TableRules(house), None, None, FAIR_DICE)
        ]
        text = [GENERATED_NOTE, "", f"# {house.name}", "", PAGE_INTRO, "", *_markdown(rows)]
        pages[f"{book_id}.md"] = "\n".join(text) + "\n"
        index.append(f"- [{house.name}]({book_id}.md)")
    return pages | {"README.md": "\n".join(index) + "\n"}


GENERATED_NOTE = "<!-- Generated from the books by `python3 dev.py docs`. Edit a book, not this page. -->"
PAGE_INTRO = (
    "Chances and edges are exact fractions. Edges are the player's, so a negative edge favors the house. Each stake\n"
    "is paid without breakage. `trueodds odds BOOK --stake 10` includes the breakage at another stake, and\n"
    "`--house FILE` uses the options of a house file."
)


def _with_odds(
    house: House, rules: TableRules, kind: str | None, stake: int | None, dice: DiceChances
) -> list[WagerOdds]:
    bases = [
        rule.base_kind
        for rule in rules.odds_rules.values()
        if rule.availability.offered and kind in (None, rule.base_kind)
    ]
    spots = [spot for base in bases for spot in rules.spots_of(base) if rules.wager_rules[spot].availability.offered]
    return [wager_odds(house, spot, stake, dice, full_odds=True) for spot in spots]


def parse_dice_weights(text: str) -> DiceChances:
    """Parse the weights of two dice, separated by a slash, or of one for both."""
    first, _, second = text.partition("/")
    try:
        return biased_dice(_parse_weights(first), _parse_weights(second or first))
    except DiceWeightsError as error:
        raise UsageError(f"--dice-weights: {error}") from None


def _parse_weights(text: str) -> list[Fraction]:
    try:
        return [Fraction(word.strip()) for word in text.split(",")]
    except (ValueError, ZeroDivisionError):
        raise DiceWeightsError(f"weights must be numbers separated by commas, got {text!r}") from None


def _exact_values(odds: WagerOdds) -> list[Fraction]:
    return [odds.win_chance, odds.lose_chance, odds.push_chance, odds.edge, odds.edge_per_resolved, odds.edge_per_roll]


def _table_row(house: House, name: str, odds: WagerOdds, fractions: bool) -> list[str]:
    values = [str(value) if fractions else f"{float(value) * 100:.4f} %" for value in _exact_values(odds)]
    return [
        name,
        format_money(odds.stake_cents, house.currency),
        *values,
        f"{odds.standard_deviation:.4f}",
        f"{float(odds.mean_rolls):.4f}",
    ]


def _json_data(name: str, odds: WagerOdds) -> dict[str, Any]:
    keys = ("win", "lose", "push", "edge", "edge_per_resolved", "edge_per_roll")
    exact = dict(zip(keys, _exact_values(odds), strict=True)) | {
        "mean_rolls": odds.mean_rolls,
        "variance_cents2": odds.variance_cents2,
    }
    return {
        "wager": name, "spot": str(odds.spot), "stake_cents": odds.stake_cents,
        "cost_cents": str(odds.cost_cents), "standard_deviation": odds.standard_deviation,
        **{key: {"exact": str(value), "decimal": float(value)} for key, value in exact.items()},
    }  # fmt: skip


def _markdown(rows: list[list[str]]) -> list[str]:
    head = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    return head + ["| " + " | ".join(row) + " |" for row in rows]


def _print(house: House, entries: list[tuple[str, WagerOdds]], output_format: OutputFormat, fractions: bool) -> None:
    rows = [_table_row(house, name, odds, fractions) for name, odds in entries]
    match output_format:
        case OutputFormat.JSON:
            print_json([_json_data(name, odds) for name, odds in entries])
        case OutputFormat.CSV:
            out = io.StringIO()
            csv.writer(out, lineterminator="\n").writerows([COLUMNS, *rows])
            typer.echo(out.getvalue(), nl=False)
        case OutputFormat.MARKDOWN:
            typer.echo("\n".join(_markdown(rows)))
        case OutputFormat.TABLE:
            print_table(f"{house.name}: exact odds", list(COLUMNS), rows)
