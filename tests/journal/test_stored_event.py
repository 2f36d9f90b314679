"""The chain of hashes, computed a second time from the words of docs/journal.md."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from evening import header, usual_evening
from trueodds.journal import Journal

PAGE = Path(__file__).parents[2] / "docs" / "journal.md"


def _field(value: str | int) -> bytes:
    octets = value.to_bytes(8, "big", signed=True) if isinstance(value, int) else value.encode("utf-8")
    return len(octets).to_bytes(4, "big") + octets


def _hash(*fields: str | int) -> str:
    return hashlib.sha256(b"".join(map(_field, fields))).hexdigest()


def test_anybody_can_compute_the_hashes(journal: Journal) -> None:
    usual_evening(journal)
    last = _hash("trueodds/journal/1/header", *header())
    assert last == header().digest
    for row in journal.rows("t1"):
        last = _hash("trueodds/journal/1/row", last, "t1", row.sequence, row.at_ms, row.kind, row.body)
        assert row.hash == last
        assert json.dumps(json.loads(row.body), sort_keys=True, separators=(",", ":")) == row.body
    assert journal.load("t1").hash == last


def test_the_page_names_what_is_hashed() -> None:
    text = PAGE.read_text("utf-8")
    for word in ("trueodds/journal/1/header", "trueodds/journal/1/row", *header()._fields):
        assert word in text
