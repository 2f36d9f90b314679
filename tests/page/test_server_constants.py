"""The constants of the page are those of the server."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from support.server_constants import FILE, server_constants
from trueodds.server.account_routes import Credentials
from trueodds.server.errors import STATUS_BY_CODE

CONSTANTS = json.loads(FILE.read_text("utf-8"))


def test_constants_are_up_to_date() -> None:
    """Update them with `python3 dev.py docs`."""
    assert FILE.read_text("utf-8") == server_constants()


def test_retry_codes_are_those_of_temporary_errors() -> None:
    """Temporary errors have status 503, or 429 for the rate limit."""
    unavailable = {code for code, status in STATUS_BY_CODE.items() if status == 503}
    assert set(CONSTANTS["retry_codes"]) == unavailable | {"rate_limited"}


@pytest.mark.parametrize(
    ("field", "min_length", "max_length"),
    [
        ("name", 1, CONSTANTS["max_name_length"]),
        ("password", CONSTANTS["min_password_length"], CONSTANTS["max_password_length"]),
    ],
)
def test_lengths_of_names_and_passwords(field: str, min_length: int, max_length: int) -> None:
    valid = {"name": "Ann", "password": "long enough"}
    for length in (min_length, max_length):
        assert getattr(Credentials(**valid | {field: "x" * length}), field) == "x" * length
    for length in (min_length - 1, max_length + 1):
        with pytest.raises(ValidationError):
            Credentials(**valid | {field: "x" * length})
