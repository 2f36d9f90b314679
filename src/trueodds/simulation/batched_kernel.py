"""The batched kernel: many sessions side by side, a random word at a time, two sessions at once.

It plays the same sessions with the same results as `kernel.py`, and shares its functions for everything exceptional.
Like it, it is a translation of the reference (`sessions/reference.py`), tested against it by
`tests/simulation/test_kernels.py::test_kernels_match_the_reference`.

Each session has a lane. A random word makes eleven rolls. Two lanes at a time play through their word without looking
at limits: while one waits for its row from memory, the other continues. Lanes in which nothing exceptional can happen
go first, without any check. The worth before each roll is logged, and the extremes of all lanes are found together
afterwards, several to an instruction. A lane in which something exceptional happened, or may have, plays its word again
in `play_until`.

The two lanes are written out because the compiler keeps named variables in registers. More than two do not fit.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trueodds.automaton.array_types import Int64Array
from trueodds.automaton.jit import jit
from trueodds.simulation.kernel import (
    CONTINUES,
    HAND_MASK,
    HAND_SHIFT,
    I64,
    ROW_MASK,
    WORTH_SHIFT,
    RollSource,
    play_until,
    run_sequential,
    stop_or_bet,
    write_result,
)
from trueodds.simulation.rng import ROLLS_PER_WORD, U64, initial_state, is_rejected, next_digit, xoshiro_step
from trueodds.simulation.transition_table import FINISHED_ROW, QUIET_BELOW, QUIET_FROM, KernelLimits, Offsets, Words

LANES: Final = 96
MAX_HANDS_PER_WORD: Final = I64(6)
"""The most hands that can end within the rolls of one word: after the first, each takes at least two rolls."""


@jit
def run_batched(
    buffer: Words,
    offsets: Offsets,
    start: int,
    limits: KernelLimits,
    dice: RollSource,
    sessions: Int64Array,
    out: Int64Array,
) -> None:
    """Play sessions by their numbers, with fair dice."""
    cause, row, first_worth = stop_or_bet(buffer, offsets, limits, I64(start), I64(limits.bankroll), I64(0), I64(0))
    if cause != CONTINUES:
        run_sequential(buffer, offsets, start, limits, dice, sessions, out)
        return
    first_worth, bankroll = first_worth << WORTH_SHIFT, I64(limits.bankroll) << WORTH_SHIFT
    roll_columns, last_hands = U64(offsets.roll_columns), I64(limits.shooters) - MAX_HANDS_PER_WORD
    word_count = I64((limits.rolls + ROLLS_PER_WORD - 1) // ROLLS_PER_WORD)
    state = np.ones((4, LANES), dtype=np.uint64)  # a state of zeros would be rejected forever
    word, row_offset = np.zeros(LANES, dtype=np.uint64), np.zeros(LANES, dtype=np.uint64)
    worth, needs_care = np.zeros(LANES, dtype=np.int64), np.zeros(LANES, dtype=np.int64)
    peak, trough = np.zeros(LANES, dtype=np.int64), np.zeros(LANES, dtype=np.int64)
    drawdown, session = np.zeros(LANES, dtype=np.int64), np.zeros(LANES, dtype=np.int64)
    words_played = np.full(LANES, -1, dtype=np.int64)  # -1 in lanes without a session
    order = np.zeros(LANES, dtype=np.uint64)
    worth_log = np.zeros((ROLLS_PER_WORD, LANES), dtype=np.int64)
    next_session = live = 0
    while True:
        for lane in range(LANES):
            if words_played[lane] < 0 and next_session < len(sessions):
                session[lane], words_played[lane] = next_session, 0
                row_offset[lane], worth[lane] = U64(row), first_worth
                peak[lane], trough[lane], drawdown[lane] = bankroll, bankroll, 0
                state[0, lane], state[1, lane], state[2, lane], state[3, lane] = initial_state(
                    dice.seed, U64(sessions[next_session])
                )
                next_session += 1
                live += 1
        if live == 0:
            return
        accepted = True
        for lane in range(LANES):
            word[lane], state[0, lane], state[1, lane], state[2, lane], state[3, lane] = xoshiro_step(
                state[0, lane], state[1, lane], state[2, lane], state[3, lane]
            )
            accepted &= not is_rejected(word[lane])
        if not accepted:
            for lane in range(LANES):
                while is_rejected(word[lane]):
                    word[lane], state[0, lane], state[1, lane], state[2, lane], state[3, lane] = xoshiro_step(
                        state[0, lane], state[1, lane], state[2, lane], state[3, lane]
                    )
        quiet_end, rest_start = U64(0), U64(LANES)
        for lane in range(LANES):
            last, q = words_played[lane] == word_count - 1, worth[lane]
            careful = last | (q >= buffer[row_offset[lane] + U64(QUIET_BELOW)]) | ((q & HAND_MASK) >= last_hands)
            needs_care[lane] = -I64(careful)
            rest_start -= U64(1)
            order[quiet_end], order[rest_start] = U64(lane), U64(lane)
            quiet = U64(careful | (q >= buffer[row_offset[lane] + U64(QUIET_FROM)]))
            quiet_end += quiet
            rest_start += quiet
        pair = U64(0)
        while pair < U64(LANES):
            l0, l1 = order[pair], order[pair + U64(1)]
            r0, r1 = word[l0], word[l1]
            o0, o1 = row_offset[l0], row_offset[l1]
            q0, q1 = worth[l0], worth[l1]
            f0, f1 = needs_care[l0], needs_care[l1]
            checked = pair + U64(1) >= quiet_end
            for j in range(ROLLS_PER_WORD):
                worth_log[j, l0], worth_log[j, l1] = q0, q1
                d0, r0 = next_digit(r0)
                d1, r1 = next_digit(r1)
                w0, w1 = buffer[o0 + U64(buffer[roll_columns + d0])], buffer[o1 + U64(buffer[roll_columns + d1])]
                q0 += w0 >> HAND_SHIFT
                q1 += w1 >> HAND_SHIFT
                o0, o1 = U64(w0) & ROW_MASK, U64(w1) & ROW_MASK
                if checked:
                    f0 |= q0 - buffer[o0]
                    f1 |= q1 - buffer[o1]
            if f0 >= 0:
                row_offset[l0], worth[l0] = o0, q0
            if f1 >= 0:
                row_offset[l1], worth[l1] = o1, q1
            needs_care[l0], needs_care[l1] = f0, f1
            pair += U64(2)
        for lane in range(LANES):
            if needs_care[lane] < 0 and words_played[lane] >= 0:
                rolls = words_played[lane] * ROLLS_PER_WORD
                a, b, c, d = state[0, lane], state[1, lane], state[2, lane], state[3, lane]
                stream = (word[lane], I64(ROLLS_PER_WORD), a, b, c, d)
                extremes = (peak[lane], trough[lane], drawdown[lane])
                until = rolls + ROLLS_PER_WORD
                cause, o, q, rolls, stream, extremes, before, rack = play_until(
                    buffer, offsets, limits, dice, row_offset[lane], worth[lane], rolls, until, stream, extremes
                )
                if cause != CONTINUES:
                    index = session[lane]
                    write_result(buffer, offsets, dice, cause, o, q, rolls, stream, extremes, before, rack, out, index)
                    o, q, words_played[lane] = U64(FINISHED_ROW), I64(0), -1
                    live -= 1
                row_offset[lane], worth[lane] = o, q
                peak[lane], trough[lane], drawdown[lane] = extremes
                for j in range(ROLLS_PER_WORD):
                    worth_log[j, lane] = q  # seen twice by the extremes below, which changes nothing
        for lane in range(LANES):
            p, t, f = peak[lane], trough[lane], drawdown[lane]
            for j in range(ROLLS_PER_WORD):
                q = worth_log[j, lane]
                p = max(p, q)
                t = min(t, q)
                f = max(f, p - q)
            peak[lane], trough[lane], drawdown[lane] = p, t, f
        for lane in range(LANES):
            words_played[lane] += 1 if words_played[lane] >= 0 else 0
