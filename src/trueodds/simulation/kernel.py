"""The kernel: sessions played one roll after the other over a transition table. It knows nothing about craps.

This is a translation of the reference (`sessions/reference.py`), tested against it by
`tests/simulation/test_kernels.py::test_kernels_match_the_reference`.

A session's worth (rack plus stakes, after betting) is packed in units of money above the count of its hands, so that
one addition updates both. While the worth stays at or above the minimum of its row and below the stop win, only the
next roll happens. Otherwise `stop_or_bet` applies the rules of a session.

Where Numba is installed these functions are compiled, and `jit_inline` compiles the small ones into their callers. The
explicit conversions to I64 and U64 keep Numba from mixing signed and unsigned words, which would give floats.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from trueodds.automaton.array_types import Int64Array
from trueodds.automaton.jit import jit, jit_inline
from trueodds.sessions.session_limits import END_CAUSES, MAX_CLOSEOUT_ROLLS
from trueodds.simulation.rng import ROLLS_PER_WORD, U64, initial_state, next_digit, next_word
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

I64 = np.int64
ROW_MASK: Final = U64((1 << ROW_BITS) - 1)
HAND_MASK: Final = I64((1 << HAND_BITS) - 1)
HAND_SHIFT: Final = I64(ROW_BITS)
WORTH_SHIFT: Final = I64(HAND_BITS)
MISSING_KIND_COUNT: Final = I64(len(MISSING_KINDS))

(
    CONTINUES,
    ENDED_ROLLS,
    ENDED_SHOOTERS,
    ENDED_STOP_LOSS,
    ENDED_STOP_WIN,
    ENDED_RUIN,
    NOT_BUILT,
    RECORDING_EXHAUSTED,
    NEVER_DECIDED,
) = range(9)
CAUSE_NAMES: Final = ("", *END_CAUSES, "not built", "recording exhausted", "never decided")

SOURCE_FAIR, SOURCE_WEIGHTED, SOURCE_RECORDED = range(3)
"""Where rolls come from: the generator, the generator with weights, or a recording."""

FINAL_WORTH, ROLL_COUNT, PEAK, TROUGH, DRAWDOWN, HAND_COUNT, CAUSE, MISSING, COLUMN_COUNT = range(9)
"""The columns of results: the worth at the end, the rolls, the highest and lowest worth, the largest drawdown, the
hands, the cause of the end, and what is missing if the cause is NOT_BUILT."""

NONE: Final = I64(-1)

Stream = tuple[np.uint64, np.int64, np.uint64, np.uint64, np.uint64, np.uint64]
"""A word and how many rolls are left in it, then the state of the generator. With a recording: the offset of the next
roll in the buffer, and how many rolls are left."""

Extremes = tuple[np.int64, np.int64, np.int64]
"""The highest and the lowest packed worth so far, and the largest drawdown."""


class RollSource(NamedTuple):
    """Where the rolls come from, the seed, and where weights or a recording start and end in the buffer."""

    kind: int
    seed: np.uint64
    begin: int = 0
    end: int = 0


def empty_results(count: int) -> Int64Array:
    """Return zeros for the results of this many sessions, one row for each column of results."""
    return np.zeros((COLUMN_COUNT, count), dtype=np.int64)


@jit_inline
def end_cause(limits: KernelLimits, worth: np.int64, rolls: np.int64, hands: np.int64) -> int:
    """Return why a session ends before betting, or CONTINUES."""
    if rolls >= limits.rolls:
        return ENDED_ROLLS
    if hands >= limits.shooters:
        return ENDED_SHOOTERS
    if worth <= limits.stop_loss_worth:
        return ENDED_STOP_LOSS
    return ENDED_STOP_WIN if worth >= limits.stop_win_worth else CONTINUES


@jit_inline
def stop_or_bet(
    buffer: Words,
    offsets: Offsets,
    limits: KernelLimits,
    before: np.int64,
    rack: np.int64,
    rolls: np.int64,
    hands: np.int64,
) -> tuple[int, np.int64, np.int64]:
    """Return why a session ends in a situation before betting or CONTINUES, the row after betting, and the worth.

    If something is not built, the number of what is missing takes the place of the row.
    """
    situation = offsets.situations + SITUATION_WORDS * before
    worth = rack + buffer[situation + STAKES_BEFORE]
    cause = end_cause(limits, worth, rolls, hands)
    if cause != CONTINUES:
        return cause, I64(FINISHED_ROW), worth
    row, cost = buffer[situation + ROW_AFTER_BET], buffer[situation + DECISION_COST]
    if row < 0:
        return NOT_BUILT, MISSING_KIND_COUNT * before + MISSING_DECISION, worth
    if rack >= max(I64(0), cost):
        return CONTINUES, row, rack - cost + buffer[row + STAKES_UP]
    if buffer[situation + LAYOUT_EMPTY]:
        return ENDED_RUIN, I64(FINISHED_ROW), worth
    row = buffer[situation + ROW_AFTER_SKIP]
    if row < 0:
        return NOT_BUILT, MISSING_KIND_COUNT * before + MISSING_SKIP, worth
    return CONTINUES, row, worth


@jit_inline
def rack_before_bet(
    buffer: Words, offsets: Offsets, before: np.int64, row_offset: np.uint64, packed_worth: np.int64
) -> np.int64:
    """Return the rack before betting, from a worth that already includes the next bet.

    The two returns look redundant. With a single one, the batched kernel needs more registers and is 25 % slower.
    """
    situation = offsets.situations + SITUATION_WORDS * before
    if buffer[situation + ROW_AFTER_BET] < 0:
        return I64((packed_worth >> WORTH_SHIFT) - buffer[situation + STAKES_BEFORE])
    return I64((packed_worth >> WORTH_SHIFT) - buffer[row_offset + U64(STAKES_UP)] + buffer[situation + DECISION_COST])


@jit_inline
def next_roll(buffer: Words, dice: RollSource, stream: Stream) -> tuple[np.int64, Stream]:
    """Return the next roll of a session, 0 to 35 or NONE, and the stream after it."""
    word, left, a, b, c, d = stream
    if dice.kind == SOURCE_RECORDED:
        if left == 0:
            return NONE, stream
        return buffer[word], (word + U64(1), left - 1, a, b, c, d)
    if dice.kind == SOURCE_WEIGHTED:
        word, a, b, c, d = next_word(a, b, c, d)
        while word >= U64(buffer[dice.end - 1]):
            word, a, b, c, d = next_word(a, b, c, d)
        roll = I64(0)
        while word >= U64(buffer[dice.begin + roll]):
            roll += 1
        return roll, (word, left, a, b, c, d)
    if left == 0:
        word, a, b, c, d = next_word(a, b, c, d)
        left = I64(ROLLS_PER_WORD)
    digit, word = next_digit(word)
    return I64(digit), (word, left - 1, a, b, c, d)


@jit_inline
def play_until(
    buffer: Words,
    offsets: Offsets,
    limits: KernelLimits,
    dice: RollSource,
    row_offset: np.uint64,
    packed_worth: np.int64,
    rolls: np.int64,
    until: np.int64,
    stream: Stream,
    extremes: Extremes,
) -> tuple[int, np.uint64, np.int64, np.int64, Stream, Extremes, np.int64, np.int64]:
    """Play a session from after betting until it ends or has had a number of rolls.

    Return why it ended or CONTINUES, its row, packed worth, rolls, stream and extremes, and if it ended the situation
    before betting with the rack in it.
    """
    peak, trough, drawdown = extremes
    stop_win_check, cause, before, rack = I64(limits.stop_win_check) << WORTH_SHIFT, CONTINUES, I64(0), I64(0)
    while rolls < until:
        peak = max(peak, packed_worth)
        trough = min(trough, packed_worth)
        drawdown = max(drawdown, peak - packed_worth)
        roll, stream = next_roll(buffer, dice, stream)
        if roll < 0:
            cause = RECORDING_EXHAUSTED
            break
        rolls += 1
        cell = row_offset + U64(buffer[offsets.roll_columns + roll])
        transition = buffer[cell]
        packed_worth += transition >> HAND_SHIFT
        row_offset = U64(transition) & ROW_MASK
        if (
            packed_worth < buffer[row_offset]
            or packed_worth >= stop_win_check
            or rolls >= limits.rolls
            or (packed_worth & HAND_MASK) >= limits.shooters
        ):
            before, hands = buffer[U64(offsets.before) + cell], packed_worth & HAND_MASK
            rack = rack_before_bet(buffer, offsets, before, row_offset, packed_worth)
            cause, row, worth = stop_or_bet(buffer, offsets, limits, before, rack, rolls, hands)
            row_offset, packed_worth = U64(row), (worth << WORTH_SHIFT) + hands
            if cause != CONTINUES:
                break
    return cause, row_offset, packed_worth, rolls, stream, (peak, trough, drawdown), before, rack


@jit_inline
def close_out(
    buffer: Words, offsets: Offsets, dice: RollSource, before: np.int64, rack: np.int64, stream: Stream
) -> tuple[np.int64, Stream, int, np.int64]:
    """Take down or roll out the open bets of a session that ended.

    Return the final rack, the stream after it, why closing out failed or CONTINUES, and what is missing or NONE.
    """
    situation = offsets.situations + SITUATION_WORDS * before
    row = buffer[situation + CLOSEOUT_ROW]
    if row < 0:
        return rack, stream, CONTINUES, MISSING_KIND_COUNT * before + MISSING_CLOSEOUT
    rack += buffer[situation + CLOSEOUT_CASH]
    rolled = 0
    while row != FINISHED_ROW:
        if rolled == MAX_CLOSEOUT_ROLLS:
            return rack, stream, NEVER_DECIDED, NONE
        rolled += 1
        roll, stream = next_roll(buffer, dice, stream)
        if roll < 0:
            return rack, stream, RECORDING_EXHAUSTED, NONE
        transition = buffer[row + buffer[offsets.roll_columns + roll]]
        rack += transition >> (HAND_SHIFT + WORTH_SHIFT)
        row = I64(U64(transition) & ROW_MASK)
    return rack, stream, CONTINUES, NONE


@jit_inline
def write_result(
    buffer: Words,
    offsets: Offsets,
    dice: RollSource,
    cause: int,
    row_offset: np.uint64,
    packed_worth: np.int64,
    rolls: np.int64,
    stream: Stream,
    extremes: Extremes,
    before: np.int64,
    rack: np.int64,
    out: Int64Array,
    index: int,
) -> Stream:
    """Close out a session that ended and write its result, or what is missing. Return the stream after it.

    The hands below the drawdown only ever grew, so they make it too small by less than a unit: it is rounded up.
    """
    peak, trough, drawdown = extremes
    worth, missing = packed_worth >> WORTH_SHIFT, I64(row_offset) if cause == NOT_BUILT else NONE
    if cause not in (NOT_BUILT, RECORDING_EXHAUSTED):
        worth, stream, failure, missing = close_out(buffer, offsets, dice, before, rack, stream)
        cause = NOT_BUILT if missing >= 0 else failure if failure != CONTINUES else cause
    highest = max(peak >> WORTH_SHIFT, worth)
    out[FINAL_WORTH, index] = worth
    out[ROLL_COUNT, index] = rolls
    out[PEAK, index] = highest
    out[TROUGH, index] = min(trough >> WORTH_SHIFT, worth)
    out[DRAWDOWN, index] = max((drawdown + HAND_MASK) >> WORTH_SHIFT, highest - worth)
    out[HAND_COUNT, index] = packed_worth & HAND_MASK
    out[CAUSE, index] = cause
    out[MISSING, index] = missing
    return stream


@jit
def play_session(
    buffer: Words,
    offsets: Offsets,
    start: int,
    limits: KernelLimits,
    dice: RollSource,
    stream: Stream,
    out: Int64Array,
    index: int,
) -> Stream:
    """Play a session from start to end, write its result, and return the stream after it."""
    bankroll = I64(limits.bankroll)
    cause, row, worth = stop_or_bet(buffer, offsets, limits, I64(start), bankroll, I64(0), I64(0))
    row_offset, packed_worth, rolls, before, rack = U64(row), worth << WORTH_SHIFT, I64(0), I64(start), bankroll
    extremes = (bankroll << WORTH_SHIFT, bankroll << WORTH_SHIFT, I64(0))
    if cause == CONTINUES:
        cause, row_offset, packed_worth, rolls, stream, extremes, before, rack = play_until(
            buffer, offsets, limits, dice, row_offset, packed_worth, rolls, I64(limits.rolls), stream, extremes
        )
    return write_result(
        buffer, offsets, dice, cause, row_offset, packed_worth, rolls, stream, extremes, before, rack, out, index
    )


@jit
def run_sequential(
    buffer: Words,
    offsets: Offsets,
    start: int,
    limits: KernelLimits,
    dice: RollSource,
    sessions: Int64Array,
    out: Int64Array,
) -> None:
    """Play sessions by their numbers, one after the other."""
    for index in range(len(sessions)):
        a, b, c, d = initial_state(dice.seed, U64(sessions[index]))
        play_session(buffer, offsets, start, limits, dice, (U64(0), I64(0), a, b, c, d), out, index)


@jit
def run_recording(
    buffer: Words, offsets: Offsets, start: int, limits: KernelLimits, dice: RollSource, out: Int64Array
) -> np.int64:
    """Play one session along a recording. Return the offset in the buffer of the first roll after it."""
    stream = (U64(dice.begin), I64(dice.end - dice.begin), U64(1), U64(1), U64(1), U64(1))
    return I64(play_session(buffer, offsets, start, limits, dice, stream, out, 0)[0])
