"""What people do at a table. An action that exists is well formed; whether it is allowed, the dealer says."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Self

from trueodds.dice import Roll
from trueodds.money import STAKE_LIMIT, Cents, MoneyError, checked_stake
from trueodds.rulebook import TENDERS, Spot
from trueodds.wagers import Call

CALLS: Final[tuple[Call, ...]] = ("on", "off")
TIMINGS: Final = ("open", "in_air", "after_rest")
DISPUTE_RULINGS: Final = ("face", "void")
COCKED: Final = tuple((die, face) for die in (0, 1) for face in range(1, 7))


class ActionError(ValueError):
    """An action that makes no sense before any rule is asked."""


def _one_of(what: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        msg = f"{what} is one of {', '.join(allowed)}, not {value!r}"
        raise ActionError(msg)


def _name(what: str, value: object) -> None:
    if type(value) is not str or not value or len(value) > 80 or not value.isprintable():
        msg = f"{what} is a short text, not {value!r}"
        raise ActionError(msg)


def _names(what: str, values: object) -> None:
    if not isinstance(values, tuple):
        msg = f"{what} is a tuple of names, not {values!r}"
        raise ActionError(msg)
    for value in values:
        _name(what, value)


def _check_change(player: object, tag: object, timing: object) -> None:
    _name("a player", player)
    _name("a tag", tag)
    _one_of("a timing", timing, TIMINGS)


def _new_stake(value: object) -> None:
    if type(value) is not int or abs(value) > STAKE_LIMIT:
        msg = f"a new stake is a whole number of cents, not {value!r}"
        raise MoneyError(msg)


class _Bet(NamedTuple):
    player: str
    spot: Spot
    stake: Cents
    on: str | None
    tag: str | None
    tender: str
    confirmed: bool
    timing: str
    confirmed_by: tuple[str, ...]


class Bet(_Bet):
    """Put a wager on a spot, or odds behind the wager tagged `on`.

    >>> Bet("Ann", Spot.parse("place:6"), Cents(1200)).timing
    'open'
    """

    __slots__ = ()

    def __new__(  # noqa: PLR0913, PLR0917  tender and timing are fields of a bet, not state of a table
        cls,
        player: str,
        spot: Spot,
        stake: Cents,
        on: str | None = None,
        tag: str | None = None,
        tender: str = "chips",
        confirmed: bool = False,
        timing: str = "open",
        confirmed_by: tuple[str, ...] = (),
    ) -> Self:
        """Refuse what cannot be a bet under any rule."""
        checked_stake(stake)
        if type(spot) is not Spot:
            msg = f"a bet is made on a Spot, not on {spot!r}"
            raise ActionError(msg)
        _name("a player", player)
        if on is not None:
            _name("a tag", on)
        if tag is not None:
            _name("a tag", tag)
        if tender != "chips":
            _one_of("a tender", tender, TENDERS)
        if timing != "open":
            _one_of("a timing", timing, TIMINGS)
        if confirmed_by:
            _names("who confirmed", confirmed_by)
        return super().__new__(cls, player, spot, stake, on, tag, tender, confirmed, timing, confirmed_by)

    @classmethod
    def _make(cls, iterable: Iterable[Any]) -> Self:  # type: ignore[override]  # typeshed makes it generic
        """Check a changed copy, too."""
        return cls(*iterable)

    @property
    def is_plain(self) -> bool:
        """Whether it is made as most bets are: in chips, before the throw."""
        return self[5] == "chips" and self[7] == "open"


@dataclass(frozen=True, slots=True)
class TakeDown:
    """Take a wager (with its odds) or odds off the layout."""

    player: str
    tag: str
    timing: str = "open"

    def __post_init__(self) -> None:
        """Refuse what cannot be a change under any rule."""
        _check_change(self.player, self.tag, self.timing)


@dataclass(frozen=True, slots=True)
class Reduce:
    """Make a wager smaller."""

    player: str
    tag: str
    to: Cents
    timing: str = "open"

    def __post_init__(self) -> None:
        """Refuse what cannot be a change under any rule."""
        _check_change(self.player, self.tag, self.timing)
        _new_stake(self.to)


@dataclass(frozen=True, slots=True)
class Press:
    """Make a wager larger."""

    player: str
    tag: str
    to: Cents
    timing: str = "open"
    confirmed_by: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what cannot be a change under any rule."""
        _check_change(self.player, self.tag, self.timing)
        _new_stake(self.to)
        _names("who confirmed", self.confirmed_by)


