"""Chips move only by double entry: postings that add up to nothing, on named accounts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from trueodds.journal.errors import FundsError, JournalError
from trueodds.journal.record import BOUGHT_IN, CASHED_OUT, Record
from trueodds.journal.row import Content
from trueodds.table import Position, movements

HOUSE: Final = "house"
VIGORISH: Final = "vigorish"
CASH_IN: Final = "cash_in"
"""The outside: chips come from it and go back to it."""

_RACK: Final = "rack:"
_LAYOUT: Final = "layout:"
MOST_CENTS: Final = 2**63 - 1


class Posting(NamedTuple):
    """Cents that came to (+) or left (-) an account of a table."""

    account: str
    cents: int


def rack(player: str) -> str:
    """Name the account of a player's chips."""
    return _RACK + player


def layout(player: str) -> str:
    """Name the account of a player's wagers that are up."""
    return _LAYOUT + player


def racks(balances: Mapping[str, int]) -> dict[str, int]:
    """Give what each player has in the rack."""
    return {account.removeprefix(_RACK): cents for account, cents in balances.items() if account.startswith(_RACK)}


def postings(content: Content) -> tuple[Posting, ...]:
    """Say what a row moves between accounts, in the order of their names.

    >>> postings(Record("bought_in", {"player": "p1", "cents": 500}))
    (Posting(account='cash_in', cents=-500), Posting(account='rack:p1', cents=500))
    """
    moved: dict[str, int] = {}

    def post(account: str, cents: int) -> None:
        moved[account] = moved.get(account, 0) + cents

    if isinstance(content, Record):
        if content.kind in (BOUGHT_IN, CASHED_OUT):
            cents = content.body["cents"] * (1 if content.kind == BOUGHT_IN else -1)
            post(rack(content.body["player"]), cents)
            post(CASH_IN, -cents)
    else:
        for movement in movements(content):
            post(rack(movement.player), movement.rack)
            post(layout(movement.player), movement.layout)
            post(HOUSE, movement.house)
            post(VIGORISH, movement.vigorish)
    if sum(moved.values()):
        raise JournalError(f"movements do not add up to nothing: {moved}")
    return tuple(Posting(account, cents) for account, cents in sorted(moved.items()) if cents)


def post_all(balances: dict[str, int], moved: tuple[Posting, ...]) -> None:
    """Bring balances up to date; a rack that would go below nothing is refused, and nothing is posted."""
    for account, cents in moved:
        has = balances.get(account, 0)
        if account.startswith(_RACK) and has + cents < 0:
            raise FundsError(account.removeprefix(_RACK), has, -cents)
        if account.startswith(_LAYOUT) and has + cents < 0:
            raise JournalError(f"{account} holds {has} cents, and {-cents} would leave it")
        if abs(has + cents) > MOST_CENTS:
            raise JournalError(f"{account} would hold more cents than can be counted")
    for account, cents in moved:
        balances[account] = balances.get(account, 0) + cents


def stakes_up(position: Position) -> dict[str, int]:
    """Count what each player's account of wagers must hold: every stake that is up, odds included."""
    return {
        layout(seat.player): sum(
            entry.wager.stake + sum(odds.stake for odds in entry.wager.odds) for entry in seat.entries
        )
        for seat in position.seats
    }
