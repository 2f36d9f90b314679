"""`trueodds play`: play in the browser, with a server on this machine."""

from __future__ import annotations

import logging
import os
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Mapping
from http.client import HTTPConnection
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trueodds.cli.journal_command import report_journal_errors
from trueodds.cli.output import UsageError, requires_extra
from trueodds.cli.serve_command import load_key, open_app, run_until_interrupted
from trueodds.rulebook import load_book

if TYPE_CHECKING:
    from uvicorn import Server

HOST = "127.0.0.1"
PORT = 8000
MAX_LOG_BYTES = 1_000_000
START_TIMEOUT_S = 60.0


@report_journal_errors
@requires_extra("fastapi", "server")
def play(
    book: Annotated[
        str | None,
        typer.Option(
            "--book", help="Open a table of this rulebook: the one where you have a seat, or a new one.", metavar="BOOK"
        ),
    ] = None,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Port to listen on, or another one if it is in use.")
    ] = PORT,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address and do not open a browser.")
    ] = False,
    database_url: Annotated[
        str | None,
        typer.Option(
            "--database-url",
            envvar="TRUEODDS_DATABASE_URL",
            help="Database: sqlite:///FILE or postgresql://... (default: a file in your data folder).",
        ),
    ] = None,
    key_file: Annotated[
        Path | None,
        typer.Option("--key-file", help="Key file of the dice, created if missing (default: in your data folder)."),
    ] = None,
) -> None:
    """Play craps in the browser. Only this machine can connect. Play chips only, no real money."""
    from trueodds.server import Settings  # noqa: PLC0415  only this command needs a server
    from trueodds.server.static_page import BUILD_FOLDER  # noqa: PLC0415

    path = "/" if book is None else f"/?play={load_book(book).id}"
    if not (BUILD_FOLDER / "index.html").exists():
        raise UsageError("the page was not built: see docs/page.md, or use trueodds table to play in the terminal")
    os.umask(0o077)
    folder = data_folder(os.environ, sys.platform)
    folder.mkdir(parents=True, exist_ok=True)
    _log_to_file(folder / "play.log")
    settings = Settings(load_key(key_file or folder / "trueodds.key"))
    with (
        open_app(database_url or f"sqlite:///{folder / 'trueodds.db'}", settings) as app,
        listen_socket(port) as listening,
    ):
        from uvicorn import Server  # noqa: PLC0415

        from trueodds.server.uvicorn_config import uvicorn_config  # noqa: PLC0415

        port = listening.getsockname()[1]
        config = uvicorn_config(app, HOST, port)
        config.timeout_graceful_shutdown = 1
        server = Server(config)
        threading.Thread(target=_announce, args=(server, port, path, not no_browser), daemon=True).start()
        run_until_interrupted(server, [listening])
    typer.echo("The server has stopped. Chips and bets are saved.")


def data_folder(environment: Mapping[str, str], platform: str) -> Path:
    """Return the data folder of trueodds on this platform.

    >>> data_folder({"XDG_DATA_HOME": "/home/ann/data"}, "linux").as_posix()
    '/home/ann/data/trueodds'
    """
    if platform == "win32":
        configured, default = environment.get("LOCALAPPDATA"), Path.home() / "AppData" / "Local"
    elif platform == "darwin":
        configured, default = None, Path.home() / "Library" / "Application Support"
    else:
        configured, default = environment.get("XDG_DATA_HOME"), Path.home() / ".local" / "share"
    return (Path(configured) if configured else default) / "trueodds"


def listen_socket(port: int) -> socket.socket:
    """Return a socket that listens on a port of this machine, or on a free port if that one is in use."""
    try:
        return _bind(port)
    except OSError:
        return _bind(0)


def _bind(port: int) -> socket.socket:
    made = socket.socket()
    try:
        if os.name == "posix":
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # on other systems this would share the port
        made.bind((HOST, port))
        made.listen()
    except OSError:
        made.close()
        raise
    return made


def _log_to_file(path: Path) -> None:
    """Log to a file, so that the terminal stays readable."""
    from trueodds.server.json_logs import JsonLinesFormatter  # noqa: PLC0415

    handler = RotatingFileHandler(path, maxBytes=MAX_LOG_BYTES, backupCount=1, encoding="utf-8")
    handler.setFormatter(JsonLinesFormatter())
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def _announce(server: Server, port: int, path: str, browser: bool) -> None:
    """Wait until the server is ready, print its address and open the browser."""
    deadline = time.monotonic() + START_TIMEOUT_S
    while not _is_ready(port):
        if server.should_exit:
            return
        if time.monotonic() > deadline:
            typer.echo(f"The server does not answer on port {port} and was stopped.", err=True)
            server.should_exit = True
            return
        time.sleep(0.05)
    address = f"http://{HOST}:{port}{path}"
    typer.echo(f"Your table is at {address}\nPress Ctrl-C to stop the server.")
    if browser and not webbrowser.open(address):
        typer.echo("No browser was found: open this address in your browser.")


def _is_ready(port: int) -> bool:
    connection = HTTPConnection(HOST, port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()
