"""Exact sessions: the whole distribution of what a strategy does with a bankroll, without sampling."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import numpy as np

from trueodds.automaton.array_types import Int64Array
from trueodds.automaton.automaton import DEFAULT_BUDGET_BYTES
from trueodds.automaton.calculation_errors import SessionError
from trueodds.money import Dollars
from trueodds.rulebook import Book, House, as_house
from trueodds.sessions.rack_rows import Floats
from trueodds.sessions.result_stats import ResultStats, check_quantile
from trueodds.sessions.session_limits import parse_limits
from trueodds.sessions.session_solver import MAX_EXACT_ROLLS, Progress, SessionSolver
from trueodds.strategy import Play, Strategy, as_strategy
from trueodds.wager_odds.dice_chances import FAIR_DICE, DiceChances, check_dice

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class SessionSummary(TypedDict):
    """The figures of a session as `Session.summary` returns them."""

    strategy: str
    house: str
    bankroll_cents: int
    rolls: int
    shooters: int | None
    mean_cents: float | Fraction
    standard_deviation_cents: float
    ruin_chance: float | Fraction
    profit_chance: float | Fraction
    doubling_chance: float | Fraction
    stop_win_chance: float | Fraction
    stop_loss_chance: float | Fraction
    expected_rolls: float | Fraction
    expected_action_cents: float | Fraction
    quantiles_cents: dict[float, int]


class Session(ResultStats):
    """The distribution of a session's net result.

    Amounts of money are given in dollars: an integer, a `Decimal` or text such as "12.50". Everything returned that
    ends in `_cents` is in cents. `results_cents` holds the possible net results in increasing order, `chances` their
    chances. With `rational=True`, `exact_chances` holds the same chances as fractions.

    A session ends after `rolls` rolls or `shooters` shooters, when the rack plus the stakes on the layout have won
    `stop_win` or lost `stop_loss`, or in ruin: the layout is empty and the rack does not cover the next bets. Then the
    open bets are taken down where the rules allow it, and rolled until they are decided where they do not.

    >>> session = Session("pass", "new_jersey", bankroll=100, rolls=50)
    >>> round(session.mean_cents / 100, 2), round(session.ruin_chance, 4)
    (-2.2, 0.0078)
    """

    def __init__(  # noqa: PLR0913  all but two are keywords
        self,
        strategy: Strategy | Play | str,
        house: House | Book | str,
        *,
        bankroll: Dollars,
        rolls: int | None = None,
        shooters: int | None = None,
        stop_win: Dollars | None = None,
        stop_loss: Dollars | None = None,
        dice: DiceChances = FAIR_DICE,
        rational: bool = False,
        budget_bytes: int = DEFAULT_BUDGET_BYTES,
        progress: Progress | None = None,
    ) -> None:
        self.strategy = as_strategy(strategy)
        self.house = as_house(house)
        self.limits = parse_limits(bankroll, rolls, shooters, stop_win, stop_loss, MAX_EXACT_ROLLS)
        if rational and self.limits.rolls is None:
            raise SessionError("rational=True needs a number of rolls, because a shooter can roll without end")
        solver = SessionSolver(
            self.strategy,
            self.house,
            self.limits,
            check_dice(dice),
            budget_bytes=budget_bytes,
            progress=progress or (lambda _done, _total: None),
        )
        solved = solver.solve_exactly() if rational else solver.solve_floats()
        self.rolls = solver.rolls
        self.situation_counts = solver.situation_counts
        """The number of situations before and after betting."""
        self.results_cents: Int64Array = solved.results_cents
        self.chances: Floats = solved.chances
        self.exact_chances = solved.exact_chances
        self.ended_by = solved.ended_by
        """The chances that the session ends by "stop_loss", "stop_win" and "ruin"."""
        self.expected_rolls = solved.expected_rolls
        self.expected_action_cents = solved.expected_action_cents

    @property
    def mean_cents(self) -> float | Fraction:
        """The expected net result."""
        if self.exact_chances is None:
            return float(self.results_cents @ self.chances)
        pairs = zip(self.results_cents.tolist(), self.exact_chances, strict=True)
        return sum((result * chance for result, chance in pairs), Fraction(0))

    @property
    def variance_cents2(self) -> float | Fraction:
        """The variance of the net result, in cents squared."""
        mean = self.mean_cents
        if self.exact_chances is None:
            return float((self.results_cents - float(mean)) ** 2 @ self.chances)
        pairs = zip(self.results_cents.tolist(), self.exact_chances, strict=True)
        return sum(((result - mean) ** 2 * chance for result, chance in pairs), Fraction(0))

    @property
    def standard_deviation_cents(self) -> float:
        """The standard deviation of the net result."""
        return sqrt(self.variance_cents2)

    def chance(self, condition: Callable[[int], bool]) -> float | Fraction:
        """Return the chance that the net result in cents meets a condition: a fraction if the session is rational."""
        chosen = [bool(condition(result)) for result in self.results_cents.tolist()]
        if self.exact_chances is None:
            return float(self.chances[np.array(chosen, dtype=bool)].sum())
        return sum((chance for chance, meets in zip(self.exact_chances, chosen, strict=True) if meets), Fraction(0))

    @property
    def ruin_chance(self) -> float | Fraction:
        """The chance that the session ends with an empty layout and a rack that does not cover the next bets."""
        return self.ended_by["ruin"]

    def quantile_cents(self, share: float) -> int:
        """Return the smallest net result that at least this share of sessions does not exceed."""
        check_quantile(share)
        if self.exact_chances is not None:
            below, wanted = Fraction(0), Fraction(share)
            for result, chance in zip(self.results_cents.tolist(), self.exact_chances, strict=True):
                below += chance
                if below >= wanted:
                    return int(result)
        index = int(np.searchsorted(np.cumsum(self.chances), share - 1e-12))
        return int(self.results_cents[min(index, len(self.results_cents) - 1)])

    def summary(self) -> SessionSummary:
        """Return the main figures. Keys that end in `_cents` hold cents."""
        return {
            "strategy": self.strategy.name,
            "house": self.house.name,
            "bankroll_cents": self.bankroll_cents,
            "rolls": self.rolls,
            "shooters": self.limits.shooters,
            "mean_cents": self.mean_cents,
            "standard_deviation_cents": self.standard_deviation_cents,
            "ruin_chance": self.ruin_chance,
            "profit_chance": self.profit_chance,
            "doubling_chance": self.doubling_chance,
            "stop_win_chance": self.ended_by["stop_win"],
            "stop_loss_chance": self.ended_by["stop_loss"],
            "expected_rolls": self.expected_rolls,
            "expected_action_cents": self.expected_action_cents,
            "quantiles_cents": self.quantiles_cents,
        }

    def plot(self, path: Path | str | None = None) -> Figure:
        """Draw the distribution, write it to a file if a path is given, and return the Matplotlib figure."""
        from trueodds.sessions.session_plot import plot_session  # noqa: PLC0415  Matplotlib is slow to import

        return plot_session(self, None if path is None else Path(path))

    def __repr__(self) -> str:
        return (
            f"<Session {self.strategy.name!r} at {self.house.name!r}: bankroll {self.bankroll_cents / 100:g} for "
            f"{self.limits.length_text}, mean {float(self.mean_cents) / 100:.2f}>"
        )
