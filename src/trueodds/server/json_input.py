"""Parsing of JSON from clients."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from trueodds.server.errors import ApiError


def parse_json(data: bytes | str) -> Any:
    """Parse JSON in UTF-8, or raise a 400 error. NaN, lone surrogates and very deep nesting are refused.

    >>> parse_json(b'{"command": "roll"}')
    {'command': 'roll'}
    """
    try:
        text = data if isinstance(data, str) else data.decode()
        value = json.loads(text, parse_constant=_refuse)
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise ApiError(400, "invalid_request", "The body is not valid JSON") from None
    return value


def _refuse(_constant: str) -> NoReturn:
    raise ValueError
