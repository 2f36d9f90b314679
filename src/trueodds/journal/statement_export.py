"""Statements: what went into and out of a player's rack, with the balance after each line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trueodds.journal.journal import Journal
from trueodds.journal.record import BOUGHT_IN, MONEY_KINDS, Record
from trueodds.journal.row import Content, Row
from trueodds.journal.walk import chosen, walk
from trueodds.money import money
from trueodds.rulebook import say
from trueodds.table import Changed, Made, Rolled, Settled
from trueodds.wagers import Result

_LINES = {Result.WIN: "win", Result.LOSE: "loss", Result.PUSH: "returned", Result.RETURNED: "returned"}


class StatementLine(NamedTuple):
    """One line of a statement, in cents. `moved` is what came to (+) or left (-) the rack, vigorish taken off.

    `stake_cents` is the wager it is about, `vigorish_cents` what was charged (-: refunded), `up_cents` what the
    player has on the layout after it.
    """

    table_id: str
    player: str
    sequence: int
    at_ms: int
    what: str
    wager: str
    stake_cents: int
    vigorish_cents: int
    moved_cents: int
    rack_cents: int
    up_cents: int
    clause: str
    sentence: str


class _Entry(NamedTuple):
    player: str
    what: str
    wager: str
    stake: int
    vigorish: int
    moved: int
    up: int
    clause: str
    sentence: str


def read_statement(journal: Journal, table_id: str | None = None, player: str | None = None) -> Iterator[StatementLine]:
    """Give the lines of one player or of everybody, at one table or at all."""
    for header in chosen(journal, table_id):
        racks: dict[str, int] = {}
        ups: dict[str, int] = {}
        currency = header.currency
        for row in walk(journal, header.table_id):
            for entry in _entries(row, currency):
                who = entry.player
                racks[who] = racks.get(who, 0) + entry.moved
                ups[who] = ups.get(who, 0) + entry.up
                if player in {None, who}:
                    yield StatementLine(
                        row.table_id, who, row.sequence, row.at_ms, entry.what, entry.wager, entry.stake,
                        entry.vigorish, entry.moved, racks[who], ups[who], entry.clause, entry.sentence,
                    )  # fmt: skip


def _entries(row: Row, currency: str) -> Iterator[_Entry]:
    content: Content = row.content()
    match content:
        case Record() if content.kind in MONEY_KINDS:
            bought = content.kind == BOUGHT_IN
            cents = content.body["cents"]
            what, did = ("buy_in", "bought in for") if bought else ("cash_out", "cashed out")
            moved = cents if bought else -cents
            yield _Entry(content.body["player"], what, "", 0, 0, moved, 0, "", f"{did} {money(cents, currency)}")
        case Made():
            yield _change("bet", content, content.stake)
        case Changed():
            yield _change("change", content, content.left)
        case Rolled():
            for settled in content.settled:
                movement = settled.movement()
                if movement.rack or movement.layout:
                    yield _settled(settled)
        case _:
            return


def _change(what: str, event: Made | Changed, stake: int) -> _Entry:
    movement = event.movement()
    return _Entry(
        event.player, what, event.name, stake, movement.vigorish, movement.rack, movement.layout,
        say(event.cite), event.sentence,
    )  # fmt: skip


def _settled(settled: Settled) -> _Entry:
    ruling, movement = settled.ruling, settled.movement()
    return _Entry(
        settled.player, _LINES.get(ruling.result, ruling.result.value), ruling.name, ruling.stake,
        movement.vigorish, movement.rack, movement.layout, say(ruling.cite), settled.sentence,
    )  # fmt: skip
