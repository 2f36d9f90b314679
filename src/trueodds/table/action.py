"""Actions: what players and staff do at a table.

Every action is a frozen dataclass. Its constructor checks that it is well formed and raises `ActionError` if not.
Whether the rules allow the action is a separate question, which `Dealer.verify` answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from trueodds.dice import Roll
from trueodds.errors import TrueoddsError
from trueodds.money import MAX_STAKE_CENTS, Cents, MoneyError, validate_stake
from trueodds.rulebook import TENDER_KINDS, Spot
from trueodds.table.fast_constructor import fast_constructor
from trueodds.wagers import WorkingCall

CALLS: Final[tuple[WorkingCall, ...]] = ("on", "off")
TIMINGS: Final = ("open", "in_air", "after_rest")
DISPUTE_RULINGS: Final = ("face", "void")
COCKED_DICE: Final = tuple((die, face) for die in (0, 1) for face in range(1, 7))


class ActionError(TrueoddsError, ValueError):
    """Raised for an action that is malformed, whatever the rules are."""


def _check_choice(label: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ActionError(f"{label} must be one of {', '.join(allowed)}, got {value!r}")


def _check_name(label: str, value: object) -> None:
    if type(value) is not str or not value or len(value) > 80 or not value.isprintable():
        raise ActionError(f"{label} must be a printable text of 1 to 80 characters, got {value!r}")


def _check_names(label: str, values: object) -> None:
    if not isinstance(values, tuple):
        raise ActionError(f"{label} must be a tuple of names, got {values!r}")
    for value in values:
        _check_name(label, value)


def _check_change(player: object, tag: object, timing: object) -> None:
    _check_name("player", player)
    _check_name("tag", tag)
    _check_choice("timing", timing, TIMINGS)


def _check_new_stake(value: object) -> None:
    if type(value) is not int or abs(value) > MAX_STAKE_CENTS:
        raise MoneyError(f"new stake must be a whole number of cents, got {value!r}")


@fast_constructor
@dataclass(frozen=True, slots=True)
class Bet:
    """Make a wager on a spot, or take odds behind the wager tagged `base_tag`.

    `tag` names the new wager; without one the table numbers it. `confirmed_by` lists the staff who confirmed a bet
    made while the dice were in the air.

    >>> Bet("Ann", Spot.parse("place:6"), Cents(1200)).timing
    'open'
    """

    player: str
    spot: Spot
    stake_cents: Cents
    base_tag: str | None = None
    tag: str | None = None
    tender: str = "chips"
    confirmed_aloud: bool = False
    timing: str = "open"
    confirmed_by: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise `ActionError` or `MoneyError` if the bet is malformed."""
        validate_stake(self.stake_cents)
        if type(self.spot) is not Spot:
            raise ActionError(f"spot must be a Spot, got {self.spot!r}")
        _check_name("player", self.player)
        if self.base_tag is not None:
            _check_name("base tag", self.base_tag)
        if self.tag is not None:
            _check_name("tag", self.tag)
        if self.tender != "chips":
            _check_choice("tender", self.tender, TENDER_KINDS)
        if self.timing != "open":
            _check_choice("timing", self.timing, TIMINGS)
        if self.confirmed_by:
            _check_names("confirmed_by", self.confirmed_by)

    @property
    def is_ordinary(self) -> bool:
        """Whether the bet is made in chips and before the roll, as most bets are."""
        return self.tender == "chips" and self.timing == "open"


@dataclass(frozen=True, slots=True)
class TakeDown:
    """Take a wager with its odds, or one odds bet, off the layout."""

    player: str
    tag: str
    timing: str = "open"

    def __post_init__(self) -> None:
        """Raise `ActionError` if the action is malformed."""
        _check_change(self.player, self.tag, self.timing)


@dataclass(frozen=True, slots=True)
class Reduce:
    """Make a wager or an odds bet smaller."""

    player: str
    tag: str
    new_stake_cents: Cents
    timing: str = "open"

    def __post_init__(self) -> None:
        """Raise `ActionError` or `MoneyError` if the action is malformed."""
        _check_change(self.player, self.tag, self.timing)
        _check_new_stake(self.new_stake_cents)


