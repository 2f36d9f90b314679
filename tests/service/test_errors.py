"""Refusals of the service: they keep code, message and details, and pickle."""

from __future__ import annotations

import pickle

import pytest

from trueodds.errors import TrueoddsError
from trueodds.journal import InsufficientFundsError
from trueodds.service.errors import REFUSALS, CommandRefused
from trueodds.service.player_command import parse_command


def test_a_refusal_pickles() -> None:
    refused = CommandRefused("loss_limit", "Your loss limit lets you bet $5 more for now", 250, {"allowed_cents": 500})
    again = pickle.loads(pickle.dumps(refused))  # noqa: S301  our own bytes
    assert (type(again), str(again), vars(again)) == (CommandRefused, str(refused), vars(refused))


def test_every_refusal_is_an_error_of_trueodds() -> None:
    assert all(issubclass(kind, TrueoddsError) for kind in REFUSALS)


def test_insufficient_funds_are_shown_in_the_currency_of_the_table() -> None:
    refused = CommandRefused.from_error(InsufficientFundsError("p1", 500, 700), "SGD")
    assert (refused.code, refused.message) == ("insufficient_funds", "You need S$7 and have S$5 in the rack")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"command": "bet", "spot": "pass", "stake_cents": -5}, "stake_cents must be a positive whole number of cents"),
        ({"command": "bet", "spot": "pass"}, "bet: stake_cents is missing"),
        ({"command": "leave", "now": 1}, "leave: unknown fields now"),
        ({"command": "fly"}, "unknown command 'fly'; choose from join, "),
    ],
)
def test_an_invalid_command_says_what_must_hold(data: object, message: str) -> None:
    with pytest.raises(CommandRefused, match=message) as refused:
        parse_command("p1", data)
    assert refused.value.code == "invalid_command"
