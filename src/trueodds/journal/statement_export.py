"""Export of statements: every change of a player's rack, with the balance after it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trueodds.journal.iter_events import iter_events, select_headers
from trueodds.journal.journal import Journal
from trueodds.journal.service_event import BOUGHT_IN, MONEY_KINDS, ServiceEvent
from trueodds.journal.stored_event import AnyEvent, StoredEvent
from trueodds.money import format_money
from trueodds.rulebook import format_citation
from trueodds.table import BetMade, BetResized, Rolled, SettledWager
from trueodds.wagers import Result

_KIND_BY_RESULT = {Result.WIN: "win", Result.LOSE: "loss", Result.PUSH: "returned", Result.RETURNED: "returned"}


class StatementRow(NamedTuple):
    """One line of a statement. `rack_change_cents` is what was added to (+) or taken from (-) the rack, net of vig.

    `stake_cents` is the stake of the wager, `vig_cents` the vig charged (+) or refunded (-). `rack_cents` and
    `layout_cents` are the balances after it.
    """

    table_id: str
    player: str
    sequence: int
    at_ms: int
    kind: str
    wager: str
    stake_cents: int
    vig_cents: int
    rack_change_cents: int
    rack_cents: int
    layout_cents: int
    clause: str
    sentence: str


class _Entry(NamedTuple):
    player: str
    kind: str
    wager: str
    stake: int
    vig: int
    rack_change: int
    layout_change: int
    clause: str
    sentence: str


def iter_statement_rows(
    journal: Journal, table_id: str | None = None, player: str | None = None
) -> Iterator[StatementRow]:
    """Yield the statement rows of one or all players at one or all tables."""
    for header in select_headers(journal, table_id):
        racks: dict[str, int] = {}
        layouts: dict[str, int] = {}
        currency = header.currency
        for stored in iter_events(journal, header.table_id):
            for entry in _entries(stored, currency):
                name = entry.player
                racks[name] = racks.get(name, 0) + entry.rack_change
                layouts[name] = layouts.get(name, 0) + entry.layout_change
                if player in {None, name}:
                    yield StatementRow(
                        stored.table_id, name, stored.sequence, stored.at_ms, entry.kind, entry.wager, entry.stake,
                        entry.vig, entry.rack_change, racks[name], layouts[name], entry.clause, entry.sentence,
                    )  # fmt: skip


def _entries(stored: StoredEvent, currency: str) -> Iterator[_Entry]:
    event: AnyEvent = stored.decode()
    match event:
        case ServiceEvent() if event.kind in MONEY_KINDS:
            bought = event.kind == BOUGHT_IN
            cents = event.body["cents"]
            kind, verb = ("buy_in", "bought in for") if bought else ("cash_out", "cashed out")
            change = cents if bought else -cents
            yield _Entry(event.body["player"], kind, "", 0, 0, change, 0, "", f"{verb} {format_money(cents, currency)}")
        case BetMade():
            yield _bet_entry("bet", event, event.stake_cents)
        case BetResized():
            yield _bet_entry("resize", event, event.new_stake_cents)
        case Rolled():
            for settled in event.settled:
                movement = settled.money_movement()
                if movement.rack_cents or movement.layout_cents:
                    yield _settlement_entry(settled)
        case _:
            return


def _bet_entry(kind: str, event: BetMade | BetResized, stake: int) -> _Entry:
    movement = event.money_movement()
    return _Entry(
        event.player, kind, event.name, stake, movement.vig_cents, movement.rack_cents, movement.layout_cents,
        format_citation(event.cite), event.sentence,
    )  # fmt: skip


def _settlement_entry(settled: SettledWager) -> _Entry:
    settlement, movement = settled.settlement, settled.money_movement()
    kind = _KIND_BY_RESULT.get(settlement.result, settlement.result.value)
    return _Entry(
        settled.player, kind, settlement.name, settlement.stake_cents, movement.vig_cents, movement.rack_cents,
        movement.layout_cents, format_citation(settlement.cite), settled.sentence,
    )  # fmt: skip
