"""Walking the table: sessions one throw after the other. It knows nothing of craps.

A session's worth (rack and stakes up, after betting) is kept in slots above a count of its hands, so that one addition
does for both. As long as the worth stays at or above the first word of the row it is in, and below the stop, nothing
happens but the next throw. Otherwise the throw is looked at closely: in `arrive`, which says what a session is.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from trueodds.chain.group import Ints
from trueodds.chain.kernel import compiled, inlined
from trueodds.chain.machine import ASKS, DECISION, END, HAND_BITS, PARKED, PLACE_BITS, SHORT
from trueodds.chain.stream import ELEVEN, U, high_of_36_times, next_word, seeded

I = np.int64  # noqa: E741  the kernel is typed by hand
PLACE: Final = U((1 << PLACE_BITS) - 1)
HANDS: Final = I((1 << HAND_BITS) - 1)
_PLACE_BITS, _HAND_BITS = I(PLACE_BITS), I(HAND_BITS)
_36, _KINDS = U(36), I(len(ASKS))

GOES_ON, ROLLS_OVER, SHOOTERS_OVER, STOP_LOSS, STOP_WIN, RUIN, UNBUILT = range(7)
CAUSES: Final = ("", "rolls", "shooters", "stop_loss", "stop_win", "ruin", "unbuilt")

UNIFORM, LOADED, RECORDED = range(3)
"""Where rolls come from: the stream, the stream through weights, or a list."""

WORTH, ROLLS, PEAK, TROUGH, FALL, HANDS_SEEN, CAUSE, WANTED = range(8)
"""The columns of results: worth at the end, throws, highest and lowest worth, greatest fall from a height, hands,
cause, and what to build before a session can be played on, where its cause is that something is not built."""


class Dice(NamedTuple):
    """Rolls for a walk: where they come from, the seed, and where on the tape weights or a recording begin and end."""

    kind: int
    seed: Any
    begin: int = 0
    end: int = 0


class Limits(NamedTuple):
    """What ends a session, in slots; `nearly` is a worth after betting from which the upper stop may be reached."""

    bankroll: int
    rolls: int
    shooters: int
    at_most: int
    at_least: int
    nearly: int


def no_results(count: int) -> Ints:
    """Make room for the results of so many sessions."""
    return np.zeros((count, 8), dtype=np.int64)


@inlined
def arrive(tape: Any, at: Any, limits: Any, b: Any, rack: Any, rolls: Any, hands: Any) -> Any:
    """Say what happens in a situation before betting: it is over, or goes on; in which row, with what worth."""
    worth = rack + tape[at.up + b]
    over = (
        ROLLS_OVER
        if rolls >= limits.rolls
        else SHOOTERS_OVER
        if hands >= limits.shooters
        else STOP_LOSS
        if worth <= limits.at_most
        else STOP_WIN
        if worth >= limits.at_least
        else GOES_ON
    )
    if over != GOES_ON:
        return over, I(PARKED), worth
    row, cost = tape[at.after + b], tape[at.cost + b]
    if row < 0:
        return UNBUILT, I(DECISION), worth
    if rack >= max(I(0), cost):
        return GOES_ON, row, rack - cost + tape[row + 1]
    if tape[at.empty + b]:
        return RUIN, I(PARKED), worth
    row = tape[at.short + b]
    if row < 0:
        return UNBUILT, I(SHORT), worth
    return GOES_ON, row, worth


@inlined
def rack_before(tape: Any, at: Any, b: Any, place: Any, q: Any) -> Any:
    """Give the rack in a situation before betting, from the worth after the bet that was taken for granted."""
    if tape[at.after + b] < 0:
        return (q >> _HAND_BITS) - tape[at.up + b]
    return (q >> _HAND_BITS) - tape[place + U(1)] + tape[at.cost + b]


@inlined
def draw(tape: Any, dice: Any, word: Any, left: Any, seen: Any, s: Any) -> Any:
    """Give the next roll of a session, 0 to 35, and the stream after it; -1 when a recording is at its end."""
    a, b, c, d = s
    if dice.kind == RECORDED:
        if dice.begin + seen >= dice.end:
            return I(-1), word, left, seen, s
        return tape[dice.begin + seen], word, left, seen + 1, s
    if dice.kind == LOADED:
        word, a, b, c, d = next_word(a, b, c, d)
        while word >= U(tape[dice.end - 1]):
            word, a, b, c, d = next_word(a, b, c, d)
        roll = I(0)
        while word >= U(tape[dice.begin + roll]):
            roll += 1
        return roll, word, left, seen, (a, b, c, d)
    if left == 0:
        word, a, b, c, d = next_word(a, b, c, d)
        left = I(ELEVEN)
    return I(high_of_36_times(word)), word * _36, left - 1, seen, (a, b, c, d)


@compiled
def settle_up(tape: Any, at: Any, dice: Any, b: Any, rack: Any, word: Any, left: Any, seen: Any, s: Any) -> Any:
    """Take down and roll out what is up when a session is over: the rack at last, and where a recording is then.

    Where that is not built, what to build comes back; otherwise -1. A recording that runs out is at -1.
    """
    row = tape[at.end + b]
    if row < 0:
        return rack, seen, _KINDS * b + END
    rack += tape[at.refund + b]
    while row != PARKED:
        roll, word, left, seen, s = draw(tape, dice, word, left, seen, s)
        if roll < 0:
            return rack, I(-1), I(-1)
        found = tape[row + tape[at.column + roll]]
        rack += found >> (_PLACE_BITS + _HAND_BITS)
        row = I(U(found) & PLACE)
    return rack, seen, I(-1)


@compiled
def note(
    out: Any, i: Any, worth: Any, rolls: Any, peak: Any, trough: Any, fall: Any, hands: Any, cause: Any, wanted: Any
) -> None:
    """Write a session down; `fall` still has hands below it, which only ever grew, so it is rounded up."""
    highest = max(peak >> _HAND_BITS, worth)
    out[i, WORTH] = worth
    out[i, ROLLS] = rolls
    out[i, PEAK] = highest
    out[i, TROUGH] = min(trough >> _HAND_BITS, worth)
    out[i, FALL] = max((fall + HANDS) >> _HAND_BITS, highest - worth)
    out[i, HANDS_SEEN] = hands
    out[i, CAUSE] = cause if wanted < 0 else UNBUILT
    out[i, WANTED] = wanted


@compiled
def alone(tape: Any, at: Any, start: Any, limits: Any, dice: Any, session: Any, seen: Any, out: Any, i: Any) -> Any:
    """Play one session to its end; give the place in the recording after it, -1 when it ran out."""
    s = seeded(dice.seed, session)
    word, left, rolls, hands = U(0), I(0), I(0), I(0)
    b, rack = I(start), I(limits.bankroll)
    peak = trough = rack << _HAND_BITS
    fall = I(0)
    high = I(limits.nearly) << _HAND_BITS
    while True:
        cause, row, worth = arrive(tape, at, limits, b, rack, rolls, hands)
        if cause == UNBUILT:
            note(out, i, worth, rolls, peak, trough, fall, hands, UNBUILT, _KINDS * b + row)
            return seen
        if cause != GOES_ON:
            rack, seen, wanted = settle_up(tape, at, dice, b, rack, word, left, seen, s)
            note(out, i, rack, rolls, peak, trough, fall, hands, cause, wanted)
            return seen
        q, place = (worth << _HAND_BITS) + hands, U(row)
        while True:
            peak = max(peak, q)
            trough = min(trough, q)
            fall = max(fall, peak - q)
            roll, word, left, seen, s = draw(tape, dice, word, left, seen, s)
            if roll < 0:
                return I(-1)
            rolls += 1
            spot = place + U(tape[at.column + roll])
            found = tape[spot]
            q += found >> _PLACE_BITS
            place = U(found) & PLACE
            if q < tape[place] or q >= high or rolls >= limits.rolls or (q & HANDS) >= limits.shooters:
                break
        b, hands = tape[U(at.before) + spot], q & HANDS
        rack = rack_before(tape, at, b, place, q)


@compiled
def walk_each(tape: Any, at: Any, start: Any, limits: Any, dice: Any, sessions: Any, out: Any) -> None:
    """Play the sessions of these numbers, one after the other."""
    for i in range(len(sessions)):
        alone(tape, at, start, limits, dice, U(sessions[i]), I(0), out, i)


@compiled
def walk_recording(tape: Any, at: Any, start: Any, limits: Any, dice: Any, seen: Any, out: Any) -> Any:
    """Play sessions along a recording until it ends or something is not built: how many, and where that was."""
    for i in range(len(out)):
        then = alone(tape, at, start, limits, dice, U(i), seen, out, i)
        if then < 0 or out[i, CAUSE] == UNBUILT:
            return I(i), seen
        seen = then
    return I(len(out)), seen
