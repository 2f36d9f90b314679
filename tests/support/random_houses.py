"""Random houses: values for the options of a book, drawn from their types. Many of them are not lawful."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from trueodds.rulebook import OPTION_SPECS, Book
from trueodds.rulebook.option_keys import vig_timing_keys, wagers_allowed_in
from trueodds.rulebook.value_types import BooleanType, ChoiceType, IntegerType, WagerListType

AMOUNTS: Final = (1, 5, 25, 50, 100, 200, 250, 500, 1000, 1500, 2500, 5000, 10_000, 50_000, 500_000)
ODDS: Final = ("1 to 1", "2 to 1", "3 to 1", "7 to 1", "30 to 1", "9 to 5", "7 to 5", "6 to 5", "1 to 2", "1 to 10")
DENSITIES: Final = (0.02, 0.05, 0.1, 0.2, 0.5)
"""How likely each option of a house is to be changed. Dense houses seldom load."""


def random_changes(book: Book, random: Random) -> dict[str, Any]:
    """Return changes of a random part of a book's options, at least of one."""
    density = random.choice(DENSITIES)
    names = [name for name in book.options if random.random() < density]
    return {name: _random_value(book, name, random) for name in names or [random.choice(list(book.options))]}


def _random_value(book: Book, name: str, random: Random) -> Any:
    value_type = OPTION_SPECS[name].value_type
    if isinstance(value_type, BooleanType):
        return random.random() < 0.5
    if isinstance(value_type, ChoiceType):
        return random.choice(value_type.words)
    if isinstance(value_type, IntegerType):
        return _random_integer(value_type, random)
    if isinstance(value_type, WagerListType):
        return _random_list(book, name, random)
    match name:
        case "game":
            return random.choice([*book.games, "roulette"] if random.random() < 0.1 else list(book.games))
        case "fire_table":
            return random.choice("AABBC")
        case "vig_timing":
            keys = random.sample(vig_timing_keys(book), random.randint(1, 4))
            return {key: random.choice(("on_bet", "on_win")) for key in keys}
        case "odds_take" | "odds_lay":
            numbers = random.sample(list(book.points), random.randint(1, len(book.points)))
            return {str(number): random.choice((0, 1, 2, 3, 4, 5, 10, 20, 100, 101)) for number in numbers}
        case "paytable":
            return _random_pay_table(book, random)
        case _:
            raise AssertionError(f"no random values for {name}")


def _random_integer(value_type: IntegerType, random: Random) -> int | str:
    if value_type.allows_none and random.random() < 0.3:
        return "none"
    if random.random() < 0.05:
        return random.choice((value_type.minimum, value_type.maximum))
    match value_type.unit:
        case "cents":
            amount = random.choice(AMOUNTS) if random.random() < 0.8 else round(10 ** random.uniform(0, 7))
            return max(value_type.minimum, amount)
        case "basis_points":
            return random.choice((0, 1, 100, 250, 400, 499, 500, 500, 501, 600))
        case _:
            return random.randint(value_type.minimum, min(value_type.maximum, 100))


def _random_list(book: Book, name: str, random: Random) -> list[str]:
    """Return the default list with one or two wagers more or less, or any list."""
    allowed = list(wagers_allowed_in(book, name))
    default = book.options[name].default
    listed = set(default if isinstance(default, tuple) else ())
    if random.random() < 0.15:
        listed = set(random.sample(allowed, random.randint(0, len(allowed))))
    for _ in range(random.randint(1, 2)):
        listed ^= {random.choice(allowed if random.random() < 0.97 else list(book.wagers))}
    return sorted(listed)


def _random_pay_table(book: Book, random: Random) -> dict[str, str]:
    """Return one to three changed rows. Some pay what they did; some are misspelled."""
    rows: dict[str, str] = {}
    for key in random.sample(list(book.pay_table), random.randint(1, min(3, len(book.pay_table)))):
        odds = book.pay_table[key].odds
        drawn = random.random()
        if drawn < 0.2:
            rows[key] = str(odds)
        elif drawn < 0.6:
            rows[key] = f"{odds.win * 2 + random.randint(0, 1)} to {odds.stake * 2}"
        elif drawn < 0.97:
            rows[key] = random.choice(ODDS)
        else:
            rows[random.choice((key, "roulette"))] = random.choice(("2 for 1", "two to one", "2 to 1"))
    return rows
