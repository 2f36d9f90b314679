"""Every test of the journal runs on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from postgres import Postgres, running_postgres
from trueodds.journal import Journal, open_journal


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with running_postgres() as server:
        yield server


@pytest.fixture(scope="session")
def migrated(postgres: Postgres) -> str:
    """The name of a database that has its tables already."""
    url = postgres.new_database()
    open_journal(url).close()
    return url.split("/")[3].split("?")[0]


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database that only this test has."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'journal.db'}"
    template: str = request.getfixturevalue("migrated")
    server: Postgres = request.getfixturevalue("postgres")
    return server.new_database(template)


@pytest.fixture
def journal(url: str) -> Iterator[Journal]:
    with open_journal(url) as opened:
        yield opened
