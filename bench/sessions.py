"""The speed and size of compiled strategies and exact sessions, and whether automaton and engine agree.

PYTHONPATH=tests python bench/sessions.py [SESSIONS]

Exact sessions are computed in turns by this code and by the code of an older commit, each in a process of its own. The
old code comes from the git history. A session that takes more than a minute and a half is given up.
"""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from support.automaton_walk import walk_automaton
from support.strategy_books import books_allowing
from support.table_sessions import TableStops, play
from trueodds.automaton import Automaton
from trueodds.dice import ROLLS, Roll
from trueodds.rulebook import House, book_ids, load_book
from trueodds.strategy import builtin_strategy, builtin_strategy_names
from trueodds.table import CachedDealer
from trueodds.wagers import TableRules

SESSIONS = 1000
SEED = 20_261_116
HERE = Path(__file__).resolve().parents[1]
OLD_COMMIT = "67baf73"
TIMEOUT_SECONDS = 90


def bench_compiling() -> None:
    house = House(load_book("maryland"))
    for name in ("molly", "ats_molly", "ats_molly", "ats_molly"):
        start = time.perf_counter()
        automaton = Automaton(builtin_strategy(name), house)
        taken = time.perf_counter() - start
        after, before = len(automaton.next), len(automaton.after_betting)
        print(
            f"{name}: {after:,} situations after betting, {before:,} before, in {taken:.3f} s: "
            f"{after / taken:,.0f} situations/s; arrays {automaton.arrays_bytes / after:.0f} bytes per situation"
        )


class Case(NamedTuple):
    """A session to measure, and how many times."""

    name: str
    bankroll: str
    rolls: int
    rational: bool = False
    rounds: int = 3

    def __str__(self) -> str:
        how = ", in fractions" if self.rational else ""
        return f"{self.name}, ${self.bankroll}, {self.rolls:,} rolls{how}"


CASES = (
    Case("pass_345", "500", 200),
    Case("molly", "500", 200),
    Case("molly", "501", 200),
    Case("molly", "500.01", 200),
    Case("molly", "500", 200, rational=True, rounds=1),
    Case("pass_345", "500", 10_000, rounds=1),
    Case("pass_345", "500", 100_000, rounds=1),
)

PROGRAM = """
import json, resource, sys, time
try:
    from trueodds.sessions import Session
except ImportError:
    from trueodds.chain import Session
import numba

def session(name, bankroll, rolls, rational, progress=None):
    Session(name, "new_jersey", bankroll=bankroll, rolls=rolls, rational=rational, progress=progress)

def peak_bytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

def on_progress(done, total):
    if total is not None:
        times.append(time.perf_counter())

name, bankroll, rolls, rational = json.loads(sys.argv[1])
session(name, "500", 3, rational)
before, times, start = peak_bytes(), [], time.perf_counter()
try:
    session(name, bankroll, rolls, rational, on_progress)
    result = [time.perf_counter() - start, times[-1] - times[0], (peak_bytes() - before) / 1e6]
except ValueError as refused:
    result = [str(refused)]
print(json.dumps(result))
"""
"""Compute one session. Print the seconds in all, the seconds of rolls, and the megabytes by which the process grew."""


def measure(source: Path, case: Case) -> list[float] | str:
    """Compute a session with a source folder. Return its seconds, seconds of rolls and megabytes, or why it failed."""
    command = [sys.executable, "-c", PROGRAM, json.dumps(case[:4])]
    try:
        done = subprocess.run(
            command, env={**os.environ, "PYTHONPATH": str(source)}, capture_output=True, text=True, check=True,
            timeout=TIMEOUT_SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"not done after {TIMEOUT_SECONDS} s"
    result = json.loads(done.stdout)
    return result if len(result) > 1 else "refused"


def bench_sessions(old: Path | None) -> None:
    """Compute the same sessions with the old code and with this code in turns. Print medians and their ratios."""
    sources = [source for source in (old, HERE / "src") if source is not None]
    for case in CASES:
        runs = [[measure(source, case) for source in sources] for _ in range(case.rounds)]
        print(case)
        medians = []
        for source, results in zip(sources, zip(*runs, strict=True), strict=True):
            figures = [result for result in results if not isinstance(result, str)]
            failure = next((result for result in results if isinstance(result, str)), None)
            label = "old" if source == old else "new"
            if failure is not None:
                print(f"  {label}: {failure}")
                continue
            seconds, rolling, megabytes = (median(column) for column in zip(*figures, strict=True))
            medians.append((seconds, rolling, megabytes))
            print(f"  {label}: {seconds:.2f} s in all, {rolling:.3f} s of rolls, {megabytes:,.0f} MB")
        if len(medians) > 1:
            in_all, rolling, memory = (before / max(after, 1e-9) for before, after in zip(*medians, strict=True))
            print(f"  old / new: {in_all:.1f} in all, {rolling:.1f} for the rolls, {memory:.1f} in memory")


def extract_old_source(folder: Path) -> Path | None:
    """Write the source of the old commit to a folder. Return it, or None outside of a clone that has the commit."""
    packed = subprocess.run(
        ["git", "archive", OLD_COMMIT, "src"], cwd=HERE, capture_output=True, check=False
    )  # fmt: skip
    if packed.returncode:
        print(f"This folder is not a clone with commit {OLD_COMMIT}, so only the new code is measured.")
        return None
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder / "src"


def random_rolls(seed: int) -> Iterator[Roll]:
    generator = random.Random(seed)
    while True:
        yield generator.choice(ROLLS)


def check_agreement(count: int) -> None:
    """Play sessions on the arrays and with the engine on the same rolls. Exit if they differ."""
    for book in book_ids():
        dealer = CachedDealer(TableRules(House(load_book(book))))
        names = [name for name in builtin_strategy_names() if book in books_allowing(name)]
        total_rolls = 0
        for name in names:
            strategy = builtin_strategy(name)
            automaton = Automaton(strategy, dealer.rules.house)
            for session in range(count):
                seed, bankroll = SEED + session, (2_000, 6_000, 15_000, 50_000)[session % 4]
                stops = TableStops(bankroll + 10_000, bankroll - 4_000, 6) if session % 3 == 0 else TableStops()
                engine = play(dealer, strategy, bankroll, random_rolls(seed), 100, stops)
                walked = walk_automaton(automaton, bankroll, random_rolls(seed), 100, stops)
                same = [(state.ended_by, state.rack) for state in engine] == [(over, rack) for _, over, rack in walked]
                if not same:
                    raise SystemExit(f"{name} in {book}, seed {seed}: automaton and engine differ")
                total_rolls += len(walked) - 1
        print(f"{book}: {len(names)} strategies x {count:,} sessions, {total_rolls:,} rolls: they agree to the cent")


def main() -> None:
    bench_compiling()
    with tempfile.TemporaryDirectory() as folder:
        bench_sessions(extract_old_source(Path(folder)))
    check_agreement(int(sys.argv[1]) if len(sys.argv) > 1 else SESSIONS)


if __name__ == "__main__":
    main()
