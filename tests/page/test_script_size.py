"""The size of the scripts that load before the page can be used."""

from __future__ import annotations

import gzip
import re

from support.browser import MAX_SCRIPT_BYTES
from trueodds.server.static_page import BUILD_FOLDER

STATIC_IMPORT = re.compile(r"""(?:\bfrom|\bimport)\s*["']\./([\w.-]+\.js)["']""")
"""Static imports. Imports on demand are written as calls."""

OTHER_HOST = re.compile(r"""(?:(?:https?|wss?):|["'(])//([\w.-]+)""")
ALLOWED_HOSTS = {"www.w3.org", "svelte.dev", "page"}
"""XML namespaces, links in Svelte's error messages, and the base of relative URLs. Nothing is fetched from them."""


def initial_scripts() -> set[str]:
    """Return the scripts of index.html and all scripts they import statically."""
    index = (BUILD_FOLDER / "index.html").read_text("utf-8")
    scripts: set[str] = set()
    queue = re.findall(r'(?:src|href)="/assets/([\w.-]+\.js)"', index)
    while queue:
        name = queue.pop()
        if name not in scripts:
            scripts.add(name)
            queue += STATIC_IMPORT.findall((BUILD_FOLDER / "assets" / name).read_text("utf-8"))
    return scripts


def test_initial_scripts_are_small() -> None:
    names = initial_scripts()
    size = sum(len(gzip.compress((BUILD_FOLDER / "assets" / name).read_bytes())) for name in names)
    print(f"{len(names)} initial scripts, {size:,} bytes compressed")
    assert names
    assert size <= MAX_SCRIPT_BYTES


def test_other_pages_are_loaded_on_demand() -> None:
    scripts = {path.name for path in (BUILD_FOLDER / "assets").glob("*.js")}
    assert len(scripts - initial_scripts()) >= 4


def test_nothing_is_fetched_from_other_servers() -> None:
    files = [path for path in BUILD_FOLDER.rglob("*") if path.suffix in {".html", ".css", ".js"}]
    assert {path.suffix for path in files} == {".html", ".css", ".js"}
    for path in files:
        hosts = set(OTHER_HOST.findall(path.read_text("utf-8")))
        assert hosts <= (ALLOWED_HOSTS if path.suffix == ".js" else set()), path.name
