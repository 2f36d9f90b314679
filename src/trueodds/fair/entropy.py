"""The only place of this room where chance comes in: new keys for servers, new seeds for seats."""

from __future__ import annotations

import secrets

from trueodds.fair.encoding import DIGEST_BYTES


def new_key_text() -> str:
    """Make what goes into a new key file; `Key.parse` reads it."""
    return secrets.token_hex(DIGEST_BYTES) + "\n"


def new_seed() -> bytes:
    """Make a seed for one seat and one roll. A seed that is used twice is known the second time."""
    return secrets.token_bytes(DIGEST_BYTES)
