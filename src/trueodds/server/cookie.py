"""The cookie: who somebody is, signed, so that nobody can be somebody else."""

from __future__ import annotations

import hmac
import re
from typing import Final

from fastapi import Response

from trueodds.server.settings import Settings

NAME: Final = "trueodds"
_WRITTEN: Final = re.compile(r"([0-9a-f]{32})\.([0-9]{1,16})\.([0-9a-f]{64})")


def write_cookie(settings: Settings, person_id: str) -> str:
    """Write what a cookie holds: the id, when it was given, and the signature of both."""
    at = settings.clock()
    return f"{person_id}.{at}.{_sign(settings, person_id, at)}"


def read_cookie(settings: Settings, text: str | None) -> str | None:
    """Give the id a cookie was written for; None for one that is not ours, altered or too old."""
    match = _WRITTEN.fullmatch(text or "")
    if match is None:
        return None
    person_id, at = match[1], int(match[2])
    is_ours = hmac.compare_digest(match[3], _sign(settings, person_id, at))
    return person_id if is_ours and settings.clock() < at + settings.cookie_ms else None


def set_cookie(settings: Settings, response: Response, person_id: str) -> None:
    """Give somebody a cookie that no script can read and no other site can send."""
    value, age = write_cookie(settings, person_id), settings.cookie_ms // 1000
    response.set_cookie(NAME, value, max_age=age, httponly=True, samesite="strict", secure=settings.secure, path="/")


def clear_cookie(settings: Settings, response: Response) -> None:
    """Take the cookie away."""
    response.delete_cookie(NAME, httponly=True, samesite="strict", secure=settings.secure, path="/")


def _sign(settings: Settings, person_id: str, at: int) -> str:
    return settings.key.sign("cookie", person_id, at).hex()
