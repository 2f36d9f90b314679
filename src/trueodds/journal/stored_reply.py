"""Replies to commands, stored so that a command sent twice is executed once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from trueodds.journal.batch_sql import select_by_keys
from trueodds.journal.canonical_json import Json, decode_canonical, is_valid_id
from trueodds.journal.checksum import row_checksum


class CommandReply(NamedTuple):
    """A player's command, identified by an id that the client chose, and the reply to it."""

    player: str
    command_id: str
    reply: Json

    @property
    def has_valid_ids(self) -> bool:
        """Whether either database can store the player and the command id."""
        return is_valid_id(self.player) and is_valid_id(self.command_id)


class StoredReply(NamedTuple):
    """The reply to a command and the events it caused; none if `last_sequence` precedes `first_sequence`."""

    first_sequence: int
    last_sequence: int
    reply: Json


CommandKey = tuple[str, str, str]
"""Table id, player and command id."""

_KEY_COLUMNS: Final = ("table_id", "player", "command_id")
_SELECT_REPLIES: Final = (
    "SELECT table_id, player, command_id, first_sequence, last_sequence, reply FROM command_replies"
)


def find_replies(connection: sa.Connection, keys: Sequence[CommandKey]) -> dict[CommandKey, StoredReply]:
    """Return the stored replies to some commands; new commands are left out."""
    found = select_by_keys(connection, _SELECT_REPLIES, _KEY_COLUMNS, keys) if keys else ()
    return {
        (table_id, player, command_id): StoredReply(first, last, decode_canonical(reply))
        for table_id, player, command_id, first, last, reply in found
    }


def reply_checksum(columns: Mapping[str, Any], last_hash: str) -> str:
    """Return the checksum of a reply, which includes the hash of the last event when it was given."""
    names = ("table_id", "player", "command_id", "first_sequence", "last_sequence", "reply")
    return row_checksum("command_replies", *(columns[name] for name in names), last_hash)
