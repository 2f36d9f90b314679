"""The database of a journal."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from trueodds.journal import DatabaseUnavailableError
from trueodds.journal.database import Database


def test_an_exhausted_pool_is_an_unavailable_database(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "journal.db"))
    small = sa.create_engine(database.url, pool_size=1, max_overflow=0, pool_timeout=0.05)
    database._reader = small.execution_options()
    with (
        database.read_transaction(),
        pytest.raises(DatabaseUnavailableError, match="in use"),
        database.read_transaction(),
    ):
        pass
    small.dispose()
    database.close()
