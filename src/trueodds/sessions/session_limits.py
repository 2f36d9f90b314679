"""The limits of a session: the bankroll it starts with and what ends it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from trueodds.automaton.calculation_errors import NeverEndsError, SessionError
from trueodds.money import Dollars, parse_dollars

DEFAULT_ROLLS: Final = 200
"""The number of rolls of a session that limits neither rolls nor shooters."""

MAX_SHOOTERS: Final = 1000
MAX_BANKROLL_CENTS: Final = 10**12
"""Small enough that every kernel can count in 64 bits."""

MAX_CLOSEOUT_ROLLS: Final = 20_000
"""Fair dice decide every open bet long before this many rolls. Extremely biased dice may not."""

END_CAUSES: Final = ("rolls", "shooters", "stop_loss", "stop_win", "ruin")
"""Why a session ends, in the order in which the causes are checked."""

SHOWN_QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
"""The quantiles shown in tables and charts."""


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """The bankroll and the limits of a session, in cents.

    `stop_win_worth_cents` and `stop_loss_worth_cents` are levels of the player's worth: the rack plus the stakes on the
    layout. At least one of `rolls` and `shooters` is set.
    """

    bankroll_cents: int
    rolls: int | None
    shooters: int | None = None
    stop_win_worth_cents: int | None = None
    stop_loss_worth_cents: int | None = None

    @property
    def length_text(self) -> str:
        """The maximum length in words, such as "3 shooters or 200 rolls"."""
        limits = ((self.shooters, "shooter"), (self.rolls, "roll"))
        return " or ".join(f"{count} {name}{'s' if count > 1 else ''}" for count, name in limits if count)


def parse_limits(
    bankroll: Dollars,
    rolls: int | None,
    shooters: int | None,
    stop_win: Dollars | None,
    stop_loss: Dollars | None,
    max_rolls: int,
) -> SessionLimits:
    """Return the limits given by a caller: amounts in dollars, stops as the amount won or lost.

    >>> parse_limits(500, None, None, 100, None, 1000)  # doctest: +NORMALIZE_WHITESPACE
    SessionLimits(bankroll_cents=50000, rolls=200, shooters=None, stop_win_worth_cents=60000,
                  stop_loss_worth_cents=None)
    """
    check_count("rolls", rolls, max_rolls)
    check_count("shooters", shooters, MAX_SHOOTERS)
    bankroll_cents = parse_dollars(bankroll, "bankroll")
    if bankroll_cents > MAX_BANKROLL_CENTS:
        raise SessionError(f"bankroll must be at most {MAX_BANKROLL_CENTS // 100:,}, got {bankroll}")
    return SessionLimits(
        bankroll_cents,
        DEFAULT_ROLLS if rolls is None and shooters is None else rolls,
        shooters,
        None if stop_win is None else bankroll_cents + parse_dollars(stop_win, "stop_win"),
        None if stop_loss is None else bankroll_cents - parse_dollars(stop_loss, "stop_loss"),
    )


def check_count(name: str, value: object, maximum: int) -> None:
    """Raise SessionError unless the value is None or an integer from 1 to the maximum."""
    if value is not None and (type(value) is not int or not 1 <= value <= maximum):
        raise SessionError(f"{name} must be an integer from 1 to {maximum:,}, got {value!r}")


def undecided_error() -> NeverEndsError:
    """Return the error for open bets that these dice do not decide."""
    return NeverEndsError(f"these dice do not decide the open bets within {MAX_CLOSEOUT_ROLLS:,} rolls")
