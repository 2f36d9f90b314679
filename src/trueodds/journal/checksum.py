"""Checksums of database rows that are not part of the hash chain."""

from __future__ import annotations

from trueodds.journal.canonical_json import encode_canonical_unchecked, hash_fields


def row_checksum(table: str, *values: str | int | None) -> str:
    """Return the checksum of the columns of a row.

    >>> row_checksum("people", "p1", None) == row_checksum("people", "p1", "None")
    False
    """
    return hash_fields(f"checksum/{table}", encode_canonical_unchecked(values))
