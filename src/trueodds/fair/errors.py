"""Fault codes and the exception for fair rolls."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from trueodds.errors import TrueoddsError


class FaultCode(StrEnum):
    """Why an input was refused, or what a verifier found wrong. Codes never change their meaning."""

    # A roll in progress, in the order of its steps.
    MALFORMED = "malformed"
    TABLE_MISMATCH = "table_mismatch"
    ROLL_MISMATCH = "roll_mismatch"
    TOO_LATE = "too_late"
    DUPLICATE_COMMITMENT = "duplicate_commitment"
    ALREADY_LOCKED = "already_locked"
    LOCK_MISMATCH = "lock_mismatch"
    NOT_LOCKED = "not_locked"
    NO_COMMITMENT = "no_commitment"
    DUPLICATE_OPENING = "duplicate_opening"
    WRONG_SEED = "wrong_seed"
    WRONG_KEY = "wrong_key"

    # One proof, in the order of the checks.
    WRONG_LINK = "wrong_link"
    LOCK_ALTERED = "lock_altered"
    BROKEN_LINK = "broken_link"
    WRONG_ANCHOR = "wrong_anchor"
    WRONG_SEATS = "wrong_seats"
    WRONG_DICE = "wrong_dice"
    WRONG_SEAL = "wrong_seal"

    # Two consecutive proofs, or a proof and a lock known from before.
    REPEATED_ROLL = "repeated_roll"
    SKIPPED_ROLL = "skipped_roll"
    UNANNOUNCED_ANCHOR = "unannounced_anchor"
    WRONG_PREVIOUS_SEAL = "wrong_previous_seal"
    LOCK_CHANGED = "lock_changed"
    UNFINISHED_ROLL = "unfinished_roll"


class FairError(TrueoddsError, ValueError):
    """Raised for a commitment, lock, seed or proof that is not accepted. Nothing changed."""

    def __init__(self, code: FaultCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def __reduce__(self) -> tuple[type[Self], tuple[FaultCode, str]]:
        return type(self), (self.code, self.message)
