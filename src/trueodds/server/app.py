"""The FastAPI application: routes, middleware and error handlers put together."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Depends, FastAPI, Response

from trueodds.journal import Journal
from trueodds.server import (
    account_routes,
    book_routes,
    drill_routes,
    odds_routes,
    player_results,
    self_limit_routes,
    strategy_routes,
    table_routes,
    table_socket,
)
from trueodds.server.access_log import AccessLogMiddleware
from trueodds.server.app_state import AppState
from trueodds.server.dependencies import StateDep, limit_request_rate
from trueodds.server.errors import ERROR_RESPONSES, ApiError, add_handlers
from trueodds.server.request_body import RequestBodyMiddleware
from trueodds.server.security_headers import SecurityHeadersMiddleware
from trueodds.server.settings import Settings
from trueodds.server.static_page import page_router
from trueodds.service.table_manager import TableManager

API_ROUTES: Final = (
    account_routes, player_results, self_limit_routes, book_routes, strategy_routes, table_routes, odds_routes,
    drill_routes,
)  # fmt: skip

monitoring = APIRouter(tags=["monitoring"])


@monitoring.get("/healthz")
def healthz(state: StateDep) -> dict[str, bool]:
    """Check that the server runs and can write to its database."""
    state.health.check()
    if not state.table_manager.is_running:
        raise ApiError(503, "not_writing", "The table writer has stopped: restart the server")
    return {"ok": True}


@monitoring.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
def metrics(state: StateDep) -> Response:
    """Return the metrics in the Prometheus text format."""
    return Response(state.metrics.render(), media_type="text/plain; version=0.0.4; charset=utf-8")


def make_app(table_manager: TableManager, journal: Journal, settings: Settings) -> FastAPI:
    """Return the app that serves the tables of a table manager. The caller closes table manager and journal."""
    app = FastAPI(
        title="trueodds", summary="Craps tables, by the book.", docs_url=None, redoc_url=None,
        openapi_url="/api/openapi.json", responses=ERROR_RESPONSES, redirect_slashes=False,
    )  # fmt: skip
    state = app.state.app_state = AppState(table_manager, journal, settings)
    add_handlers(app)
    for routes in API_ROUTES:
        app.include_router(routes.router, dependencies=[Depends(limit_request_rate)])
    app.include_router(table_socket.router)
    app.include_router(monitoring)
    app.include_router(page_router())
    # The last one added is the outermost: even an internal error gets its headers.
    app.add_middleware(RequestBodyMiddleware, settings=settings)
    app.add_middleware(AccessLogMiddleware, metrics=state.metrics)
    app.add_middleware(SecurityHeadersMiddleware, secure=settings.secure)
    return app
