"""Who somebody is: guests, registered people, and leaving for good."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Literal
from uuid import uuid4

from fastapi import APIRouter, Depends, Response
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from trueodds.journal import Person, PersonError
from trueodds.journal.people import NAME_LENGTH, Kind
from trueodds.server.cookie import clear_cookie, set_cookie
from trueodds.server.desk import FLOOR_S, Asker, AtDesk, Desk, Known, at_the_door, somebody
from trueodds.server.errors import ApiError
from trueodds.server.legible import check_legible
from trueodds.server.limits import LimitsView, limits_view

router = APIRouter(prefix="/api", tags=["people"])


Name = Annotated[str, Field(min_length=1, max_length=NAME_LENGTH), AfterValidator(check_legible)]
Password = Annotated[str, Field(min_length=8, max_length=200)]


class NameGiven(BaseModel):
    """A name to be called by."""

    model_config = ConfigDict(extra="forbid")
    name: Name


class Credentials(BaseModel):
    """A name and a password."""

    model_config = ConfigDict(extra="forbid")
    name: Name
    password: Password


class Me(BaseModel):
    """Who you are here. Your id is what stands for you in every table's log."""

    id: str
    name: str
    kind: Kind
    limits: LimitsView


def _me(desk: Desk, person: Person) -> Me:
    limits = limits_view(person, desk.settings.clock())
    return Me(id=person.person_id, name=person.name or "", kind=person.kind, limits=limits)


@router.post("/guests", status_code=201, dependencies=[Depends(at_the_door)])
def come_as_guest(given: NameGiven, desk: AtDesk, response: Response) -> Me:
    """Come in under a name, without a password."""
    person = _created(desk, given.name, None)
    set_cookie(desk.settings, response, person)
    return _me(desk, person)


@router.post("/register", status_code=201, dependencies=[Depends(at_the_door)])
def register(given: Credentials, desk: AtDesk, asker: Asker, response: Response) -> Me:
    """Take a name and a password; a guest stays the same person and keeps the seats."""
    if asker is not None and asker.kind == "registered":
        raise ApiError(409, "registered", "you are registered already; log out first")
    hashed = desk.passwords.hash(given.password)
    if asker is None:
        person = _created(desk, given.name, hashed)
    else:
        try:
            person = desk.journal.people.register(asker.person_id, given.name, hashed)
        except PersonError:
            raise _taken() from None
    desk.forget(person.person_id)
    set_cookie(desk.settings, response, person)
    return _me(desk, person)


@router.post("/login", dependencies=[Depends(at_the_door)])
def log_in(given: Credentials, desk: AtDesk, response: Response) -> Me:
    """Come back. Wrong names and wrong passwords are told, and take, the same."""
    wait_ms = desk.lock_out.take(given.name)
    if wait_ms:
        raise ApiError(429, "locked_out", "too many wrong passwords: wait a while", wait_ms=wait_ms)
    person = desk.journal.people.find_by_name(given.name)
    try:
        fits = desk.passwords.fits(person.password_hash if person else None, given.password)
    except ApiError:
        desk.lock_out.give_back(given.name)
        raise
    if person is None or not fits:
        raise ApiError(401, "wrong_password", "nobody is known here by this name and password")
    desk.lock_out.passed(given.name)
    set_cookie(desk.settings, response, person)
    return _me(desk, person)


@router.post("/logout", status_code=204)
def log_out(asker: Asker, desk: AtDesk, response: Response) -> None:
    """Go, on every device: cookies given until now are worth nothing. A guest cannot come back as the same person."""
    if asker is not None:
        desk.journal.people.sign_out(asker.person_id)
        desk.forget(asker.person_id)
    clear_cookie(desk.settings, response)


@router.get("/me")
def who_am_i(asker: Asker, desk: AtDesk, response: Response, or_nobody: bool = False) -> Me | None:
    """Say who you are here; the cookie is given anew, so that who keeps coming stays known. Nobody is an error, unless
    asked for.
    """
    if asker is None and or_nobody:
        return None
    person = somebody(asker)
    set_cookie(desk.settings, response, person)
    return _me(desk, person)


@router.delete("/me", status_code=204)
def forget_me(asker: Known, desk: AtDesk, response: Response) -> None:
    """Delete your account: you leave every table; name, password and limits are forgotten; logs keep an id that says
    nothing.
    """
    for table_id in desk.journal.tables_of(asker.person_id):
        # Refused where no seat is, or where another process keeps the table; the account is deleted all the same.
        leaving = desk.floor.ask(table_id, asker.person_id, f"deleted-{uuid4().hex}", {"wish": "leave"})
        with suppress(TimeoutError):
            leaving.result(FLOOR_S)
    desk.journal.people.delete(asker.person_id, desk.settings.clock())
    desk.forget(asker.person_id)
    clear_cookie(desk.settings, response)


def _created(desk: Desk, name: str, hashed: str | None) -> Person:
    kind: Literal["guest", "registered"] = "guest" if hashed is None else "registered"
    try:
        return desk.journal.people.create(name, desk.settings.clock(), kind=kind, password_hash=hashed)
    except PersonError:
        raise _taken() from None


def _taken() -> ApiError:
    return ApiError(409, "name_taken", "somebody has this name already")
