"""What the rule texts demand of a house, stated without the books' own data.

The printed odds are those of the case files, and the demands are those of A-48 and A-60: for each book, what no option
may change.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from trueodds.rulebook import House

_CASES: Final = Path(__file__).parents[1] / "conformance" / "cases" / "limits.json"
PRINTED_ODDS: Final[Mapping[str, str]] = json.loads(_CASES.read_text("utf-8"))["default_paytable"]


def ratio_of(text: str) -> Fraction:
    """Return the ratio of odds like "9 to 5"."""
    win, stake = text.split(" to ")
    return Fraction(int(win), int(stake))


def odds_of(house: House, row: str) -> str:
    """Return the odds that a row of the pay table has in a house: the house's own or the printed ones."""
    changes = house["paytable"]
    changed = changes.get(row) if isinstance(changes, Mapping) else None
    return str(changed) if changed else PRINTED_ODDS[row]


def _constraint(book: str, row: str) -> str:
    """Return what a house may do with a row: keep it (fixed), pay more (minimum), or choose it (free)."""
    true_odds = row.startswith("take") or (row.startswith("lay") and row[3:].isdecimal())
    match book:
        case "maryland":
            return "fixed"
        case "rws":
            return "free" if row == "rws_ce_craps" else "fixed"
        case "new_jersey":
            return "fixed" if true_odds else "free" if row == "hard8" else "minimum"
        case "south_dakota":
            return "fixed" if row == "put" or row.startswith("take") else "free"
        case _:
            return "free"


_ODDS_345: Final = {"4": 3, "5": 4, "6": 5, "8": 5, "9": 4, "10": 3}
_ALL_ODDS: Final = {"pass_odds", "dont_pass_odds", "come_odds", "dont_come_odds"}
Demand = tuple[str, Callable[[House], bool]]


def _is(option: str, *values: Any) -> Demand:
    return f"{option} is {values}", lambda house: house[option] in values


def _lists(option: str, *wagers: str) -> Demand:
    return f"{option} lists {wagers}", lambda house: set(wagers) <= set(house.wager_list(option))


def _leaves_out(option: str, *wagers: str) -> Demand:
    return f"{option} leaves out {wagers}", lambda house: not set(wagers) & set(house.wager_list(option))


def _times(option: str, least: int, most: int) -> Demand:
    def holds(house: House) -> bool:
        multiples = house[option]
        return isinstance(multiples, Mapping) and all(
            isinstance(times, int) and least <= times <= most for times in multiples.values()
        )

    return f"{option} is from {least} to {most}", holds


def _exactly(option: str, multiples: Mapping[str, int]) -> Demand:
    def holds(house: House) -> bool:
        value = house[option]
        return isinstance(value, Mapping) and dict(value) == multiples

    return f"{option} is {multiples}", holds


def _vig_at_most_5_percent(house: House) -> bool:
    points = house["vig_bp"]
    return isinstance(points, int) and points <= 500


_VIG: Final[Demand] = ("vig_bp is at most 500", _vig_at_most_5_percent)

DEMANDS: Final[Mapping[str, tuple[Demand, ...]]] = {
    "maryland": (
        _VIG,
        _leaves_out("comeout_off", "lay"),
        _lists("comeout_off", "place", "place_lose", "hard", "buy"),
        _is("bonus_removal", "refuse"),
        *(_is(f"{kind}_unit_rule", True) for kind in ("horn", "horn_high", "whirl")),
        _is("dont_bar", 12),
        _is("dont_bar_result", "returned"),
        _is("contract_from", "point"),
        _is("late_bets", "none"),
        _is("fire_table", "A", "B"),
        ("lay may replace place to lose", lambda house: bool(house["place_lose_offered"] or house["lay_offered"])),
    ),
    "new_jersey": (
        _VIG,
        _is("unpayable", "refuse"),
        _lists("comeout_off", "place", "buy", "come_odds", "hard"),
        _leaves_out("comeout_off", "lay", "pass_odds", "dont_pass_odds", "dont_come_odds"),
        _is("horn_high_unit_rule", True),
        _is("whirl_unit_rule", True),
        _is("whirl_area", False),
        _is("fire_min", 100),
        _is("fire_max", 500),
        _is("fire_unit", 100),
        _is("fire_ends_on", "loser_7"),
        _is("fire_table", "A", "B"),
        _is("dont_bar", 12),
        _is("contract_from", "point"),
        _lists("odds_offered", *_ALL_ODDS),
        _times("odds_take", 1, 100),
        _times("odds_lay", 1, 100),
        (
            "the shooter needs a line bet except at automated craps",
            lambda house: bool(house["shooter_line_required"]) or house["game"] == "automated_craps",
        ),
        ("lay may replace place to lose", lambda house: bool(house["place_lose_offered"] or house["lay_offered"])),
    ),
    "rws": (
        _is("vig_bp", 500),
        _is("lay_vig_basis", "win"),
        _is("free_vig", "refuse"),
        _is("buy_offered", True),
        _is("lay_offered", True),
        _is("contract_from", "placement"),
        _is("contract_increase", True),
        _is("dont_bar", 12),
        _is("dont_bar_result", "stays"),
        _is("call_scope", "roll"),
        _is("horn_unit_rule", True),
        _is("horn_high_unit_rule", True),
        _is("shooter_line_required", True),
        _is("late_bets", "none"),
        _lists("comeout_off", "place", "buy", "lay", "hard"),
        _lists("odds_offered", *_ALL_ODDS),
        _exactly("odds_take", _ODDS_345),
        _exactly("odds_lay", _ODDS_345),
    ),
    "south_dakota": (
        _is("horn_high_unit_rule", True),
        _is("dont_bar", 12),
        _lists("comeout_off", "place"),
        _lists("odds_offered", "put_odds"),
        _times("odds_take", 1, 1_000_000),
    ),
    "win_line": (
        _is("dont_bar", 2),
        _lists("odds_offered", "pass_odds"),
        _exactly("odds_take", dict.fromkeys(_ODDS_345, 2)),
        _is("odds_facilitate", False),
    ),
}
"""For each book, what holds in every lawful house."""


def broken_demands(house: House) -> Iterator[str]:
    """Yield what the text demands and a house does not keep."""
    book = house.book.id
    for words, holds in DEMANDS[book]:
        if not holds(house):
            yield words
    for row in house.book.pay_table:
        printed, paid, constraint = PRINTED_ODDS[row], odds_of(house, row), _constraint(book, row)
        if constraint == "fixed" and ratio_of(paid) != ratio_of(printed):
            yield f"{row} pays {printed} and not {paid}"
        if constraint == "minimum" and ratio_of(paid) < ratio_of(printed):
            yield f"{row} pays at least {printed} and not {paid}"
