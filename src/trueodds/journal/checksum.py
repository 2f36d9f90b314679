"""Seals: a digest beside what may change and is no part of the log, so that an altered byte is found."""

from __future__ import annotations

from trueodds.journal.encoding import digest, encode_json


def seal(table: str, *values: str | int | None) -> str:
    """Digest the columns of a record in the database.

    >>> seal("people", "p1", None) == seal("people", "p1", "None")
    False
    """
    return digest(f"seal/{table}", encode_json(values))
