"""Reading JSON strictly: every key is there, none is unknown, and an error says where it stands."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from trueodds.fair.errors import FairError, Fault

_HEX: Final = re.compile(r"[0-9a-f]{64}")


def read_json(text: str) -> object:
    """Read JSON in which no key stands twice."""
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except FairError:
        raise
    except (ValueError, RecursionError, TypeError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise FairError(Fault.MALFORMED, f"this is not JSON: {why}") from None


def write_json(data: object) -> str:
    """Write JSON on one line, with the keys in the order they were given."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def read_fields(data: object, where: str, names: tuple[str, ...]) -> dict[str, Any]:
    """Take an object with exactly these keys."""
    if not isinstance(data, dict):
        raise FairError(Fault.MALFORMED, f"{where} is an object with {', '.join(names)}")
    for name in names:
        if name not in data:
            raise FairError(Fault.MALFORMED, f"{where}: {name} is missing")
    for name in data:
        if name not in names:
            raise FairError(Fault.MALFORMED, f"{where}: nothing is called {name!a}")
    return data


def read_list(data: object, where: str) -> list[object]:
    """Take a list."""
    if not isinstance(data, list):
        raise FairError(Fault.MALFORMED, f"{where} is a list")
    return data


def read_hex(data: object, where: str) -> bytes:
    """Take 32 bytes, written as 64 hexadecimal digits in lower case."""
    if not isinstance(data, str) or not _HEX.fullmatch(data):
        raise FairError(Fault.MALFORMED, f"{where} is 64 hexadecimal digits in lower case")
    return bytes.fromhex(data)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    data: dict[str, object] = {}
    for name, value in pairs:
        if name in data:
            raise FairError(Fault.MALFORMED, f"{name!a} stands twice in one object")
        data[name] = value
    return data


def _no_constant(name: str) -> object:
    raise FairError(Fault.MALFORMED, f"{name} is not a number")