@dataclass(frozen=True, slots=True)
class CallWager:
    """Call a wager on or off."""

    player: str
    tag: str
    call: Call

    def __post_init__(self) -> None:
        """Refuse what cannot be a call."""
        _check_change(self.player, self.tag, "open")
        _one_of("a call", self.call, CALLS)


@dataclass(frozen=True, slots=True)
class Throw:
    """Throw the dice.

    `irregular` names what was wrong with the throw, `called_by` who called it, `ruling` what was ruled in a
    dispute, `cocked` the die (0 or 1) that leaned and the face it rested on.
    """

    dice: Roll
    player: str | None = None
    irregular: str | None = None
    called_by: str | None = None
    ruling: str | None = None
    cocked: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be a throw."""
        if type(self.dice) is not Roll:
            msg = f"dice are a Roll, not {self.dice!r}"
            raise ActionError(msg)
        for what, value in (
            ("a player", self.player),
            ("an irregularity", self.irregular),
            ("a caller", self.called_by),
        ):
            if value is not None:
                _name(what, value)
        if self.ruling is not None:
            _one_of("a ruling", self.ruling, DISPUTE_RULINGS)
        if self.cocked is not None and self.cocked not in COCKED:
            msg = f"a cocked die is 0 or 1 with the face it rests on, not {self.cocked!r}"
            raise ActionError(msg)


@dataclass(frozen=True, slots=True)
class Sit:
    """Take one's seat."""

    player: str

    def __post_init__(self) -> None:
        """Refuse what cannot be a player."""
        _name("a player", self.player)


@dataclass(frozen=True, slots=True)
class Stand:
    """Get up."""

    player: str

    def __post_init__(self) -> None:
        """Refuse what cannot be a player."""
        _name("a player", self.player)


@dataclass(frozen=True, slots=True)
class Join:
    """Come to the table, at the end of the row or at a place counted clockwise from 0."""

    player: str
    place: int | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be a player."""
        _name("a player", self.player)
        if self.place is not None and (type(self.place) is not int or not 0 <= self.place <= 99):
            msg = f"a place is counted clockwise from 0, not {self.place!r}"
            raise ActionError(msg)


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the table."""

    player: str

    def __post_init__(self) -> None:
        """Refuse what cannot be a player."""
        _name("a player", self.player)


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Begin to offer the dice, to the player the book names first."""


@dataclass(frozen=True, slots=True)
class AcceptDice:
    """Take the dice that are offered."""

    player: str

    def __post_init__(self) -> None:
        """Refuse what cannot be a player."""
        _name("a player", self.player)


@dataclass(frozen=True, slots=True)
class DeclineDice:
    """Let the dice go by."""

    player: str

    def __post_init__(self) -> None:
        """Refuse what cannot be a player."""
        _name("a player", self.player)


@dataclass(frozen=True, slots=True)
class PassDice:
    """Give the dice up, as the shooter."""

    player: str

    def __post_init__(self) -> None:
        """Refuse what cannot be a player."""
        _name("a player", self.player)


@dataclass(frozen=True, slots=True)
class OrderPass:
    """Order the shooter to give the dice up."""

    by: str
    cause: str

    def __post_init__(self) -> None:
        """Refuse what cannot be an order."""
        _name("who orders", self.by)
        _name("a cause", self.cause)


@dataclass(frozen=True, slots=True)
class DeclineLine:
    """Decline, as the shooter at a come-out, to make a line bet."""

    player: str

    def __post_init__(self) -> None:
        """Refuse what cannot be a player."""
        _name("a player", self.player)


CustodyAction = OpenTable | AcceptDice | DeclineDice | PassDice | OrderPass | DeclineLine
"""What is done about the dice themselves."""

Action = Bet | TakeDown | Reduce | Press | CallWager | Throw | Sit | Stand | Join | Leave | CustodyAction
