"""Routes for guests and accounts: sign up, log in, log out, delete."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Literal
from uuid import uuid4

from fastapi import APIRouter, Depends, Response
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from trueodds.journal import Person, PersonError
from trueodds.journal.people import MAX_NAME_LENGTH, PersonKind
from trueodds.server.app_state import AppState
from trueodds.server.dependencies import OptionalPersonDep, PersonDep, StateDep, limit_signup_rate, require_person
from trueodds.server.display_names import check_display_name
from trueodds.server.errors import ApiError
from trueodds.server.login_cookie import clear_cookie, set_cookie
from trueodds.server.loop_bridge import RESULT_TIMEOUT_S
from trueodds.server.self_limit_routes import LimitsView, limits_view

router = APIRouter(prefix="/api", tags=["people"])


Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME_LENGTH), AfterValidator(check_display_name)]
Password = Annotated[str, Field(min_length=8, max_length=200)]


class GuestRequest(BaseModel):
    """The name of a new guest."""

    model_config = ConfigDict(extra="forbid")
    name: Name


class Credentials(BaseModel):
    """A name and a password."""

    model_config = ConfigDict(extra="forbid")
    name: Name
    password: Password


class Account(BaseModel):
    """Your account. Table logs contain your id and never your name."""

    id: str
    name: str
    kind: PersonKind
    limits: LimitsView


def _account_view(state: AppState, person: Person) -> Account:
    limits = limits_view(person, state.settings.clock())
    return Account(id=person.person_id, name=person.name or "", kind=person.kind, limits=limits)


@router.post("/guests", status_code=201, dependencies=[Depends(limit_signup_rate)])
def create_guest(body: GuestRequest, state: StateDep, response: Response) -> Account:
    """Create a guest, who has a name and no password."""
    person = _create_person(state, body.name, None)
    set_cookie(state.settings, response, person)
    return _account_view(state, person)


@router.post("/register", status_code=201, dependencies=[Depends(limit_signup_rate)])
def register(body: Credentials, state: StateDep, person: OptionalPersonDep, response: Response) -> Account:
    """Register a name and a password. A guest keeps the id and all seats."""
    if person is not None and person.kind == "registered":
        raise ApiError(409, "already_registered", "You are already registered: log out first")
    password_hash = state.passwords.hash(body.password)
    if person is None:
        registered = _create_person(state, body.name, password_hash)
    else:
        try:
            registered = state.journal.people.register(person.person_id, body.name, password_hash)
        except PersonError:
            raise _name_taken() from None
    state.invalidate_person(registered.person_id)
    set_cookie(state.settings, response, registered)
    return _account_view(state, registered)


@router.post("/login", dependencies=[Depends(limit_signup_rate)])
def log_in(body: Credentials, state: StateDep, response: Response) -> Account:
    """Log in. An unknown name and a wrong password get the same reply after the same time."""
    wait_ms = state.login_lockout.start_attempt(body.name)
    if wait_ms:
        raise ApiError(429, "locked_out", "Too many wrong passwords: try again later", retry_after_ms=wait_ms)
    person = state.journal.people.find_by_name(body.name)
    try:
        is_correct = state.passwords.verify(person.password_hash if person else None, body.password)
    except ApiError:
        state.login_lockout.cancel_attempt(body.name)
        raise
    if person is None or not is_correct:
        raise ApiError(401, "wrong_password", "Wrong name or password")
    state.login_lockout.clear(body.name)
    set_cookie(state.settings, response, person)
    return _account_view(state, person)


@router.post("/logout", status_code=204)
def log_out(person: OptionalPersonDep, state: StateDep, response: Response) -> None:
    """Log out on all devices. A guest who logs out cannot come back as the same person."""
    if person is not None:
        state.journal.people.sign_out_everywhere(person.person_id)
        state.invalidate_person(person.person_id)
    clear_cookie(state.settings, response)


@router.get("/me")
def get_account(
    person: OptionalPersonDep, state: StateDep, response: Response, optional: bool = False
) -> Account | None:  # fmt: skip
    """Return your account and renew the cookie. Without a valid cookie the reply is 401, or null with `optional`."""
    if person is None and optional:
        return None
    person = require_person(person)
    set_cookie(state.settings, response, person)
    return _account_view(state, person)


@router.delete("/me", status_code=204)
def delete_account(person: PersonDep, state: StateDep, response: Response) -> None:
    """Delete your account. You leave every table, and name, password and limits are erased. Logs keep your id."""
    for table_id in state.journal.table_ids_of_player(person.person_id):
        # Refused if there is no seat or another process holds the table. The account is deleted in any case.
        command_id = f"deleted-{uuid4().hex}"
        reply = state.table_manager.submit(table_id, person.person_id, command_id, {"command": "leave"})
        with suppress(TimeoutError):
            reply.result(RESULT_TIMEOUT_S)
    state.journal.people.delete(person.person_id, state.settings.clock())
    state.invalidate_person(person.person_id)
    clear_cookie(state.settings, response)


def _create_person(state: AppState, name: str, password_hash: str | None) -> Person:
    kind: Literal["guest", "registered"] = "guest" if password_hash is None else "registered"
    try:
        return state.journal.people.create(name, state.settings.clock(), kind=kind, password_hash=password_hash)
    except PersonError:
        raise _name_taken() from None


def _name_taken() -> ApiError:
    return ApiError(409, "name_taken", "This name is taken")
