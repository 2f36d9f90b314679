"""The NumPy backend: all sessions of a batch roll together, one NumPy operation at a time.

It needs no compiler, and plays the same sessions with the same results as the compiled kernels. It can also be stopped
after any number of rolls, which the percentile bands use. Like the kernels it is a translation of the reference
(`sessions/reference.py`), tested against it by `tests/simulation/test_kernels.py::test_kernels_match_the_reference`.

Sessions that end keep rolling until their open bets are decided. Then they stay in the finished row.
"""

from __future__ import annotations

import numpy as np

from trueodds.automaton.array_types import Int64Array
from trueodds.sessions.session_limits import MAX_CLOSEOUT_ROLLS
from trueodds.simulation.kernel import (
    CAUSE,
    CONTINUES,
    DRAWDOWN,
    ENDED_ROLLS,
    ENDED_RUIN,
    ENDED_SHOOTERS,
    ENDED_STOP_LOSS,
    ENDED_STOP_WIN,
    FINAL_WORTH,
    HAND_COUNT,
    HAND_MASK,
    MISSING,
    NEVER_DECIDED,
    NOT_BUILT,
    PEAK,
    ROLL_COUNT,
    SOURCE_FAIR,
    TROUGH,
    RollSource,
    empty_results,
)
from trueodds.simulation.rng import ROLLS_PER_WORD, U64, NumpyGenerators, times_36_high_numpy
from trueodds.simulation.transition_table import (
    CLOSEOUT_CASH,
    CLOSEOUT_ROW,
    DECISION_COST,
    FINISHED_ROW,
    HAND_BITS,
    LAYOUT_EMPTY,
    MISSING_CLOSEOUT,
    MISSING_DECISION,
    MISSING_KINDS,
    MISSING_SKIP,
    ROW_AFTER_BET,
    ROW_AFTER_SKIP,
    ROW_BITS,
    SITUATION_WORDS,
    STAKES_BEFORE,
    STAKES_UP,
    KernelLimits,
    Offsets,
    Words,
)


