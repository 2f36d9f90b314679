"""How the app is run."""

from __future__ import annotations

from fastapi import FastAPI
from uvicorn import Config

from trueodds.server.desk import Desk
from trueodds.server.heads import Heads


def server_config(app: FastAPI, host: str, port: int) -> Config:
    """Run the app under uvicorn: heads and frames are bounded, requests are in our own log and not in an access log.

    Below a warning uvicorn says nothing: of every socket it would tell the address and the invitation.
    """
    desk: Desk = app.state.desk
    return Config(
        app, host, port, http=Heads, ws="websockets-sansio", ws_max_size=desk.settings.body_bytes, log_config=None,
        log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=5, timeout_keep_alive=30,
        lifespan="off",
    )  # fmt: skip
