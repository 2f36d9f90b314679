"""`trueodds odds`: the exact odds of every wager under a house."""

from __future__ import annotations

import csv
import io
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from trueodds.automaton import DiceWeightsError
from trueodds.cli import options
from trueodds.cli.output import (
    UsageError,
    exact_and_decimal,
    find_book,
    print_json,
    print_table,
    print_wrapped,
    report_errors,
)
from trueodds.money import Cents, format_money, parse_dollars
from trueodds.rulebook import House, book_ids, load_book, load_house
from trueodds.table import Refused
from trueodds.wager_odds import FAIR_DICE, DiceChances, WagerOdds, biased_dice, iter_odds
from trueodds.wagers import FireRule, TableRules

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
    wager: Annotated[
        str | None, typer.Argument(help="Wager, by any of its names, or a spot such as place:6 (default: all wagers).")
    ] = None,
    house: Annotated[
        Path | None, typer.Option("--house", help="House file for that book (default: the book's default house).")
    ] = None,
    stake: Annotated[
        str | None,
        typer.Option("--stake", help="Stake in dollars that the house takes (default: one paid without breakage)."),
    ] = None,
    weights: options.WeightsOption = None,
    output_format: Annotated[OutputFormat, typer.Option("--format", help="Output format.")] = OutputFormat.TABLE,
    fractions: Annotated[bool, typer.Option("--fractions", help="Print exact fractions in the table.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Print the exact odds of every wager: chances, edges, standard deviation and mean number of rolls.

    Edges are the player's, so a negative edge favors the house. Line and come bets are shown alone and with the
    maximum odds that the house allows; a come bet is made right after a point is set. A fire bet that is named is also
    shown by the number of different points made. Wagers that the house refuses at --stake are listed on standard error
    with the reason. If it refuses all of them, the exit code is 2.
    """
    chosen = load_house(house) if house is not None else House(find_book(book))
    if house is not None and chosen.book is not find_book(book):
        raise UsageError(f"{house} is a house of {chosen.book.id}, not of {find_book(book).id}")
    cents = None if stake is None else parse_dollars(stake, "--stake")
    dice = FAIR_DICE if weights is None else parse_dice_weights(weights)
    found = _all_odds(chosen, wager, cents, dice)
    for refused in found.refused:
        typer.echo(str(refused), err=True)
    if not found.entries:
        raise typer.Exit(2)
    _print(chosen, found.entries, OutputFormat.JSON if as_json else output_format, fractions)
    if wager is not None and output_format == OutputFormat.TABLE and not as_json:
        _print_details(chosen, found.entries)


class _FoundOdds(NamedTuple):
    """The odds to print, each with the name of its row, and the wagers that the house refuses at the stake."""

    entries: list[tuple[str, WagerOdds]]
    refused: list[Refused]


def _all_odds(house: House, wager: str | None, stake: Cents | None, dice: DiceChances) -> _FoundOdds:
    """Return the odds of one wager or of all: alone, then with full odds where the house has them."""
    found = _FoundOdds([], [])
    for result in iter_odds(house, wager, stake, dice):
        if isinstance(result, Refused):
            found.refused.append(result)
        else:
            found.entries.append((result.name, result))
    taken = {odds.spot for _, odds in found.entries}
    bases = {rule.base_kind for rule in TableRules(house).odds_rules.values() if rule.availability.offered}
    if any(spot.kind in bases for spot in taken):
        for result in iter_odds(house, wager, stake, dice, full_odds=True):
            if isinstance(result, WagerOdds) and result.spot in taken:
                found.entries.append((f"{result.name} with full odds", result))
    return found


def odds_pages() -> dict[str, str]:
    """Return the pages of docs/odds: one for the default house of each book, and an index."""
    pages, index = {}, [GENERATED_NOTE, "", "# Exact odds", "", PAGE_INTRO, ""]
    for book_id in book_ids():
        house = House(load_book(book_id))
        rows = [
            _table_row(house, name, odds, fractions=True)
            for name, odds in _all_odds(house, None, None, FAIR_DICE).entries
        ]
        text = [GENERATED_NOTE, "", f"# {house.name}", "", PAGE_INTRO, "", *_markdown(rows)]
        pages[f"{book_id}.md"] = "\n".join(text) + "\n"
        index.append(f"- [{house.name}]({book_id}.md)")
    return pages | {"README.md": "\n".join(index) + "\n"}


GENERATED_NOTE = "<!-- Generated from the books by `python3 dev.py docs`. Edit a book, not this page. -->"
PAGE_INTRO = (
    "Chances and edges are exact fractions. Edges are the player's, so a negative edge favors the house. Each stake\n"
    "is paid without breakage. `trueodds odds BOOK --stake 10` includes the breakage at another stake that the house\n"
    "takes, and `--house FILE` uses the options of a house file. A come bet is made right after a point is set: its\n"
    "standard deviation with full odds is over all points, with their chances."
)


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
    points = [exact_and_decimal(chance) for chance in odds.distinct_points_chances]
    return {
        "wager": name, "spot": str(odds.spot), "stake_cents": odds.stake_cents,
        "cost_cents": str(odds.cost_cents), "standard_deviation": odds.standard_deviation,
        **{key: exact_and_decimal(value) for key, value in exact.items()},
        **({"distinct_points": points} if points else {}),
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


def _print_details(house: House, entries: list[tuple[str, WagerOdds]]) -> None:
    """Print the points of a fire bet, and the wagers that a bet is split into."""
    rules = TableRules(house)
    for name, odds in entries:
        rule = rules.wager_rules.get(odds.spot)
        if isinstance(rule, FireRule):
            pays = {count: str(payout.odds) for count, payout in rule.payouts.items()}
            rows = [
                [
                    f"{count} {'point' if count == 1 else 'points'}",
                    f"{float(chance) * 100:.6f} %",
                    str(chance),
                    pays.get(count, "loses"),
                ]
                for count, chance in enumerate(odds.distinct_points_chances)
            ]
            print_table(f"{name}: different points made", ["made", "chance", "exact chance", "pays"], rows)
        elif rule is not None and rule.breakdown:
            shares = [
                f"{rules.wager_rules[spot].name} for {format_money(int(share), house.currency)}"
                for spot, share in rule.break_down(odds.stake_cents)
            ]
            print_wrapped(f"The dealer splits {name} into {' and '.join(shares)}; the figures are of both together.")
