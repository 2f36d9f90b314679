"""`trueodds strategy`: describe a strategy file, check where it can be played, or print a built-in one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, NamedTuple

import typer

from trueodds.cli.output import (
    JsonOption,
    find_house,
    find_strategy,
    print_json,
    print_table,
    print_wrapped,
    report_errors,
    requires_extra,
)
from trueodds.rulebook import House, book_ids, load_book
from trueodds.strategy import Strategy, StrategyError, StrategyRefusedError, builtin_strategy_text, describe
from trueodds.wagers import TableRules

app = typer.Typer(name="strategy", help="Check a strategy file or print a built-in strategy.", no_args_is_help=True)

CHECK_MEMORY_BYTES: Final = 1 << 28
"""Memory to spend on counting situations. If there are more, the output says so."""


class HouseCheck(NamedTuple):
    """The result of checking a strategy in one house: the number of situations, or the error."""

    house: House
    situations_before: int = 0
    situations_after: int = 0
    complete: bool = True
    error: StrategyError | None = None

    @property
    def allowed(self) -> bool:
        """Whether the strategy can be played in this house."""
        return self.error is None


@app.command()
@report_errors
@requires_extra("numpy", "sim")
def check(
    strategy: Annotated[str, typer.Argument(help="A strategy file (.toml) or the name of a built-in strategy.")],
    book: Annotated[
        str | None,
        typer.Option("--book", help="Check only this book: an id, a code or a book file (default: all books)."),
    ] = None,
    house: Annotated[Path | None, typer.Option("--house", help="Check only this house file.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Describe what each play of a strategy does, and list where the strategy can be played.

    Where it cannot be played, the list gives the reason and the clause. The exit code is 2 if the file has an error, or
    if no house allows the strategy.
    """
    checked = find_strategy(strategy)
    if book is None and house is None:
        houses = [House(load_book(name)) for name in book_ids()]
    else:
        houses = [find_house(book, house)]
    checks = [_check_house(checked, house) for house in houses]
    first = next((check for check in checks if check.allowed), checks[0])
    plays = describe(checked, TableRules(first.house))
    if as_json:
        print_json(_check_data(checked, first.house, plays, checks))
    else:
        _print_check(checked, first.house, plays, checks)
    if not first.allowed:
        raise typer.Exit(2)


def _check_house(strategy: Strategy, house: House) -> HouseCheck:
    """Check a strategy in a house by compiling it."""
    from trueodds.automaton import Automaton  # noqa: PLC0415  NumPy is slow to load

    try:
        automaton = Automaton(strategy, house, budget_bytes=CHECK_MEMORY_BYTES, lazy=True)
    except StrategyError as error:
        return HouseCheck(house, error=error)
    complete = not bool((automaton.after_betting < 0).any())
    return HouseCheck(house, len(automaton.after_betting), len(automaton.next), complete)


def _print_check(strategy: Strategy, house: House, plays: list[str], checks: list[HouseCheck]) -> None:
    print_wrapped(f"{strategy.name}. {strategy.about}".rstrip())
    if strategy.needs:
        print_wrapped(f"Needs: {strategy.needs}")
    typer.echo()
    print_wrapped(f"Before each roll (bets named as in {house.book.title}):")
    for number, play in enumerate(plays, 1):
        print_wrapped(f"{number:>4}. {play}", indent=6)
    typer.echo()
    rows = [[check.house.name, *_result_cells(check)] for check in checks]
    print_table("Where it can be played", ["house", "allowed", "situations, or the reason"], rows)


def _result_cells(check: HouseCheck) -> list[str]:
    if check.error is not None:
        return ["no", _reason(check.error)]
    suffix = "" if check.complete else ", and more"
    return ["yes", f"{check.situations_before:,} before and {check.situations_after:,} after betting{suffix}"]


def _reason(error: StrategyError) -> str:
    """Return the source line, the action and the refusal, without the name of the strategy."""
    if not isinstance(error, StrategyRefusedError):
        return str(error)
    source = f"{error.source}: " if error.source else ""
    return f"{source}{error.action}: {error.refusal.sentence}"


def _check_data(strategy: Strategy, house: House, plays: list[str], checks: list[HouseCheck]) -> dict[str, object]:
    return {
        "title": strategy.name,
        "about": strategy.about,
        "needs": strategy.needs,
        "names_from_book": house.book.id,
        "plays": plays,
        "houses": [_house_data(check) for check in checks],
    }


def _house_data(check: HouseCheck) -> dict[str, object]:
    data: dict[str, object] = {
        "book": check.house.book.id,
        "house": check.house.name,
        "allowed": check.allowed,
    }
    if check.error is None:
        return data | {
            "situations_before": check.situations_before,
            "situations_after": check.situations_after,
            "complete": check.complete,
        }
    data |= {"reason": _reason(check.error)}
    if isinstance(check.error, StrategyRefusedError):
        refusal = check.error.refusal
        data |= {"code": refusal.code, "cite": list(refusal.cite), "option": refusal.option}
    return data


@app.command()
@report_errors
def show(name: Annotated[str, typer.Argument(help="The name of a built-in strategy.")]) -> None:
    """Print the file of a built-in strategy, as a start for your own."""
    typer.echo(builtin_strategy_text(name), nl=False)
