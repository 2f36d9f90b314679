"""Set everything up from a clean checkout, then play, test, lint or measure. Needs Python 3.11 and nothing else.

python3 dev.py play     a table in the browser
python3 dev.py test     every check there is
python3 dev.py lint     style and types only
python3 dev.py cover    the tests again, with every line traced
python3 dev.py fuzz     strangers at a server, for longer than the tests do: --inputs N, --seed S
python3 dev.py bench    every speed claim, measured
python3 dev.py docs     make the generated pages anew
python3 dev.py pictures take the pictures of the page anew
python3 dev.py lock     pin the newest dependencies in requirements/*.txt
"""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent
BOOT = ROOT / ".boot"
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
BENCHES = ("engine", "chain", "simulate", "service")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
PAGE = ROOT / "hatch_build.py"
BROWSER = ("chromium", "libatomic1", "fonts-dejavu-core")
"""What Debian calls the browser of the tests, and what it needs."""


def run(*command: str | Path, **variables: str) -> None:
    """Run a command in the checkout; leave with its exit code if it fails."""
    done = subprocess.run([str(part) for part in command], cwd=ROOT, env=environment() | variables, check=False)
    if done.returncode:
        raise SystemExit(done.returncode)


def environment() -> dict[str, str]:
    """Give commands the tools of the checkout first."""
    path = os.pathsep.join([str(BIN), os.environ.get("PATH", "")])
    return {**os.environ, "PATH": path, "VIRTUAL_ENV": str(VENV), "UV_PYTHON_DOWNLOADS": "never"}


def uv() -> Path:
    """Get the installer, into the checkout."""
    tool = BOOT / "bin" / ("uv.exe" if os.name == "nt" else "uv")
    if not tool.exists():
        print("setting up: fetching the installer", flush=True)
        run(
            sys.executable,
            "-m",
            "pip",
            "install",
            "-q",
            "--disable-pip-version-check",
            "--target",
            BOOT,
            "uv",
        )
    return tool


def install(*names: str) -> None:
    """Bring the environment to what requirements/NAME.txt and pyproject.toml ask for, and the page to its sources."""
    wanted = [ROOT / "requirements" / f"{name}.txt" for name in names]
    content = b"".join(path.read_bytes() for path in (*wanted, ROOT / "pyproject.toml"))
    stamp, mark = VENV / f"installed-{'-'.join(names)}", hashlib.sha256(content).hexdigest()
    if not (PYTHON.exists() and stamp.exists() and stamp.read_text() == mark):
        _install(names, wanted)
        stamp.write_text(mark)
    run(PYTHON, PAGE)


def _install(names: Sequence[str], wanted: Sequence[Path]) -> None:
    print(f"setting up: installing {' and '.join(names)} requirements", flush=True)
    if not PYTHON.exists():
        run(uv(), "venv", "-q", "--allow-existing", "--python", sys.executable, VENV)
    for path in wanted:
        run(uv(), "pip", "install", "-q", "--python", PYTHON, "--require-hashes", "-r", path)
    run(uv(), "pip", "install", "-q", "--python", PYTHON, "--no-deps", "--no-build-isolation", "-e", ".")


def forget_stale_code() -> None:
    """Delete cached machine code that is older than any source of it: Numba looks only at the file of each function."""
    chain = ROOT / "src" / "trueodds" / "chain"
    newest = max(path.stat().st_mtime for path in chain.glob("*.py"))
    for path in (chain / "__pycache__").glob("*.nb[ci]"):
        if path.stat().st_mtime < newest:
            path.unlink()


def lint() -> None:
    """Check style and types."""
    run(PYTHON, "-m", "ruff", "check", "-q", ".")
    run(PYTHON, "-m", "ruff", "format", "-q", "--check", ".")
    run(PYTHON, "-m", "mypy")
    run(PYTHON, PAGE, "run", "--silent", "check")


def get_browser() -> None:
    """Install the browser that the tests of the page drive, where that can be done; say what to do otherwise."""
    if shutil.which("chromium"):
        return
    if not (shutil.which("apt-get") and os.geteuid() == 0):
        raise SystemExit(
            "the tests of the page need a program called chromium on the PATH; on Debian and Ubuntu:\n"
            f"  sudo apt-get install --no-install-recommends {' '.join(BROWSER)}"
        )
    print("setting up: installing Chromium", flush=True)
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    run("apt-get", "-qq", "update", **quiet)
    run("apt-get", "-qq", "install", "-y", "--no-install-recommends", *BROWSER, **quiet)


