"""People of the house, who run seats for company."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
COLUMNS = "person_id, name, name_key, kind, password_hash, created_ms, limits, deleted_ms, seal"
BEFORE = "kind IN ('guest', 'registered')"
AFTER = "kind IN ('guest', 'registered', 'house')"


def upgrade() -> None:
    """Let people be of the house."""
    _check(AFTER)


def downgrade() -> None:
    """Who is of the house has no name to lose: it is a strategy's."""
    op.execute("DELETE FROM people WHERE kind = 'house'")
    _check(BEFORE)


def _check(kinds: str) -> None:
    """Change what a kind can be; SQLite cannot change a check, so there the table is made again."""
    if op.get_bind().dialect.name == "postgresql":
        op.drop_constraint("people_kinds", "people")
        op.create_check_constraint("people_kinds", "people", kinds)
        return
    op.rename_table("people", "people_before")
    op.create_table(
        "people",
        sa.Column("person_id", sa.Text, primary_key=True, nullable=False),
        sa.Column("name", sa.Text),
        sa.Column("name_key", sa.Text, unique=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("password_hash", sa.Text),
        sa.Column("created_ms", WHOLE, nullable=False),
        sa.Column("limits", sa.Text, nullable=False),
        sa.Column("deleted_ms", WHOLE),
        sa.Column("seal", sa.Text, nullable=False),
        sa.CheckConstraint(kinds, name="people_kinds"),
        sqlite_strict=True,
    )
    op.execute(f"INSERT INTO people ({COLUMNS}) SELECT {COLUMNS} FROM people_before")  # noqa: S608  our own columns
    op.drop_table("people_before")
