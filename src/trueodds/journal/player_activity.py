"""Comings: when somebody sat down, left, bought chips or took them off, found by who it was and not by table."""

from __future__ import annotations

from typing import Final, NamedTuple

from trueodds.journal.encoding import read_json
from trueodds.journal.record import BOUGHT_IN, CASHED_OUT
from trueodds.journal.row import Row

JOINED: Final = "joined"
LEFT: Final = "left"
COMINGS: Final = frozenset({JOINED, LEFT, BOUGHT_IN, CASHED_OUT})


class Coming(NamedTuple):
    """A row of a table's log in short: `cents` is what was bought or taken off, and nothing where no chips moved."""

    table_id: str
    sequence: int
    player: str
    at_ms: int
    kind: str
    cents: int


def coming_of(row: Row) -> Coming | None:
    """Give a row in short; None when it is about no coming and going.

    >>> coming_of(Row("t1", 2, 1000, "bought_in", '{"cents":500,"player":"p1"}', "")).cents
    500
    """
    if row.kind not in COMINGS:
        return None
    body = read_json(row.body)
    return Coming(row.table_id, row.sequence, body["player"], row.at_ms, row.kind, body.get("cents", 0))
