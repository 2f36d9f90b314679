"""The double-entry ledger: the postings of an event on named accounts add up to zero."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from trueodds.journal.errors import InsufficientFundsError, JournalError
from trueodds.journal.service_event import BOUGHT_IN, CASHED_OUT, ServiceEvent
from trueodds.journal.stored_event import AnyEvent
from trueodds.table import Position, money_movements

HOUSE: Final = "house"
VIG: Final = "vig"
CASHIER: Final = "cashier"
"""Where chips come from when a player buys in, and go to when a player cashes out."""

_RACK_PREFIX: Final = "rack:"
_LAYOUT_PREFIX: Final = "layout:"
MAX_BALANCE_CENTS: Final = 2**63 - 1


class Posting(NamedTuple):
    """Cents added to (+) or taken from (-) an account of a table."""

    account: str
    cents: int


def rack_account(player: str) -> str:
    """Return the name of the account of a player's rack."""
    return _RACK_PREFIX + player


def layout_account(player: str) -> str:
    """Return the name of the account of a player's wagers on the layout."""
    return _LAYOUT_PREFIX + player


def racks_in_cents(balances: Mapping[str, int]) -> dict[str, int]:
    """Return what each player has in the rack."""
    return {
        account.removeprefix(_RACK_PREFIX): cents
        for account, cents in balances.items()
        if account.startswith(_RACK_PREFIX)
    }


def postings_for_event(event: AnyEvent) -> tuple[Posting, ...]:
    """Return the postings of an event, sorted by account.

    >>> postings_for_event(ServiceEvent("bought_in", {"player": "p1", "cents": 500}))
    (Posting(account='cashier', cents=-500), Posting(account='rack:p1', cents=500))
    """
    moved: dict[str, int] = {}

    def post(account: str, cents: int) -> None:
        moved[account] = moved.get(account, 0) + cents

    if isinstance(event, ServiceEvent):
        if event.kind in (BOUGHT_IN, CASHED_OUT):
            cents = event.body["cents"] * (1 if event.kind == BOUGHT_IN else -1)
            post(rack_account(event.body["player"]), cents)
            post(CASHIER, -cents)
    else:
        for movement in money_movements(event):
            post(rack_account(movement.player), movement.rack_cents)
            post(layout_account(movement.player), movement.layout_cents)
            post(HOUSE, movement.house_cents)
            post(VIG, movement.vig_cents)
    if sum(moved.values()):
        raise JournalError(f"postings must add up to zero, got {moved}")
    return tuple(Posting(account, cents) for account, cents in sorted(moved.items()) if cents)


def apply_postings(balances: dict[str, int], postings: tuple[Posting, ...]) -> None:
    """Add postings to balances. Raise `InsufficientFundsError`, and post nothing, if a rack would go below zero."""
    for account, cents in postings:
        has = balances.get(account, 0)
        if account.startswith(_RACK_PREFIX) and has + cents < 0:
            raise InsufficientFundsError(account.removeprefix(_RACK_PREFIX), has, -cents)
        if account.startswith(_LAYOUT_PREFIX) and has + cents < 0:
            raise JournalError(f"{account} holds {has} cents and cannot lose {-cents}")
        if abs(has + cents) > MAX_BALANCE_CENTS:
            raise JournalError(f"{account} cannot hold more than {MAX_BALANCE_CENTS} cents")
    for account, cents in postings:
        balances[account] = balances.get(account, 0) + cents


def layout_balances(position: Position) -> dict[str, int]:
    """Return what each player's layout account must hold: all stakes on the layout, odds included."""
    return {
        layout_account(seat.player): sum(
            tagged.wager.stake + sum(odds.stake for odds in tagged.wager.odds_bets) for tagged in seat.wagers
        )
        for seat in position.seats
    }
