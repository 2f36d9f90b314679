"""The guard around everything: headers on every answer, a line in the log, a count, and no fault told outside."""

from __future__ import annotations

import time
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trueodds.server.errors import error_response
from trueodds.server.logs import LOG, note
from trueodds.server.metrics import Metrics

HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
FOR_TLS: Final = {"Strict-Transport-Security": "max-age=31536000"}


class Guard:
    """ASGI middleware."""

    def __init__(self, app: ASGIApp, metrics: Metrics, secure: bool) -> None:
        self._app = app
        self._metrics = metrics
        self._headers = HEADERS | (FOR_TLS if secure else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one question."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0

        async def send_guarded(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers.update(self._headers)
                if scope["path"].startswith("/api/"):
                    headers["Cache-Control"] = "no-store"
            await send(message)

        try:
            await self._app(scope, receive, send_guarded)
        except Exception:
            LOG.exception("fault", extra={"facts": {"route": _route(scope)}})
            if status:
                raise
            body = {"code": "fault", "sentence": "something went wrong here, and it was written down"}
            await error_response(500, body)(scope, receive, send_guarded)
        finally:
            self._count(scope, status, time.perf_counter() - began)

    def _count(self, scope: Scope, status: int, seconds: float) -> None:
        route, method = _route(scope), scope["method"] if scope["method"] in _METHODS else "other"
        self._metrics.requests.labels(route, method, status).inc()
        self._metrics.seconds.labels(route).observe(seconds)
        note("request", route=route, method=method, status=status, ms=round(seconds * 1000, 1))


_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def _route(scope: Scope) -> str:
    """Name a route without what stands in its place: an address may hold an invitation."""
    return getattr(scope.get("route"), "path", "none")
