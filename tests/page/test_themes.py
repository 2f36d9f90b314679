"""Both themes define the same colors, and every color is defined and used."""

from __future__ import annotations

import re
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "frontend" / "src"
STYLE = (SOURCES / "style.css").read_text("utf-8")
NAME = re.compile(r"(--[\w-]+):")


def colors(theme: str) -> set[str]:
    (block,) = re.findall(rf"\[data-theme='{theme}'\] \{{(.*?)\}}", STYLE, re.DOTALL)
    return set(NAME.findall(block))


def test_both_themes_define_the_same_colors() -> None:
    assert colors("dark") == colors("light")
    assert len(colors("dark")) > 20


def test_every_color_is_defined_and_used() -> None:
    files = [path for path in SOURCES.rglob("*") if path.suffix in {".svelte", ".css", ".ts"}]
    used = {name for path in files for name in re.findall(r"var\((--[\w-]+)", path.read_text("utf-8"))}
    assert used == set(NAME.findall(STYLE))
