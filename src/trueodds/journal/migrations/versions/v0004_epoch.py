"""The epoch of a person: how often everybody who was signed in as this person was signed out."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
BEFORE: Final = ("person_id", "name", "name_key", "kind", "password_hash", "created_ms", "limits", "deleted_ms")


def upgrade() -> None:
    """Nobody was signed out yet."""
    op.add_column("people", sa.Column("epoch", WHOLE, nullable=False, server_default="0"))
    _seal_again((*BEFORE, "epoch"))


def downgrade() -> None:
    """Forget who was signed out."""
    op.drop_column("people", "epoch")
    _seal_again(BEFORE)


def _seal_again(names: tuple[str, ...]) -> None:
    """Write the seals anew, over the columns there are now."""
    people = sa.table("people", *(sa.column(name) for name in (*names, "seal")))
    connection = op.get_bind()
    for found in connection.execute(sa.select(people)).mappings().all():
        change = sa.update(people).where(people.c.person_id == found["person_id"])
        connection.execute(change.values(seal=_seal([found[name] for name in names])))


def _seal(values: list[Any]) -> str:
    """Compute a seal as it was when this was written; a migration does not follow the code."""
    fields = ("trueodds/journal/1/seal/people", json.dumps(values, separators=(",", ":")))
    written = b"".join(len(field).to_bytes(4) + field.encode() for field in fields)
    return hashlib.sha256(written).hexdigest()
