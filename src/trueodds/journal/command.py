"""Commands of clients and what they were answered: sending one twice does it once."""

from __future__ import annotations

from typing import Any, NamedTuple

import sqlalchemy as sa

from trueodds.journal.encoding import read_json
from trueodds.journal.schema import commands
from trueodds.journal.seal import seal


class Command(NamedTuple):
    """What an append answers: who asked, under which id made by the client, and the answer as JSON."""

    player: str
    command_id: str
    response: Any


class Answer(NamedTuple):
    """What a command was answered, and the rows it made: none where the last comes before the first."""

    first_sequence: int
    last_sequence: int
    response: Any


def find_answer(connection: sa.Connection, table_id: str, player: str, command_id: str) -> Answer | None:
    """Look an answer up."""
    columns = (commands.c.first_sequence, commands.c.last_sequence, commands.c.response)
    key = (commands.c.table_id == table_id, commands.c.player == player, commands.c.command_id == command_id)
    found = connection.execute(sa.select(*columns).where(*key)).first()
    return None if found is None else Answer(found[0], found[1], read_json(found[2]))


def command_seal(written: dict[str, Any], last_hash: str) -> str:
    """Seal an answer to the last row that stood when it was given."""
    names = ("table_id", "player", "command_id", "first_sequence", "last_sequence", "response")
    return seal("commands", *(written[name] for name in names), last_hash)
