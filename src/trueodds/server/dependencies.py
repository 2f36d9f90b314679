"""FastAPI dependencies: the app state, the current person, and rate limits."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from trueodds.journal import Person
from trueodds.server.app_state import AppState
from trueodds.server.errors import ApiError


async def get_app_state(connection: HTTPConnection) -> AppState:
    """Return the state of this app."""
    state: AppState = connection.app.state.app_state
    return state


StateDep = Annotated[AppState, Depends(get_app_state)]


async def limit_request_rate(connection: HTTPConnection, state: StateDep) -> None:
    """Count a request against its client."""
    state.check_request_rate(state.client_key(connection))


async def limit_signup_rate(connection: HTTPConnection, state: StateDep) -> None:
    """Count a new guest, account, login or table against the client's address."""
    state.check_signup_rate(connection)


def optional_person(connection: HTTPConnection, state: StateDep) -> Person | None:
    """Return the person who sent the request, or None. Blocking, so FastAPI runs it in a thread."""
    return state.find_person(connection)


OptionalPersonDep = Annotated[Person | None, Depends(optional_person)]


def require_person(person: OptionalPersonDep) -> Person:
    """Return the person who sent the request, or raise a 401 error."""
    if person is None:
        raise not_logged_in()
    return person


PersonDep = Annotated[Person, Depends(require_person)]


def not_logged_in() -> ApiError:
    """Return the error for a request without a valid cookie."""
    return ApiError(401, "not_logged_in", "Log in or play as a guest first")
