"""`trueodds strategies`: the strategies that come with trueodds."""

from __future__ import annotations

from typing import Annotated

import typer

from trueodds.cli.show import AsJson, clear_errors, needs, open_book, print_json, print_table
from trueodds.rulebook import House
from trueodds.strategy import StrategyError, named_strategy, strategy_names


@clear_errors
def strategies(
    book: Annotated[
        str | None, typer.Option("--book", help="Only those that the default house of this book lets play.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the strategies of the library, for `session` and `simulate`, with what each needs."""
    house = None if book is None else House(open_book(book))
    names = [name for name in strategy_names() if house is None or _offered(name, house)]
    told = [(name, named_strategy(name)) for name in names]
    if as_json:
        print_json([{"name": name, "title": one.name, "about": one.about, "needs": one.needs} for name, one in told])
        return
    rows = [[name, f"{one.name}. {one.about}", one.needs] for name, one in told]
    print_table("Strategies", ["name", "plays", "needs"], rows)


@needs("numpy", "sim")
def _offered(name: str, house: House) -> bool:
    """Tell whether a house lets a strategy play, by compiling it."""
    from trueodds.chain import Automaton  # noqa: PLC0415  NumPy is slow to load

    try:
        Automaton(named_strategy(name), house)
    except StrategyError:
        return False
    return True
