"""`trueodds strategies`: list the built-in strategies."""

from __future__ import annotations

from typing import Annotated

import typer

from trueodds.cli.output import JsonOption, find_book, print_json, print_table, report_errors, requires_extra
from trueodds.rulebook import House
from trueodds.strategy import StrategyError, builtin_strategy, builtin_strategy_names


@report_errors
def strategies(
    book: Annotated[
        str | None, typer.Option("--book", help="List only the strategies this book's default house allows.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the built-in strategies and what each one needs."""
    house = None if book is None else House(find_book(book))
    names = [name for name in builtin_strategy_names() if house is None or _is_allowed(name, house)]
    listed = [(name, builtin_strategy(name)) for name in names]
    if as_json:
        print_json([{"name": name, "title": s.name, "about": s.about, "needs": s.needs} for name, s in listed])
        return
    rows = [[name, f"{strategy.name}. {strategy.about}", strategy.needs] for name, strategy in listed]
    print_table("Built-in strategies", ["name", "plays", "needs"], rows)


@requires_extra("numpy", "sim")
def _is_allowed(name: str, house: House) -> bool:
    """Return whether a house allows a strategy. The strategy is compiled to find out."""
    from trueodds.automaton import Automaton  # noqa: PLC0415  NumPy is slow to load

    try:
        Automaton(builtin_strategy(name), house)
    except StrategyError:
        return False
    return True
