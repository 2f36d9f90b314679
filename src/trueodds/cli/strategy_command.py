"""`trueodds strategy`: is a strategy file right, what does it do, and where can it be played."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import typer

from trueodds.cli.session import find_strategy
from trueodds.cli.show import AsJson, chosen_house, clear_errors, needs, print_json, print_table
from trueodds.rulebook import House, book_ids, load_book
from trueodds.strategy import Strategy, StrategyError, StrategyRefusedError, explain, strategy_text
from trueodds.wagers import Rules

app = typer.Typer(name="strategy", help="Check a strategy file, or see one of the library.", no_args_is_help=True)

MEMORY: Final = 1 << 28
"""How many bytes to spend on counting situations; where there are more, that is said."""


class Verdict(NamedTuple):
    """What a house says of a strategy: how many situations it has there before and after betting, or why it may not."""

    house: House
    before: int = 0
    after: int = 0
    whole: bool = True
    refused: StrategyError | None = None

    @property
    def plays(self) -> bool:
        """Whether the house lets it play."""
        return self.refused is None


@app.command()
@clear_errors
@needs("numpy", "sim")
def check(
    strategy: Annotated[str, typer.Argument(help="A strategy file (.toml), or a strategy of the library.")],
    book: Annotated[str | None, typer.Option("--book", help="Only this book: its id or code, or a book file.")] = None,
    house: Annotated[Path | None, typer.Option("--house", help="Only this house file; it names its book.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check a strategy: what each play does, in words, and where it can be played, with the clause where it cannot.

    Exits 2 if the file is wrong, with the line, or if none of the houses asked lets it play.
    """
    read = find_strategy(strategy)
    asked = book is not None or house is not None
    houses = [chosen_house(book, house)] if asked else [House(load_book(name)) for name in book_ids()]
    verdicts = [_verdict(read, one) for one in houses]
    told = next((one for one in verdicts if one.plays), verdicts[0])
    plays = explain(read, Rules(told.house))
    if as_json:
        print_json(_data(read, told.house, plays, verdicts))
    else:
        _print(read, told.house, plays, verdicts)
    if not told.plays:
        raise typer.Exit(2)


def _verdict(strategy: Strategy, house: House) -> Verdict:
    """Ask a house by compiling the strategy there."""
    from trueodds.chain import Automaton  # noqa: PLC0415  NumPy is slow to load

    try:
        automaton = Automaton(strategy, house, budget=MEMORY, lazy=True)
    except StrategyError as refused:
        return Verdict(house, refused=refused)
    whole = not bool((automaton.after < 0).any())
    return Verdict(house, len(automaton.after), len(automaton.next), whole)


def _print(strategy: Strategy, house: House, plays: list[str], verdicts: list[Verdict]) -> None:
    typer.echo(f"{strategy.name}. {strategy.about}".rstrip())
    if strategy.needs:
        typer.echo(f"Needs: {strategy.needs}")
    typer.echo(f"\nWhat it does before each throw, with the names of {house.book.title}:")
    for number, play in enumerate(plays, 1):
        typer.echo(f"{number:>4}. {play}")
    typer.echo()
    rows = [[one.house.name, *_said(strategy, one)] for one in verdicts]
    print_table("Where it can be played", ["house", "plays", "situations, or why not"], rows)


def _said(strategy: Strategy, verdict: Verdict) -> list[str]:
    if verdict.refused is not None:
        return ["no", _why(strategy, verdict.refused)]
    more = "" if verdict.whole else ", and more"
    return ["yes", f"{verdict.before:,} before and {verdict.after:,} after betting{more}"]


def _why(strategy: Strategy, refused: StrategyError) -> str:
    """Say where and why, without the strategy's own name."""
    if not isinstance(refused, StrategyRefusedError):
        return str(refused)
    return f"{refused.strategy.removesuffix(strategy.name)}{refused.what}: {refused.refusal.sentence}"


def _data(strategy: Strategy, house: House, plays: list[str], verdicts: list[Verdict]) -> dict[str, Any]:
    return {
        "title": strategy.name,
        "about": strategy.about,
        "needs": strategy.needs,
        "named_by": house.book.id,
        "plays": plays,
        "houses": [_verdict_data(strategy, one) for one in verdicts],
    }


def _verdict_data(strategy: Strategy, verdict: Verdict) -> dict[str, Any]:
    told: dict[str, Any] = {"book": verdict.house.book.id, "house": verdict.house.name, "plays": verdict.plays}
    if verdict.refused is None:
        return told | {"before": verdict.before, "after": verdict.after, "whole": verdict.whole}
    told |= {"why": _why(strategy, verdict.refused)}
    if isinstance(verdict.refused, StrategyRefusedError):
        refusal = verdict.refused.refusal
        told |= {"code": refusal.code, "cite": list(refusal.cite), "option": refusal.option}
    return told


@app.command()
@clear_errors
def show(name: Annotated[str, typer.Argument(help="A strategy of the library.")]) -> None:
    """Print the file of a strategy of the library, to begin one's own from."""
    typer.echo(strategy_text(name), nl=False)
