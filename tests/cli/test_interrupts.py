"""Ctrl-C at any moment and a closed pipe end a command quietly, with the exit codes that shells use."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from support.trueodds_process import ENVIRONMENT, RUN_CLI
from trueodds.cli.app import app

ROOT = Path(__file__).parents[2]

INTERRUPT_ON_IMPORT = """
import os, signal, sys
module, *sys.argv[1:] = sys.argv[1:]
class Interrupter:
    def find_spec(self, name, path, target=None):
        if name == module:
            sys.meta_path.remove(self)
            print("interrupting", flush=True)
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupter())
"""
"""Press Ctrl-C while a module is imported."""


@pytest.mark.parametrize(
    ("module", "words"),
    [
        ("trueodds.cli.command_list", ["--help"]),
        ("trueodds.cli.app", ["books"]),
        ("typer", ["books"]),
        ("trueodds.cli.books_command", ["rules", "nj"]),
        ("trueodds.rulebook", ["rules", "nj"]),
        ("trueodds.text_table", ["rules", "nj"]),
        ("trueodds.wager_odds", ["odds", "nj", "pass"]),
        ("numpy", ["session", "pass", "--bankroll", "100"]),
        ("numpy.linalg", ["simulate", "pass", "--bankroll", "100"]),
        ("numba", ["simulate", "pass", "--bankroll", "100"]),
        ("sqlalchemy", ["journal", "check"]),
        ("uvicorn", ["serve", "--port", "0"]),
        ("trueodds.terminal", ["table"]),
    ],
    ids=str,
)
def test_interrupt_while_a_module_is_imported(module: str, words: list[str], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPT_ON_IMPORT + RUN_CLI, module, *words],
        env=ENVIRONMENT, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert "interrupting" in done.stdout
    assert done.returncode in (-signal.SIGINT, 130), done.stderr
    assert "Traceback" not in done.stderr
    assert "KeyboardInterrupt" not in done.stderr


def test_ignored_interrupts_stay_ignored(tmp_path: Path) -> None:
    """A shell without job control starts background jobs this way."""
    code = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n" + INTERRUPT_ON_IMPORT + RUN_CLI
    done = subprocess.run(
        [sys.executable, "-c", code, "typer", "books"],
        env=ENVIRONMENT, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "new_jersey" in done.stdout


@pytest.mark.parametrize(
    "words",
    [
        ["rules", "nj"], ["rules", "nj", "--json"], ["odds", "nj", "--format", "csv"], ["--help"], ["--version"],
        ["house", "show", "nj"], ["replay", "docs/examples/evening.txt"], ["strategy", "show", "molly"],
        ["conform", "tests/conformance/cases/win.json"], ["verify", "tests/fair/six_rolls.json"],
        ["session", "pass", "--bankroll", "100", "--rolls", "5", "--csv"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_closed_pipe(words: list[str]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", RUN_CLI, *words],
        env=ENVIRONMENT, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait(120) == 141, errors
    assert not errors


def test_what_was_typed_is_quoted() -> None:
    for words in (["session", "pass"], ["simulate", "pass"], ["table"]):
        done = CliRunner().invoke(app, [*words, "--bankroll", "-5"])
        assert done.exit_code == 2
        assert "bankroll must be positive, got -5" in done.output
