"""Proving the throws of a journal: every roll follows from a lock, and every lock from the roll before it."""

from __future__ import annotations

from typing import Any

from trueodds.fair import FairError, Finding, Proof, layout_digest, verify_next, verify_rolls
from trueodds.journal import Record, Thrown, write_position


class RollVerifier:
    """Says what is wrong with a throw, for `check_journal`; it remembers the proof before, and walks a journal once."""

    def __init__(self) -> None:
        self._last: dict[str, Proof] = {}

    def __call__(self, thrown: Thrown) -> str | None:
        """Verify a throw by the records before it; None when nothing is wrong.

        A table that never published an anchor makes no claim about its dice.
        """
        table = thrown.header.table_id
        if not thrown.anchors:
            return None
        try:
            anchor = bytes.fromhex(self._bodies(thrown, "anchored")[0]["anchor"])
            (revealed,) = self._bodies(thrown, "revealed")
            (locked,) = self._bodies(thrown, "locked")
            proof = Proof.from_data(revealed["proof"])
        except (FairError, IndexError, KeyError, TypeError, ValueError) as error:
            self._last.pop(table, None)
            return f"a throw has an anchor, one lock and one proof before it: {error}"
        before = self._last.get(table)
        self._last[table] = proof
        finding = self._first_finding(before, proof, anchor)
        if finding is not None:
            return finding.sentence
        if locked["lock"] != proof.lock.to_data():
            return "the lock that was recorded is not the one of the proof"
        if (proof.lock.table, proof.roll) != (table, thrown.event.dice):
            return f"the proof is of {proof.roll} at {proof.lock.table}, and {thrown.event.dice} was thrown"
        if thrown.position is not None and self._layout(thrown) != proof.lock.layout:
            return "the layout is not the one that was locked"
        return None

    @staticmethod
    def _first_finding(before: Proof | None, proof: Proof, anchor: bytes) -> Finding | None:
        """Verify a proof by the one before it, or by the anchor, which is that of the first chain alone."""
        if before is None:
            findings = verify_rolls([proof], anchor=anchor if proof.lock.chain == 1 else None)
        else:
            findings = verify_next(before, proof)
        return next(iter(findings), None)

    @staticmethod
    def _layout(thrown: Thrown) -> bytes:
        return layout_digest(write_position(thrown.position).encode()) if thrown.position else b""

    @staticmethod
    def _bodies(thrown: Thrown, kind: str) -> list[dict[str, Any]]:
        rows = thrown.anchors if kind == "anchored" else thrown.records
        contents = [row.content() for row in rows if row.kind == kind]
        return [dict(one.body) for one in contents if isinstance(one, Record)]
