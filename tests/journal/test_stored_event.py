"""The hash chain, recomputed as docs/journal.md describes it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from support.journal_session import play_sample_session, table_header
from trueodds.journal import Journal

PAGE = Path(__file__).parents[2] / "docs" / "journal.md"


def _field(value: str | int) -> bytes:
    octets = value.to_bytes(8, "big", signed=True) if isinstance(value, int) else value.encode("utf-8")
    return len(octets).to_bytes(4, "big") + octets


def _hash(*fields: str | int) -> str:
    return hashlib.sha256(b"".join(map(_field, fields))).hexdigest()


def test_the_hashes_can_be_recomputed(journal: Journal) -> None:
    play_sample_session(journal)
    last = _hash("trueodds/journal/1/header", *table_header())
    assert last == table_header().hash
    for row in journal.events("t1"):
        last = _hash("trueodds/journal/1/event", last, "t1", row.sequence, row.at_ms, row.kind, row.body)
        assert row.hash == last
        assert json.dumps(json.loads(row.body), sort_keys=True, separators=(",", ":")) == row.body
    assert journal.load_state("t1").hash == last


def test_the_page_names_every_hashed_field() -> None:
    text = PAGE.read_text("utf-8")
    for word in ("trueodds/journal/1/header", "trueodds/journal/1/event", *table_header()._fields):
        assert word in text
