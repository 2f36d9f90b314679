"""The app: everything put together."""

from __future__ import annotations

from fastapi import APIRouter, Depends, FastAPI, Response

from trueodds.journal import Journal
from trueodds.server import accounts, books, drill, limits, odds, socket, standing, strategies, tables
from trueodds.server.desk import AtDesk, Desk, not_too_often
from trueodds.server.door import Door
from trueodds.server.errors import DOCUMENTED, ApiError, add_handlers
from trueodds.server.guard import Guard
from trueodds.server.page import page_router
from trueodds.server.settings import Settings
from trueodds.service.floor import Floor

watch = APIRouter(tags=["watch"])


@watch.get("/healthz")
def healthz(desk: AtDesk) -> dict[str, bool]:
    """Say that the server and its database answer."""
    with desk.journal.database.reading() as connection:
        connection.exec_driver_sql("SELECT 1")
    if not desk.floor.is_up:
        raise ApiError(503, "floor", "nothing is written any more: start the server again")
    return {"ok": True}


@watch.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
def metrics(desk: AtDesk) -> Response:
    """Give what is counted, for Prometheus."""
    return Response(desk.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


def make_app(floor: Floor, journal: Journal, settings: Settings) -> FastAPI:
    """Serve the tables of a floor. Whoever made the floor and the journal closes them."""
    app = FastAPI(
        title="trueodds", summary="Craps tables, by the book.", docs_url=None, redoc_url=None,
        openapi_url="/api/openapi.json", responses=DOCUMENTED, redirect_slashes=False,
    )  # fmt: skip
    desk = app.state.desk = Desk(floor, journal, settings)
    add_handlers(app)
    for part in (accounts, standing, limits, books, strategies, tables, odds, drill):
        app.include_router(part.router, dependencies=[Depends(not_too_often)])
    app.include_router(socket.router)
    app.include_router(watch)
    app.include_router(page_router())
    app.add_middleware(Door, settings=settings)
    app.add_middleware(Guard, metrics=desk.metrics, secure=settings.secure)
    return app
