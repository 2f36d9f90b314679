"""Hands: every throw of a shooter, with what it did to each wager, the clause and the sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trueodds.journal.journal import Journal
from trueodds.journal.row import Row
from trueodds.journal.walk import chosen, walk
from trueodds.rulebook import say
from trueodds.table import DiceMoved, NoRoll, Rolled, Settled


class HandLine(NamedTuple):
    """A throw, and one settlement of it; a throw with no wager of anybody asked for has one line without.

    Money is in cents. `point` is where the puck was, `point_after` where it is; 0 is off.
    """

    table_id: str
    hand: int
    sequence: int
    at_ms: int
    shooter: str
    dice: str
    total: int
    point: int
    point_after: int
    seven_out: bool
    call: str
    player: str = ""
    tag: str = ""
    wager: str = ""
    spot: str = ""
    stake_cents: int = 0
    result: str = ""
    net_cents: int = 0
    vigorish_cents: int = 0
    paid_cents: int = 0
    odds: str = ""
    clause: str = ""
    sentence: str = ""


def read_hands(journal: Journal, table_id: str | None = None, player: str | None = None) -> Iterator[HandLine]:
    """Give the throws of one table or of all, with the settlements of one player or of everybody.

    A hand is over with a seven-out, or when the shooter gives the dice up.
    """
    for header in chosen(journal, table_id):
        hand, under_way, shooter = 1, False, ""
        for row in walk(journal, header.table_id):
            event = row.content() if row.is_event else None
            if isinstance(event, DiceMoved):
                if under_way and event.what in {"passed", "ordered"}:
                    hand, under_way = hand + 1, False
                shooter = event.custody.shooter or ""
            if isinstance(event, Rolled | NoRoll):
                yield from _throw(row, hand, event.player or shooter, event, player)
                under_way = True
            if isinstance(event, Rolled):
                if event.seven_out:
                    hand, under_way = hand + 1, False
                if event.custody is not None:
                    shooter = event.custody.shooter or ""


def _throw(row: Row, hand: int, shooter: str, event: Rolled | NoRoll, player: str | None) -> Iterator[HandLine]:
    head = (row.table_id, hand, row.sequence, row.at_ms, shooter)
    if isinstance(event, NoRoll):
        yield HandLine(*head, str(event.dice), event.dice.total, 0, 0, False, event.sentence)
        return
    puck = (max(event.phase, 0), event.puck)
    line = HandLine(*head, str(event.roll), event.total, *puck, event.seven_out, event.sentence)
    wanted = [one for one in event.settled if player is None or one.player == player]
    yield from (_settled(line, one) for one in wanted)
    if not wanted:
        yield line


def _settled(line: HandLine, settled: Settled) -> HandLine:
    ruling = settled.ruling
    return line._replace(
        player=settled.player,
        tag=settled.tag,
        wager=ruling.name,
        spot=str(ruling.spot),
        stake_cents=ruling.stake,
        result=ruling.result.value,
        net_cents=ruling.net,
        vigorish_cents=ruling.vig,
        paid_cents=ruling.cash,
        odds=str(ruling.odds or ""),
        clause=say(ruling.cite),
        sentence=ruling.sentence,
    )
