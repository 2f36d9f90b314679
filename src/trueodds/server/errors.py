"""API errors. Every error reply has the shape `{"error": {"code", "message", ...}}`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException

from trueodds.errors import TrueoddsError
from trueodds.journal import CorruptDatabaseError, DatabaseUnavailableError, JournalError
from trueodds.service.errors import CommandRefused

ErrorData = dict[str, Any]
"""The object under `error` in a reply: `code`, `message` and details."""


class ErrorBody(BaseModel):
    """A stable code, a message, and details such as `retry_after_ms`, `field` or `cite`."""

    model_config = ConfigDict(extra="allow")
    code: str
    message: str


class ErrorReply(BaseModel):
    """The body of every error reply."""

    error: ErrorBody


class ApiError(TrueoddsError):
    """Raised to answer a request with an error."""

    def __init__(self, status: int, code: str, message: str, **details: object) -> None:
        super().__init__(message)
        self.status = status
        self.body: ErrorData = {"code": code, "message": message, **details}

    def __reduce__(self) -> tuple[Callable[..., ApiError], tuple[int, ErrorData]]:
        return _rebuild_api_error, (self.status, self.body)


def _rebuild_api_error(status: int, body: ErrorData) -> ApiError:
    return ApiError(status, **body)


STATUS_BY_CODE: Final = {
    "invalid_request": 422,
    "invalid_command": 422,
    "no_such_table": 404,
    "held_elsewhere": 503,
    "unavailable": 503,
    "stale_epoch": 503,
    "stale_sequence": 503,
    "busy": 503,
    "internal_error": 500,
}
"""HTTP status of a refused command. Every other refusal is a 409."""

_HTTP_ERRORS: Final = {
    404: ("not_found", "Not found"),
    405: ("method_not_allowed", "Method not allowed"),
    400: ("invalid_request", "The body could not be read"),
}

ERROR_RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    400: {"model": ErrorReply, "description": "The body is not valid JSON."},
    401: {"model": ErrorReply, "description": "Not logged in, or the password is wrong."},
    403: {"model": ErrorReply, "description": "The request comes from another site, or the table needs an invitation."},
    404: {"model": ErrorReply, "description": "Not found."},
    405: {"model": ErrorReply, "description": "Method not allowed."},
    408: {"model": ErrorReply, "description": "The body did not arrive in time."},
    409: {"model": ErrorReply, "description": "Refused by the book, the house or the current state."},
    413: {"model": ErrorReply, "description": "The body is larger than 16 KiB."},
    422: {"model": ErrorReply, "description": "Valid JSON, but not a valid request."},
    429: {"model": ErrorReply, "description": "Too many requests; retry after `retry_after_ms`."},
    503: {"model": ErrorReply, "description": "Temporarily unavailable; retry."},
}


def error_response(status: int, body: ErrorData) -> JSONResponse:
    """Return the HTTP response of an error."""
    headers = {"Retry-After": str(-(-int(body["retry_after_ms"]) // 1000))} if "retry_after_ms" in body else None
    return JSONResponse({"error": body}, status, headers=headers)


def refusal_error(error: ErrorData) -> ApiError:
    """Return the API error for the refusal of a command."""
    details = dict(error)
    code, message = details.pop("code"), details.pop("message")
    return ApiError(STATUS_BY_CODE.get(code, 409), code, message, **details)


def add_handlers(app: FastAPI) -> None:
    """Install exception handlers so that all errors have the same shape."""

    @app.exception_handler(ApiError)
    async def _api(_request: Request, error: ApiError) -> JSONResponse:
        return error_response(error.status, error.body)

    @app.exception_handler(CommandRefused)
    async def _refused(_request: Request, error: CommandRefused) -> JSONResponse:
        retry = {} if error.retry_after_ms is None else {"retry_after_ms": error.retry_after_ms}
        refusal = refusal_error({"code": error.code, "message": error.message, **retry, **error.details})
        return error_response(refusal.status, refusal.body)

    @app.exception_handler(JournalError)
    async def _journal(_request: Request, error: JournalError) -> JSONResponse:
        if isinstance(error, CorruptDatabaseError):
            raise error  # an internal error: the details go to the log only
        return error_response(409, {"code": error.code, "message": str(error)})

    @app.exception_handler(DatabaseUnavailableError)
    async def _unavailable(_request: Request, _error: DatabaseUnavailableError) -> JSONResponse:
        body = {"code": "unavailable", "message": "The database is not available", "retry_after_ms": 1000}
        return error_response(503, body)

    @app.exception_handler(RequestValidationError)
    async def _invalid(_request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"] if part != "body") or "body"
        body = {"code": "invalid_request", "message": f"{field}: {first['msg']}"[:300], "field": field}
        return error_response(422, body)

    @app.exception_handler(HTTPException)
    async def _http(_request: Request, error: HTTPException) -> JSONResponse:
        code, message = _HTTP_ERRORS.get(error.status_code, ("refused", str(error.detail)))
        response = error_response(error.status_code, {"code": code, "message": message})
        response.headers.update(error.headers or {})
        return response
