"""The terms of a session: what a player comes with, and what ends it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from trueodds.chain.errors import EndlessError, SessionError
from trueodds.strategy.amount import cents

ROLLS: Final = 200
"""Throws of a session where neither they nor shooters are limited."""

SHOOTERS_MOST: Final = 1000
BANKROLL_MOST: Final = 10**12
"""Cents: more than anybody brings, and few enough for every way of counting them."""

LONG_ENOUGH: Final = 20_000
"""Throws after which any bet that can be decided has been, but for very lopsided dice."""

CAUSES: Final = ("rolls", "shooters", "stop_loss", "stop_win", "ruin")
"""Why a session is over."""

QUANTILES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
SHARES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
"""The quantiles that are shown to people."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Cents a player comes with; throws, shooters, and a rack with its stakes won up to or lost down to a level.

    Without a limit of throws there is one of shooters.
    """

    bankroll: int
    rolls: int | None
    shooters: int | None = None
    at_least: int | None = None
    at_most: int | None = None

    @property
    def length(self) -> str:
        """How long it lasts, in words."""
        limits = ((self.shooters, "shooter"), (self.rolls, "throw"))
        return " or ".join(f"{count} {what}{'s' if count > 1 else ''}" for count, what in limits if count)


def read_terms(
    bankroll: int | str,
    rolls: int | None,
    shooters: int | None,
    stop_win: int | str | None,
    stop_loss: int | str | None,
    rolls_most: int,
) -> Terms:
    """Read terms as people give them: amounts in units of the currency, stops as what is won or lost.

    >>> read_terms(500, None, None, 100, None, 1000)
    Terms(bankroll=50000, rolls=200, shooters=None, at_least=60000, at_most=None)
    """
    check_count("rolls", rolls, rolls_most)
    check_count("shooters", shooters, SHOOTERS_MOST)
    came = cents(bankroll, "a bankroll")
    if came > BANKROLL_MOST:
        raise SessionError(f"a bankroll goes up to {BANKROLL_MOST // 100:,}, not {bankroll}")
    return Terms(
        came,
        ROLLS if rolls is None and shooters is None else rolls,
        shooters,
        None if stop_win is None else came + cents(stop_win, "a win to stop at"),
        None if stop_loss is None else came - cents(stop_loss, "a loss to stop at"),
    )


def check_count(what: str, value: object, most: int) -> None:
    """Refuse a number that is not whole, below 1, or too large; nothing at all is no limit."""
    if value is not None and (type(value) is not int or not 1 <= value <= most):
        raise SessionError(f"{what} go from 1 to {most:,}, not {value!r}")


def check_share(share: float) -> None:
    """Refuse a share that is none."""
    if not 0 <= share <= 1:
        raise SessionError(f"a share goes from 0 to 1, not {share!r}")


def endless() -> EndlessError:
    """Say that bets cannot be decided."""
    return EndlessError(f"with these dice what is up at the end is not decided within {LONG_ENOUGH:,} throws")


class Figures(ABC):
    """What can be said of any distribution of results, computed or counted; results are net, in cents."""

    terms: Terms

    @property
    def bankroll(self) -> int:
        """What the player came with."""
        return self.terms.bankroll

    @abstractmethod
    def chance(self, wanted: Callable[[int], bool]) -> float | Fraction:
        """Give the chance of the results that are wanted: `.chance(lambda result: result >= 10000)`."""

    @abstractmethod
    def quantile(self, share: float) -> int:
        """Give the least result that at least this share of sessions does not exceed."""

    @property
    def profit(self) -> float | Fraction:
        """The chance of going home with more than one came with."""
        return self.chance(lambda result: result > 0)

    @property
    def doubling(self) -> float | Fraction:
        """The chance of going home with at least twice what one came with."""
        return self.chance(lambda result: result >= self.bankroll)

    @property
    def quantiles(self) -> dict[float, int]:
        """The results at the shares people ask for."""
        return {share: self.quantile(share) for share in QUANTILES}
