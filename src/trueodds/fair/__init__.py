"""Provably fair dice: commit, lock, open, roll, verify.

Nothing here does I/O. `docs/fairness.md` describes the protocol.
"""

from trueodds.fair.commitment import Commitment, Opening, make_commitment
from trueodds.fair.entropy import new_key_text, new_seed
from trueodds.fair.errors import FairError, FaultCode
from trueodds.fair.explain_roll import RollStep, explain_roll
from trueodds.fair.fair_dice import FairDice
from trueodds.fair.proof import Proof, parse_proofs
from trueodds.fair.roll_in_progress import FairRoll
from trueodds.fair.roll_lock import NO_PREVIOUS_SEAL, Lock, layout_digest, parse_locks
from trueodds.fair.secret_chain import CHAIN_LENGTH
from trueodds.fair.server_key import ServerKey
from trueodds.fair.verify import VerificationFault, verify_next, verify_roll, verify_rolls

__all__ = [
    "CHAIN_LENGTH",
    "NO_PREVIOUS_SEAL",
    "Commitment",
    "FairDice",
    "FairError",
    "FairRoll",
    "FaultCode",
    "Lock",
    "Opening",
    "Proof",
    "RollStep",
    "ServerKey",
    "VerificationFault",
    "explain_roll",
    "layout_digest",
    "make_commitment",
    "new_key_text",
    "new_seed",
    "parse_locks",
    "parse_proofs",
    "verify_next",
    "verify_roll",
    "verify_rolls",
]
