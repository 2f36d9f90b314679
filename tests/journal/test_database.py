"""The database under a journal, when there is too little of it."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from trueodds.journal import UnavailableError
from trueodds.journal.database import Database


def test_no_connection_left_is_a_database_that_does_not_answer(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "journal.db"))
    small = sa.create_engine(database.url, pool_size=1, max_overflow=0, pool_timeout=0.05)
    database._reader = small.execution_options()
    with database.reading(), pytest.raises(UnavailableError, match="in use"), database.reading():
        pass
    small.dispose()
    database.close()