@dataclass(frozen=True, slots=True)
class Press:
    """Make a wager or an odds bet larger."""

    player: str
    tag: str
    new_stake_cents: Cents
    timing: str = "open"
    confirmed_by: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise `ActionError` or `MoneyError` if the action is malformed."""
        _check_change(self.player, self.tag, self.timing)
        _check_new_stake(self.new_stake_cents)
        _check_names("confirmed_by", self.confirmed_by)


@dataclass(frozen=True, slots=True)
class ToggleBet:
    """Call a wager or an odds bet on or off."""

    player: str
    tag: str
    call: WorkingCall

    def __post_init__(self) -> None:
        """Raise `ActionError` if the action is malformed."""
        _check_change(self.player, self.tag, "open")
        _check_choice("call", self.call, CALLS)


@dataclass(frozen=True, slots=True)
class RollDice:
    """Roll the dice.

    `irregularity` is the code of what was wrong with the roll, and `called_by` is the staff member who called it.
    `ruling` is the decision in a dispute. `cocked` is the die (0 or 1) that did not lie flat and the face it rested on.
    """

    dice: Roll
    player: str | None = None
    irregularity: str | None = None
    called_by: str | None = None
    ruling: str | None = None
    cocked: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        """Raise `ActionError` if the action is malformed."""
        if type(self.dice) is not Roll:
            raise ActionError(f"dice must be a Roll, got {self.dice!r}")
        if self.player is not None:
            _check_name("player", self.player)
        if self.irregularity is not None:
            _check_name("irregularity", self.irregularity)
        if self.called_by is not None:
            _check_name("called_by", self.called_by)
        if self.ruling is not None:
            _check_choice("ruling", self.ruling, DISPUTE_RULINGS)
        if self.cocked is not None and self.cocked not in COCKED_DICE:
            raise ActionError(f"cocked must be a die (0 or 1) and the face it rests on, got {self.cocked!r}")


@dataclass(frozen=True, slots=True)
class _PlayerAction:
    """An action that needs nothing but the player."""

    player: str

    def __post_init__(self) -> None:
        """Raise `ActionError` if the player's name is malformed."""
        _check_name("player", self.player)


@dataclass(frozen=True, slots=True)
class Sit(_PlayerAction):
    """Sit down."""


@dataclass(frozen=True, slots=True)
class Stand(_PlayerAction):
    """Stand up."""


@dataclass(frozen=True, slots=True)
class Join:
    """Come to the table: to the seat at `seat_index`, counted clockwise from 0, or to the last seat."""

    player: str
    seat_index: int | None = None

    def __post_init__(self) -> None:
        """Raise `ActionError` if the action is malformed."""
        _check_name("player", self.player)
        if self.seat_index is not None and (type(self.seat_index) is not int or not 0 <= self.seat_index <= 99):
            raise ActionError(f"seat_index must be from 0 to 99, got {self.seat_index!r}")


@dataclass(frozen=True, slots=True)
class Leave(_PlayerAction):
    """Leave the table."""


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Start to offer the dice, first to the player the book names."""


@dataclass(frozen=True, slots=True)
class AcceptDice(_PlayerAction):
    """Accept the dice that are offered."""


@dataclass(frozen=True, slots=True)
class DeclineDice(_PlayerAction):
    """Decline the dice that are offered."""


@dataclass(frozen=True, slots=True)
class PassDice(_PlayerAction):
    """Give up the dice, as the shooter."""


@dataclass(frozen=True, slots=True)
class OrderPass:
    """Order the shooter to give up the dice."""

    ordered_by: str
    cause: str

    def __post_init__(self) -> None:
        """Raise `ActionError` if the action is malformed."""
        _check_name("ordered_by", self.ordered_by)
        _check_name("cause", self.cause)


@dataclass(frozen=True, slots=True)
class DeclineLine(_PlayerAction):
    """Decline to make a line bet, as the shooter before a come-out roll."""


CustodyAction = OpenTable | AcceptDice | DeclineDice | PassDice | OrderPass | DeclineLine
"""An action that changes who holds or is offered the dice."""

Action = Bet | TakeDown | Reduce | Press | ToggleBet | RollDice | Sit | Stand | Join | Leave | CustodyAction