class NumpySessions:
    """Sessions in progress. Session number i of the batch has index i in every array."""

    def __init__(
        self, buffer: Words, offsets: Offsets, start: int, limits: KernelLimits, dice: RollSource, sessions: Int64Array
    ) -> None:
        self._buffer, self._offsets, self._limits, self._dice = buffer, offsets, limits, dice
        self._situations = buffer[offsets.situations : offsets.dice].reshape(-1, SITUATION_WORDS)
        count = len(sessions)
        self.results = empty_results(count).T
        self.rolled = 0
        self.live = np.ones(count, dtype=bool)
        """Which sessions have not ended. Ended sessions may still have open bets to roll out."""
        self._generators = NumpyGenerators(int(dice.seed), sessions)
        self._word = np.zeros(count, dtype=np.uint64)
        self._row = np.full(count, FINISHED_ROW)
        self._packed_worth = np.full(count, limits.bankroll << HAND_BITS)
        self._peak, self._trough = self._packed_worth.copy(), self._packed_worth.copy()
        self._drawdown = np.zeros(count, dtype=np.int64)
        self._stop_or_bet(np.arange(count), np.full(count, start), np.full(count, limits.bankroll))

    @property
    def worth(self) -> Int64Array:
        """The current worth in units: rack plus stakes, or just the rack once a session has ended."""
        worth: Int64Array = self._packed_worth >> HAND_BITS
        return worth

    @property
    def done(self) -> bool:
        """Whether all sessions have ended and all bets are decided."""
        return not (self._row != FINISHED_ROW).any()

    def roll_dice(self) -> None:
        """Roll once for every session."""
        buffer, offsets, packed_worth = self._buffer, self._offsets, self._packed_worth
        np.maximum(self._peak, packed_worth, out=self._peak, where=self.live)
        np.minimum(self._trough, packed_worth, out=self._trough, where=self.live)
        np.maximum(self._drawdown, self._peak - packed_worth, out=self._drawdown, where=self.live)
        cells = self._row + buffer[offsets.roll_columns + self._next_rolls()]
        transitions = buffer[cells]
        packed_worth += np.where(self._row == FINISHED_ROW, 0, transitions >> ROW_BITS)
        self._row = transitions & ((1 << ROW_BITS) - 1)
        self.rolled += 1
        exceptional = (packed_worth < buffer[self._row]) | (packed_worth >= self._limits.stop_win_check << HAND_BITS)
        if self._limits.shooters < HAND_MASK:
            exceptional |= (packed_worth & HAND_MASK) >= self._limits.shooters
        if self.rolled >= self._limits.rolls:
            exceptional[:] = True
        chosen = np.flatnonzero(exceptional & self.live)
        if len(chosen):
            before, worth = buffer[offsets.before + cells[chosen]], packed_worth[chosen] >> HAND_BITS
            words = self._situations[before]
            rack_after_bet = worth - buffer[self._row[chosen] + STAKES_UP]
            not_built = words[:, ROW_AFTER_BET] < 0
            rack = np.where(not_built, worth - words[:, STAKES_BEFORE], rack_after_bet + words[:, DECISION_COST])
            self._stop_or_bet(chosen, before, rack)

    def finish(self) -> Int64Array:
        """Roll until all bets are decided. Return the results, one row for each session."""
        max_rolled = self.rolled + self._limits.rolls + MAX_CLOSEOUT_ROLLS
        while not self.done and self.rolled < max_rolled:
            self.roll_dice()
        self.results[self._row != FINISHED_ROW, CAUSE] = NEVER_DECIDED
        out, ended = self.results, self.results[:, CAUSE] != NOT_BUILT
        out[ended, FINAL_WORTH] = self.worth[ended]
        out[ended, PEAK] = np.maximum(out[ended, PEAK], out[ended, FINAL_WORTH])
        out[ended, TROUGH] = np.minimum(out[ended, TROUGH], out[ended, FINAL_WORTH])
        out[ended, DRAWDOWN] = np.maximum(out[ended, DRAWDOWN], out[ended, PEAK] - out[ended, FINAL_WORTH])
        return out

    def _next_rolls(self) -> Int64Array:
        if self._dice.kind != SOURCE_FAIR:
            thresholds = self._buffer[self._dice.begin : self._dice.end].view(np.uint64)
            return np.searchsorted(thresholds, self._generators.next_words(thresholds[-1]), side="right")
        if self.rolled % ROLLS_PER_WORD == 0:
            self._word = self._generators.next_words()
        rolls: Int64Array = times_36_high_numpy(self._word).astype(np.int64)
        self._word *= U64(36)
        return rolls

    def _stop_or_bet(self, chosen: Int64Array, before: Int64Array, rack: Int64Array) -> None:
        """Apply the rules before betting to some sessions, as `stop_or_bet` of the kernel does for one."""
        buffer, limits = self._buffer, self._limits
        words, hands = self._situations[before], self._packed_worth[chosen] & HAND_MASK
        worth = rack + words[:, STAKES_BEFORE]
        rolls_done = np.full(len(chosen), self.rolled >= limits.rolls)
        stops = [rolls_done, hands >= limits.shooters, worth <= limits.stop_loss_worth, worth >= limits.stop_win_worth]
        cause = np.select(stops, [ENDED_ROLLS, ENDED_SHOOTERS, ENDED_STOP_LOSS, ENDED_STOP_WIN], CONTINUES)
        row, cost = words[:, ROW_AFTER_BET], words[:, DECISION_COST]
        undecided = (cause == CONTINUES) & (row < 0)
        bets = (cause == CONTINUES) & (row >= 0) & (rack >= np.maximum(0, cost))
        skips = (cause == CONTINUES) & (row >= 0) & ~bets
        cause[skips & (words[:, LAYOUT_EMPTY] != 0)] = ENDED_RUIN
        skips &= cause == CONTINUES
        cause[undecided | (skips & (words[:, ROW_AFTER_SKIP] < 0))] = NOT_BUILT
        row = np.where(skips, words[:, ROW_AFTER_SKIP], row)
        worth = np.where(bets, rack - cost + buffer[row + STAKES_UP], worth)
        continues = cause == CONTINUES
        self._row[chosen[continues]] = row[continues]
        self._packed_worth[chosen[continues]] = (worth[continues] << HAND_BITS) + hands[continues]
        kind = np.where(undecided, MISSING_DECISION, MISSING_SKIP)
        ended = ~continues & (cause != NOT_BUILT)
        no_closeout = ended & (words[:, CLOSEOUT_ROW] < 0)
        kind[no_closeout], cause[no_closeout] = MISSING_CLOSEOUT, NOT_BUILT
        missing = np.where(cause == NOT_BUILT, len(MISSING_KINDS) * before + kind, -1)
        self._write_results(chosen[~continues], cause[~continues], missing[~continues])
        ended &= ~no_closeout
        self._row[chosen[ended]] = words[ended, CLOSEOUT_ROW]
        self._packed_worth[chosen[ended]] = (rack + words[:, CLOSEOUT_CASH])[ended] << HAND_BITS

    def _write_results(self, chosen: Int64Array, cause: Int64Array, missing: Int64Array) -> None:
        """Write the results of sessions that ended or cannot continue."""
        out = self.results
        out[chosen, FINAL_WORTH], out[chosen, ROLL_COUNT] = self.worth[chosen], self.rolled
        out[chosen, HAND_COUNT] = self._packed_worth[chosen] & HAND_MASK
        out[chosen, CAUSE], out[chosen, MISSING] = cause, missing
        out[chosen, PEAK], out[chosen, TROUGH] = self._peak[chosen] >> HAND_BITS, self._trough[chosen] >> HAND_BITS
        out[chosen, DRAWDOWN] = (self._drawdown[chosen] + HAND_MASK) >> HAND_BITS
        self.live[chosen], self._row[chosen] = False, FINISHED_ROW


def run_numpy(
    buffer: Words,
    offsets: Offsets,
    start: int,
    limits: KernelLimits,
    dice: RollSource,
    sessions: Int64Array,
    out: Int64Array,
) -> None:
    """Play sessions by their numbers."""
    out[:] = NumpySessions(buffer, offsets, start, limits, dice, sessions).finish().T
