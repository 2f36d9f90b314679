"""Randomness for new server keys and client seeds. No other module of this package draws random bytes."""

from __future__ import annotations

import secrets

from trueodds.fair.hash_message import DIGEST_BYTES


def new_key_text() -> str:
    """Return the text of a new key file, which `ServerKey.parse` reads."""
    return secrets.token_hex(DIGEST_BYTES) + "\n"


def new_seed() -> bytes:
    """Return a client seed for one seat and one roll. Never use a seed twice: it is public after its roll."""
    return secrets.token_bytes(DIGEST_BYTES)
