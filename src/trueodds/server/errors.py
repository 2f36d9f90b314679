"""No in one shape: {"error": {"code", "sentence", ...}}, whoever says it."""

from __future__ import annotations

from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException

from trueodds.journal import DamagedError, JournalError, UnavailableError
from trueodds.service.errors import ServiceRefused


class ErrorBody(BaseModel):
    """Why not: a stable code and a sentence; where it helps, how long to wait, where, and the clause behind it."""

    model_config = ConfigDict(extra="allow")
    code: str
    sentence: str


class ErrorShape(BaseModel):
    """The shape of every answer that is not what was asked for."""

    error: ErrorBody


class ApiError(Exception):
    """An answer that is no."""

    def __init__(self, status: int, code: str, sentence: str, **more: Any) -> None:
        super().__init__(sentence)
        self.status = status
        self.body = {"code": code, "sentence": sentence, **more}


STATUS_OF: Final = {
    "malformed": 422,
    "no_such_table": 404,
    "elsewhere": 503,
    "unavailable": 503,
    "stale_epoch": 503,
    "stale_head": 503,
    "busy": 503,
    "fault": 500,
}
"""What a wish that is not granted is over HTTP; any other no is a 409."""

_WORDS: Final = {
    404: ("no_such_page", "there is nothing here"),
    405: ("wrong_method", "this cannot be asked for in this way"),
    400: ("malformed", "the body cannot be read"),
}

DOCUMENTED: Final[dict[int | str, dict[str, Any]]] = {
    400: {"model": ErrorShape, "description": "The body is no JSON."},
    401: {"model": ErrorShape, "description": "Nobody is known here by this cookie, or the password is wrong."},
    403: {"model": ErrorShape, "description": "Asked from another site, or a table that needs an invitation."},
    404: {"model": ErrorShape, "description": "There is no such thing."},
    405: {"model": ErrorShape, "description": "Not asked for in this way."},
    408: {"model": ErrorShape, "description": "The body did not come in time."},
    409: {"model": ErrorShape, "description": "Refused, by the book, the house or the state of things."},
    413: {"model": ErrorShape, "description": "More than 16 KiB."},
    422: {"model": ErrorShape, "description": "JSON, but not what belongs here."},
    429: {"model": ErrorShape, "description": "Too often; `wait_ms` says how long to wait."},
    503: {"model": ErrorShape, "description": "Not now; ask again."},
}


def error_response(status: int, body: dict[str, Any]) -> JSONResponse:
    """Say no."""
    headers = {"Retry-After": str(-(-int(body["wait_ms"]) // 1000))} if "wait_ms" in body else None
    return JSONResponse({"error": body}, status, headers=headers)


def refusal(error: dict[str, Any]) -> ApiError:
    """Turn the no of the floor into one over HTTP."""
    told = dict(error)
    code, sentence = told.pop("code"), told.pop("sentence")
    return ApiError(STATUS_OF.get(code, 409), code, sentence, **told)


def add_handlers(app: FastAPI) -> None:
    """Let everything that goes wrong be said in the one shape."""

    @app.exception_handler(ApiError)
    async def _api(_request: Request, error: ApiError) -> JSONResponse:
        return error_response(error.status, error.body)

    @app.exception_handler(ServiceRefused)
    async def _refused(_request: Request, error: ServiceRefused) -> JSONResponse:
        more = {} if error.wait_ms is None else {"wait_ms": error.wait_ms}
        no = refusal({"code": error.code, "sentence": error.sentence, **more, **error.more})
        return error_response(no.status, no.body)

    @app.exception_handler(JournalError)
    async def _journal(_request: Request, error: JournalError) -> JSONResponse:
        if isinstance(error, DamagedError):
            raise error  # a fault: what the database says of itself is for the log
        return error_response(409, {"code": error.code, "sentence": str(error)})

    @app.exception_handler(UnavailableError)
    async def _unavailable(_request: Request, _error: UnavailableError) -> JSONResponse:
        return error_response(503, {"code": "unavailable", "sentence": "the database does not answer", "wait_ms": 1000})

    @app.exception_handler(RequestValidationError)
    async def _malformed(_request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"] if part != "body") or "body"
        return error_response(422, {"code": "malformed", "sentence": f"{where}: {first['msg']}"[:300], "where": where})

    @app.exception_handler(HTTPException)
    async def _http(_request: Request, error: HTTPException) -> JSONResponse:
        code, sentence = _WORDS.get(error.status_code, ("refused", str(error.detail)))
        response = error_response(error.status_code, {"code": code, "sentence": sentence})
        response.headers.update(error.headers or {})
        return response
