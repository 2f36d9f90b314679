"""Dice that anybody can verify: commit, lock, open, throw, verify. Pure; docs/fairness.md says how it works."""

from trueodds.fair.arithmetic import Step, arithmetic
from trueodds.fair.chain import LENGTH
from trueodds.fair.commitment import Commitment, Opening, commit_to
from trueodds.fair.dice import FairDice
from trueodds.fair.entropy import new_key_text, new_seed
from trueodds.fair.errors import FairError, Fault
from trueodds.fair.key import Key
from trueodds.fair.lock import NO_PAST, Lock, layout_digest, read_locks
from trueodds.fair.proof import Proof, read_proofs
from trueodds.fair.roll import FairRoll
from trueodds.fair.verify import Finding, verify_next, verify_roll, verify_rolls

__all__ = [
    "LENGTH",
    "NO_PAST",
    "Commitment",
    "FairDice",
    "FairError",
    "FairRoll",
    "Fault",
    "Finding",
    "Key",
    "Lock",
    "Opening",
    "Proof",
    "Step",
    "arithmetic",
    "commit_to",
    "layout_digest",
    "new_key_text",
    "new_seed",
    "read_locks",
    "read_proofs",
    "verify_next",
    "verify_roll",
    "verify_rolls",
]
