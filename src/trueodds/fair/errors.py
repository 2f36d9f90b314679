"""What can be wrong with a fair roll: a stable code and a sentence that says what and where."""

from __future__ import annotations

from enum import StrEnum
from typing import Any


class Fault(StrEnum):
    """Why something was refused or found wrong. Codes never change their meaning."""

    # What a roll on its way refuses, in the order of its life.
    MALFORMED = "malformed"
    OTHER_TABLE = "other_table"
    OTHER_ROLL = "other_roll"
    LATE = "late"
    SECOND_COMMITMENT = "second_commitment"
    ALREADY_LOCKED = "already_locked"
    OTHER_LOCK = "other_lock"
    NOT_LOCKED = "not_locked"
    NO_COMMITMENT = "no_commitment"
    SECOND_OPENING = "second_opening"
    WRONG_SEED = "wrong_seed"
    WRONG_KEY = "wrong_key"

    # What a verifier finds in one proof, in the order it looks.
    WRONG_LINK = "wrong_link"
    LOCK_ALTERED = "lock_altered"
    BROKEN_LINK = "broken_link"
    WRONG_ANCHOR = "wrong_anchor"
    WRONG_SEATS = "wrong_seats"
    WRONG_ROLL = "wrong_roll"
    WRONG_SEAL = "wrong_seal"

    # What a verifier finds between two proofs, or between a proof and a lock that somebody saw.
    REPEATED = "repeated"
    SKIPPED = "skipped"
    UNANNOUNCED = "unannounced"
    BROKEN_PAST = "broken_past"
    LOCK_CHANGED = "lock_changed"
    UNFINISHED = "unfinished"


class FairError(ValueError):
    """A commitment, lock, opening or proof that cannot be taken; nothing changed."""

    def __init__(self, code: Fault, what: str) -> None:
        super().__init__(what)
        self.code = code
        self.what = what

    def __reduce__(self) -> tuple[Any, ...]:
        return (FairError, (self.code, self.what))
