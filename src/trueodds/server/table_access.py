"""Who may enter a table: everybody, or only those with its invitation."""

from __future__ import annotations

import hmac
import json
from typing import Final

from trueodds.fair import ServerKey
from trueodds.journal import Journal, NoSuchTableError, ServiceEvent
from trueodds.journal.table_header import TABLE_ID_PATTERN
from trueodds.server.errors import ApiError

OPENING_EVENTS: Final = 4
"""A private table is marked as such within its first events."""


def invitation_only_event() -> ServiceEvent:
    """Return the event that marks a table as private."""
    return ServiceEvent("note_added", {"invitation_only": True})


class TableAccess:
    """Knows which tables are public. Invitations are derived from the server key and not stored."""

    def __init__(self, journal: Journal, key: ServerKey) -> None:
        self._journal = journal
        self._key = key
        self._public: dict[str, bool] = {}

    def invitation(self, table_id: str) -> str:
        """Return the invitation of a table."""
        return self._key.sign("invitation", table_id).hex()[:32]

    def is_public(self, table_id: str) -> bool:
        """Return whether everybody may enter. The first call for a table queries the database.

        A table that has no events yet is not public.
        """
        if table_id not in self._public:
            if not TABLE_ID_PATTERN.fullmatch(table_id):
                raise _no_such_table()
            events = self._journal.events(table_id, 0, OPENING_EVENTS)
            if not events:
                self._check_exists(table_id)
                return False
            notes = [json.loads(event.body) for event in events if event.kind == "note_added"]
            self._public[table_id] = not any(note.get("invitation_only") for note in notes)
        return self._public[table_id]

    def _check_exists(self, table_id: str) -> None:
        try:
            self._journal.load_state(table_id)
        except NoSuchTableError:
            raise _no_such_table() from None

    def check_access(self, table_id: str, invitation: str | None, person_id: str | None) -> None:
        """Raise a 403 error for a private table unless there is a valid invitation or the person has a seat."""
        if self.is_public(table_id):
            return
        if invitation is not None and hmac.compare_digest(invitation.encode(), self.invitation(table_id).encode()):
            return
        if person_id is not None and self._journal.load_state(table_id).position.find_seat(person_id) is not None:
            return
        raise ApiError(403, "invitation_required", "This table is private: you need its invitation")


def _no_such_table() -> ApiError:
    return ApiError(404, "no_such_table", "No such table")
