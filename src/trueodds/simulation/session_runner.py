"""Runs sessions of one strategy: a kernel plays them, and the engine plays those that do not fit into memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from math import lcm
from threading import Lock
from typing import Final, NamedTuple

import numpy as np

from trueodds.automaton.array_types import Int64Array
from trueodds.automaton.automaton import Automaton
from trueodds.automaton.calculation_errors import SessionError, TooManyStatesError
from trueodds.automaton.jit import numba
from trueodds.dice import ROLLS, Roll
from trueodds.rulebook import House
from trueodds.sessions.reference import PlayedSession, ReferencePlayer
from trueodds.sessions.session_limits import SessionLimits, undecided_error
from trueodds.simulation.batched_kernel import run_batched
from trueodds.simulation.histograms import MONEY_COLUMNS_BY_NAME
from trueodds.simulation.kernel import (
    CAUSE,
    CAUSE_NAMES,
    FINAL_WORTH,
    MISSING,
    NEVER_DECIDED,
    NOT_BUILT,
    RECORDING_EXHAUSTED,
    SOURCE_FAIR,
    SOURCE_RECORDED,
    SOURCE_WEIGHTED,
    RollSource,
    empty_results,
    run_recording,
    run_sequential,
)
from trueodds.simulation.numpy_backend import NumpySessions, run_numpy
from trueodds.simulation.rng import U64, session_rolls
from trueodds.simulation.transition_table import MAX_ROLLS, KernelLimits, Offsets, TransitionTable, Words
from trueodds.strategy import Strategy
from trueodds.wager_odds.dice_chances import FAIR_DICE, DiceChances

MONEY_COLUMNS: Final = list(MONEY_COLUMNS_BY_NAME.values())
"""The columns of results that are amounts of money."""

MAX_ENGINE_BAND_SESSIONS: Final = 200
"""The engine is slow, so percentile bands that need it are based on this many sessions."""


@dataclass(frozen=True)
class SimulationSpec:
    """What to simulate: a strategy at a house, the limits of a session, the dice, and a memory budget.

    The dice are a seed with the chances of the 36 rolls, or a recording.
    """

    strategy: Strategy
    house: House
    limits: SessionLimits
    seed: int
    dice: DiceChances
    budget_bytes: int
    recording: tuple[Roll, ...] | None = None


class SessionResults(NamedTuple):
    """The results of sessions, one row each, with money in units. `engine_sessions` counts those the engine played."""

    rows: Int64Array
    unit_cents: int
    engine_sessions: int = 0

    @property
    def final_cents(self) -> Int64Array:
        """The final worth of each session."""
        return self.rows[:, FINAL_WORTH] * self.unit_cents


class SessionRunner:
    """Runs sessions of a simulation. Several threads may use one runner."""

    def __init__(self, spec: SimulationSpec) -> None:
        self.spec = spec
        self._thresholds = _weight_thresholds(spec.dice)
        engine_limits = replace(spec.limits, rolls=spec.limits.rolls or MAX_ROLLS)
        self._engine = ReferencePlayer(spec.strategy, spec.house, engine_limits)
        self._lock = Lock()
        self.out_of_memory = False
        """Whether the budget is used up, so that the engine has to play sessions that meet new situations."""
        self._table: TransitionTable | None = None
        words = self._thresholds if spec.recording is None else _roll_numbers(spec.recording)
        automaton = Automaton(spec.strategy, spec.house, budget_bytes=spec.budget_bytes, lazy=True)
        try:
            self._table = TransitionTable(automaton, spec.limits, words)
        except TooManyStatesError:
            self.out_of_memory = True

    def run(self, sessions: Int64Array) -> SessionResults:
        """Run sessions by their numbers."""
        rows, unit_cents = self._run_kernel(sessions)
        engine_sessions = 0
        while len(pending := np.flatnonzero(rows[:, CAUSE] == NOT_BUILT)):
            if self._build(np.unique(rows[pending, MISSING])):
                new_rows, new_unit_cents = self._run_kernel(sessions[pending])
            else:
                new_rows, new_unit_cents = self._run_engine(sessions[pending]), 1
                engine_sessions = len(pending)
            if new_unit_cents != unit_cents:
                rows[:, MONEY_COLUMNS] *= unit_cents // new_unit_cents
                unit_cents = new_unit_cents
            rows[pending] = new_rows
        _check_decided(rows)
        return SessionResults(rows, unit_cents, engine_sessions)

    def run_recorded(self, first_roll: int) -> tuple[SessionResults, int] | None:
        """Run one session from a roll of the recording.

        Return its result and the index of the first roll after it, or None if the recording ends too early.
        """
        recording = self.spec.recording or ()
        while not self.out_of_memory and self._table is not None:
            table, out = self._table, empty_results(1)
            dice = RollSource(SOURCE_RECORDED, U64(0), table.offsets.dice + first_roll, len(table.buffer))
            end = int(run_recording(table.buffer, table.offsets, table.automaton.start, table.limits, dice, out))
            if out[CAUSE, 0] == RECORDING_EXHAUSTED:
                return None
            if out[CAUSE, 0] != NOT_BUILT:
                _check_decided(out.T)
                return SessionResults(out.T, table.unit_cents), end - table.offsets.dice
            self._build(out[MISSING])
        rolls = iter(recording[first_roll:])
        try:
            row = np.array([result_row(self._engine.play(rolls))])
        except StopIteration:
            return None
        return SessionResults(row, 1, 1), len(recording) - sum(1 for _ in rolls)

    def worth_over_time(self, sessions: Int64Array, roll_counts: Int64Array) -> Int64Array:
        """Return the worth of sessions after some numbers of rolls, in cents, one row for each session.

        Sessions that have ended keep their final worth. There are fewer rows if the engine has to play.
        """
        while self._table is not None:
            arguments, unit_cents = self._kernel_arguments(self._table)
            running, worths = NumpySessions(*arguments, sessions), []
            for roll_count in roll_counts.tolist():
                while running.rolled < roll_count and running.live.any():
                    running.roll_dice()
                worths.append((running.live.copy(), running.worth))
            rows = running.finish()
            _check_decided(rows)
            missing = rows[rows[:, CAUSE] == NOT_BUILT, MISSING]
            if not len(missing):
                final = rows[:, FINAL_WORTH]
                return np.stack([np.where(live, worth, final) for live, worth in worths], axis=1) * unit_cents
            if not self._build(np.unique(missing)):
                break
        played = [self._engine.play(self._rolls(session)) for session in sessions[:MAX_ENGINE_BAND_SESSIONS].tolist()]
        return np.array([[session.worth_after(count) for count in roll_counts.tolist()] for session in played])

    def _run_kernel(self, sessions: Int64Array) -> tuple[Int64Array, int]:
        """Return the rows of sessions and the unit of their money. Some rows may be NOT_BUILT."""
        out = empty_results(len(sessions))
        if self._table is None:
            out[CAUSE] = NOT_BUILT
            return out.T, 1
        arguments, unit_cents = self._kernel_arguments(self._table)
        run = run_numpy if numba is None else run_batched if self._thresholds is None else run_sequential
        run(*arguments, sessions, out)
        return out.T, unit_cents

    def _kernel_arguments(
        self, table: TransitionTable
    ) -> tuple[tuple[Words, Offsets, int, KernelLimits, RollSource], int]:
        """Return the arguments that every kernel starts with, and the unit of their money."""
        with self._lock:
            kind = SOURCE_FAIR if self._thresholds is None else SOURCE_WEIGHTED
            dice = RollSource(kind, U64(self.spec.seed), table.offsets.dice, len(table.buffer))
            return (table.buffer, table.offsets, table.automaton.start, table.limits, dice), table.unit_cents

    def _build(self, missing: Int64Array) -> bool:
        """Add what was missing to the table. Return False if there is no memory left."""
        with self._lock:
            if self._table is not None and not self.out_of_memory:
                try:
                    self._table.build(missing)
                except TooManyStatesError:
                    self.out_of_memory = True
            return not self.out_of_memory

    def _run_engine(self, sessions: Int64Array) -> Int64Array:
        played = (self._engine.play(self._rolls(session)) for session in sessions.tolist())
        return np.array([result_row(session) for session in played], dtype=np.int64)

    def _rolls(self, session: int) -> Iterator[Roll]:
        return session_rolls(self.spec.seed, session, self._thresholds)


def result_row(played: PlayedSession) -> list[int]:
    """Return a session played by the reference as a row of results in cents, like the kernels write it."""
    worths = played.worths_cents
    peaks = list(accumulate(worths, max))
    drawdown = max(peak - worth for peak, worth in zip(peaks, worths, strict=True))
    cause = CAUSE_NAMES.index(played.ended_by)
    return [worths[-1], played.rolls, peaks[-1], min(worths), drawdown, played.hands, cause, -1]


def _check_decided(rows: Int64Array) -> None:
    """Raise NeverEndsError if a session has bets that are never decided."""
    if (rows[:, CAUSE] == NEVER_DECIDED).any():
        raise undecided_error()


def _roll_numbers(recording: tuple[Roll, ...]) -> Words:
    """Return the numbers of rolls, 0 to 35."""
    numbers = {roll: number for number, roll in enumerate(ROLLS)}
    return np.array([numbers[roll] for roll in recording], dtype=np.int64)


def _weight_thresholds(dice: DiceChances) -> Words | None:
    """Return the word below which each of the 36 rolls lies with biased dice, or None for fair dice."""
    if dice == FAIR_DICE:
        return None
    total = lcm(*(chance.denominator for _, chance in dice))
    if total >= 1 << 63:
        raise SessionError(f"the weights of the dice need a common denominator below 2**63, got {total}")
    words_per_weight, cumulative, thresholds = (1 << 64) // total, Fraction(0), []
    for _, chance in dice:
        cumulative += chance
        thresholds.append(min(int(cumulative * total) * words_per_weight, (1 << 64) - 1))
    return np.array(thresholds, dtype=np.uint64).view(np.int64)
