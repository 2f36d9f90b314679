"""Strategies as TOML files, for players who write no Python.

    name = "Three point molly"
    about = "Pass and two come bets, all with 3-4-5x odds."
    needs = "3-4-5x odds; a bankroll of 500."

    [[play]]
    keep = "pass"
    stake = 10

    [[play]]
    odds = "3-4-5"

    [[play]]
    keep = "come"
    stake = 10
    up_to = 2

Each [[play]] has one verb (keep, odds, press, regress, down, call) and what belongs to it, and may have a `when`. What
is wrong with a file is said with its line.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from trueodds.strategy.amount import Amount, Ladder, amount_of, cents, end_of, ladder, move_of, truth_of
from trueodds.strategy.errors import StrategyError, StrategyFileError
from trueodds.strategy.lines import lines_of, syntax_error
from trueodds.strategy.part import Part, Strategy
from trueodds.strategy.parts import bet, call, down, keep, odds, press, regress
from trueodds.strategy.place import Place, Table
from trueodds.strategy.progression import grind, parlay, ride_of, wins_of
from trueodds.strategy.source import Source
from trueodds.strategy.when import CONDITIONS, read_condition

_NUMBERS: Final = frozenset(map(str, range(2, 13)))
FILE_LIMIT: Final = 1 << 20


def load_strategy(path: Path) -> Strategy:
    """Read a strategy file."""
    try:
        if path.stat().st_size > FILE_LIMIT:
            raise StrategyError(f"{path}: too large for a strategy")
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise StrategyError(f"{path}: {error}") from None
    return read_strategy(text, str(path), path.stem)


def read_strategy(text: str, where: str = "strategy", name: str = "the strategy") -> Strategy:
    """Read a strategy from the text of a file.

    >>> read_strategy('name = "Line"\\n[[play]]\\nkeep = "pass"\\nstake = 10').name
    'Line'
    """
    try:
        data = tomllib.loads(text)
        place = Place(where, lines_of(text))
    except (ValueError, RecursionError) as error:
        raise StrategyFileError(where, *syntax_error(text, error)) from None
    table = Table(data, place)
    name, about, needs = table.text("name", name), table.text("about", ""), table.text("needs", "")
    rows = table.take("play", [])
    table.done()
    if not isinstance(rows, list) or not rows:
        table.at("play").fail("a strategy has at least one [[play]]")
    plays = place.within("play")
    parts = [_part(Table(row, plays.within(index, f"play {index + 1}"))) for index, row in enumerate(rows)]
    return Strategy(tuple(parts), name, about, needs)


def _part(table: Table) -> Part:
    verbs = [verb for verb in _VERBS if verb in table.keys]
    if len(verbs) != 1:
        table.place.fail(f"exactly one of {', '.join(_VERBS)} is needed, not {' and '.join(verbs) or 'none'}")
    (verb,) = verbs
    table.place.spots = []
    place, when = table.at(verb), table.take("when")
    with place.blamed():
        part = _VERBS[verb](table, table.take(verb), place)
    table.done()
    if when is not None:
        part = part.when(read_condition(when, table.place.within("when", f"{table.place.name}: when")))
    return replace(part, source=Source(place.file, place.line, tuple(place.spots)))


def _keep(table: Table, spot: Any, place: Place) -> Part:
    named = place.spot(spot)
    given = [key for key in _AMOUNTS if key in table.keys]
    if len(given) != 1:
        place.fail(f"keep needs a stake, a ladder, a parlay or a grind, not {' and '.join(given) or 'none of them'}")
    inner = table.at(given[0])
    inner.name = f"{place.name}: {given[0]}"
    with inner.blamed():
        amount = _AMOUNTS[given[0]](table.take(given[0]), inner)
    up_to = table.take("up_to", 1)
    with table.at("up_to").blamed():
        return keep(bet(named, amount), up_to)


_AmountReader = Callable[[Any, Place], Amount]


def _ladder(data: Any, place: Place) -> Ladder:
    table = Table(data, place)
    rungs = table.take("stakes", [])
    if not isinstance(rungs, list):
        table.at("stakes").fail(f"stakes is a list, not {rungs!r}")
    for index, rung in enumerate(rungs):
        table.at("stakes").within(index).read(cents, rung)
    moves: dict[str, Any] = {key: table.read(key, read) for key, read in _MOVES.items() if key in table.keys}
    if "follow" in table.keys:
        moves["follow"] = table.at("follow").spot(table.take("follow"))
    table.done()
    return ladder(*rungs, **moves)


_MOVES: Final[Mapping[str, Callable[[Any], Any]]] = {
    "win": move_of,
    "lose": move_of,
    "past_end": end_of,
    "each_shooter": lambda value: truth_of("each_shooter", value),
}


def _by_name(make: Callable[..., Amount], readers: Mapping[str, Callable[[Any], Any]], *needed: str) -> _AmountReader:
    """Read a table whose keys are what a progression is made of."""

    def read(data: Any, place: Place) -> Amount:
        table = Table(data, place)
        for key in needed:
            if key not in table.keys:
                place.fail(f"{key} is missing")
        given = {key: table.take(key) for key in readers if key in table.keys}
        for key, value in given.items():
            table.at(key).read(readers[key], value)
        table.done()
        return make(**given)

    return read


_AMOUNTS: Final[Mapping[str, _AmountReader]] = {
    "stake": lambda value, _place: amount_of(value),
    "ladder": _ladder,
    "parlay": _by_name(parlay, {"stake": cents, "wins": wins_of, "ride": ride_of, "step": cents}, "stake"),
    "grind": _by_name(grind, {"unit": cents, "give_up": cents}, "unit", "give_up"),
}


def _odds(table: Table, times: Any, _place: Place) -> Part:
    behind = table.take("behind", [])
    for kind in behind if isinstance(behind, list) else [behind]:
        if isinstance(kind, str):
            table.at("behind").spot(kind)
    if isinstance(times, Mapping):
        times = {int(number) if number in _NUMBERS else number: value for number, value in times.items()}
    return odds(times, behind)


def _press(table: Table, what: Any, place: Place) -> Part:
    return press(place.spot(what), to=_money(table, "to"), by=_money(table, "by"), up_to=_money(table, "up_to"))


def _regress(table: Table, what: Any, place: Place) -> Part:
    return regress(place.spot(what), to=_money(table, "to"), by=_money(table, "by"), down_to=_money(table, "down_to"))


def _money(table: Table, key: str) -> Any:
    """Take an amount that is there or not."""
    value = table.take(key)
    if value is not None:
        table.at(key).read(cents, value)
    return value


def _down(_table: Table, what: Any, place: Place) -> Part:
    return down(place.spot(what))


def _call(table: Table, what: Any, place: Place) -> Part:
    called = table.take("to")
    with table.at("to").blamed():
        return call(place.spot(what), called)


_VERBS: Final[Mapping[str, Callable[[Table, Any, Place], Part]]] = {
    "keep": _keep,
    "odds": _odds,
    "press": _press,
    "regress": _regress,
    "down": _down,
    "call": _call,
}

WORDS: Final = (*_VERBS, *(key for key in _AMOUNTS if key != "stake"), *CONDITIONS)
"""Every verb, every progression and every condition a file can use."""
