"""Simulation: how fast, against what, and is it right?

    PYTHONPATH=tests/chain python bench/simulate.py [ROUNDS]

Speeds are ratios: whatever is compared is measured in turns, and a figure is the median over the rounds of the ratio
within one round. Sessions are of 200 throws at most, with every result of every session counted.
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
from typing import Any

import numpy as np

from library_pairs import PAIRS
from peers import Peer, play_theirs, players, twenty_bets
from trueodds import simulate
from trueodds.chain import FAIR, Automaton
from trueodds.chain.by_engine import EnginePlayer
from trueodds.chain.compiling import compiled
from trueodds.chain.lockstep import walk_abreast
from trueodds.chain.machine import Machine
from trueodds.chain.player import Game, Player
from trueodds.chain.stream import ELEVEN, U, digit, next_word, seeded, session_rolls
from trueodds.chain.terms import Terms
from trueodds.chain.walker import CAUSE, EVEN, UNBUILT, WANTED, Dice, no_results
from trueodds.chain.walker import ROLLS as THROWN
from trueodds.rulebook import House, load_book
from trueodds.strategy import Strategy, named_strategy

BOOK = "new_jersey"
ROLLS = 200
SEED = 20_261_116
ROUNDS = 5


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    found = work()
    return time.perf_counter() - start, found


def speed(strategy: Strategy, bankroll: int, sessions: int, threads: int = 1) -> float:
    """Throws a second of a whole simulation, compiling the strategy included."""
    taken, found = timed(
        lambda: simulate(strategy, BOOK, bankroll=bankroll, rolls=ROLLS, sessions=sessions, seed=SEED, threads=threads)
    )
    return float(found.average("rolls")) * sessions / taken


def against_crapssim(rounds: int) -> None:
    print("\nAgainst crapssim 0.4.1, one thread, simulations of ten million sessions, strategies compiled anew:")
    for name, peer in players().items():
        pairs = [(speed(peer.ours, peer.bankroll, 10**7), theirs(peer, turn)) for turn in range(rounds)]
        ratio = median(ours / other for ours, other in pairs)
        ours, other = (median(column) for column in zip(*pairs, strict=True))
        print(
            f"  {name:17s} {ours / 1e6:6.0f} million throws/s against {other:7,.0f}: {ratio:8,.0f}x"
            f"   (wanted: {peer.wanted:,}x)"
        )


def theirs(peer: Peer, turn: int) -> float:
    taken, (thrown, _) = timed(lambda: play_theirs(peer, 20, ROLLS, SEED + 20 * turn))
    return float(thrown / taken)


def as_struct(numbers: tuple[int, ...]) -> Any:
    """Give whole numbers in the order of a named tuple, as C reads them."""
    return (ctypes.c_int64 * len(numbers))(*numbers)


def compile_c(folder: Path) -> Any:
    """Compile the C walk."""
    library = folder / "walk.so"
    source = Path(__file__).parent / "walk.c"
    subprocess.run(["gcc", "-O3", "-march=native", "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
    walk = ctypes.CDLL(str(library)).walk
    walk.restype = None
    return walk


def built(peer: Peer, sessions: int) -> Machine:
    """Make a machine that lacks nothing these sessions need."""
    machine = Machine(Automaton(peer.ours, House(load_book(BOOK))), Terms(peer.bankroll * 100, ROLLS))
    while True:
        out = walk_ours(machine, sessions)
        wanted = np.unique(out[out[:, CAUSE] == UNBUILT, WANTED])
        if not len(wanted):
            return machine
        machine.build(wanted)


def walk_ours(machine: Machine, sessions: int) -> Any:
    out, dice = no_results(sessions), Dice(EVEN, U(SEED))
    start = machine.automaton.start
    walk_abreast(machine.tape, machine.places, start, machine.limits, dice, np.arange(sessions), out)
    return out.T


def walk_c(walk: Any, machine: Machine, sessions: int) -> Any:
    out, numbers = no_results(sessions), np.arange(sessions)
    pointer = ctypes.c_void_p
    walk(
        machine.tape.ctypes.data_as(pointer), as_struct(machine.places), ctypes.c_int64(int(machine.automaton.start)),
        as_struct(machine.limits), ctypes.c_uint64(SEED), numbers.ctypes.data_as(pointer), ctypes.c_int64(sessions),
        out.ctypes.data_as(pointer),
    )  # fmt: skip
    return out.T


def against_c(rounds: int, sessions: int = 1 << 16) -> None:
    if shutil.which("gcc") is None:
        print("\nNo gcc here: not measured against C.")
        return
    print("\nThe compiled walk against the same walk in C (gcc -O3 -march=native), same sessions, same results:")
    with tempfile.TemporaryDirectory() as folder:
        walk = compile_c(Path(folder))
        for name, peer in players().items():
            machine = built(peer, sessions)
            if not np.array_equal(walk_ours(machine, sessions), walk_c(walk, machine, sessions)):
                raise SystemExit(f"{name}: C and trueodds differ")
            throws = walk_ours(machine, sessions)[:, THROWN].sum() / 1e6
            pairs = [
                (timed(lambda: walk_ours(machine, sessions))[0], timed(lambda: walk_c(walk, machine, sessions))[0])  # noqa: B023  called at once
                for _ in range(4 * rounds)
            ]
            ours, other = (throws / median(column) for column in zip(*pairs, strict=True))
            ratio = median(c / mine for mine, c in pairs)
            print(f"  {name:17s} {ours:6.0f} million throws/s against {other:6.0f}: {ratio:4.0%}   (wanted: 75%)")


def threads(rounds: int) -> None:
    strategy = named_strategy("molly")
    pairs = [(speed(strategy, 500, 10**7, 2), speed(strategy, 500, 10**7)) for _ in range(rounds)]
    print(f"\nTwo threads against one, molly: {median(two / one for two, one in pairs):.2f}x   (wanted: 1.9x)")


def number_of_bets(rounds: int) -> None:
    one, twenty = named_strategy("pass"), twenty_bets()
    pairs = [(speed(twenty, 10_000, 5 * 10**6), speed(one, 10_000, 5 * 10**6)) for _ in range(rounds)]
    ratio = median(many / few for many, few in pairs)
    print(f"\nTwenty bets against one, bankroll 10,000: {ratio:.0%} of the speed   (wanted: 90%)")


def start() -> None:
    code = "import sys; from trueodds.cli import main; sys.exit(main())"
    asked = ["simulate", "pass", "--bankroll", "500", "--sessions", "1e4", "--json"]
    command = [sys.executable, "-c", code, *asked]
    taken = [timed(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))[0] for _ in range(4)]
    print(f"\nFrom the command line to ten thousand sessions, code cached: {median(taken[1:]):.2f} s")


@compiled
def count_rolls(seed: Any, sessions: Any, words: Any, pairs: Any) -> None:
    """Count pairs of successive rolls of sessions."""
    for session in range(sessions):
        a, b, c, d = seeded(seed, U(session))
        before = U(36)
        for _ in range(words):
            word, a, b, c, d = next_word(a, b, c, d)
            for _ in range(ELEVEN):
                roll, word = digit(word)
                pairs[before, roll] += 1
                before = roll


def chi_square() -> None:
    sessions, words = 5_000_000, 19
    counts = np.zeros((37, 36), dtype=np.int64)
    taken, _ = timed(lambda: count_rolls(U(SEED), sessions, words, counts))
    rolls, pairs = counts.sum(axis=0), counts[:36]
    print(f"\nDice, {rolls.sum():,} rolls of {sessions:,} sessions, seed {SEED}, in {taken:.1f} s:")
    for name, seen in (("36 outcomes", rolls), ("1,296 pairs of successive rolls", pairs.ravel())):
        expected, freedom = seen.sum() / len(seen), len(seen) - 1
        found = float(((seen - expected) ** 2 / expected).sum())
        print(
            f"  {name}: chi-square {found:,.1f} at {freedom:,} degrees of freedom, "
            f"{(found - freedom) / (2 * freedom) ** 0.5:+.2f} standard deviations from its mean"
        )


def agree(pair: tuple[str, str], sessions: int = 1000) -> tuple[str, str, int]:
    """Play sessions of a strategy by the kernel and by the engine on identical dice; any difference is an error."""
    book, name = pair
    game = Game(named_strategy(name), House(load_book(book)), Terms(30_000, 40), SEED, FAIR, 1 << 30)
    out, slot, _ = Player(game).play(np.arange(sessions))
    out[:, [0, 2, 3, 4]] *= slot
    engine = EnginePlayer(game.strategy, game.house, game.terms)
    for session in range(sessions):
        if engine.play(session_rolls(SEED, session)) != out[session].tolist():
            raise SystemExit(f"{name} in {book}, session {session}: kernel and engine differ")
    return book, name, int(out[:, THROWN].sum())


def agreement() -> None:
    print("\nKernel against engine, 1,000 sessions of every strategy in every book that offers it, seed", SEED)
    with Pool(2) as pool:
        throws = [count for _, _, count in pool.imap_unordered(agree, PAIRS)]
    print(f"  {len(PAIRS)} pairs of strategy and book, {sum(throws):,} throws: no difference in any line of results")


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    simulate("pass", BOOK, bankroll=500, sessions=10, seed=1)
    start()
    against_crapssim(rounds)
    against_c(rounds)
    threads(rounds)
    number_of_bets(rounds)
    chi_square()
    agreement()


if __name__ == "__main__":
    main()