def test(*arguments: str) -> None:
    """Run every check; arguments go to pytest, which then runs alone."""
    install("dev")
    forget_stale_code()
    if arguments:
        run(PYTHON, "-m", "pytest", *arguments)
        return
    lint()
    run(PYTHON, PAGE, "run", "--silent", "test")
    get_browser()
    run(PYTHON, "-m", "pytest", "-n", "2")
    cases = sorted((ROOT / "tests" / "conformance" / "cases").glob("*.json"))
    run(BIN / "trueodds", "conform", *cases)


def cover() -> None:
    """Run the tests with every line traced, which takes several times as long, and ask for 95 %."""
    install("dev")
    get_browser()
    run(PYTHON, "-m", "pytest", "-n", "2", "--cov", "--cov-report=term", "--cov-fail-under=95")


def fuzz(*arguments: str) -> None:
    """Say everything wrong to a real server."""
    install("dev")
    folder = ROOT / "tests" / "server"
    run(PYTHON, folder / "frame_fuzzer.py", *arguments, PYTHONPATH=str(folder))


def bench() -> None:
    """Run the benchmarks."""
    install("dev", "bench")
    forget_stale_code()
    for name in BENCHES:
        print(f"== {name}", flush=True)
        run(PYTHON, ROOT / "bench" / f"{name}.py", PYTHONPATH=str(ROOT / "tests" / "chain"))


def play(*arguments: str) -> None:
    """Open a table in the browser."""
    install("dev")
    # Ctrl-C is for the table, which ends by itself: it would be killed if this ended first.
    signal.signal(signal.SIGINT, lambda *_: None)
    run(BIN / "trueodds", "play", *arguments)


def docs() -> None:
    """Make the pages of the books and their odds, the chart of the README and the example history anew."""
    install("dev")
    for folder, maker in (("rulebooks", "trueodds.explain.markdown.pages"), ("odds", "trueodds.cli.odds.odds_pages")):
        module, function = maker.rsplit(".", 1)
        write = f"pathlib.Path('docs/{folder}', name).write_text(page, 'utf-8')"
        code = f"import pathlib, {module}; [{write} for name, page in {module}.{function}().items()]"
        (ROOT / "docs" / folder).mkdir(exist_ok=True)
        run(PYTHON, "-c", code)
    run(PYTHON, ROOT / "tests" / "page" / "layouts.py")
    run(PYTHON, ROOT / "tests" / "page" / "terms.py")
    chart = ("pass_345", "molly", "iron_cross", "place_6_8", "--book", "nj", "--bankroll", "500", "--sessions", "1e6")
    (ROOT / "docs" / "images").mkdir(exist_ok=True)
    run(BIN / "trueodds", "compare", *chart, "--seed", "7", "--plot", "docs/images/four.svg")
    typed = "pass 15;place 6 18;roll;odds 30;come 15;roll;odds come 30;roll;field 15;roll;roll;roll".replace(";", "\n")
    command = [
        BIN / "trueodds", "table", "--house", "docs/examples/boardwalk.toml", "--players", "Ann",
        "--dice", "4-4,3-2,6-6,2-3,4-4,3-4", "--save", "docs/examples/evening.txt",
    ]  # fmt: skip
    subprocess.run(
        [str(part) for part in command], cwd=ROOT, env=environment(), check=True, input=typed, text=True,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip


def pictures() -> None:
    """Take the pictures of the page in a real browser."""
    install("dev")
    get_browser()
    folders = (ROOT / "tests" / name for name in ("page", "server"))
    run(PYTHON, ROOT / "tests" / "page" / "pictures.py", PYTHONPATH=os.pathsep.join(map(str, folders)))


def lock() -> None:
    """Pin dependencies with their hashes and without any address."""
    for source in sorted((ROOT / "requirements").glob("*.in")):
        target = source.with_suffix(".txt").relative_to(ROOT)
        run(
            uv(), "pip", "compile", "-q", "--upgrade", "--universal", "--generate-hashes", "--no-emit-index-url",
            source.relative_to(ROOT), "-o", target,
        )  # fmt: skip


def main() -> None:
    """Do what was asked for."""
    command, *arguments = sys.argv[1:] or ["help"]
    match command:
        case "play":
            play(*arguments)
        case "test":
            test(*arguments)
        case "lint":
            install("dev")
            lint()
        case "cover":
            cover()
        case "fuzz":
            fuzz(*arguments)
        case "bench":
            bench()
        case "docs":
            docs()
        case "pictures":
            pictures()
        case "lock":
            lock()
        case _:
            print(__doc__)
            raise SystemExit(0 if command in ("help", "-h", "--help") else 2)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        raise SystemExit(130) from None
