"""Audit the rolls of a journal: each follows from its lock, and each lock from the previous roll."""

from __future__ import annotations

from trueodds.fair import FairError, Proof, VerificationFault, layout_digest, verify_next, verify_rolls
from trueodds.journal import RollEvidence, ServiceEvent, encode_position
from trueodds.journal.canonical_json import JsonObject
from trueodds.journal.service_event import ANCHOR_PUBLISHED, ROLL_LOCKED, SECRET_REVEALED


class RollAuditor:
    """Verifies rolls for `check_journal`. It remembers the previous proof, so use a new auditor for each check."""

    def __init__(self) -> None:
        self._last: dict[str, Proof] = {}

    def __call__(self, evidence: RollEvidence) -> str | None:
        """Return what is wrong with a roll, or None.

        The rolls of a table that never published an anchor are not checked.
        """
        table = evidence.header.table_id
        if not evidence.anchor_events:
            return None
        try:
            anchor = bytes.fromhex(self._bodies(evidence, ANCHOR_PUBLISHED)[0]["anchor"])
            (revealed,) = self._bodies(evidence, SECRET_REVEALED)
            (locked,) = self._bodies(evidence, ROLL_LOCKED)
            proof = Proof.from_data(revealed["proof"])
        except (FairError, IndexError, KeyError, TypeError, ValueError) as error:
            self._last.pop(table, None)
            return f"a roll needs an anchor, one lock and one proof before it: {error}"
        previous = self._last.get(table)
        self._last[table] = proof
        fault = self._first_fault(previous, proof, anchor)
        if fault is not None:
            return fault.description
        if locked["lock"] != proof.lock.to_data():
            return "the recorded lock differs from the lock in the proof"
        if (proof.lock.table, proof.dice) != (table, evidence.event.dice):
            return f"the proof is for {proof.dice} at {proof.lock.table}, but the roll was {evidence.event.dice}"
        if evidence.position is not None and self._layout_digest(evidence) != proof.lock.layout_digest:
            return "the layout differs from the locked one"
        return None

    @staticmethod
    def _first_fault(previous: Proof | None, proof: Proof, anchor: bytes) -> VerificationFault | None:
        """Return the first fault of a proof, checked against the previous one or against the first chain's anchor."""
        if previous is None:
            faults = verify_rolls([proof], anchor=anchor if proof.lock.chain == 1 else None)
        else:
            faults = verify_next(previous, proof)
        return next(iter(faults), None)

    @staticmethod
    def _layout_digest(evidence: RollEvidence) -> bytes:
        return layout_digest(encode_position(evidence.position).encode()) if evidence.position else b""

    @staticmethod
    def _bodies(evidence: RollEvidence, kind: str) -> list[JsonObject]:
        stored_events = evidence.anchor_events if kind == ANCHOR_PUBLISHED else evidence.service_events
        events = [stored.decode() for stored in stored_events if stored.kind == kind]
        return [event.body for event in events if isinstance(event, ServiceEvent)]
