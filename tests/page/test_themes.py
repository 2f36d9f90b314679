"""The two rooms have the same colours by name, and nothing is drawn in a colour that is not there."""

from __future__ import annotations

import re
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "frontend" / "src"
STYLE = (SOURCES / "style.css").read_text("utf-8")
NAME = re.compile(r"(--[\w-]+):")


def room(name: str) -> set[str]:
    (block,) = re.findall(rf"\[data-room='{name}'\] \{{(.*?)\}}", STYLE, re.DOTALL)
    return set(NAME.findall(block))


def test_both_rooms_have_every_colour() -> None:
    assert room("dark") == room("bright")
    assert len(room("dark")) > 20


def test_what_is_used_is_there() -> None:
    files = [path for path in SOURCES.rglob("*") if path.suffix in {".svelte", ".css", ".ts"}]
    used = {name for path in files for name in re.findall(r"var\((--[\w-]+)", path.read_text("utf-8"))}
    assert used == set(NAME.findall(STYLE)), "a colour that is used is not there, or one that is there is not used"
