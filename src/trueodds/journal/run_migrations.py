"""Bringing a database to the tables this edition knows."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import sqlalchemy as sa

from trueodds.journal.database import Database
from trueodds.journal.errors import JournalError, VersionError
from trueodds.journal.schema import VERSION

_HERE: Final = Path(__file__).parent / "migrations"
_LOCK: Final = 0x7472_7565_6F64_6473
"""The advisory lock of PostgreSQL under which one process migrates at a time: "trueodds"."""


def version(connection: sa.Connection) -> str | None:
    """Give the last migration a database went through; None for a new one."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalars().all()
    return "+".join(found) if found else None


def check_version(database: Database) -> None:
    """Refuse a database that has no journal, or one of another edition; nothing is written."""
    if database.file is not None and not database.file.exists():
        raise JournalError(f"there is no journal at {database.file}")
    with database.reading() as connection:
        found = version(connection)
    if found is None:
        raise JournalError(f"there is no journal at {database.url.render_as_string()}")
    if found != VERSION:
        raise VersionError(f"the database says it is of version {found}, and this edition reads {VERSION}")


def migrate(database: Database, to: str = "head") -> None:
    """Go up or down to a migration, in one transaction; `base` takes everything away."""
    with database.reading() as connection:
        if to == "head" and version(connection) == VERSION:
            return
    with database.writing() as connection:
        if not database.is_sqlite:
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
        _run(connection, to)


def _run(connection: sa.Connection, to: str) -> None:
    from alembic import command  # noqa: PLC0415  a quarter of a second that an up-to-date database does not need
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(_HERE).replace("%", "%%"))
    config.attributes["connection"] = connection
    try:
        # Migrations are numbered, so that the later one is the greater text.
        is_down = to == "base" or (to != "head" and to < (version(connection) or ""))
        (command.downgrade if is_down else command.upgrade)(config, to)
    except CommandError as error:
        raise VersionError(f"the database is of another edition of trueodds: {error}") from None
