"""`trueodds serve`: serve tables over HTTP and WebSocket."""

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

from trueodds.cli.journal_command import DEFAULT_DATABASE_URL, DatabaseUrl, report_journal_errors
from trueodds.cli.output import UsageError, requires_extra
from trueodds.fair import FairError, ServerKey, new_key_text

if TYPE_CHECKING:
    from fastapi import FastAPI
    from uvicorn import Server

    from trueodds.server import Settings

DEFAULT_KEY_FILE = Path("trueodds.key")


@report_journal_errors
@requires_extra("fastapi", "server")
def serve(
    database_url: DatabaseUrl = DEFAULT_DATABASE_URL,
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port to listen on.")] = 8000,
    key_file: Annotated[
        Path,
        typer.Option("--key-file", help="Key file of the server, created if missing. Back it up and keep it secret."),
    ] = DEFAULT_KEY_FILE,
    origin: Annotated[
        list[str] | None,
        typer.Option("--origin", help="Another site that may send requests, such as https://example.org."),
    ] = None,
    secure: Annotated[
        bool, typer.Option("--secure", help="The server is behind TLS: send cookies over HTTPS only.")
    ] = False,
) -> None:
    """Serve tables over HTTP and WebSocket. Play chips only, no real money."""
    from trueodds.server import Settings  # noqa: PLC0415  only this command needs a server

    os.umask(0o077)
    settings = Settings(load_key(key_file), origins=frozenset(origin or ()), secure=secure)
    with open_app(database_url, settings) as app:
        _run(app, host, port)


@contextmanager
def open_app(database_url: str, settings: Settings) -> Iterator[FastAPI]:
    """Yield the app for a database, and close it cleanly at the end."""
    from trueodds.journal import open_journal  # noqa: PLC0415
    from trueodds.server import make_app  # noqa: PLC0415
    from trueodds.service.table_manager import TableManager  # noqa: PLC0415

    with open_journal(database_url) as journal:
        table_manager = TableManager(journal, settings.key, settings.clock)
        try:
            app = make_app(table_manager, journal, settings)
            try:
                yield app
            finally:
                app.state.app_state.close()
        finally:
            table_manager.close()


def load_key(path: Path) -> ServerKey:
    """Return the key in a key file. Create the file, readable by its owner only, if it is missing."""
    if not path.exists():
        _create_key(path)
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        raise UsageError(f"{path} must not be readable by others (mode {mode:04o}): run chmod 600 {path}")
    try:
        return ServerKey.parse(path.read_text("ascii"))
    except (FairError, UnicodeDecodeError):
        raise UsageError(
            f"{path} is not a key file: it must hold 64 lowercase hexadecimal digits on one line"
        ) from None


def _create_key(path: Path) -> None:
    """Create a key file atomically. If another process was faster, its key is used."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(new_key_text())
        with suppress(FileExistsError):
            os.link(name, path)
    finally:
        Path(name).unlink()


def _run(app: FastAPI, host: str, port: int) -> None:
    import uvicorn  # noqa: PLC0415  only this command needs it

    from trueodds.server.json_logs import JsonLinesFormatter, log_event  # noqa: PLC0415
    from trueodds.server.uvicorn_config import uvicorn_config  # noqa: PLC0415

    handler = logging.StreamHandler()
    handler.setFormatter(JsonLinesFormatter())
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    server = uvicorn.Server(uvicorn_config(app, host, port))
    log_event("serving", at=f"http://{host}:{port}")
    try:
        run_until_interrupted(server)
    except SystemExit:
        raise OSError(f"cannot listen on {host}:{port}") from None


def run_until_interrupted(server: Server, sockets: list[socket.socket] | None = None) -> None:
    """Run a server until Ctrl-C or SIGTERM. The process continues afterwards, to release the tables.

    uvicorn raises the signal again when it has stopped, so it is suppressed here.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):
        server.run(sockets)
