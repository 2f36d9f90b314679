"""The walker against the engine on identical dice, and the dice themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import islice
from typing import Any

import numpy as np
import pytest

from engine_sessions import RollOut, Stops, play
from houses import default_dealer
from library_pairs import ONE_EACH, PAIRS
from trueodds.chain import Automaton
from trueodds.chain.by_engine import EnginePlayer
from trueodds.chain.by_numpy import walk_columns
from trueodds.chain.compiling import compiled
from trueodds.chain.group import Ints
from trueodds.chain.lockstep import walk_abreast
from trueodds.chain.machine import Machine
from trueodds.chain.stream import (
    GOLDEN,
    PASS_OVER,
    SEQUENCES,
    STEP,
    WORD,
    U,
    digit,
    next_word,
    seeded,
    sequence_of,
    session_rolls,
)
from trueodds.chain.tally import MONEY
from trueodds.chain.terms import Terms
from trueodds.chain.walker import CAUSE, CAUSES, COLUMNS, EVEN, UNBUILT, WANTED, Dice, no_results, walk_each
from trueodds.chain.walker import ROLLS as ROLLS_THROWN
from trueodds.dice import ROLLS
from trueodds.rulebook import House, load_book
from trueodds.strategy import named_strategy

Walk = Callable[..., None]


def walked(machine: Machine, sessions: int, seed: int, walk: Walk) -> Ints:
    """Walk until nothing is missing; slots."""
    while True:
        out = no_results(sessions)
        dice = Dice(EVEN, U(seed))
        walk(machine.tape, machine.places, machine.automaton.start, machine.limits, dice, np.arange(sessions), out)
        wanted = out[WANTED, out[CAUSE] == UNBUILT]
        if not len(wanted):
            return out.T
        machine.build(np.unique(wanted))


SEED = 20_261_116


def in_cents(found: Ints, slot: int) -> list[list[int]]:
    lines: list[list[int]] = (found * [slot if column in MONEY.values() else 1 for column in range(COLUMNS)]).tolist()
    return lines


@pytest.mark.no_cover
@pytest.mark.parametrize(("book", "name"), PAIRS)
def test_walkers_and_engine_agree_to_the_cent(book: str, name: str) -> None:
    """Result, throws, heights, falls, hands and cause of 50 sessions on the dice of the contract."""
    house, strategy, terms = default_dealer(book).rules.house, named_strategy(name), Terms(12_000, 50)
    machine = Machine(Automaton(strategy, house), terms)
    found = walked(machine, 50, SEED, walk_abreast)
    for walk in (walk_each, walk_columns):
        assert np.array_equal(found, walked(machine, 50, SEED, walk))
    player = EnginePlayer(strategy, house, terms)
    assert in_cents(found, machine.slot) == [player.play(session_rolls(SEED, session)) for session in range(50)]


@pytest.mark.no_cover
@pytest.mark.parametrize(("book", "name"), ONE_EACH)
def test_sessions_at_a_real_table(book: str, name: str) -> None:
    """The same lines of results, put together from what a table's events say."""
    dealer, strategy, terms = default_dealer(book), named_strategy(name), Terms(12_000, 50)
    house = dealer.rules.house
    player, out = EnginePlayer(strategy, house, terms), RollOut(house)
    for session in range(20):
        dice = session_rolls(SEED, session)
        states = play(dealer, strategy, terms.bankroll, dice, 50, Stops())
        last = states[-1]
        position, cash = out.down(last.position)
        rack = last.rack + cash
        while position.seats[0].entries:
            position, paid = out.ways_on(position)[ROLLS.index(next(dice))]
            rack += paid
        seats = [(state.rack, state.position.seats[0]) for state in states[:-1]]
        played = [held + sum(entry.wager.up for entry in seat.entries) for held, seat in seats]
        worths = [terms.bankroll, *played, rack]
        heights = np.maximum.accumulate(worths)
        line = [rack, len(states) - 1, heights[-1], min(worths), (heights - worths).max(), last.shooters]
        assert player.play(session_rolls(SEED, session)) == [*line, CAUSES.index(last.over), -1]


