"""Sentences: every record of the service in words, with ids where names will be put. Secrets and seeds are in none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from trueodds.journal import Record
from trueodds.money import money

Body = Mapping[str, Any]


def say_record(record: Record, currency: str) -> str:
    """Say what a record tells.

    >>> say_record(Record("bought_in", {"player": "Ann", "cents": 50000}), "USD")
    'Ann buys in for $500'
    """
    return SENTENCES[record.kind](record.body, currency)


def _absent(body: Body, _: str) -> str:
    return f"{body['player']} was away: {ACTED.get(body['did'], 'the table went on')}"


def _noted(body: Body, _: str) -> str:
    return "This table is by invitation" if body.get("by_invitation") else "The house makes a note"


ACTED: Final[Mapping[str, str]] = {
    "AcceptDice": "the dice were taken",
    "DeclineDice": "the dice were declined",
    "OrderPass": "the dice were passed by the book",
    "PassDice": "the dice were passed on",
    "DeclineLine": "the line bet was declined, and the dice go on",
    "throw": "the dice were thrown",
    "throw_waived": "the dice were thrown without a line bet, which nobody who is left could make",
}
"""What a table does for somebody who is away."""

SENTENCES: Final[Mapping[str, Callable[[Body, str], str]]] = {
    "bought_in": lambda body, currency: f"{body['player']} buys in for {money(body['cents'], currency)}",
    "cashed_out": lambda body, currency: f"{body['player']} cashes out {money(body['cents'], currency)}",
    "anchored": lambda _body, _: "The secrets of the dice are fixed, and their anchor is published",
    "committed": lambda body, _: f"{body['player']} commits to a seed for roll {body['roll']}",
    "withdrawn": lambda body, _: f"{body['player']} takes the commitment to a seed back",
    "locked": lambda body, _: f"Bets are closed for roll {body['lock']['roll']}",
    "opened": lambda body, _: f"{body['player']} opens the seed",
    "missed": lambda body, _: f"{body['player']} did not open the seed for roll {body['roll']} in time",
    "revealed": lambda body, _: f"The secret of roll {body['proof']['lock']['roll']} is revealed",
    "acted_for_absent": _absent,
    "limits": lambda body, _: f"{body['player']} has come to a limit of their own",
    "went": lambda body, _: f"{body['player']} is leaving: what must stay up is played out",
    "noted": _noted,
    "paced": lambda _body, _: "The table has a pace of its own",
    "hired": lambda body, _: f"{body['player']} plays for the house, by the strategy {body['strategy']}",
}
"""Words for each kind of record. A remark of the house may say anything, so it is not said again here."""
