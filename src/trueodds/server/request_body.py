"""Middleware that checks the origin of requests and reads their bodies with a size and time limit."""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trueodds.server.errors import ApiError, ErrorData, error_response
from trueodds.server.json_input import parse_json
from trueodds.server.origin_check import is_same_origin
from trueodds.server.settings import Settings

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class RequestBodyMiddleware:
    """ASGI middleware that reads the whole body, which is small, before the request is handled."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            headers = Headers(scope=scope)
            if scope["method"] not in SAFE_METHODS and not is_same_origin(self._settings, headers):
                raise ApiError(403, "wrong_origin", "This request must come from the server's own pages")
            async with asyncio.timeout(self._settings.body_timeout_s):
                body = await self._read_body(headers, receive)
            if body:
                parse_json(body)
        except TimeoutError:
            error = {"code": "body_timeout", "message": "The body did not arrive in time"}
            await _send_error(408, error, scope, receive, send)
            return
        except ApiError as refused:
            await _send_error(refused.status, refused.body, scope, receive, send)
            return
        await self._app(scope, _replay_body(body, receive), send)

    async def _read_body(self, headers: Headers, receive: Receive) -> bytes:
        max_bytes = self._settings.max_body_bytes
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 15 or int(length) > max_bytes:
            raise _too_large(max_bytes)
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return bytes(body)
            body += message.get("body", b"")
            if len(body) > max_bytes:
                raise _too_large(max_bytes)
            if not message.get("more_body", False):
                return bytes(body)


async def _send_error(status: int, body: ErrorData, scope: Scope, receive: Receive, send: Send) -> None:
    """Send an error. The connection is closed if the body was not read to its end."""
    response = error_response(status, body)
    if status in {408, 413}:
        response.headers["Connection"] = "close"
    await response(scope, receive, send)


def _too_large(max_bytes: int) -> ApiError:
    return ApiError(413, "body_too_large", f"The body must have at most {max_bytes:,} bytes")


def _replay_body(body: bytes, receive: Receive) -> Receive:
    """Return a receive function that first returns the body that was already read."""
    is_sent = False

    async def receive_body() -> Message:
        nonlocal is_sent
        if is_sent:
            return await receive()
        is_sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_body
