"""Export of hands: every roll of a shooter with its settlements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trueodds.journal.iter_events import iter_events, select_headers
from trueodds.journal.journal import Journal
from trueodds.journal.stored_event import StoredEvent
from trueodds.rulebook import format_citation
from trueodds.table import CustodyChanged, NoRoll, Rolled, SettledWager


class HandExportRow(NamedTuple):
    """A roll and one of its settlements. A roll without settlements has one row with empty settlement columns.

    `point_before` and `point_after` are where the puck is before and after the roll; 0 is off.
    """

    table_id: str
    hand: int
    sequence: int
    at_ms: int
    shooter: str
    dice: str
    total: int
    point_before: int
    point_after: int
    seven_out: bool
    stick_call: str
    player: str = ""
    tag: str = ""
    wager: str = ""
    spot: str = ""
    stake_cents: int = 0
    result: str = ""
    net_cents: int = 0
    vig_cents: int = 0
    paid_cents: int = 0
    odds: str = ""
    clause: str = ""
    sentence: str = ""


def iter_hand_rows(journal: Journal, table_id: str | None = None, player: str | None = None) -> Iterator[HandExportRow]:
    """Yield the rolls of one or all tables, with the settlements of one or all players.

    A hand ends with a seven-out, or when the shooter passes the dice.
    """
    for header in select_headers(journal, table_id):
        hand, has_rolled, shooter = 1, False, ""
        for stored in iter_events(journal, header.table_id):
            event = stored.decode() if stored.is_engine_event else None
            if isinstance(event, CustodyChanged):
                if has_rolled and event.change in {"passed", "ordered_to_pass"}:
                    hand, has_rolled = hand + 1, False
                shooter = event.custody.shooter or ""
            if isinstance(event, Rolled | NoRoll):
                yield from _roll_rows(stored, hand, event.player or shooter, event, player)
                has_rolled = True
            if isinstance(event, Rolled):
                if event.seven_out:
                    hand, has_rolled = hand + 1, False
                if event.custody is not None:
                    shooter = event.custody.shooter or ""


def _roll_rows(
    stored: StoredEvent, hand: int, shooter: str, event: Rolled | NoRoll, player: str | None
) -> Iterator[HandExportRow]:
    first_columns = (stored.table_id, hand, stored.sequence, stored.at_ms, shooter)
    if isinstance(event, NoRoll):
        yield HandExportRow(*first_columns, str(event.dice), event.dice.total, 0, 0, False, event.sentence)
        return
    puck = (max(event.phase, 0), event.puck_after)
    roll_row = HandExportRow(*first_columns, str(event.roll), event.total, *puck, event.seven_out, event.sentence)
    settled = [item for item in event.settled if player is None or item.player == player]
    yield from (_settlement_row(roll_row, item) for item in settled)
    if not settled:
        yield roll_row


def _settlement_row(roll_row: HandExportRow, settled: SettledWager) -> HandExportRow:
    settlement = settled.settlement
    return roll_row._replace(
        player=settled.player,
        tag=settled.tag,
        wager=settlement.name,
        spot=str(settlement.spot),
        stake_cents=settlement.stake_cents,
        result=settlement.result.value,
        net_cents=settlement.net_cents,
        vig_cents=settlement.vig_cents,
        paid_cents=settlement.paid_cents,
        odds=str(settlement.odds or ""),
        clause=format_citation(settlement.cite),
        sentence=settlement.sentence,
    )
