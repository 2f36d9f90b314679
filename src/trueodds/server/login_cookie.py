"""The signed login cookie."""

from __future__ import annotations

import hmac
import re
from typing import Final, NamedTuple

from fastapi import Response

from trueodds.journal import Person
from trueodds.server.settings import Settings

COOKIE_NAME: Final = "trueodds"
_PATTERN: Final = re.compile(r"([0-9a-f]{32})\.([0-9]{1,9})\.([0-9]{1,16})\.([0-9a-f]{64})")


class CookieOwner(NamedTuple):
    """The person a cookie was issued to. It is valid until the person logs out, which raises `sign_out_count`."""

    person_id: str
    sign_out_count: int


def format_cookie(settings: Settings, owner: CookieOwner) -> str:
    """Return the value of a cookie: person id, sign-out count, time of issue, and their signature."""
    issued_ms = settings.clock()
    return f"{owner.person_id}.{owner.sign_out_count}.{issued_ms}.{_sign(settings, owner, issued_ms)}"


def parse_cookie(settings: Settings, text: str | None) -> tuple[CookieOwner, int] | None:
    """Return the owner of a cookie and when it expires, or None if the signature is wrong."""
    match = _PATTERN.fullmatch(text or "")
    if match is None:
        return None
    owner, issued_ms = CookieOwner(match[1], int(match[2])), int(match[3])
    is_valid = hmac.compare_digest(match[4], _sign(settings, owner, issued_ms))
    return (owner, issued_ms + settings.cookie_ms) if is_valid else None


def set_cookie(settings: Settings, response: Response, person: Person) -> None:
    """Set a cookie that scripts cannot read and other sites cannot send."""
    value = format_cookie(settings, CookieOwner(person.person_id, person.sign_out_count))
    response.set_cookie(
        COOKIE_NAME, value, max_age=settings.cookie_ms // 1000, httponly=True, samesite="strict",
        secure=settings.secure, path="/",
    )  # fmt: skip


def clear_cookie(settings: Settings, response: Response) -> None:
    """Delete the cookie."""
    response.delete_cookie(COOKIE_NAME, httponly=True, samesite="strict", secure=settings.secure, path="/")


def _sign(settings: Settings, owner: CookieOwner, issued_ms: int) -> str:
    return settings.key.sign("cookie", *owner, issued_ms).hex()
