"""Commands that a player can send to a table, parsed from JSON.

A command is well-formed; the table controller decides whether it is executed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from trueodds.dice import DiceError
from trueodds.journal.canonical_json import Json
from trueodds.money import MAX_STAKE_CENTS, Cents, MoneyError
from trueodds.rulebook import Spot, SpotError
from trueodds.service.errors import CommandRefused
from trueodds.table import (
    AcceptDice,
    Action,
    Bet,
    DeclineDice,
    DeclineLine,
    PassDice,
    Press,
    Reduce,
    Sit,
    Stand,
    TakeDown,
    ToggleBet,
)
from trueodds.table.action import ActionError


@dataclass(frozen=True, slots=True)
class JoinTable:
    """Join the table and buy chips."""

    cents: int


@dataclass(frozen=True, slots=True)
class BuyIn:
    """Buy more chips."""

    cents: int


@dataclass(frozen=True, slots=True)
class DoAction:
    """Do an action that the rules decide on, such as a bet, before roll number `for_roll` or at any time."""

    action: Action
    for_roll: int | None = None


@dataclass(frozen=True, slots=True)
class RequestRoll:
    """Roll the dice, as the shooter, if the next roll has the number `for_roll` or whatever its number is."""

    for_roll: int | None = None


@dataclass(frozen=True, slots=True)
class CommitSeed:
    """Commit to a client seed for a roll."""

    commitment: bytes
    roll: int


@dataclass(frozen=True, slots=True)
class OpenSeed:
    """Open the client seed that was committed to."""

    seed: bytes


@dataclass(frozen=True, slots=True)
class LeaveTable:
    """Leave the table."""


PlayerCommand = JoinTable | BuyIn | DoAction | RequestRoll | CommitSeed | OpenSeed | LeaveTable


def parse_command(player: str, data: object) -> PlayerCommand:
    """Return the command in a JSON object. Raise `CommandRefused` if a field is invalid, missing or unknown.

    >>> parse_command("p1", {"command": "bet", "spot": "place:6", "stake_cents": 1200}).action.stake_cents
    1200
    """
    if not isinstance(data, Mapping) or not isinstance(data.get("command"), str):
        raise _invalid_command("a command must be a JSON object with a `command` name")
    parse = _PARSERS.get(data["command"])
    if parse is None:
        raise _invalid_command(f"unknown command {data['command'][:40]!r}; choose from {', '.join(_PARSERS)}")
    fields = _CommandFields(player, dict(data))
    try:
        command = parse(fields)
        if isinstance(command, DoAction | RequestRoll):
            command = replace(command, for_roll=fields.optional_number("for_roll"))
    except (ActionError, MoneyError, SpotError, DiceError) as error:
        raise _invalid_command(str(error)) from None
    fields.require_empty()
    return command


class _CommandFields:
    """The fields of a command. Each is removed when it is read, so that unknown ones are left over."""

    def __init__(self, player: str, data: dict[object, Json]) -> None:
        self.player = player
        self._name = data.pop("command")
        self._fields = data

    def text(self, name: str) -> str:
        value = self._pop(name)
        if type(value) is not str or not 0 < len(value) <= 80:
            raise _invalid_command(f"{self._name}: {name} must be text of 1 to 80 characters, got {value!r}"[:200])
        return value

    def optional_text(self, name: str) -> str | None:
        return self.text(name) if self._fields.get(name) is not None else self._fields.pop(name, None)

    def cents(self, name: str = "cents") -> Cents:
        value = self._pop(name)
        if type(value) is not int or not 0 < value <= MAX_STAKE_CENTS:
            raise _invalid_command(
                f"{self._name}: {name} must be a positive whole number of cents, got {value!r}"[:200]
            )
        return Cents(value)

    def number(self, name: str) -> int:
        value = self._pop(name)
        if type(value) is not int or not 0 < value < 2**53:
            raise _invalid_command(f"{self._name}: {name} must be a positive whole number, got {value!r}"[:200])
        return value

    def optional_number(self, name: str) -> int | None:
        return self.number(name) if self._fields.get(name) is not None else self._fields.pop(name, None)

    def secret(self, name: str) -> bytes:
        text = self.text(name)
        try:
            value = bytes.fromhex(text)
        except ValueError:
            value = b""
        if len(value) != 32 or text != value.hex():
            raise _invalid_command(f"{self._name}: {name} must be 64 hexadecimal digits in lower case")
        return value

    def require_empty(self) -> None:
        if self._fields:
            raise _invalid_command(f"{self._name}: unknown fields {', '.join(sorted(map(str, self._fields)))}"[:200])

    def _pop(self, name: str) -> Json:
        if name not in self._fields:
            raise _invalid_command(f"{self._name}: {name} is missing")
        return self._fields.pop(name)


def _invalid_command(message: str) -> CommandRefused:
    return CommandRefused("invalid_command", message)


def _bet(fields: _CommandFields) -> PlayerCommand:
    spot = Spot.parse(fields.text("spot"))
    stake_cents, base_tag, tag = (
        fields.cents("stake_cents"),
        fields.optional_text("base_tag"),
        fields.optional_text("tag"),
    )
    return DoAction(Bet(fields.player, spot, stake_cents, base_tag, tag))


def _call(fields: _CommandFields) -> PlayerCommand:
    call = fields.text("call")
    return DoAction(ToggleBet(fields.player, fields.text("tag"), call))  # type: ignore[arg-type]  # checked by the action


_PARSERS: Final[dict[str, Callable[[_CommandFields], PlayerCommand]]] = {
    "join": lambda fields: JoinTable(fields.cents()),
    "buy_in": lambda fields: BuyIn(fields.cents()),
    "bet": _bet,
    "press": lambda fields: DoAction(Press(fields.player, fields.text("tag"), fields.cents("new_stake_cents"))),
    "reduce": lambda fields: DoAction(Reduce(fields.player, fields.text("tag"), fields.cents("new_stake_cents"))),
    "take_down": lambda fields: DoAction(TakeDown(fields.player, fields.text("tag"))),
    "call": _call,
    "accept_dice": lambda fields: DoAction(AcceptDice(fields.player)),
    "decline_dice": lambda fields: DoAction(DeclineDice(fields.player)),
    "pass_dice": lambda fields: DoAction(PassDice(fields.player)),
    "decline_line": lambda fields: DoAction(DeclineLine(fields.player)),
    "stand": lambda fields: DoAction(Stand(fields.player)),
    "sit": lambda fields: DoAction(Sit(fields.player)),
    "roll": lambda _: RequestRoll(),
    "commit_seed": lambda fields: CommitSeed(fields.secret("commitment"), fields.number("roll")),
    "open_seed": lambda fields: OpenSeed(fields.secret("seed")),
    "leave": lambda _: LeaveTable(),
}

COMMAND_NAMES: Final = tuple(_PARSERS)
"""The name of every command."""
