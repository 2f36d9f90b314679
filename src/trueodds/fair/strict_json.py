"""Strict JSON parsing: no missing, unknown or duplicate keys. Errors say where the problem is."""

from __future__ import annotations

import json
import re
from typing import Any, Final, NoReturn

from trueodds.fair.errors import FairError, FaultCode

_HEX: Final = re.compile(r"[0-9a-f]{64}")


def parse_json(text: str) -> object:
    """Parse JSON text. Duplicate keys and NaN are refused."""
    try:
        return json.loads(text, object_pairs_hook=_reject_duplicate_keys, parse_constant=_reject_constant)
    except FairError:
        raise
    except (ValueError, RecursionError, TypeError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise FairError(FaultCode.MALFORMED, f"not valid JSON: {reason}") from None


def format_json(data: object) -> str:
    """Return data as JSON on one line, with keys in the order given."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def parse_object(data: object, where: str, keys: tuple[str, ...]) -> dict[str, Any]:
    """Return an object that has exactly these keys, or raise `FairError`."""
    if not isinstance(data, dict):
        raise FairError(FaultCode.MALFORMED, f"{where} must be an object with {', '.join(keys)}")
    for key in keys:
        if key not in data:
            raise FairError(FaultCode.MALFORMED, f"{where}: {key} is missing")
    for key in data:
        if key not in keys:
            raise FairError(FaultCode.MALFORMED, f"{where}: unknown key {key!a}")
    return data


def parse_list(data: object, where: str) -> list[object]:
    """Return a list, or raise `FairError`."""
    if not isinstance(data, list):
        raise FairError(FaultCode.MALFORMED, f"{where} must be a list")
    return data


def parse_hex(data: object, where: str) -> bytes:
    """Return 32 bytes from 64 lowercase hexadecimal digits, or raise `FairError`."""
    if not isinstance(data, str) or not _HEX.fullmatch(data):
        raise FairError(FaultCode.MALFORMED, f"{where} must be 64 lowercase hexadecimal digits")
    return bytes.fromhex(data)


def _reject_duplicate_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    data: dict[str, object] = {}
    for key, value in pairs:
        if key in data:
            raise FairError(FaultCode.MALFORMED, f"duplicate key {key!a}")
        data[key] = value
    return data


def _reject_constant(name: str) -> NoReturn:
    raise FairError(FaultCode.MALFORMED, f"{name} is not a JSON number")
