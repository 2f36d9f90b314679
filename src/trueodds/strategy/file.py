"""Strategies as TOML files, for players who write no Python.

    name = "Three point molly"
    about = "Pass and two come bets, all with 3-4-5x odds."

    [[play]]
    keep = "pass"
    stake = 10

    [[play]]
    odds = "3-4-5"

    [[play]]
    keep = "come"
    stake = 10
    up_to = 2

Each [[play]] has one verb (keep, odds, press, regress, down, call) and what belongs to it, and may have a `when`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NoReturn

from trueodds.money import MoneyError
from trueodds.notation import NotationError
from trueodds.rulebook import RulebookError
from trueodds.strategy import condition as conditions
from trueodds.strategy.amount import amount_of, ladder
from trueodds.strategy.condition import AnyOf, Condition
from trueodds.strategy.errors import StrategyError
from trueodds.strategy.part import Part, Strategy
from trueodds.strategy.parts import bet, call, down, keep, odds, press, regress

_NUMBERS: Final = frozenset(map(str, range(2, 13)))
FILE_LIMIT: Final = 1 << 20
DEPTH_LIMIT: Final = 40


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
    except (ValueError, RecursionError) as error:
        raise StrategyError(f"{where}: {error}") from None
    plays = _Table(data, where)
    name, about = plays.text("name", name), plays.text("about", "")
    rows = plays.take("play", [])
    plays.done()
    if not isinstance(rows, list) or not rows:
        plays.fail("a strategy has at least one [[play]]")
    parts = [_part(_Table(row, f"{where}: play {number}")) for number, row in enumerate(rows, 1)]
    return Strategy(tuple(parts), name, about)


class _Table:
    """A table of the file being read; what is left over at the end was not understood."""

    def __init__(self, data: object, where: str) -> None:
        self.where = where
        if not isinstance(data, dict):
            self.fail(f"expected a table, not {data!r}")
        self._left: dict[str, Any] = dict(data)

    def fail(self, what: str) -> NoReturn:
        raise StrategyError(f"{self.where}: {what}")

    def take(self, key: str, default: Any = None) -> Any:
        return self._left.pop(key, default)

    def text(self, key: str, default: str) -> str:
        value = self.take(key, default)
        if not isinstance(value, str):
            self.fail(f"{key} is a text, not {value!r}")
        return str(value)

    def done(self) -> None:
        if self._left:
            self.fail(f"{', '.join(map(repr, self._left))} is not understood")

    @property
    def keys(self) -> list[str]:
        return list(self._left)


def _part(table: _Table) -> Part:
    verbs = [verb for verb in _VERBS if verb in table.keys]
    if len(verbs) != 1:
        table.fail(f"exactly one of {', '.join(_VERBS)} is needed, not {' and '.join(verbs) or 'none'}")
    when = table.take("when")
    try:
        part = _VERBS[verbs[0]](table, table.take(verbs[0]))
        table.done()
        return part if when is None else part.when(_condition(when, f"{table.where}: when"))
    except (MoneyError, NotationError, RulebookError) as error:
        raise StrategyError(f"{table.where}: {error}") from None
    except StrategyError as error:
        if str(error).startswith(table.where):
            raise
        raise StrategyError(f"{table.where}: {error}") from None


def _keep(table: _Table, spot: Any) -> Part:
    stake, rungs = table.take("stake"), table.take("ladder")
    if (stake is None) == (rungs is None):
        table.fail("keep needs a stake or a ladder")
    amount = amount_of(stake) if rungs is None else _ladder(_Table(rungs, f"{table.where}: ladder"))
    return keep(bet(spot, amount), table.take("up_to", 1))


def _ladder(table: _Table) -> Any:
    rungs = table.take("stakes", [])
    if not isinstance(rungs, list):
        table.fail(f"stakes is a list, not {rungs!r}")
    moves = {key: table.take(key) for key in ("win", "lose", "past_end", "each_shooter") if key in table.keys}
    table.done()
    return ladder(*rungs, **moves)


def _odds(table: _Table, times: Any) -> Part:
    behind = table.take("behind", [])
    if isinstance(times, Mapping):
        times = {int(number) if number in _NUMBERS else number: value for number, value in times.items()}
    return odds(times, behind)


def _press(table: _Table, what: Any) -> Part:
    return press(what, to=table.take("to"), by=table.take("by"), up_to=table.take("up_to"))


def _regress(table: _Table, what: Any) -> Part:
    return regress(what, to=table.take("to"), by=table.take("by"), down_to=table.take("down_to"))


def _down(_table: _Table, what: Any) -> Part:
    return down(what)


def _call(table: _Table, what: Any) -> Part:
    return call(what, table.take("to"))


_VERBS: Final[Mapping[str, Callable[[_Table, Any], Part]]] = {
    "keep": _keep,
    "odds": _odds,
    "press": _press,
    "regress": _regress,
    "down": _down,
    "call": _call,
}


def _condition(data: Any, where: str) -> Condition:
    """Read a `when`: every key of the table must hold."""
    if where.count(".") > DEPTH_LIMIT:
        raise StrategyError(f"{where[:80]}...: conditions within conditions within conditions")
    table = _Table(data, where)
    found: list[Condition] = []
    for key in table.keys:
        value = table.take(key)
        reader = _CONDITIONS.get(key)
        if reader is None:
            table.fail(f"{key!r} is no condition; there are {', '.join(_CONDITIONS)}")
        found += reader(value, f"{where}.{key}")
    if not found:
        table.fail("a condition says something")
    return found[0] if len(found) == 1 else conditions.All(tuple(found))


def _each(value: Any, where: str) -> list[tuple[str, Any]]:
    if not isinstance(value, Mapping) or not value:
        raise StrategyError(f'{where}: expected a table like {{ "place:6" = 2 }}, not {value!r}')
    return list(value.items())


def _puck(value: Any, where: str) -> list[Condition]:
    if value not in ("on", "off"):
        raise StrategyError(f"{where}: the puck is on or off, not {value!r}")
    return [conditions.puck_on if value == "on" else conditions.puck_off]


def _numbers(value: Any, where: str) -> list[int]:
    numbers = value if isinstance(value, list) else [value]
    if not numbers or any(type(number) is not int for number in numbers):
        raise StrategyError(f"{where}: expected numbers, not {value!r}")
    return numbers


def _truth(value: Any, where: str) -> bool:
    if type(value) is not bool:
        raise StrategyError(f"{where}: expected true or false, not {value!r}")
    return value


def _counted(table: Any, where: str) -> list[Condition]:
    read = _Table(table, where)
    totals, least = read.take("totals", []), read.take("least", 1)
    read.done()
    return [conditions.thrown(*_numbers(totals, where), least=least)]


def _new_shooter(value: Any, where: str) -> list[Condition]:
    return [conditions.new_shooter if _truth(value, where) else ~conditions.new_shooter]


def _any(value: Any, where: str) -> list[Condition]:
    if not isinstance(value, list) or not value:
        raise StrategyError(f"{where}: expected a list of conditions, not {value!r}")
    return [AnyOf(tuple(_condition(one, where) for one in value))]


_CONDITIONS: Final[Mapping[str, Callable[[Any, str], list[Condition]]]] = {
    "puck": _puck,
    "point": lambda value, where: [conditions.point(*_numbers(value, where))],
    "new_shooter": _new_shooter,
    "up": lambda value, where: [conditions.up(what, least) for what, least in _each(value, where)],
    "last": lambda value, where: [conditions.last(what, result) for what, result in _each(value, where)],
    "just": lambda value, where: [conditions.just(what, result) for what, result in _each(value, where)],
    "hits": lambda value, where: [conditions.hits(what, least) for what, least in _each(value, where)],
    "thrown": _counted,
    "points_made": lambda value, _where: [conditions.points_made(value)],
    "throws": lambda value, _where: [conditions.throws(value)],
    "any": _any,
    "not": lambda value, where: [~_condition(value, where)],
}

WORDS: Final = (*_VERBS, *_CONDITIONS)
"""Every verb and every condition a file can use."""
