"""What is sent before the first page can be used."""

from __future__ import annotations

import gzip
import re

from trueodds.server.page import BUILT

MOST_BYTES = 120_000
STATIC = re.compile(r"""(?:\bfrom|\bimport)\s*["']\./([\w.-]+\.js)["']""")
"""What a module needs at once; one that is loaded on demand is in brackets."""

ELSEWHERE = re.compile(r"""(?:(?:https?|wss?):|["'(])//([\w.-]+)""")
NAMES = {"www.w3.org", "svelte.dev", "page"}
"""Namespaces of markup, where Svelte explains its errors, and what stands before an address that has no server."""


def needed_at_once() -> set[str]:
    """Name the scripts of the first page, and what they need at once."""
    first = (BUILT / "index.html").read_text("utf-8")
    found: set[str] = set()
    waiting = re.findall(r'(?:src|href)="/assets/([\w.-]+\.js)"', first)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += STATIC.findall((BUILT / "assets" / name).read_text("utf-8"))
    return found


def test_the_first_script_is_small() -> None:
    names = needed_at_once()
    size = sum(len(gzip.compress((BUILT / "assets" / name).read_bytes())) for name in names)
    print(f"{len(names)} scripts at once, {size:,} bytes packed")
    assert names
    assert size <= MOST_BYTES


def test_pages_that_few_open_are_loaded_on_demand() -> None:
    """Were everything in the first script, there would be nothing besides it."""
    every = {path.name for path in (BUILT / "assets").glob("*.js")}
    assert len(every - needed_at_once()) >= 4


def test_nothing_comes_from_elsewhere() -> None:
    """Whatever names another server is a name and no more: nothing is fetched from there."""
    files = [path for path in BUILT.rglob("*") if path.suffix in {".html", ".css", ".js"}]
    assert {path.suffix for path in files} == {".html", ".css", ".js"}
    for path in files:
        named = set(ELSEWHERE.findall(path.read_text("utf-8")))
        assert named <= (NAMES if path.suffix == ".js" else set()), path.name
