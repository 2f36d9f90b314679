"""Measure how long short commands take, as multiples of starting Python itself.

    python bench/startup.py [--rounds N] [SOURCE ...]

Each SOURCE is a `src` folder to run from (default: this checkout's). Commands of all sources are run in turns, so that
one run compares two checkouts fairly.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parents[1] / "src"
RUN = "from trueodds.cli import main; main()"
COMMANDS = {
    "--help": ["--help"],
    "books": ["books"],
    "session pass_345": ["session", "pass_345", "--bankroll", "500", "--rolls", "200"],
}


def seconds(command: list[str], source: str) -> float:
    """Return how long a command takes with a source folder first on the path."""
    start = time.perf_counter()
    subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": source},
        check=True,
        stdout=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
    )
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9, help="Rounds to take medians of (default: 9)")
    parser.add_argument("sources", nargs="*", default=[str(HERE)], metavar="SOURCE")
    given = parser.parse_args()
    runs: dict[tuple[str, str], list[float]] = {}
    for number in range(given.rounds + 1):
        for source in given.sources:
            for name, words in {"python -c pass": None, **COMMANDS}.items():
                code = ["pass"] if words is None else [RUN, *words]
                taken = seconds([sys.executable, "-c", *code], source)
                if number:  # the first round fills caches
                    runs.setdefault((source, name), []).append(taken)
    for source in given.sources:
        base = statistics.median(runs[source, "python -c pass"])
        print(f"{source}: python -c pass takes {base * 1000:.0f} ms")
        for name in COMMANDS:
            taken = statistics.median(runs[source, name])
            print(f"  {name}: {taken * 1000:.0f} ms, {taken / base:.1f} times python -c pass")


if __name__ == "__main__":
    main()
