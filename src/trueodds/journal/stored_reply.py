"""Commands of clients and what they were answered: sending one twice does it once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from trueodds.journal.encoding import is_name, read_json
from trueodds.journal.seal import seal
from trueodds.journal.sql import select_by_keys


class Command(NamedTuple):
    """What an append answers: who asked, under which id made by the client, and the answer as JSON."""

    player: str
    command_id: str
    response: Any

    @property
    def is_named(self) -> bool:
        """Whether player and id are texts that either database can hold."""
        return is_name(self.player) and is_name(self.command_id)


class Answer(NamedTuple):
    """What a command was answered, and the rows it made: none where the last comes before the first."""

    first_sequence: int
    last_sequence: int
    response: Any


Key = tuple[str, str, str]
"""Table, player and the id that the client made."""

_KEY: Final = ("table_id", "player", "command_id")
_ANSWERS: Final = f"SELECT {', '.join(_KEY)}, first_sequence, last_sequence, response FROM commands"  # noqa: S608  ours


def find_answers(connection: sa.Connection, keys: Sequence[Key]) -> dict[Key, Answer]:
    """Look up what commands were answered."""
    found = select_by_keys(connection, _ANSWERS, _KEY, keys) if keys else ()
    return {
        (table_id, player, command_id): Answer(first, last, read_json(response))
        for table_id, player, command_id, first, last, response in found
    }


def command_seal(written: Mapping[str, Any], last_hash: str) -> str:
    """Seal an answer to the last row that stood when it was given."""
    names = ("table_id", "player", "command_id", "first_sequence", "last_sequence", "response")
    return seal("commands", *(written[name] for name in names), last_hash)
