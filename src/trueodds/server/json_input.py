"""Reading JSON from strangers: what cannot be read, kept or said again is refused at once."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from trueodds.server.errors import ApiError


def read_json(octets: bytes | str) -> Any:
    """Read JSON of UTF-8 without NaN, halves of characters, or nesting beyond reason.

    >>> read_json(b'{"wish": "roll"}')
    {'wish': 'roll'}
    """
    try:
        text = octets if isinstance(octets, str) else octets.decode()
        value = json.loads(text, parse_constant=_refuse)
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise ApiError(400, "malformed", "the body is no JSON") from None
    return value


def _refuse(_constant: str) -> NoReturn:
    raise ValueError
