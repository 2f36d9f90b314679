"""Who may come to a table: anybody, or whoever has its invitation."""

from __future__ import annotations

import hmac
import json
from typing import Final

from trueodds.fair import Key
from trueodds.journal import Journal, NoSuchTableError, Record
from trueodds.journal.header import TABLE_ID
from trueodds.server.errors import ApiError

FIRST_ROWS: Final = 4
"""A table says within its first rows that it is by invitation."""


def by_invitation() -> Record:
    """Write down that a table is by invitation."""
    return Record("noted", {"by_invitation": True})


class Doors:
    """Knows which tables are open. Invitations follow from the key and are kept nowhere."""

    def __init__(self, journal: Journal, key: Key) -> None:
        self._journal = journal
        self._key = key
        self._open: dict[str, bool] = {}

    def invitation(self, table_id: str) -> str:
        """Give the text that lets somebody in."""
        return self._key.sign("invitation", table_id).hex()[:32]

    def is_open(self, table_id: str) -> bool:
        """Whether anybody may come; asks the database the first time. Nobody may before the first rows are there."""
        if table_id not in self._open:
            if not TABLE_ID.fullmatch(table_id):
                raise _no_such_table()
            rows = self._journal.rows(table_id, 0, FIRST_ROWS)
            if not rows:
                return self._wait_for(table_id)
            notes = [json.loads(row.body) for row in rows if row.kind == "noted"]
            self._open[table_id] = not any(note.get("by_invitation") for note in notes)
        return self._open[table_id]

    def _wait_for(self, table_id: str) -> bool:
        try:
            self._journal.load(table_id)
        except NoSuchTableError:
            raise _no_such_table() from None
        return False

    def let_in(self, table_id: str, invitation: str | None, person_id: str | None) -> None:
        """Refuse whoever has neither an invitation nor a seat; raises `ApiError`."""
        if self.is_open(table_id):
            return
        if invitation is not None and hmac.compare_digest(invitation.encode(), self.invitation(table_id).encode()):
            return
        if person_id is not None and self._journal.load(table_id).position.seat_of(person_id) is not None:
            return
        raise ApiError(403, "by_invitation", "this table is by invitation")


def _no_such_table() -> ApiError:
    return ApiError(404, "no_such_table", "there is no such table")