@pytest.mark.parametrize("sessions", [1, 2, 95, 96, 97, 200])
@pytest.mark.parametrize("rolls", [1, 10, 11, 12, 22, 40])
def test_numbers_of_sessions_and_throws(sessions: int, rolls: int) -> None:
    """Lanes that stay empty, words of dice that are full to the last throw or to the first."""
    machine = Machine(Automaton(named_strategy("pass_345"), House(load_book("new_jersey"))), Terms(10_000, rolls))
    found = walked(machine, sessions, 1, walk_abreast)
    assert np.array_equal(found, walked(machine, sessions, 1, walk_each))
    assert (found[:, ROLLS_THROWN] > 0).all()


def test_a_lazy_machine_walks_the_same_sessions() -> None:
    house, strategy = House(load_book("maryland")), named_strategy("ats_molly")
    whole = walked(Machine(Automaton(strategy, house), Terms(20_000, 60)), 300, 7, walk_abreast)
    lazy = Automaton(strategy, house, lazy=True, budget=60_000_000)
    assert (lazy.after == -1).any()
    found = walked(Machine(lazy, Terms(20_000, 60)), 300, 7, walk_abreast)
    assert np.array_equal(whole, found)


def test_the_scaling_step_is_uniform_by_enumeration() -> None:
    """Every word of 16 bits: each of the 36^2 pairs of digits, or 6^5 sequences, comes from equally many words."""
    for base, count in ((36, 2), (6, 5), (36, 3)):
        seen = Counter(sequence_of(word, 16, base, count) for word in range(1 << 16))
        passed_over = seen.pop(None, 0)
        assert len(seen) == base**count
        assert len(set(seen.values())) == 1
        assert passed_over == (1 << 16) % base**count


@compiled
def eleven(word: Any) -> Any:
    """Take a word apart as the walkers do."""
    rolls = np.zeros(11, dtype=np.int64)
    for index in range(11):
        roll, word = digit(word)
        rolls[index] = roll
    return rolls


def test_the_kernel_scales_as_the_contract_says() -> None:
    """Real words through the compiled step, digit by digit, against plain whole numbers; and at the edge."""
    state = seeded(U(5), U(9))
    for _ in range(2000):
        word, *state = next_word(*map(U, state))
        assert tuple(eleven(U(word)).tolist()) == sequence_of(int(word))
    assert WORD % SEQUENCES == PASS_OVER < WORD // 100


def test_streams_of_sessions_do_not_begin_alike() -> None:
    """The four words of one session never begin another's for sessions less than 2^40 apart."""
    inverse = pow(STEP, -1, WORD)
    for shift in (-3, -2, -1, 1, 2, 3):
        apart = GOLDEN * shift * inverse % WORD
        assert min(apart, WORD - apart) > 1 << 40


def test_known_rolls() -> None:
    """The contract, pinned: these rolls never change."""
    assert " ".join(map(str, islice(session_rolls(1, 0), 12))) == KNOWN_1_0
    assert " ".join(map(str, islice(session_rolls(2**64 - 1, 10**12), 12))) == KNOWN_FAR


KNOWN_1_0 = "6-5 4-4 5-1 5-3 2-2 1-5 2-5 2-4 5-3 4-5 1-3 2-3"
KNOWN_FAR = "6-5 3-6 6-5 1-1 5-2 2-3 1-3 6-1 2-6 6-3 3-1 3-1"


def test_rolls_of_many_sessions_are_even() -> None:
    """Chi-square over the 36 outcomes, from the first rolls of many sessions; seed 3."""
    counts = Counter(roll for session in range(1500) for roll in islice(session_rolls(3, session), 22))
    expected = 1500 * 22 / 36
    assert sum((counts[roll] - expected) ** 2 / expected for roll in ROLLS) < 35 + 5 * (2 * 35) ** 0.5
