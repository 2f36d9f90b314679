"""Records: rows of the service that are no engine events, under registered kinds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from trueodds.journal.encoding import is_name, read_json, write_json
from trueodds.journal.errors import CodecError
from trueodds.money import STAKE_LIMIT

BOUGHT_IN: Final = "bought_in"
CASHED_OUT: Final = "cashed_out"
ANCHORED: Final = "anchored"
WENT: Final = "went"
PACED: Final = "paced"
HIRED: Final = "hired"

RECORD_KINDS: Final[Mapping[str, str]] = {
    BOUGHT_IN: "A player bought chips: `player`, `cents`.",
    CASHED_OUT: "A player took chips off the table: `player`, `cents`.",
    ANCHORED: "The anchor of a chain of secrets was published.",
    "committed": "A seat committed to a seed for the next roll.",
    "withdrawn": "A seat took its commitment back and left.",
    "locked": "Bets are closed for a roll; names its link and the digest of the layout.",
    "opened": "A seat opened its seed.",
    "missed": "A seat did not open its seed in time.",
    "revealed": "The link was revealed and the roll follows from it.",
    "acted_for_absent": "The table acted for a player who was away.",
    "limits": "A player came to a limit of their own: `player`.",
    WENT: "A player is leaving, and what must stay up is played out: `player`, `leaving`.",
    "noted": "A remark of whoever runs the table.",
    PACED: "The pace of the table, where it has one of its own: milliseconds by name.",
    HIRED: "A seat is run by the house: `player`, the `strategy` of the library it plays, `cents` it buys in for.",
}
"""Every kind of record there is and what it says. Bodies are objects of JSON without fractions."""

MONEY_KINDS: Final = (BOUGHT_IN, CASHED_OUT)


class Record(NamedTuple):
    """What the service writes down under one of the registered kinds.

    >>> Record("bought_in", {"player": "p1", "cents": 50000}).text()
    '{"cents":50000,"player":"p1"}'
    """

    kind: str
    body: Mapping[str, Any]

    def text(self) -> str:
        """Write the body; the inverse of `read_record`."""
        check_record(self)
        return write_json(dict(self.body))


def bought_in(player: str, cents: int, **more: Any) -> Record:
    """Write down that a player bought chips."""
    return Record(BOUGHT_IN, {**more, "player": player, "cents": cents})


def went(player: str) -> Record:
    """Write down that a player is leaving while wagers are up that must stay."""
    return Record(WENT, {"player": player, "leaving": True})


def cashed_out(player: str, cents: int, **more: Any) -> Record:
    """Write down that a player took chips off the table."""
    return Record(CASHED_OUT, {**more, "player": player, "cents": cents})


def read_record(kind: str, text: str) -> Record:
    """Read a record; what is not written as it would be is refused."""
    body = read_json(text)
    if type(body) is not dict:
        raise CodecError(f"a {kind} is an object of JSON, not {text[:60]!r}")
    record = Record(kind, body)
    check_record(record)
    return record


def check_record(record: Record) -> None:
    """Refuse kinds that are not registered, and movements of money that say no player and no amount."""
    if record.kind not in RECORD_KINDS:
        raise CodecError(f"no record is called {record.kind!r}; there are {', '.join(RECORD_KINDS)}")
    if record.kind not in MONEY_KINDS:
        return
    player, cents = record.body.get("player"), record.body.get("cents")
    if not is_name(player):
        raise CodecError(f"{record.kind} names a player, not {player!r}")
    if type(cents) is not int or not 0 < cents <= STAKE_LIMIT:
        raise CodecError(f"{record.kind} is a whole number of cents more than nothing, not {cents!r}")
