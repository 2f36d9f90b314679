"""Computes the distribution of a session: compile the strategy, move probability roll by roll, close out open bets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import Final, NamedTuple

import numpy as np

from trueodds.automaton.array_types import Int64Array
from trueodds.automaton.automaton import Automaton
from trueodds.automaton.calculation_errors import SessionError
from trueodds.rulebook import House
from trueodds.sessions.closeout import closeout_automaton, enter_closeout, exact_closeouts
from trueodds.sessions.float_distribution import FloatDistribution, Floats
from trueodds.sessions.session_grid import SessionGrid, build_grid, check_memory, roll_ways
from trueodds.sessions.session_limits import END_CAUSES, MAX_CLOSEOUT_ROLLS, SessionLimits, undecided_error
from trueodds.strategy import Strategy
from trueodds.wager_odds.dice_chances import DiceChances

MAX_EXACT_ROLLS: Final = 1_000_000
NEGLIGIBLE_CHANCE: Final = 1e-16

EXPECTED_CLOSEOUT_ROLLS: Final = 200
"""About how many rolls it takes until only a negligible chance of open bets remains."""

Progress = Callable[[int, int | None], None]
"""Called with the number of situations found so far and None, then with the rolls done and the rolls in all."""


class SolvedSession(NamedTuple):
    """The distribution of a session: the final racks in increasing order, their chances, and some expectations."""

    racks_cents: Int64Array
    chances: Floats
    exact_chances: tuple[Fraction, ...] | None
    ended_by: dict[str, float | Fraction]
    expected_rolls: float | Fraction
    expected_action_cents: float | Fraction


class SessionSolver:
    """One session to compute. Raise TooManyStatesError if it does not fit into the memory budget."""

    def __init__(
        self,
        strategy: Strategy,
        house: House,
        limits: SessionLimits,
        dice: DiceChances,
        *,
        exact: bool,
        budget_bytes: int,
        progress: Progress,
    ) -> None:
        self.limits = limits
        self._dice = dice
        self._progress = progress
        self._automaton = Automaton(
            strategy, house, budget_bytes=budget_bytes, on_progress=lambda count: progress(count, None)
        )
        self._ways, self._total_ways = roll_ways(self._automaton, dice)
        self.rolls = limits.rolls or self._rolls_needed(limits.shooters or 1)
        self._start = int(self._automaton.start)
        starts = {self._start: (limits.bankroll_cents, limits.bankroll_cents)}
        self._grid = build_grid(self._automaton, starts, replace(limits, rolls=self.rolls), dice)
        slot_bytes = (self._grid.total_ways**self.rolls).bit_length() // 8 + 2 if exact else 8
        check_memory(self._grid, limits.shooters or 1, budget_bytes, strategy.name, slot_bytes)

    @property
    def situation_counts(self) -> tuple[int, int]:
        """The number of situations before and after betting."""
        return len(self._automaton.after_betting), len(self._automaton.next)

    def _rolls_needed(self, shooters: int) -> int:
        """Return a number of rolls that this many shooters exceed with negligible chance only."""
        phases = self._automaton.phases
        chance = np.array(self._ways / self._total_ways, dtype=np.float64)
        same_shooter, next_shooter = np.zeros((2, len(phases.phases), len(phases.phases)))
        for phase, next_phases in enumerate(phases.next.tolist()):
            for next_phase, weight in zip(next_phases, chance.tolist(), strict=True):
                (next_shooter if phases.new_shooter[next_phase] else same_shooter)[phase, next_phase] += weight
        if not next_shooter.any():
            raise SessionError("these dice never roll a seven-out, so shooters cannot end the session; set rolls")
        layers = np.zeros((shooters, len(phases.phases)))
        layers[0, phases.start] = 1.0
        for rolls in range(1, MAX_EXACT_ROLLS):
            following = layers @ same_shooter
            following[1:] += layers[:-1] @ next_shooter
            layers = following
            if layers.sum() < NEGLIGIBLE_CHANCE:
                return rolls
        raise SessionError(f"with these dice {shooters} shooters take more than {MAX_EXACT_ROLLS:,} rolls; set rolls")

    def solve_floats(self) -> SolvedSession:
        """Return the distribution in floating point."""
        grid = self._grid
        distribution = FloatDistribution(grid, self.limits.shooters, self.rolls)
        rack = self.limits.bankroll_cents // grid.unit_cents
        distribution.start_at(np.array([self._start]), np.array([rack]), np.ones(1))
        for rolled in range(self.rolls):
            distribution.step()
            self._progress(rolled + 1, self.rolls)
        ended_by: dict[str, float | Fraction] = dict(zip(END_CAUSES[2:], distribution.cause_mass.tolist(), strict=True))
        racks, chances, closeout_action = self._close_out(distribution.finish())
        action = float(distribution.visits @ self._mean_resolved(self._automaton)) + closeout_action
        return SolvedSession(racks, chances, None, ended_by, float(distribution.visits.sum()), action)

    def _mean_resolved(self, automaton: Automaton) -> Floats:
        """Return the mean stakes that a roll resolves in each situation after betting, in cents."""
        ways, total_ways = roll_ways(automaton, self._dice)
        mean: Floats = automaton.resolved_cents.astype(np.float64) @ np.array(ways / total_ways, dtype=np.float64)
        return mean

    def _close_out(self, ended_mass: Floats) -> tuple[Int64Array, Floats, float]:
        """Take down or roll out the open bets. Return the final racks in cents, their chances, and the mean action."""
        grid, closeout = self._grid, closeout_automaton(self._automaton)
        cells = np.flatnonzero(ended_mass)
        situations, racks = _cell_coordinates(grid)
        before, inverse = np.unique(situations[cells], return_inverse=True)
        entries = enter_closeout(closeout, self._automaton, before)[inverse]
        amounts = racks[cells] * grid.unit_cents
        starts: dict[int, tuple[int, int]] = {}
        for entry in np.unique(entries).tolist():
            entry_amounts = amounts[entries == entry]
            starts[entry] = (int(entry_amounts.min()), int(entry_amounts.max()))
        closeout_grid = build_grid(closeout, starts, None, self._dice, grid.unit_cents)
        distribution = FloatDistribution(closeout_grid, None, EXPECTED_CLOSEOUT_ROLLS)
        distribution.start_at(entries, amounts // closeout_grid.unit_cents, ended_mass[cells])
        for _ in range(MAX_CLOSEOUT_ROLLS):
            if distribution.remaining <= NEGLIGIBLE_CHANCE:
                break
            distribution.step()
        else:
            raise undecided_error()
        final_mass = distribution.finish()
        _, racks = _cell_coordinates(closeout_grid)
        cells = np.flatnonzero(final_mass)
        amounts, inverse = np.unique(racks[cells] * closeout_grid.unit_cents, return_inverse=True)
        chances: Floats = np.bincount(inverse, weights=final_mass[cells]).astype(np.float64)
        return amounts, chances, float(distribution.visits @ self._mean_resolved(closeout))

    def solve_exactly(self) -> SolvedSession:
        """Return the distribution in fractions."""
        from trueodds.sessions.exact_distribution import ExactDistribution  # noqa: PLC0415  FLINT is slow to import

        grid = self._grid
        distribution = ExactDistribution(grid, self.limits.shooters, self.rolls)
        distribution.start_at(self._start, self.limits.bankroll_cents // grid.unit_cents)
        for rolled in range(self.rolls):
            distribution.step()
            self._progress(rolled + 1, self.rolls)
        total_ways = grid.total_ways**self.rolls
        rows = distribution.finish()
        closeout = closeout_automaton(self._automaton)
        entries = enter_closeout(closeout, self._automaton, np.array(list(rows), dtype=np.int64))
        closeouts = exact_closeouts(closeout, *roll_ways(closeout, self._dice), entries)
        denominator = lcm(*(chance.denominator for result in closeouts for chance in result.chance_by_cents.values()))
        ways_by_rack: dict[int, int] = defaultdict(int)
        action = Fraction(0)
        for row, result in zip(rows.values(), closeouts, strict=True):
            returned = [(cash, int(chance * denominator)) for cash, chance in result.chance_by_cents.items()]
            row_ways = 0
            for rack, ways in distribution.unpack(row):
                row_ways += ways
                for cash, cash_ways in returned:
                    ways_by_rack[rack * grid.unit_cents + cash] += ways * cash_ways
            action += Fraction(row_ways, total_ways) * result.mean_action_cents
        for visits, resolved in zip(distribution.visit_ways, self._exact_mean_resolved(), strict=True):
            action += Fraction(visits, total_ways) * resolved
        racks = sorted(ways_by_rack)
        exact_chances = tuple(Fraction(ways_by_rack[rack], total_ways * denominator) for rack in racks)
        return SolvedSession(
            racks_cents=np.array(racks, dtype=np.int64),
            chances=np.array([float(chance) for chance in exact_chances]),
            exact_chances=exact_chances,
            ended_by={
                cause: Fraction(ways, total_ways)
                for cause, ways in zip(END_CAUSES[2:], distribution.cause_ways, strict=True)
            },
            expected_rolls=Fraction(sum(distribution.visit_ways), total_ways),
            expected_action_cents=action,
        )

    def _exact_mean_resolved(self) -> list[Fraction]:
        ways = [int(count) for count in self._ways.tolist()]
        return [
            Fraction(sum(stake * count for stake, count in zip(stakes, ways, strict=True)), self._total_ways)
            for stakes in self._automaton.resolved_cents.tolist()
        ]


def _cell_coordinates(grid: SessionGrid) -> tuple[Int64Array, Int64Array]:
    """Return the situation and the rack of every cell, the rack in units of the grid."""
    widths = grid.widths
    situations = np.repeat(np.arange(len(widths)), widths)
    starts = np.concatenate(([0], np.cumsum(widths)[:-1]))
    racks: Int64Array = np.arange(int(widths.sum())) - starts[situations] + grid.min_rack[situations]
    return situations, racks
