"""Computes the distribution of a session: compile the strategy, move probability roll by roll, close out open bets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import gcd, lcm
from typing import Final, NamedTuple

import numpy as np

from trueodds.automaton.array_types import Int64Array
from trueodds.automaton.automaton import COMPONENT_LIMITS, Automaton, KeyOverflowError, OnDemand
from trueodds.automaton.calculation_errors import SessionError, TooManyStatesError
from trueodds.rulebook import House
from trueodds.sessions.closeout import closeout_automaton, enter_closeout
from trueodds.sessions.closeout_results import EXACT, FLOATS, classify_closeouts, closeout_results
from trueodds.sessions.float_distribution import FloatDistribution
from trueodds.sessions.rack_rows import Floats
from trueodds.sessions.reachable_situations import ReachableRacks
from trueodds.sessions.session_grid import EDGE_BYTES, build_grid, roll_ways
from trueodds.sessions.session_limits import END_CAUSES, SessionLimits
from trueodds.sessions.session_memory import SessionMemory
from trueodds.strategy import Strategy
from trueodds.wager_odds.dice_chances import DiceChances

MAX_EXACT_ROLLS: Final = 1_000_000
NEGLIGIBLE_CHANCE: Final = 1e-16

CLOSEOUT_ENTRY_BYTES: Final = 600
"""About how much memory it takes to enter closing out from one situation."""

Progress = Callable[[int, int | None], None]
"""Called with the number of situations found so far and None, then with the rolls done and the rolls in all."""


class SolvedSession(NamedTuple):
    """The distribution of a session: the net results in increasing order, their chances, and some expectations."""

    results_cents: Int64Array
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
        budget_bytes: int,
        progress: Progress,
    ) -> None:
        self.limits = limits
        self._dice = dice
        self._progress = progress
        self._memory = SessionMemory(budget_bytes, strategy.name)
        automaton, racks = self._compile(strategy, house, budget_bytes)
        self.situation_counts = len(automaton.after_betting), len(automaton.next)
        """The number of situations before and after betting."""
        self._memory.situation_count = self.situation_counts[0]
        closeout, entries = self._compile_closeout(automaton)
        compiling_bytes = automaton.total_bytes + closeout.total_bytes + EDGE_BYTES * closeout.next.size
        self._memory.require_compiling(compiling_bytes)
        self._closeouts = classify_closeouts(closeout, dice)
        self._grid = build_grid(automaton, racks, limits, dice, self._closeouts.class_of[entries])
        self._memory.step_cents = self._grid.step_cents
        self._memory.compiled_bytes = compiling_bytes

    def _compile(self, strategy: Strategy, house: House, budget_bytes: int) -> tuple[Automaton, ReachableRacks]:
        """Compile the situations that the session can meet. Set `rolls`, the number of rolls to compute."""
        for max_components in COMPONENT_LIMITS:
            automaton = Automaton(
                strategy,
                house,
                budget_bytes=budget_bytes,
                on_demand=OnDemand(max_components, EDGE_BYTES),
                on_progress=lambda count: self._progress(count, None),
            )
            self.rolls = self.limits.rolls or self._rolls_needed(automaton, self.limits.shooters or 1)
            racks = ReachableRacks(automaton, replace(self.limits, rolls=self.rolls))
            try:
                racks.find_all()
            except KeyOverflowError:
                continue
            return automaton, racks
        raise automaton.too_large_error()

    def _compile_closeout(self, automaton: Automaton) -> tuple[Automaton, Int64Array]:
        """Compile closing out. Return its automaton, and where each situation before betting enters it."""
        count, used_bytes = len(automaton.after_betting), automaton.total_bytes
        self._memory.require_compiling(used_bytes + CLOSEOUT_ENTRY_BYTES * count)
        closeout = closeout_automaton(automaton, self._memory.budget_bytes - used_bytes)
        try:
            return closeout, enter_closeout(closeout, automaton, np.arange(count))
        except TooManyStatesError:
            raise self._memory.compiling_error(used_bytes + closeout.total_bytes) from None

    def _rolls_needed(self, automaton: Automaton, shooters: int) -> int:
        """Return a number of rolls that this many shooters exceed with negligible chance only."""
        phases = automaton.phases
        ways, total_ways = roll_ways(automaton, self._dice)
        chance = np.array(ways / total_ways, dtype=np.float64)
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
        self._progress(0, self.rolls)
        distribution = FloatDistribution(grid, self.limits.shooters, self._min_rack, self._memory)
        distribution.run(self.rolls, self._progress)
        rows = distribution.rows_at_end()
        closeouts = closeout_results(self._closeouts, {int(grid.closeout[row[0]]) for row in rows}, FLOATS)
        cash = {cents for result in closeouts.values() for cents in result.chance_by_cents}
        step = gcd(grid.step_cents, *cash)
        stride = grid.step_cents // step
        low = min(rack for _, rack, _ in rows) * stride + min(cash) // step
        high = max(rack + len(cells) for _, rack, cells in rows) * stride + max(cash) // step
        by_result = np.zeros(high - low)
        action = float(distribution.visits @ np.array(grid.resolved_ways / grid.total_ways, dtype=np.float64))
        for situation, rack, cells in rows:
            result = closeouts[int(grid.closeout[situation])]
            action += float(cells.sum()) * result.mean_action_cents
            for cents, chance in result.chance_by_cents.items():
                start = rack * stride + cents // step - low
                by_result[start : start + len(cells) * stride : stride] += cells * chance
        results = np.flatnonzero(by_result)
        ended_by: dict[str, float | Fraction] = dict(zip(END_CAUSES[2:], distribution.cause_mass.tolist(), strict=True))
        return SolvedSession(
            results_cents=(results + low) * step,
            chances=by_result[results],
            exact_chances=None,
            ended_by=ended_by,
            expected_rolls=float(distribution.visits.sum()),
            expected_action_cents=action,
        )

    @property
    def _min_rack(self) -> int:
        """The lowest rack on the grid: in steps from the bankroll, and not below zero dollars."""
        return -(self.limits.bankroll_cents // self._grid.step_cents)

    def solve_exactly(self) -> SolvedSession:
        """Return the distribution in fractions."""
        from trueodds.sessions.exact_distribution import ExactDistribution  # noqa: PLC0415  FLINT is slow to import

        grid = self._grid
        self._progress(0, self.rolls)
        distribution = ExactDistribution(grid, self.limits.shooters, self.rolls, self._memory)
        for rolled in range(self.rolls):
            distribution.step()
            self._progress(rolled + 1, self.rolls)
        total_ways = grid.total_ways**self.rolls
        rows = distribution.finish()
        closeouts = closeout_results(self._closeouts, {int(grid.closeout[situation]) for situation in rows}, EXACT)
        denominator = lcm(
            *(chance.denominator for result in closeouts.values() for chance in result.chance_by_cents.values())
        )
        ways_by_result: dict[int, int] = defaultdict(int)
        action = Fraction(0)
        for situation, row in rows.items():
            result = closeouts[int(grid.closeout[situation])]
            returned = [(cash, int(chance * denominator)) for cash, chance in result.chance_by_cents.items()]
            for rack, ways in distribution.slots.unpack(row):
                for cash, cash_ways in returned:
                    ways_by_result[rack * grid.step_cents + cash] += ways * cash_ways
            action += Fraction(row.ways, total_ways) * result.mean_action_cents
        for visits, resolved in zip(distribution.visit_ways, grid.resolved_ways.tolist(), strict=True):
            action += Fraction(visits * resolved, total_ways * grid.total_ways)
        results = sorted(ways_by_result)
        exact_chances = tuple(Fraction(ways_by_result[result], total_ways * denominator) for result in results)
        return SolvedSession(
            results_cents=np.array(results, dtype=np.int64),
            chances=np.array([float(chance) for chance in exact_chances]),
            exact_chances=exact_chances,
            ended_by={
                cause: Fraction(ways, total_ways)
                for cause, ways in zip(END_CAUSES[2:], distribution.cause_ways, strict=True)
            },
            expected_rolls=Fraction(sum(distribution.visit_ways), total_ways),
            expected_action_cents=action,
        )
