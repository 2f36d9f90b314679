"""What a roll does to a wager and what it pays, written a second time and without the engine's rules.

It reads the house's options and the printed odds, and knows the wagers by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final, NamedTuple

from support.house_law import odds_of, ratio_of
from trueodds.dice import ROLLS, Roll
from trueodds.rulebook import House, Spot

POINTS: Final = (4, 5, 6, 8, 9, 10)
TAKES: Final = {"pass_odds": "pass", "come_odds": "come", "put_odds": "put"}
LAYS: Final = {"dont_pass_odds": "dont_pass", "dont_come_odds": "dont_come"}
SINGLE_TOTALS: Final[Mapping[str, tuple[int, ...]]] = {
    "any7": (7,), "any_craps": (2, 3, 12), "craps2": (2,), "craps3": (3,), "craps12": (12,), "yo": (11,),
}  # fmt: skip
HORN: Final = ("craps2", "craps3", "yo", "craps12")
HIGH: Final = {2: "craps2", 3: "craps3", 11: "yo", 12: "craps12"}
BONUS: Final = {"small": {2, 3, 4, 5, 6}, "tall": {8, 9, 10, 11, 12}, "all": {2, 3, 4, 5, 6, 8, 9, 10, 11, 12}}
STAY_UP: Final = {"place", "place_lose", "buy", "lay", "hard", "big6", "big8"}


class Outcome(NamedTuple):
    """What a roll does to a wager. `net` is what it wins per unit of stake, and `odds` the odds of a single win."""

    result: str
    net: Fraction = Fraction(0)
    odds: str | None = None
    moves_to: int | None = None


IDLE: Final = Outcome("no_action")
LOSS: Final = Outcome("lose", Fraction(-1))


def outcome(house: House, spot: Spot, point: int, roll: Roll, collected: frozenset[int]) -> Outcome:
    """Return what a roll does to a working wager. `collected` are the points or totals since it was made."""
    kind, total = spot.kind, roll.total
    if kind in ("pass", "come", "dont_pass", "dont_come"):
        return _line(house, spot, point, total)
    if kind == "fire":
        return _fire(house, point, total, collected)
    if kind in BONUS:
        if total == 7:
            return LOSS
        complete = BONUS[kind] <= collected | {total}
        return _win(house, kind) if complete else IDLE
    shares = combination_shares(house, spot)
    if shares:
        return _combination(house, shares, roll)
    if kind in ("place", "buy", "put", "big6", "big8", "place_lose", "lay"):
        number = spot.pick[0] if spot.pick else int(kind[-1])
        if total not in (number, 7):
            return IDLE
        against = kind in ("place_lose", "lay")
        return _win(house, number_row(kind, number)) if (total == 7) == against else LOSS
    if kind == "hard":
        if total == spot.pick[0]:
            return _win(house, f"hard{total}") if roll.is_pair else LOSS
        return LOSS if total == 7 else IDLE
    row = one_roll_row(spot, roll)
    return _win(house, row) if row else LOSS


def number_row(kind: str, number: int) -> str:
    """Return the row of the pay table for a bet on a number."""
    return kind if kind in ("put", "big6", "big8") else f"{'take' if kind == 'buy' else kind}{number}"


def odds_row(kind: str, number: int) -> str:
    """Return the row of the pay table for odds on a number."""
    return f"{'take' if kind in TAKES else 'lay'}{number}"


def one_roll_row(spot: Spot, roll: Roll) -> str | None:
    """Return the row that a one-roll bet is paid by, or None if it loses."""
    kind, total = spot.kind, roll.total
    match kind:
        case "field":
            names = {2: "field2", 12: "field12"} | dict.fromkeys((3, 4, 9, 10, 11), "field_even")
            return names.get(total)
        case "hop":
            return ("hop_hard" if roll.is_pair else "hop_easy") if roll.pair == spot.pick else None
        case "six_seven_eight":
            hard = roll.is_pair and total in (6, 8)
            return "678_hard" if hard else "678_easy" if total in (6, 7, 8) else None
        case "ce":
            return {2: "rws_ce_craps", 3: "rws_ce_craps", 12: "rws_ce_craps", 11: "rws_ce_yo"}.get(total)
        case _:
            return kind if total in SINGLE_TOTALS[kind] else None


def combination_shares(house: House, spot: Spot) -> tuple[str, ...]:
    """Return the equal shares of a combination bet; empty for all others."""
    match spot.kind:
        case "ce":
            return () if house.book.id == "rws" else ("any_craps", "yo")
        case "horn":
            return HORN
        case "horn_high":
            return (*HORN, HIGH[spot.pick[0]])
        case "whirl":
            return (*HORN, "any7")
        case _:
            return ()


def possible_wins(house: House, spot: Spot) -> set[Fraction]:
    """Return every net win of a new wager, per unit of stake."""
    kind = spot.kind
    if kind == "fire":
        return {ratio_of(odds_of(house, f"fire{house['fire_table']}{count}")) for count in (4, 5, 6)}
    if kind in BONUS or kind in ("pass", "come", "dont_pass", "dont_come"):
        return {ratio_of(odds_of(house, kind))}
    results = (outcome(house, spot, 0, roll, frozenset()) for roll in ROLLS)
    return {result.net for result in results if result.result == "win"}


def round_net(house: House, exact: Fraction) -> int:
    """Return winnings rounded to the pay unit as the house rounds them."""
    unit = house.pay_unit_cents
    down = exact.numerator // (exact.denominator * unit) * unit
    if down == exact or house["unpayable"] == "round_down":
        return down
    if house["unpayable"] == "round_up":
        return down + unit
    raise AssertionError(f"a house that refuses unpayable bets has one that wins {exact} cents")


def vig_on(house: House, spot: Spot, stake: int) -> int:
    """Return the vigorish on a buy or lay bet, rounded down."""
    basis = Fraction(stake)
    if spot.kind == "lay" and house["lay_vig_basis"] == "win":
        basis *= ratio_of(odds_of(house, f"lay{spot.pick[0]}"))
    points, unit = house["vig_bp"], house["vig_unit"]
    assert isinstance(points, int)
    assert isinstance(unit, int)
    exact = basis * points / 10_000
    return exact.numerator // (exact.denominator * unit) * unit


def vig_is_due_on_win(house: House, spot: Spot) -> bool:
    """Return whether the vigorish of a bet is taken when it wins and not when it is made."""
    timing = house["vig_timing"]
    assert isinstance(timing, Mapping)
    return timing.get(f"{spot.kind}{spot.selection}", timing[spot.kind]) == "on_win"


def _win(house: House, row: str) -> Outcome:
    odds = odds_of(house, row)
    return Outcome("win", ratio_of(odds), odds)


def _line(house: House, spot: Spot, point: int, total: int) -> Outcome:
    is_dont, travels = spot.kind.startswith("dont"), spot.kind.endswith("come")
    number = spot.pick[0] if spot.pick else 0 if travels else point
    if number:
        if total not in (number, 7):
            return IDLE
        return _win(house, spot.kind) if (total == 7) == is_dont else LOSS
    if total in POINTS:
        return Outcome("moved", moves_to=total) if travels else IDLE
    if is_dont and total == (2 if house.book.id == "win_line" else 12):
        return IDLE if house["dont_bar_result"] == "stays" else Outcome("push")
    return _win(house, spot.kind) if (total in (7, 11)) != is_dont else LOSS


def _fire(house: House, point: int, total: int, collected: frozenset[int]) -> Outcome:
    if total != 7 or not (point or house["fire_ends_on"] == "any_7"):
        return IDLE
    count = len(collected)
    return _win(house, f"fire{house['fire_table']}{count}") if count >= 4 else LOSS


def _combination(house: House, shares: tuple[str, ...], roll: Roll) -> Outcome:
    won = [share for share in shares if roll.total in SINGLE_TOTALS[share]]
    if not won:
        return LOSS
    lost = len(shares) - len(won)
    net = sum((ratio_of(odds_of(house, share)) for share in won), Fraction(-lost))
    return Outcome("win", net / len(shares))
