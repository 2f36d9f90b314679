"""The speed of simulations, compared with crapssim and with C, and whether the results are right.

    PYTHONPATH=tests python bench/simulation.py [ROUNDS]

Speeds are compared as ratios: both sides are measured in turns, and a figure is the median of the ratios of all rounds.
Sessions have at most 200 rolls, and every result of every session is counted.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing import Pool
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

import numpy as np

from crapssim_players import BenchPlayer, bench_players, play_theirs, twenty_bets
from support.strategy_books import ALL_PAIRS
from trueodds import simulate
from trueodds.automaton import Automaton
from trueodds.automaton.jit import jit
from trueodds.rulebook import House, load_book
from trueodds.sessions.reference import ReferencePlayer
from trueodds.sessions.session_limits import SessionLimits
from trueodds.simulation.batched_kernel import run_batched
from trueodds.simulation.kernel import CAUSE, MISSING, NOT_BUILT, ROLL_COUNT, SOURCE_FAIR, RollSource, empty_results
from trueodds.simulation.rng import ROLLS_PER_WORD, U64, initial_state, next_digit, next_word, session_rolls
from trueodds.simulation.session_runner import MONEY_COLUMNS, SessionRunner, SimulationSpec, result_row
from trueodds.simulation.transition_table import TransitionTable
from trueodds.strategy import Strategy, builtin_strategy
from trueodds.wager_odds import FAIR_DICE

BOOK = "new_jersey"
ROLLS = 200
SEED = 20_261_116
ROUNDS = 5

Result = TypeVar("Result")


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def speed(strategy: Strategy, bankroll: int, sessions: int, threads: int = 1) -> float:
    """Return the rolls per second of a whole simulation, including the compilation of the strategy."""
    taken, found = timed(
        lambda: simulate(strategy, BOOK, bankroll=bankroll, rolls=ROLLS, sessions=sessions, seed=SEED, threads=threads)
    )
    return float(found.mean_of("rolls")) * sessions / taken


def compare_with_crapssim(rounds: int) -> None:
    print("\nCompared with crapssim 0.4.1: one thread, ten million sessions, including compiling the strategy:")
    for name, peer in bench_players().items():
        pairs = [(speed(peer.ours, peer.bankroll, 10**7), theirs(peer, turn)) for turn in range(rounds)]
        ratio = median(ours / other for ours, other in pairs)
        ours, other = (median(column) for column in zip(*pairs, strict=True))
        print(
            f"  {name:17s} {ours / 1e6:6.0f} million rolls/s, crapssim {other:7,.0f}: {ratio:8,.0f}x"
            f"   (target: {peer.target_ratio:,}x)"
        )


def theirs(peer: BenchPlayer, turn: int) -> float:
    taken, (rolls, _) = timed(lambda: play_theirs(peer, 20, ROLLS, SEED + 20 * turn))
    return float(rolls / taken)


def as_struct(numbers: tuple[int, ...]) -> Any:
    """Return the integers of a named tuple as C reads them."""
    return (ctypes.c_int64 * len(numbers))(*numbers)


def compile_c(folder: Path) -> Any:
    """Compile the kernel in C and return its function."""
    library = folder / "kernel.so"
    source = Path(__file__).parent / "kernel.c"
    subprocess.run(["gcc", "-O3", "-march=native", "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
    run = ctypes.CDLL(str(library)).run
    run.restype = None
    return run


def complete_table(peer: BenchPlayer, sessions: int) -> TransitionTable:
    """Return a table with everything that these sessions need."""
    table = TransitionTable(Automaton(peer.ours, House(load_book(BOOK))), SessionLimits(peer.bankroll * 100, ROLLS))
    while True:
        out = run_ours(table, sessions)
        wanted = np.unique(out[out[:, CAUSE] == NOT_BUILT, MISSING])
        if not len(wanted):
            return table
        table.build(wanted)


def run_ours(table: TransitionTable, sessions: int) -> Any:
    out, dice = empty_results(sessions), RollSource(SOURCE_FAIR, U64(SEED))
    start = table.automaton.start
    run_batched(table.buffer, table.offsets, start, table.limits, dice, np.arange(sessions), out)
    return out.T


def run_c(run: Any, table: TransitionTable, sessions: int) -> Any:
    out, numbers = empty_results(sessions), np.arange(sessions)
    pointer = ctypes.c_void_p
    run(
        table.buffer.ctypes.data_as(pointer), as_struct(table.offsets), ctypes.c_int64(int(table.automaton.start)),
        as_struct(table.limits), ctypes.c_uint64(SEED), numbers.ctypes.data_as(pointer), ctypes.c_int64(sessions),
        out.ctypes.data_as(pointer),
    )  # fmt: skip
    return out.T


def compare_with_c(rounds: int, sessions: int = 1 << 16) -> None:
    if shutil.which("gcc") is None:
        print("\nNo gcc found: not compared with C.")
        return
    print("\nThe batched kernel compared with the same kernel in C (gcc -O3 -march=native), same sessions and results:")
    with tempfile.TemporaryDirectory() as folder:
        run = compile_c(Path(folder))
        for name, peer in bench_players().items():
            table = complete_table(peer, sessions)
            if not np.array_equal(run_ours(table, sessions), run_c(run, table, sessions)):
                raise SystemExit(f"{name}: C and trueodds differ")
            rolls = run_ours(table, sessions)[:, ROLL_COUNT].sum() / 1e6
            pairs = [
                (timed(lambda: run_ours(table, sessions))[0], timed(lambda: run_c(run, table, sessions))[0])  # noqa: B023  called at once
                for _ in range(4 * rounds)
            ]
            ours, other = (rolls / median(column) for column in zip(*pairs, strict=True))
            ratio = median(c / mine for mine, c in pairs)
            print(f"  {name:17s} {ours:6.0f} million rolls/s, C {other:6.0f}: {ratio:4.0%}   (target: 75%)")


def compare_threads(rounds: int) -> None:
    strategy = builtin_strategy("molly")
    pairs = [(speed(strategy, 500, 10**7, 2), speed(strategy, 500, 10**7)) for _ in range(rounds)]
    print(f"\nTwo threads compared with one, molly: {median(two / one for two, one in pairs):.2f}x   (target: 1.9x)")


def compare_bet_counts(rounds: int) -> None:
    one, twenty = builtin_strategy("pass"), twenty_bets()
    pairs = [(speed(twenty, 10_000, 5 * 10**6), speed(one, 10_000, 5 * 10**6)) for _ in range(rounds)]
    ratio = median(many / few for many, few in pairs)
    print(f"\nTwenty bets compared with one, bankroll 10,000: {ratio:.0%} of the speed   (target: 90%)")


def time_startup() -> None:
    code = "import sys; from trueodds.cli import main; sys.exit(main())"
    asked = ["simulate", "pass", "--bankroll", "500", "--sessions", "1e4", "--json"]
    command = [sys.executable, "-c", code, *asked]
    taken = [timed(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))[0] for _ in range(4)]
    print(f"\nTen thousand sessions from the command line, with cached code: {median(taken[1:]):.2f} s")


@jit
def count_rolls(seed: Any, sessions: Any, words: Any, pairs: Any) -> None:
    """Count pairs of successive rolls of sessions."""
    for session in range(sessions):
        a, b, c, d = initial_state(seed, U64(session))
        before = U64(36)
        for _ in range(words):
            word, a, b, c, d = next_word(a, b, c, d)
            for _ in range(ROLLS_PER_WORD):
                roll, word = next_digit(word)
                pairs[before, roll] += 1
                before = roll


def chi_square() -> None:
    sessions, words = 5_000_000, 19
    counts = np.zeros((37, 36), dtype=np.int64)
    taken, _ = timed(lambda: count_rolls(U64(SEED), sessions, words, counts))
    rolls, pairs = counts.sum(axis=0), counts[:36]
    print(f"\nDice, {rolls.sum():,} rolls of {sessions:,} sessions, seed {SEED}, in {taken:.1f} s:")
    for name, seen in (("36 outcomes", rolls), ("1,296 pairs of successive rolls", pairs.ravel())):
        expected, freedom = seen.sum() / len(seen), len(seen) - 1
        found = float(((seen - expected) ** 2 / expected).sum())
        print(
            f"  {name}: chi-square {found:,.1f} at {freedom:,} degrees of freedom, "
            f"{(found - freedom) / (2 * freedom) ** 0.5:+.2f} standard deviations from its mean"
        )


def check_pair(pair: tuple[str, str], sessions: int = 1000) -> tuple[str, str, int]:
    """Run sessions with the kernel and with the reference on the same rolls. Exit if they differ."""
    book, name = pair
    spec = SimulationSpec(
        builtin_strategy(name), House(load_book(book)), SessionLimits(30_000, 40), SEED, FAIR_DICE, 1 << 30
    )
    results = SessionRunner(spec).run(np.arange(sessions))
    rows = results.rows
    rows[:, MONEY_COLUMNS] *= results.unit_cents
    player = ReferencePlayer(spec.strategy, spec.house, spec.limits)
    for session in range(sessions):
        if result_row(player.play(session_rolls(SEED, session))) != rows[session].tolist():
            raise SystemExit(f"{name} in {book}, session {session}: kernel and reference differ")
    return book, name, int(rows[:, ROLL_COUNT].sum())


def check_agreement() -> None:
    print("\nKernel and reference, 1,000 sessions of every strategy in every book that allows it, seed", SEED)
    with Pool(2) as pool:
        rolls = [count for _, _, count in pool.imap_unordered(check_pair, ALL_PAIRS)]
    print(f"  {len(ALL_PAIRS)} pairs of strategy and book, {sum(rolls):,} rolls: no difference in any result")


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    simulate("pass", BOOK, bankroll=500, sessions=10, seed=1)
    time_startup()
    compare_with_crapssim(rounds)
    compare_with_c(rounds)
    compare_threads(rounds)
    compare_bet_counts(rounds)
    chi_square()
    check_agreement()


if __name__ == "__main__":
    main()
