"""Middleware that logs and counts every request, and hides the details of internal errors."""

from __future__ import annotations

import time
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trueodds.server.errors import error_response
from trueodds.server.json_logs import LOG, log_event
from trueodds.server.metrics import Metrics

_KNOWN_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class AccessLogMiddleware:
    """ASGI middleware: one log line and one count per request. An unexpected exception becomes a 500 reply."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = time.perf_counter(), 0

        async def send_and_note_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_and_note_status)
        except Exception:
            LOG.exception("internal_error", extra={"fields": {"route": _route_path(scope)}})
            if status:
                raise
            body = {"code": "internal_error", "message": "Internal error. It was logged."}
            await error_response(500, body)(scope, receive, send_and_note_status)
        finally:
            self._record(scope, status, time.perf_counter() - started)

    def _record(self, scope: Scope, status: int, seconds: float) -> None:
        route, method = _route_path(scope), scope["method"] if scope["method"] in _KNOWN_METHODS else "other"
        self._metrics.requests.labels(route, method, status).inc()
        self._metrics.request_seconds.labels(route).observe(seconds)
        log_event("request", route=route, method=method, status=status, ms=round(seconds * 1000, 1))


def _route_path(scope: Scope) -> str:
    """Return the route's path pattern. The actual path is not logged because it may contain an invitation."""
    return getattr(scope.get("route"), "path", "none")
