"""Walking the table: sessions one throw after the other. It knows nothing of craps.

A session's worth (rack and stakes up, after betting) is kept in slots above a count of its hands, so that one addition
does for both. As long as the worth stays at or above the least of the row it is in, and below the stop, nothing happens
but the next throw. Otherwise the throw is looked at closely: in `arrive`, which says what a session is.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from trueodds.chain.compiling import compiled, inlined
from trueodds.chain.group import Ints
from trueodds.chain.machine import (
    AFTER,
    ASKS,
    COST,
    DECISION,
    EMPTY,
    END,
    ENDING,
    FACTS,
    HAND_BITS,
    LET_RUN,
    PARKED,
    PLACE_BITS,
    REFUND,
    SHORT,
    STAKES,
    UP,
)
from trueodds.chain.stream import ELEVEN, U, digit, next_word, seeded
from trueodds.chain.terms import CAUSES as CAUSES_OF_SESSIONS
from trueodds.chain.terms import LONG_ENOUGH

I = np.int64  # noqa: E741  the kernel is typed by hand
PLACE: Final = U((1 << PLACE_BITS) - 1)
HANDS: Final = I((1 << HAND_BITS) - 1)
BELOW_HANDS: Final = I(PLACE_BITS)
BELOW_MONEY: Final = I(HAND_BITS)
KINDS_OF_ASKS: Final = I(len(ASKS))

GOES_ON, ROLLS_OVER, SHOOTERS_OVER, STOP_LOSS, STOP_WIN, RUIN, UNBUILT, OUT_OF_DICE, ENDLESS = range(9)
CAUSES: Final = ("", *CAUSES_OF_SESSIONS, "unbuilt", "out of dice", "endless")

EVEN, LOADED, RECORDED = range(3)
"""Where rolls come from: the stream, the stream through weights, or a recording."""

WORTH, ROLLS, PEAK, TROUGH, FALL, HANDS_SEEN, CAUSE, WANTED, COLUMNS = range(9)
"""The columns of results: worth at the end, throws, highest and lowest worth, greatest fall from a height, hands,
cause, and what to build before a session can be played on, where its cause is that something is not built."""

NOTHING: Final = I(-1)


class Dice(NamedTuple):
    """Rolls for a walk: where they come from, the seed, and where on the tape weights or a recording begin and end."""

    kind: int
    seed: Any
    begin: int = 0
    end: int = 0


def no_results(count: int) -> Ints:
    """Make room for the results of so many sessions, column after column."""
    return np.zeros((COLUMNS, count), dtype=np.int64)


def why_over(limits: Any, worth: Any, rolls: Any, hands: Any) -> int:
    """Say whether a session is over before betting, and why."""
    if rolls >= limits.rolls:
        return ROLLS_OVER
    if hands >= limits.shooters:
        return SHOOTERS_OVER
    if worth <= limits.at_most:
        return STOP_LOSS
    return STOP_WIN if worth >= limits.at_least else GOES_ON


over = inlined(why_over)


@inlined
def arrive(tape: Any, at: Any, limits: Any, b: Any, rack: Any, rolls: Any, hands: Any) -> Any:
    """Say what happens in a situation before betting: it is over, or goes on; in which row, with what worth.

    Where something is not built, what to ask for takes the place of the row.
    """
    facts = at.facts + FACTS * b
    worth = rack + tape[facts + STAKES]
    cause = over(limits, worth, rolls, hands)
    if cause != GOES_ON:
        return cause, I(PARKED), worth
    row, cost = tape[facts + AFTER], tape[facts + COST]
    if row < 0:
        return UNBUILT, KINDS_OF_ASKS * b + DECISION, worth
    if rack >= max(I(0), cost):
        return GOES_ON, row, rack - cost + tape[row + UP]
    if tape[facts + EMPTY]:
        return RUIN, I(PARKED), worth
    row = tape[facts + LET_RUN]
    if row < 0:
        return UNBUILT, KINDS_OF_ASKS * b + SHORT, worth
    return GOES_ON, row, worth


@inlined
def rack_before(tape: Any, at: Any, b: Any, place: Any, q: Any) -> Any:
    """Give the rack in a situation before betting, from the worth after the bet that was taken for granted."""
    facts = at.facts + FACTS * b
    if tape[facts + AFTER] < 0:
        return (q >> BELOW_MONEY) - tape[facts + STAKES]
    return (q >> BELOW_MONEY) - tape[place + U(UP)] + tape[facts + COST]


@inlined
def draw(tape: Any, dice: Any, stream: Any) -> Any:
    """Give the next roll of a session, 0 to 35 or nothing, and the stream after it.

    A stream is a word and how many rolls are left in it, then the state of the generator; or the place on the tape of
    the next recorded roll, and how many are left.
    """
    word, left, a, b, c, d = stream
    if dice.kind == RECORDED:
        if left == 0:
            return NOTHING, stream
        return tape[word], (word + U(1), left - 1, a, b, c, d)
    if dice.kind == LOADED:
        word, a, b, c, d = next_word(a, b, c, d)
        while word >= U(tape[dice.end - 1]):
            word, a, b, c, d = next_word(a, b, c, d)
        roll = I(0)
        while word >= U(tape[dice.begin + roll]):
            roll += 1
        return roll, (word, left, a, b, c, d)
    if left == 0:
        word, a, b, c, d = next_word(a, b, c, d)
        left = I(ELEVEN)
    roll, word = digit(word)
    return I(roll), (word, left - 1, a, b, c, d)


@inlined
def play_on(
    tape: Any, at: Any, limits: Any, dice: Any, place: Any, q: Any, rolls: Any, until: Any, stream: Any, seen: Any
) -> Any:
    """Play a session on from after betting, up to a number of throws: what it came to, where, and with what.

    `seen` are the highest and the lowest worth, and the greatest fall from a height. Besides comes the situation before
    betting, and the rack in it, when it is over.
    """
    peak, trough, fall = seen
    nearly, cause, b, rack = I(limits.nearly) << BELOW_MONEY, GOES_ON, I(0), I(0)
    while rolls < until:
        peak = max(peak, q)
        trough = min(trough, q)
        fall = max(fall, peak - q)
        roll, stream = draw(tape, dice, stream)
        if roll < 0:
            cause = OUT_OF_DICE
            break
        rolls += 1
        spot = place + U(tape[at.column + roll])
        found = tape[spot]
        q += found >> BELOW_HANDS
        place = U(found) & PLACE
        if q < tape[place] or q >= nearly or rolls >= limits.rolls or (q & HANDS) >= limits.shooters:
            b, hands = tape[U(at.before) + spot], q & HANDS
            rack = rack_before(tape, at, b, place, q)
            cause, row, worth = arrive(tape, at, limits, b, rack, rolls, hands)
            place, q = U(row), (worth << BELOW_MONEY) + hands
            if cause != GOES_ON:
                break
    return cause, place, q, rolls, stream, (peak, trough, fall), b, rack


@inlined
def settle_up(tape: Any, at: Any, dice: Any, b: Any, rack: Any, stream: Any) -> Any:
    """Take down and roll out what is up when a session is over: the rack at last, and the stream after it.

    Besides: whether that came to an end, and what to build first, or nothing.
    """
    facts = at.facts + FACTS * b
    row = tape[facts + ENDING]
    if row < 0:
        return rack, stream, GOES_ON, KINDS_OF_ASKS * b + END
    rack += tape[facts + REFUND]
    thrown = 0
    while row != PARKED:
        if thrown == LONG_ENOUGH:
            return rack, stream, ENDLESS, NOTHING
        thrown += 1
        roll, stream = draw(tape, dice, stream)
        if roll < 0:
            return rack, stream, OUT_OF_DICE, NOTHING
        found = tape[row + tape[at.column + roll]]
        rack += found >> (BELOW_HANDS + BELOW_MONEY)
        row = I(U(found) & PLACE)
    return rack, stream, GOES_ON, NOTHING


@inlined
def finish(
    tape: Any, at: Any, dice: Any, cause: Any, place: Any, q: Any, rolls: Any, stream: Any, seen: Any, b: Any,
    rack: Any, out: Any, i: Any,
) -> Any:  # fmt: skip
    """Settle a session up that is over, and write it down, or what is missing to play it on; give the stream after it.

    The fall still has hands below it, which only ever grew, so it is rounded up.
    """
    peak, trough, fall = seen
    worth, wanted = q >> BELOW_MONEY, I(place) if cause == UNBUILT else NOTHING
    if cause not in (UNBUILT, OUT_OF_DICE):
        worth, stream, short, wanted = settle_up(tape, at, dice, b, rack, stream)
        cause = UNBUILT if wanted >= 0 else short if short != GOES_ON else cause
    highest = max(peak >> BELOW_MONEY, worth)
    out[WORTH, i] = worth
    out[ROLLS, i] = rolls
    out[PEAK, i] = highest
    out[TROUGH, i] = min(trough >> BELOW_MONEY, worth)
    out[FALL, i] = max((fall + HANDS) >> BELOW_MONEY, highest - worth)
    out[HANDS_SEEN, i] = q & HANDS
    out[CAUSE, i] = cause
    out[WANTED, i] = wanted
    return stream


@compiled
def play_one(tape: Any, at: Any, start: Any, limits: Any, dice: Any, stream: Any, out: Any, i: Any) -> Any:
    """Play a session from its beginning to its end; give the stream after it."""
    came = I(limits.bankroll)
    cause, row, worth = arrive(tape, at, limits, I(start), came, I(0), I(0))
    place, q, rolls, b, rack = U(row), worth << BELOW_MONEY, I(0), I(start), came
    seen = (came << BELOW_MONEY, came << BELOW_MONEY, I(0))
    if cause == GOES_ON:
        cause, place, q, rolls, stream, seen, b, rack = play_on(
            tape, at, limits, dice, place, q, rolls, I(limits.rolls), stream, seen
        )
    return finish(tape, at, dice, cause, place, q, rolls, stream, seen, b, rack, out, i)


@compiled
def walk_each(tape: Any, at: Any, start: Any, limits: Any, dice: Any, sessions: Any, out: Any) -> None:
    """Play the sessions of these numbers, one after the other."""
    for i in range(len(sessions)):
        a, b, c, d = seeded(dice.seed, U(sessions[i]))
        play_one(tape, at, start, limits, dice, (U(0), I(0), a, b, c, d), out, i)


@compiled
def walk_recording(tape: Any, at: Any, start: Any, limits: Any, dice: Any, out: Any) -> Any:
    """Play a session along a recording; give the place on the tape after it."""
    stream = (U(dice.begin), I(dice.end - dice.begin), U(1), U(1), U(1), U(1))
    return I(play_one(tape, at, start, limits, dice, stream, out, 0)[0])
