"""The cookie: who somebody is, signed, so that nobody can be somebody else."""

from __future__ import annotations

import hmac
import re
from typing import Final, NamedTuple

from fastapi import Response

from trueodds.journal import Person
from trueodds.server.settings import Settings

NAME: Final = "trueodds"
_WRITTEN: Final = re.compile(r"([0-9a-f]{32})\.([0-9]{1,9})\.([0-9]{1,16})\.([0-9a-f]{64})")


class Signed(NamedTuple):
    """Whom a cookie was given to. It holds as long as the person's epoch is still this one."""

    person_id: str
    epoch: int


def write_cookie(settings: Settings, signed: Signed) -> str:
    """Write what a cookie holds: the id, the epoch, when it was given, and the signature of all."""
    at = settings.clock()
    return f"{signed.person_id}.{signed.epoch}.{at}.{_sign(settings, signed, at)}"


def open_cookie(settings: Settings, text: str | None) -> tuple[Signed, int] | None:
    """Give whom a cookie was written for and until when it holds; None for one that is not ours or altered."""
    match = _WRITTEN.fullmatch(text or "")
    if match is None:
        return None
    signed, at = Signed(match[1], int(match[2])), int(match[3])
    is_ours = hmac.compare_digest(match[4], _sign(settings, signed, at))
    return (signed, at + settings.cookie_ms) if is_ours else None


def set_cookie(settings: Settings, response: Response, person: Person) -> None:
    """Give somebody a cookie that no script can read and no other site can send."""
    value, age = write_cookie(settings, Signed(person.person_id, person.epoch)), settings.cookie_ms // 1000
    response.set_cookie(NAME, value, max_age=age, httponly=True, samesite="strict", secure=settings.secure, path="/")


def clear_cookie(settings: Settings, response: Response) -> None:
    """Take the cookie away."""
    response.delete_cookie(NAME, httponly=True, samesite="strict", secure=settings.secure, path="/")


def _sign(settings: Settings, signed: Signed, at: int) -> str:
    return settings.key.sign("cookie", *signed, at).hex()
