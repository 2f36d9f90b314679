"""The constants of the page are those of the server."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from support.server_constants import FILE, server_constants
from trueodds.server.account_routes import Credentials
from trueodds.server.errors import STATUS_BY_CODE
from trueodds.service.errors import CommandRefused
from trueodds.service.player_command import COMMAND_NAMES, parse_command

CONSTANTS = json.loads(FILE.read_text("utf-8"))


def test_constants_are_up_to_date() -> None:
    """Update them with `python3 dev.py docs`."""
    assert FILE.read_text("utf-8") == server_constants()


COMMAND_FIELDS: dict[str, dict[str, object]] = {
    "join": {"cents": 1000}, "buy_in": {"cents": 1000}, "bet": {"spot": "pass", "stake_cents": 1000},
    "press": {"tag": "1", "new_stake_cents": 1000}, "reduce": {"tag": "1", "new_stake_cents": 1000},
    "take_down": {"tag": "1"}, "call": {"tag": "1", "call": "on"},
    "commit_seed": {"roll": 1, "commitment": "00" * 32}, "open_seed": {"seed": "00" * 32},
}  # fmt: skip


def _accepts_for_roll(command: str) -> bool:
    data = {"command": command, **COMMAND_FIELDS.get(command, {})}
    parse_command("ann", data)
    try:
        parse_command("ann", {**data, "for_roll": 1})
    except CommandRefused:
        return False
    return True


def test_the_commands_that_name_their_roll_are_those_that_can() -> None:
    assert set(CONSTANTS["roll_commands"]) == {name for name in COMMAND_NAMES if _accepts_for_roll(name)}


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
