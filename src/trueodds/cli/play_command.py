"""`trueodds play`: a table in the browser, served from this machine to this machine."""

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

from trueodds.cli.journal import told_clearly
from trueodds.cli.serve import open_app, read_key, run_until_told
from trueodds.cli.show import needs
from trueodds.notation import NotationError
from trueodds.rulebook import load_book

if TYPE_CHECKING:
    from uvicorn import Server

HOST = "127.0.0.1"
PORT = 8000
LOG_BYTES = 1_000_000
START_S = 60.0


@told_clearly
@needs("fastapi", "server")
def play(
    book: Annotated[
        str | None,
        typer.Option("--book", help="Begin at a table of this rulebook: your seat, or a new one.", metavar="BOOK"),
    ] = None,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="The port to listen at; another one if it is taken.")
    ] = PORT,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address.")] = False,
    database_url: Annotated[
        str | None,
        typer.Option(
            "--database-url",
            envvar="TRUEODDS_DATABASE_URL",
            help="Where tables are kept: sqlite:///FILE or postgresql://...; a file in your data folder otherwise.",
        ),
    ] = None,
    key_file: Annotated[
        Path | None, typer.Option("--key-file", help="The key of the dice; made if it is missing.")
    ] = None,
) -> None:
    """Play craps in the browser, on this machine alone. Play chips only, no real money."""
    from trueodds.server import Settings  # noqa: PLC0415  only this command needs a server
    from trueodds.server.page import BUILT  # noqa: PLC0415

    path = "/" if book is None else f"/?play={load_book(book).id}"
    if not (BUILT / "index.html").exists():
        raise NotationError("the page was not built: see docs/page.md; trueodds table plays in the terminal")
    os.umask(0o077)
    folder = data_folder(os.environ, sys.platform)
    folder.mkdir(parents=True, exist_ok=True)
    _log_to(folder / "play.log")
    settings = Settings(read_key(key_file or folder / "trueodds.key"))
    with open_app(database_url or f"sqlite:///{folder / 'trueodds.db'}", settings) as app, listen(port) as listening:
        from uvicorn import Server  # noqa: PLC0415

        from trueodds.server.running import server_config  # noqa: PLC0415

        port = listening.getsockname()[1]
        config = server_config(app, HOST, port)
        config.timeout_graceful_shutdown = 1
        server = Server(config)
        threading.Thread(target=_show, args=(server, port, path, not no_browser), daemon=True).start()
        run_until_told(server, [listening])
    typer.echo("The table is closed. Chips and bets are kept for the next time.")


def data_folder(environment: Mapping[str, str], platform: str) -> Path:
    """Name the folder where a person's programs keep what they need.

    >>> data_folder({"XDG_DATA_HOME": "/home/ann/kept"}, "linux").as_posix()
    '/home/ann/kept/trueodds'
    """
    if platform == "win32":
        given, usual = environment.get("LOCALAPPDATA"), Path.home() / "AppData" / "Local"
    elif platform == "darwin":
        given, usual = None, Path.home() / "Library" / "Application Support"
    else:
        given, usual = environment.get("XDG_DATA_HOME"), Path.home() / ".local" / "share"
    return (Path(given) if given else usual) / "trueodds"


def listen(port: int) -> socket.socket:
    """Listen at a port of this machine, or at any that is free when somebody else has it."""
    try:
        return _bound(port)
    except OSError:
        return _bound(0)


def _bound(port: int) -> socket.socket:
    made = socket.socket()
    try:
        if os.name == "posix":
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # elsewhere this would share a port
        made.bind((HOST, port))
        made.listen()
    except OSError:
        made.close()
        raise
    return made


def _log_to(path: Path) -> None:
    """Keep the log out of the way: a person who plays reads the page."""
    from trueodds.server.logs import JsonLines  # noqa: PLC0415

    handler = RotatingFileHandler(path, maxBytes=LOG_BYTES, backupCount=1, encoding="utf-8")
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def _show(server: Server, port: int, path: str, browser: bool) -> None:
    """Say where the table is once it answers, and open it."""
    until = time.monotonic() + START_S
    while not _answers(port):
        if server.should_exit:
            return
        if time.monotonic() > until:
            typer.echo(f"The server does not answer at port {port}: it is closed again.", err=True)
            server.should_exit = True
            return
        time.sleep(0.05)
    address = f"http://{HOST}:{port}{path}"
    typer.echo(f"Your table is at {address}\nPress Ctrl-C to close it.")
    if browser and not webbrowser.open(address):
        typer.echo("No browser was found: open this address in one.")


def _answers(port: int) -> bool:
    asked = HTTPConnection(HOST, port, timeout=5)
    try:
        asked.request("GET", "/healthz")
        return asked.getresponse().status == 200
    except OSError:
        return False
    finally:
        asked.close()
