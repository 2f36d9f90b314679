"""`trueodds serve`: tables for everybody who can reach the address it listens at; by default this machine."""

from __future__ import annotations

import logging
import os
import signal
import socket
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trueodds.cli.journal import DATABASE, DatabaseUrl, told_clearly
from trueodds.cli.show import needs
from trueodds.fair import FairError, Key, new_key_text
from trueodds.notation import NotationError

if TYPE_CHECKING:
    from fastapi import FastAPI
    from uvicorn import Server

    from trueodds.server import Settings

KEY_FILE = Path("trueodds.key")


@told_clearly
@needs("fastapi", "server")
def serve(
    database_url: DatabaseUrl = DATABASE,
    host: Annotated[str, typer.Option("--host", help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port to listen at.")] = 8000,
    key_file: Annotated[
        Path, typer.Option("--key-file", help="The server's key; made if it is missing. Keep it, and keep it secret.")
    ] = KEY_FILE,
    origin: Annotated[
        list[str] | None, typer.Option("--origin", help="A site that may ask besides this one: https://example.org")
    ] = None,
    secure: Annotated[
        bool, typer.Option("--secure", help="It is behind TLS: cookies are sent over that only.")
    ] = False,
) -> None:
    """Serve tables over HTTP and WebSocket. Play chips only, no real money."""
    from trueodds.server import Settings  # noqa: PLC0415  only this command needs a server

    os.umask(0o077)
    settings = Settings(read_key(key_file), origins=frozenset(origin or ()), secure=secure)
    with open_app(database_url, settings) as app:
        _run(app, host, port)


@contextmanager
def open_app(database_url: str, settings: Settings) -> Iterator[FastAPI]:
    """Open the tables of a database to be served; they are left in order."""
    from trueodds.journal import open_journal  # noqa: PLC0415
    from trueodds.server import make_app  # noqa: PLC0415
    from trueodds.service.floor import Floor  # noqa: PLC0415

    with open_journal(database_url) as journal:
        floor = Floor(journal, settings.key, settings.clock)
        try:
            app = make_app(floor, journal, settings)
            try:
                yield app
            finally:
                app.state.desk.close()
        finally:
            floor.close()


def read_key(path: Path) -> Key:
    """Read a key file, or make one that only its owner can read."""
    if not path.exists():
        _make_key(path)
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        raise NotationError(f"{path} can be read by others (mode {mode:04o}): chmod 600 {path}")
    try:
        return Key.parse(path.read_text("ascii"))
    except (FairError, UnicodeDecodeError):
        raise NotationError(
            f"{path} is no key file: it holds 64 hexadecimal digits in lower case on one line"
        ) from None


def _make_key(path: Path) -> None:
    """Make a key file that is there as a whole or not at all; where another process was first, its key holds."""
    made, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(made, "w", encoding="ascii") as file:
            file.write(new_key_text())
        with suppress(FileExistsError):
            os.link(name, path)
    finally:
        Path(name).unlink()


def _run(app: FastAPI, host: str, port: int) -> None:
    import uvicorn  # noqa: PLC0415  only this command needs it

    from trueodds.server.logs import JsonLines, note  # noqa: PLC0415
    from trueodds.server.running import server_config  # noqa: PLC0415

    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    server = uvicorn.Server(server_config(app, host, port))
    note("serving", at=f"http://{host}:{port}")
    try:
        run_until_told(server)
    except SystemExit:
        raise OSError(f"cannot listen at {host}:{port}") from None


def run_until_told(server: Server, sockets: list[socket.socket] | None = None) -> None:
    """Run a server until Ctrl-C or SIGTERM. Neither ends the process here: the tables are still to be given up.

    uvicorn raises the signal that ended it once more, when it is done.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):
        server.run(sockets)
