"""Parse strategies from TOML files.

    name = "Three point molly"
    about = "A $10 pass bet and up to two $10 come bets, all with 3-4-5x odds."
    needs = "3-4-5x odds; a bankroll of $700."

    [[play]]
    keep = "pass"
    stake = 10

    [[play]]
    odds = "3-4-5"

    [[play]]
    keep = "come"
    stake = 10
    up_to = 2

Each [[play]] has exactly one action (keep, odds, press, regress, take_down or call), the options of that action, and
optionally a condition, `when`. Every error includes its line. docs/strategies.md describes the format.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal

from trueodds.money import Dollars
from trueodds.rulebook.toml_reader import Location, TomlDocument, TomlReader, parse_toml, read_toml_file
from trueodds.strategy.condition_parser import CONDITION_KEYS, parse_condition
from trueodds.strategy.play_base import DEFAULT_NAME, Play, Strategy
from trueodds.strategy.play_reader import (
    SpotLines,
    check_dollars,
    located_errors,
    strategy_file_error,
    take_dollars,
    take_parsed,
)
from trueodds.strategy.play_source import PlaySource
from trueodds.strategy.plays import bet, call, keep, odds, press, regress, take_down
from trueodds.strategy.progressions import grind, parlay, parse_ride_percent, parse_wins
from trueodds.strategy.staking import StakingPlan, ladder, parse_move, parse_past_end, parse_staking_plan

MAX_FILE_BYTES: Final = 1 << 20
_POINT_KEYS: Final = frozenset(map(str, range(2, 13)))
_CALLS: Final[tuple[Literal["on", "off"], ...]] = ("on", "off")


def load_strategy(path: Path | str) -> Strategy:
    """Return the strategy in a file. Raise StrategyFileError if the file cannot be read or is invalid."""
    path = Path(path)
    return _parse_document(read_toml_file(path, strategy_file_error, MAX_FILE_BYTES), path.stem)


def parse_strategy(text: str, file: str = "strategy", name: str = DEFAULT_NAME) -> Strategy:
    """Return the strategy in the text of a file. Errors name `file`; `name` is used if the text has no name.

    >>> parse_strategy('name = "Line"\\n[[play]]\\nkeep = "pass"\\nstake = 10').name
    'Line'
    """
    return _parse_document(parse_toml(text, Location(strategy_file_error, TomlDocument(file))), name)


def _parse_document(reader: TomlReader, name: str) -> Strategy:
    name, about, needs = reader.string("name", name), reader.string("about", ""), reader.string("needs", "")
    plays = reader.tables("play", ())
    reader.reject_unknown_keys()
    if not plays:
        reader.fail("play", "a strategy needs at least one [[play]]")
    return Strategy(tuple(_parse_play(play) for play in plays), name, about, needs)


def _parse_play(reader: TomlReader) -> Play:
    actions = [action for action in _PLAY_PARSERS if reader.has(action)]
    if len(actions) != 1:
        needed, got = ", ".join(_PLAY_PARSERS), " and ".join(actions) or "none"
        reader.location.fail(f"exactly one of {needed} is needed, got {got}")
    location, spots, when = reader.location_of(actions[0]), SpotLines(), reader.take("when", None)
    with located_errors(location):
        play = _PLAY_PARSERS[actions[0]](reader, spots)
    reader.reject_unknown_keys()
    if when is not None:
        play = play.when(parse_condition(when, reader.location_of("when"), spots))
    return replace(play, source=PlaySource(location.file, location.line or 1, tuple(spots.lines)))


def _parse_keep(reader: TomlReader, spots: SpotLines) -> Play:
    spot = spots.take(reader, "keep")
    keys = [key for key in _STAKING_PARSERS if reader.has(key)]
    if len(keys) != 1:
        needed, got = ", ".join(_STAKING_PARSERS), " and ".join(keys) or "none"
        reader.fail("keep", f"exactly one of {needed} is needed, got {got}")
    with located_errors(reader.location_of(keys[0])):
        staking = _STAKING_PARSERS[keys[0]](reader, spots)
    up_to = reader.integer("up_to", 1)
    with located_errors(reader.location_of("up_to")):
        return keep(bet(spot, staking), up_to)


def _parse_fixed_stake(reader: TomlReader, _spots: SpotLines) -> StakingPlan:
    return parse_staking_plan(take_dollars(reader, "stake"))


def _parse_ladder(reader: TomlReader, spots: SpotLines) -> StakingPlan:
    table = reader.table("ladder")
    stakes: list[Dollars] = []
    for index, stake in enumerate(table.array("stakes")):
        with located_errors(table.location.child("stakes", index)):
            stakes.append(check_dollars(stake, "stake"))
    win, lose = take_parsed(table, "win", parse_move, 0), take_parsed(table, "lose", parse_move, 0)
    past_end = take_parsed(table, "past_end", parse_past_end, "stay")
    restart_each_shooter = table.boolean("restart_each_shooter", False)
    follow = spots.take(table, "follow") if table.has("follow") else None
    table.reject_unknown_keys()
    return ladder(
        *stakes, win=win, lose=lose, past_end=past_end, restart_each_shooter=restart_each_shooter, follow=follow
    )


def _parse_parlay(reader: TomlReader, _spots: SpotLines) -> StakingPlan:
    table = reader.table("parlay")
    stake, step = take_dollars(table, "stake"), take_dollars(table, "step", 1)
    wins = take_parsed(table, "wins", parse_wins, 2)
    ride_percent = take_parsed(table, "ride_percent", parse_ride_percent, 100)
    table.reject_unknown_keys()
    return parlay(stake, wins, ride_percent, step)


def _parse_grind(reader: TomlReader, _spots: SpotLines) -> StakingPlan:
    table = reader.table("grind")
    unit, give_up = take_dollars(table, "unit"), take_dollars(table, "give_up")
    table.reject_unknown_keys()
    return grind(unit, give_up)


_STAKING_PARSERS: Final[Mapping[str, Callable[[TomlReader, SpotLines], StakingPlan]]] = {
    "stake": _parse_fixed_stake,
    "ladder": _parse_ladder,
    "parlay": _parse_parlay,
    "grind": _parse_grind,
}


def _parse_odds(reader: TomlReader, spots: SpotLines) -> Play:
    size, behind = reader.take("odds"), reader.take("behind", [])
    for kind in behind if isinstance(behind, list) else [behind]:
        if isinstance(kind, str):
            spots.parse(kind, reader.location_of("behind"))
    if isinstance(size, Mapping):
        size = {int(number) if number in _POINT_KEYS else number: multiple for number, multiple in size.items()}
    return odds(size, behind)  # type: ignore[arg-type]  # odds checks its arguments


def _parse_press(reader: TomlReader, spots: SpotLines) -> Play:
    target = spots.take(reader, "press")
    to, by, up_to = (_take_optional_dollars(reader, key) for key in ("to", "by", "up_to"))
    return press(target, to=to, by=by, up_to=up_to)


def _parse_regress(reader: TomlReader, spots: SpotLines) -> Play:
    target = spots.take(reader, "regress")
    to, by, down_to = (_take_optional_dollars(reader, key) for key in ("to", "by", "down_to"))
    return regress(target, to=to, by=by, down_to=down_to)


def _take_optional_dollars(reader: TomlReader, key: str) -> Dollars | None:
    return take_dollars(reader, key) if reader.has(key) else None


def _parse_take_down(reader: TomlReader, spots: SpotLines) -> Play:
    return take_down(spots.take(reader, "take_down"))


def _parse_call(reader: TomlReader, spots: SpotLines) -> Play:
    return call(spots.take(reader, "call"), reader.choice("to", _CALLS))


_PLAY_PARSERS: Final[Mapping[str, Callable[[TomlReader, SpotLines], Play]]] = {
    "keep": _parse_keep,
    "odds": _parse_odds,
    "press": _parse_press,
    "regress": _parse_regress,
    "take_down": _parse_take_down,
    "call": _parse_call,
}

KEYWORDS: Final = (*_PLAY_PARSERS, *(key for key in _STAKING_PARSERS if key != "stake"), *CONDITION_KEYS)
"""Every action, progression and condition of a strategy file."""
