"""Commands are imported when they are used, and each one has its help."""

from __future__ import annotations

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from support.trueodds_process import ENVIRONMENT
from trueodds import __version__
from trueodds.cli.app import app
from trueodds.cli.command_list import COMMANDS, help_text

HEAVY = ("typer", "rich", "numpy", "numba", "trueodds.rulebook", "trueodds.table", "trueodds.journal")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_import_nothing_heavy(option: str) -> None:
    code = (
        f"import sys; sys.argv = ['trueodds', {option!r}]; from trueodds.cli import main; main();"
        f"loaded = [name for name in {HEAVY!r} if name in sys.modules]; assert not loaded, loaded"
    )
    done = run("-c", code)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (f"{help_text()}\n" if option == "--help" else f"trueodds {__version__}\n")


def test_one_command_does_not_import_the_others() -> None:
    code = (
        "import sys; sys.argv = ['trueodds', 'verify', '--help']\n"
        "try:\n    from trueodds.cli import main; main()\nexcept SystemExit: pass\n"
        "loaded = [name for name in sys.modules if name.startswith('trueodds.cli.') and name.endswith('_command')]\n"
        "assert loaded == ['trueodds.cli.verify_command'], loaded"
    )
    done = run("-c", code)
    assert done.returncode == 0, done.stderr


def test_python_m_trueodds() -> None:
    done = run("-m", "trueodds", "--version")
    assert (done.returncode, done.stdout) == (0, f"trueodds {__version__}\n")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str) -> None:
    done = CliRunner().invoke(app, [name, "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"})
    assert done.exit_code == 0, done.output
    assert f"trueodds {name}" in done.output or f"root {name}" in done.output


def test_the_help_of_the_app_is_the_help_text() -> None:
    assert CliRunner().invoke(app, ["--help"]).output.strip() == help_text()
    unknown = CliRunner().invoke(app, ["no_such_command"])
    assert unknown.exit_code == 2
    assert "no_such_command" in unknown.output
