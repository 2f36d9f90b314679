"""Wishes: what a client can ask of a table, read from JSON.

One that exists is well formed; whether it is granted, the boxman says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from trueodds.dice import DiceError
from trueodds.money import STAKE_LIMIT, Cents, MoneyError
from trueodds.rulebook import Spot, SpotError
from trueodds.service.errors import ServiceRefused
from trueodds.table import (
    AcceptDice,
    Action,
    Bet,
    CallWager,
    DeclineDice,
    DeclineLine,
    PassDice,
    Press,
    Reduce,
    Sit,
    Stand,
    TakeDown,
)
from trueodds.table.action import ActionError


@dataclass(frozen=True, slots=True)
class SitDown:
    """Come to the table with chips."""

    cents: int


@dataclass(frozen=True, slots=True)
class BuyIn:
    """Buy more chips."""

    cents: int


@dataclass(frozen=True, slots=True)
class Do:
    """Do something that the rules decide about."""

    action: Action


@dataclass(frozen=True, slots=True)
class RollDice:
    """Throw the dice, as the shooter."""


@dataclass(frozen=True, slots=True)
class CommitSeed:
    """Promise a seed for a roll."""

    commitment: bytes
    roll: int


@dataclass(frozen=True, slots=True)
class OpenSeed:
    """Show the seed that was promised."""

    seed: bytes


@dataclass(frozen=True, slots=True)
class GoAway:
    """Leave the table."""


Wish = SitDown | BuyIn | Do | RollDice | CommitSeed | OpenSeed | GoAway


def read_wish(player: str, data: object) -> Wish:
    """Read what a player wishes: an object with a `wish` and what belongs to it, no more and no less.

    >>> read_wish("p1", {"wish": "bet", "spot": "place:6", "cents": 1200}).action.stake
    1200
    """
    if not isinstance(data, Mapping) or not isinstance(data.get("wish"), str):
        raise _malformed("a wish is an object with a `wish` in it")
    reader = _READERS.get(data["wish"])
    if reader is None:
        raise _malformed(f"{data['wish'][:40]!r} is no wish; there are {', '.join(_READERS)}")
    given = _Given(player, dict(data))
    try:
        wish = reader(given)
    except (ActionError, MoneyError, SpotError, DiceError) as error:
        raise _malformed(str(error)) from None
    given.done()
    return wish


class _Given:
    """The fields of a wish, each taken once."""

    def __init__(self, player: str, data: dict[Any, Any]) -> None:
        self.player = player
        self._wish = data.pop("wish")
        self._data = data

    def text(self, name: str) -> str:
        value = self._take(name)
        if type(value) is not str or not 0 < len(value) <= 80:
            raise _malformed(f"{self._wish}: {name} is a short text, not {value!r}"[:200])
        return value

    def maybe(self, name: str) -> str | None:
        return self.text(name) if self._data.get(name) is not None else self._data.pop(name, None)

    def cents(self, name: str = "cents") -> Cents:
        value = self._take(name)
        if type(value) is not int or not 0 < value <= STAKE_LIMIT:
            raise _malformed(f"{self._wish}: {name} is a whole number of cents more than nothing")
        return Cents(value)

    def number(self, name: str) -> int:
        value = self._take(name)
        if type(value) is not int or not 0 < value < 2**53:
            raise _malformed(f"{self._wish}: {name} is a whole number from 1")
        return value

    def secret(self, name: str) -> bytes:
        text = self.text(name)
        try:
            value = bytes.fromhex(text)
        except ValueError:
            value = b""
        if len(value) != 32 or text != value.hex():
            raise _malformed(f"{self._wish}: {name} is 64 digits from 0 to f")
        return value

    def done(self) -> None:
        if self._data:
            raise _malformed(f"{self._wish} has no {', '.join(sorted(map(str, self._data)))}"[:200])

    def _take(self, name: str) -> Any:
        if name not in self._data:
            raise _malformed(f"{self._wish} needs {name}")
        return self._data.pop(name)


def _malformed(what: str) -> ServiceRefused:
    return ServiceRefused("malformed", what)


def _bet(given: _Given) -> Wish:
    spot = Spot.parse(given.text("spot"))
    return Do(Bet(given.player, spot, given.cents(), given.maybe("on"), given.maybe("tag")))


def _call(given: _Given) -> Wish:
    call = given.text("call")
    return Do(CallWager(given.player, given.text("tag"), call))  # type: ignore[arg-type]  # checked by the action


_READERS: Final[dict[str, Callable[[_Given], Wish]]] = {
    "sit": lambda given: SitDown(given.cents()),
    "buy_in": lambda given: BuyIn(given.cents()),
    "bet": _bet,
    "press": lambda given: Do(Press(given.player, given.text("tag"), given.cents("to"))),
    "reduce": lambda given: Do(Reduce(given.player, given.text("tag"), given.cents("to"))),
    "take_down": lambda given: Do(TakeDown(given.player, given.text("tag"))),
    "call": _call,
    "accept_dice": lambda given: Do(AcceptDice(given.player)),
    "decline_dice": lambda given: Do(DeclineDice(given.player)),
    "pass_dice": lambda given: Do(PassDice(given.player)),
    "decline_line": lambda given: Do(DeclineLine(given.player)),
    "get_up": lambda given: Do(Stand(given.player)),
    "take_seat": lambda given: Do(Sit(given.player)),
    "roll": lambda _given: RollDice(),
    "commit": lambda given: CommitSeed(given.secret("commitment"), given.number("roll")),
    "open": lambda given: OpenSeed(given.secret("seed")),
    "leave": lambda _given: GoAway(),
}

WISHES: Final = tuple(_READERS)
"""Every wish there is."""
