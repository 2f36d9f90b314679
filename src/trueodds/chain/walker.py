"""Walking the table: sessions one throw after the other, as fast as it goes. It knows nothing of craps.

A session's worth (rack and stakes up, after betting) is kept in slots above a count of its hands, so that one addition
does for both. As long as the worth stays at or above the first word of the row it is in, and below the stop, nothing
happens but the next throw. Otherwise the throw is looked at closely: in `arrive`, which says what a session is.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from trueodds.chain.group import Ints
from trueodds.chain.kernel import compiled
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


class Dice(NamedTuple):
    """Rolls for a walk: how, the seed, the limits of each of 36 outcomes of loaded dice, a recording."""

    kind: int
    seed: Any
    limits: npt.NDArray[np.uint64]
    recorded: npt.NDArray[np.uint8]


class Limits(NamedTuple):
    """What ends a session, in slots; `nearly` is a worth after betting from which the upper stop may be reached."""

    bankroll: int
    rolls: int
    shooters: int
    at_most: int
    at_least: int
    nearly: int


class Results(NamedTuple):
    """A line for each session: worth at the end, throws, highest and lowest worth, greatest fall, hands, cause.

    `wanted` says what to build before a session can be played on, where its cause is that something is not built.
    """

    worth: Ints
    rolls: npt.NDArray[np.int32]
    peak: Ints
    trough: Ints
    fall: Ints
    hands: npt.NDArray[np.int32]
    cause: npt.NDArray[np.uint8]
    wanted: Ints


def no_results(count: int) -> Results:
    """Make room for so many sessions."""
    return Results(
        np.zeros(count, dtype=np.int64),
        np.zeros(count, dtype=np.int32),
        np.zeros(count, dtype=np.int64),
        np.zeros(count, dtype=np.int64),
        np.zeros(count, dtype=np.int64),
        np.zeros(count, dtype=np.int32),
        np.zeros(count, dtype=np.uint8),
        np.full(count, -1, dtype=np.int64),
    )


@compiled
def arrive(tables: Any, limits: Any, b: Any, rack: Any, rolls: Any, hands: Any) -> Any:
    """Say what happens in a situation before betting: it is over, or goes on; in which row, with what worth."""
    worth = rack + tables.up[b]
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
    row, cost = tables.after[b], tables.cost[b]
    if row < 0:
        return UNBUILT, I(DECISION), worth
    if rack >= max(I(0), cost):
        return GOES_ON, row, rack - cost + tables.words[row + 1]
    if tables.empty[b]:
        return RUIN, I(PARKED), worth
    row = tables.short[b]
    if row < 0:
        return UNBUILT, I(SHORT), worth
    return GOES_ON, row, worth


@compiled
def rack_before(tables: Any, b: Any, place: Any, q: Any) -> Any:
    """Give the rack in a situation before betting, from the worth after the bet that was taken for granted."""
    if tables.after[b] < 0:
        return (q >> _HAND_BITS) - tables.up[b]
    return (q >> _HAND_BITS) - tables.words[place + U(1)] + tables.cost[b]


@compiled
def draw(dice: Any, word: Any, left: Any, at: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    """Give the next roll of a session, 0 to 35, and the stream after it; -1 when a recording is at its end."""
    if dice.kind == RECORDED:
        if at >= len(dice.recorded):
            return I(-1), word, left, at, a, b, c, d
        return I(dice.recorded[at]), word, left, at + 1, a, b, c, d
    if dice.kind == LOADED:
        while True:
            word, a, b, c, d = next_word(a, b, c, d)
            if word < dice.limits[35]:
                break
        roll = I(0)
        while word >= dice.limits[roll]:
            roll += 1
        return roll, word, left, at, a, b, c, d
    if left == 0:
        word, a, b, c, d = next_word(a, b, c, d)
        left = I(ELEVEN)
    return I(high_of_36_times(word)), word * _36, left - 1, at, a, b, c, d


@compiled
def settle_up(tables: Any, dice: Any, b: Any, rack: Any, word: Any, left: Any, at: Any, s: Any) -> Any:
    """Take down and roll out what is up when a session is over: the rack at last, and where a recording is.

    The row of what to build comes back where it is not built, and -1 in its place otherwise.
    """
    row = tables.end[b]
    if row < 0:
        return rack, at, b
    rack += tables.refund[b]
    s0, s1, s2, s3 = s
    while row != PARKED:
        roll, word, left, at, s0, s1, s2, s3 = draw(dice, word, left, at, s0, s1, s2, s3)
        if roll < 0:
            return rack, I(-1), I(-1)
        found = tables.words[row + I(tables.column[roll])]
        rack += found >> (_PLACE_BITS + _HAND_BITS)
        row = I(U(found) & PLACE)
    return rack, at, I(-1)


@compiled
def note(
    out: Any, i: Any, worth: Any, rolls: Any, peak: Any, trough: Any, fall: Any, hands: Any, cause: Any, wanted: Any
) -> None:
    """Write a session down; `fall` still has hands below it, which only ever grew, so it is rounded up."""
    out.worth[i] = worth
    out.rolls[i] = rolls
    out.peak[i] = max(peak >> _HAND_BITS, worth)
    out.trough[i] = min(trough >> _HAND_BITS, worth)
    out.fall[i] = max((fall + HANDS) >> _HAND_BITS, out.peak[i] - worth)
    out.hands[i] = hands
    out.cause[i] = cause
    out.wanted[i] = wanted


@compiled
def alone(tables: Any, start: Any, limits: Any, dice: Any, session: Any, at: Any, out: Any, i: Any) -> Any:
    """Play one session to its end; give the place in the recording after it, -1 when it ran out."""
    words, column, before = tables.words, tables.column, tables.before
    s0, s1, s2, s3 = seeded(dice.seed, session)
    word, left, rolls, hands = U(0), I(0), I(0), I(0)
    b, rack = I(start), I(limits.bankroll)
    peak = trough = rack << _HAND_BITS
    fall = I(0)
    while True:
        cause, row, worth = arrive(tables, limits, b, rack, rolls, hands)
        if cause == UNBUILT:
            note(out, i, worth, rolls, peak, trough, fall, hands, UNBUILT, _KINDS * b + row)
            return at
        if cause != GOES_ON:
            rack, at, wanted = settle_up(tables, dice, b, rack, word, left, at, (s0, s1, s2, s3))
            if wanted >= 0:
                cause, wanted = UNBUILT, _KINDS * wanted + END
            note(out, i, rack, rolls, peak, trough, fall, hands, cause, wanted)
            return at
        q = (worth << _HAND_BITS) + hands
        place = U(row)
        guard_high = I(limits.nearly) << _HAND_BITS
        shooters = I(limits.shooters)
        while True:
            peak = max(peak, q)
            trough = min(trough, q)
            fall = max(fall, peak - q)
            roll, word, left, at, s0, s1, s2, s3 = draw(dice, word, left, at, s0, s1, s2, s3)
            if roll < 0:
                return I(-1)
            rolls += 1
            spot = place + U(column[roll])
            found = words[spot]
            q += found >> _PLACE_BITS
            place = U(found) & PLACE
            if q < words[place] or q >= guard_high or rolls >= limits.rolls or (q & HANDS) >= shooters:
                break
        b = I(before[spot])
        hands = q & HANDS
        rack = rack_before(tables, b, place, q)


@compiled
def walk_each(tables: Any, start: Any, limits: Any, dice: Any, sessions: Any, out: Any) -> None:
    """Play the sessions of these numbers, one after the other."""
    for i in range(len(sessions)):
        alone(tables, start, limits, dice, U(sessions[i]), I(0), out, i)


@compiled
def walk_recording(tables: Any, start: Any, limits: Any, dice: Any, out: Any) -> Any:
    """Play sessions along a recording until it ends; give how many were played to their end, and where that was."""
    at = I(0)
    for i in range(len(out.worth)):
        ended = alone(tables, start, limits, dice, U(i), at, out, i)
        if ended < 0 or out.cause[i] == UNBUILT:
            return I(i), at
        at = ended
    return I(len(out.worth)), at
