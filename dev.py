"""Set up a clean checkout, then run one of these commands. Needs Python 3.11 or newer and nothing else.

python3 dev.py play         open a craps table in the browser
python3 dev.py test         run every check; large products are sampled
python3 dev.py test --all   run every check in full, which takes much longer
python3 dev.py lint         check style and types only
python3 dev.py cover        run the tests with line coverage
python3 dev.py fuzz         send malformed input to a server: --inputs N, --seed S
python3 dev.py bench        measure every speed claim
python3 dev.py docs         regenerate the generated pages
python3 dev.py pictures     retake the screenshots of the page
python3 dev.py lock         pin the newest dependencies in requirements/*.txt
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
BENCHES = ("engine", "sessions", "simulation", "service", "startup")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
PAGE = ROOT / "hatch_build.py"
BROWSER = ("chromium", "libatomic1", "fonts-dejavu-core")
"""Debian packages that the browser tests need."""


def run(*command: str | Path, **variables: str) -> None:
    """Run a command in the checkout, and exit with its code if it fails."""
    done = subprocess.run([str(part) for part in command], cwd=ROOT, env=environment() | variables, check=False)
    if done.returncode:
        raise SystemExit(done.returncode)


def environment() -> dict[str, str]:
    """Return the environment for commands: tools installed in the checkout come first on the path."""
    path = os.pathsep.join([str(BIN), os.environ.get("PATH", "")])
    return {**os.environ, "PATH": path, "VIRTUAL_ENV": str(VENV), "UV_PYTHON_DOWNLOADS": "never"}


def uv() -> Path:
    """Return the path of uv, after installing it into the checkout if needed."""
    tool = BOOT / "bin" / ("uv.exe" if os.name == "nt" else "uv")
    if not tool.exists():
        print("setting up: installing uv", flush=True)
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
    """Install requirements/NAME.txt and the package where they changed, and build the page."""
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


def delete_stale_code() -> None:
    """Delete cached machine code that is older than its sources. Numba only checks the file of each function itself."""
    rooms = [ROOT / "src" / "trueodds" / name for name in ("automaton", "sessions", "simulation")]
    newest = max(path.stat().st_mtime for room in rooms for path in room.glob("*.py"))
    for room in rooms:
        for path in (room / "__pycache__").glob("*.nb[ci]"):
            if path.stat().st_mtime < newest:
                path.unlink()


def lint() -> None:
    """Check style and types."""
    run(PYTHON, "-m", "ruff", "check", "-q", ".")
    run(PYTHON, "-m", "ruff", "format", "-q", "--check", ".")
    run(PYTHON, "-m", "mypy")
    run(PYTHON, PAGE, "run", "--silent", "check")
    run(PYTHON, PAGE, "run", "--silent", "lint")


def get_browser() -> None:
    """Install Chromium for the browser tests, or exit with instructions where that is not possible."""
    if shutil.which("chromium"):
        return
    if not (shutil.which("apt-get") and os.geteuid() == 0):
        raise SystemExit(
            "the browser tests need chromium on the PATH; on Debian and Ubuntu:\n"
            f"  sudo apt-get install --no-install-recommends {' '.join(BROWSER)}"
        )
    print("setting up: installing Chromium", flush=True)
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    run("apt-get", "-qq", "update", **quiet)
    run("apt-get", "-qq", "install", "-y", "--no-install-recommends", *BROWSER, **quiet)


def test(*arguments: str) -> None:
    """Run every check. Arguments other than --all go to pytest, which then runs alone."""
    install("dev")
    delete_stale_code()
    variables = {"TRUEODDS_TEST_ALL": "1"} if "--all" in arguments else {}
    chosen = [argument for argument in arguments if argument != "--all"]
    if chosen:
        run(PYTHON, "-m", "pytest", *chosen, **variables)
        return
    lint()
    run(PYTHON, PAGE, "run", "--silent", "test")
    get_browser()
    run(PYTHON, "-m", "pytest", "-n", "2", **variables)
    cases = sorted((ROOT / "tests" / "conformance" / "cases").glob("*.json"))
    run(BIN / "trueodds", "conform", *cases)


def cover() -> None:
    """Run the tests with line coverage, which takes several times as long, and require 95 %."""
    install("dev")
    get_browser()
    run(PYTHON, "-m", "pytest", "-n", "2", "--cov", "--cov-report=term", "--cov-fail-under=95")


def fuzz(*arguments: str) -> None:
    """Send malformed input to a real server."""
    install("dev")
    tests = ROOT / "tests"
    run(PYTHON, tests / "support" / "frame_fuzzer.py", *arguments, PYTHONPATH=str(tests))


def bench() -> None:
    """Run the benchmarks."""
    install("dev", "bench")
    delete_stale_code()
    get_browser()
    tests = str(ROOT / "tests")
    for name in BENCHES:
        print(f"== {name}", flush=True)
        run(PYTHON, ROOT / "bench" / f"{name}.py", PYTHONPATH=tests)
    print("== page", flush=True)
    plugins = ("-p", "support.databases", "-p", "support.server_fixtures", "-p", "support.browser")
    run(PYTHON, "-m", "pytest", "-q", "-s", *plugins, ROOT / "bench" / "page.py", PYTHONPATH=tests)


def play(*arguments: str) -> None:
    """Open a table in the browser."""
    install("dev")
    # Ctrl-C reaches the table too, which then stops cleanly. Exiting here first would kill it.
    signal.signal(signal.SIGINT, lambda *_: None)
    run(BIN / "trueodds", "play", *arguments)


def docs() -> None:
    """Regenerate the pages about books and odds, the chart of the README, the example history and the page fixtures."""
    install("dev")
    for folder, maker in (
        ("rulebooks", "trueodds.explain.rulebook_markdown.rulebook_pages"),
        ("odds", "trueodds.cli.odds_command.odds_pages"),
    ):
        module, function = maker.rsplit(".", 1)
        write = f"pathlib.Path('docs/{folder}', name).write_text(page, 'utf-8')"
        code = f"import pathlib, {module}; [{write} for name, page in {module}.{function}().items()]"
        (ROOT / "docs" / folder).mkdir(exist_ok=True)
        run(PYTHON, "-c", code)
    coverage = "import pathlib, trueodds.explain.coverage_markdown as made"
    run(PYTHON, "-c", f"{coverage}; pathlib.Path('docs/coverage.md').write_text(made.coverage_page(), 'utf-8')")
    run(PYTHON, ROOT / "tests" / "support" / "layout_fixtures.py", PYTHONPATH=str(ROOT / "tests"))
    run(PYTHON, ROOT / "tests" / "support" / "server_constants.py", PYTHONPATH=str(ROOT / "tests"))
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
    """Retake the screenshots of the page in a real browser."""
    install("dev")
    get_browser()
    tests = ROOT / "tests"
    run(PYTHON, tests / "support" / "screenshots.py", PYTHONPATH=str(tests))


def lock() -> None:
    """Pin dependencies with hashes and without download addresses."""
    for source in sorted((ROOT / "requirements").glob("*.in")):
        target = source.with_suffix(".txt").relative_to(ROOT)
        run(
            uv(), "pip", "compile", "-q", "--upgrade", "--universal", "--generate-hashes", "--no-emit-index-url",
            source.relative_to(ROOT), "-o", target,
        )  # fmt: skip


def main() -> None:
    """Run the command given on the command line."""
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
