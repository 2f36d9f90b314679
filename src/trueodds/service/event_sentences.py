"""Messages that describe service events. They contain player ids, which the server replaces, and no secrets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from trueodds.journal import ServiceEvent
from trueodds.journal.canonical_json import JsonObject
from trueodds.money import format_money

EventBody = JsonObject


def describe_service_event(event: ServiceEvent, currency: str) -> str:
    """Return a sentence that describes a service event.

    >>> describe_service_event(ServiceEvent("bought_in", {"player": "Ann", "cents": 50000}), "USD")
    'Ann buys in for $500'
    """
    return MESSAGES[event.kind](event.body, currency)


def _describe_absent_action(body: EventBody, _: str) -> str:
    return f"{body['player']} was away: {ABSENT_ACTION_MESSAGES.get(body['action'], 'the table continued')}"


def _describe_note(body: EventBody, _: str) -> str:
    return "This table is by invitation only" if body.get("invitation_only") else "The operator added a note"


ABSENT_ACTION_MESSAGES: Final[Mapping[str, str]] = {
    "accept_dice": "the dice were accepted",
    "decline_dice": "the dice were declined",
    "order_pass": "the shooter was ordered to pass the dice",
    "pass_dice": "the dice were passed on",
    "decline_line": "the line bet was declined, and the dice move on",
    "roll": "the dice were rolled",
    "roll_without_line": "the dice were rolled without a line bet, which no remaining player could make",
}
"""What a table does for a player who is away."""

MESSAGES: Final[Mapping[str, Callable[[EventBody, str], str]]] = {
    "bought_in": lambda body, currency: f"{body['player']} buys in for {format_money(body['cents'], currency)}",
    "cashed_out": lambda body, currency: f"{body['player']} cashes out {format_money(body['cents'], currency)}",
    "anchor_published": lambda _body, _: "The dice secrets are fixed, and their anchor is published",
    "seed_committed": lambda body, _: f"{body['player']} commits to a seed for roll {body['roll']}",
    "seed_withdrawn": lambda body, _: f"{body['player']} withdraws the commitment to a seed",
    "roll_locked": lambda body, _: f"Bets are closed for roll {body['lock']['roll']}",
    "seed_opened": lambda body, _: f"{body['player']} opens the seed",
    "seed_missed": lambda body, _: f"{body['player']} did not open the seed for roll {body['roll']} in time",
    "secret_revealed": lambda body, _: f"The secret of roll {body['proof']['lock']['roll']} is revealed",
    "acted_for_absent": _describe_absent_action,
    "self_limit_reached": lambda body, _: f"{body['player']} has reached a limit they set",
    "departure_requested": lambda body, _: f"{body['player']} is leaving: open bets are played out",
    "note_added": _describe_note,
    "pace_set": lambda _body, _: "The table has its own pace",
    "bot_added": lambda body, _: f"{body['player']} is a bot that plays the strategy {body['strategy']}",
}
"""The message of each kind of event. The text of a note is private, so it is not repeated."""
