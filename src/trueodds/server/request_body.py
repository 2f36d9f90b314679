"""The door: who may change something, and how much may be said at once."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trueodds.server.errors import ApiError, error_response
from trueodds.server.origin import is_own
from trueodds.server.reading import read_json
from trueodds.server.settings import Settings

HARMLESS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class Door:
    """ASGI middleware: reads the whole body, which is small, before anything is done."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let one question in."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            headers = Headers(scope=scope)
            if scope["method"] not in HARMLESS and not is_own(self._settings, headers):
                raise ApiError(403, "origin", "this can only be asked for from this server's own pages")
            async with asyncio.timeout(self._settings.body_s):
                body = await self._read(headers, receive)
            if body:
                read_json(body)
        except TimeoutError:
            await _refuse(408, {"code": "too_slow", "sentence": "the body did not come in time"}, scope, receive, send)
            return
        except ApiError as error:
            await _refuse(error.status, error.body, scope, receive, send)
            return
        await self._app(scope, _again(body, receive), send)

    async def _read(self, headers: Headers, receive: Receive) -> bytes:
        most = self._settings.body_bytes
        said = headers.get("content-length", "0")
        if not said.isdecimal() or len(said) > 15 or int(said) > most:
            raise _too_much(most)
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return bytes(body)
            body += message.get("body", b"")
            if len(body) > most:
                raise _too_much(most)
            if not message.get("more_body", False):
                return bytes(body)


async def _refuse(status: int, body: dict[str, Any], scope: Scope, receive: Receive, send: Send) -> None:
    """Say no; where the body was not read to its end, it is not read on either."""
    response = error_response(status, body)
    if status in {408, 413}:
        response.headers["Connection"] = "close"
    await response(scope, receive, send)


def _too_much(most: int) -> ApiError:
    return ApiError(413, "too_much", f"a body has at most {most:,} bytes")


def _again(body: bytes, receive: Receive) -> Receive:
    """Give the body that was read, and then whatever comes."""
    given = False

    async def read() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return read
