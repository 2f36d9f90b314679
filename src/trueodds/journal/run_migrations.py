"""Create or migrate the tables of a database."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import sqlalchemy as sa

from trueodds.journal.database import Database
from trueodds.journal.errors import JournalError, SchemaVersionError
from trueodds.journal.schema import VERSION

_MIGRATIONS_FOLDER: Final = Path(__file__).parent / "migrations"
_ADVISORY_LOCK_ID: Final = 0x7472_7565_6F64_6473
"""PostgreSQL's advisory lock that lets one process migrate at a time: "trueodds" in ASCII."""


def current_version(connection: sa.Connection) -> str | None:
    """Return the id of the last migration of a database, or None for a new database."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalars().all()
    return "+".join(found) if found else None


def check_version(database: Database) -> None:
    """Raise `JournalError` unless the database holds a journal of this version. Nothing is written."""
    if database.file is not None and not database.file.exists():
        raise JournalError(f"there is no journal at {database.file}")
    with database.read_transaction() as connection:
        found = current_version(connection)
    if found is None:
        raise JournalError(f"there is no journal at {database.url.render_as_string()}")
    if found != VERSION:
        raise SchemaVersionError(f"database version must be {VERSION}, got {found}")


def migrate(database: Database, target: str = "head") -> None:
    """Upgrade or downgrade to a migration in one transaction; `base` drops all tables."""
    with database.read_transaction() as connection:
        if target == "head" and current_version(connection) == VERSION:
            return
    with database.write_transaction() as connection:
        if not database.is_sqlite:
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_ADVISORY_LOCK_ID)))
        _run_alembic(connection, target)


def _run_alembic(connection: sa.Connection, target: str) -> None:
    from alembic import command  # noqa: PLC0415  takes 0.25 s, and an up-to-date database needs no migration
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS_FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    try:
        # Migration ids are numbered, so a later one compares greater as text.
        is_down = target == "base" or (target != "head" and target < (current_version(connection) or ""))
        (command.downgrade if is_down else command.upgrade)(config, target)
    except CommandError as error:
        raise SchemaVersionError(f"the database was created by another version of trueodds: {error}") from None
