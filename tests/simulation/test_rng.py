"""The random number generator against its contract."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import numpy as np

from trueodds.automaton.array_types import Int64Array
from trueodds.automaton.jit import jit
from trueodds.dice import ROLLS
from trueodds.simulation.rng import (
    REJECT_BELOW,
    ROLLS_PER_WORD,
    SEQUENCE_COUNT,
    SESSION_STEP,
    SPLITMIX_INCREMENT,
    U64,
    WORD_RANGE,
    initial_state,
    next_digit,
    next_word,
    session_rolls,
    word_digits,
)


def test_words_scale_to_uniform_digits() -> None:
    """Of all words of 16 bits, each sequence of digits comes from equally many."""
    for base, count in ((36, 2), (6, 5), (36, 3)):
        sequences = Counter(word_digits(word, 16, base, count) for word in range(1 << 16))
        rejected = sequences.pop(None, 0)
        assert len(sequences) == base**count
        assert len(set(sequences.values())) == 1
        assert rejected == (1 << 16) % base**count


@jit
def compiled_digits(word: np.uint64) -> Int64Array:
    """Return the digits of a word as the kernels take them."""
    digits = np.zeros(ROLLS_PER_WORD, dtype=np.int64)
    for index in range(ROLLS_PER_WORD):
        digit, word = next_digit(word)
        digits[index] = digit
    return digits


def test_compiled_digits_follow_the_contract() -> None:
    a, b, c, d = initial_state(U64(5), U64(9))
    for _ in range(2000):
        word, a, b, c, d = next_word(U64(a), U64(b), U64(c), U64(d))
        assert tuple(compiled_digits(U64(word)).tolist()) == word_digits(int(word))
    assert WORD_RANGE % SEQUENCE_COUNT == REJECT_BELOW < WORD_RANGE // 100


def test_sessions_start_far_apart() -> None:
    """The four state words of a session do not occur in the state of another one less than 2**40 sessions away."""
    inverse = pow(SESSION_STEP, -1, WORD_RANGE)
    for shift in (-3, -2, -1, 1, 2, 3):
        distance = SPLITMIX_INCREMENT * shift * inverse % WORD_RANGE
        assert min(distance, WORD_RANGE - distance) > 1 << 40


def test_known_rolls() -> None:
    """These rolls are part of the contract and never change."""
    assert " ".join(map(str, islice(session_rolls(1, 0), 12))) == KNOWN_1_0
    assert " ".join(map(str, islice(session_rolls(2**64 - 1, 10**12), 12))) == KNOWN_LARGE_SEED


KNOWN_1_0 = "6-5 4-4 5-1 5-3 2-2 1-5 2-5 2-4 5-3 4-5 1-3 2-3"
KNOWN_LARGE_SEED = "6-5 3-6 6-5 1-1 5-2 2-3 1-3 6-1 2-6 6-3 3-1 3-1"


def test_rolls_are_uniform() -> None:
    """Chi-square over the 36 outcomes of the first rolls of many sessions, seed 3."""
    counts = Counter(roll for session in range(1500) for roll in islice(session_rolls(3, session), 22))
    expected = 1500 * 22 / 36
    assert sum((counts[roll] - expected) ** 2 / expected for roll in ROLLS) < 35 + 5 * (2 * 35) ** 0.5
