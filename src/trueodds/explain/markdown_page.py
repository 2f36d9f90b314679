"""Write generated Markdown pages: paragraphs, tables and anchors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

GENERATED_NOTE: Final = "<!-- Generated from the book by `python3 dev.py docs`. Change the book, not this page. -->"

Section = str | list[str]
"""A paragraph, or the lines of a table."""


def markdown_page(*sections: Section) -> str:
    """Return a page with a blank line after each section."""
    lines = [GENERATED_NOTE, ""]
    for section in sections:
        lines += [section] if isinstance(section, str) else section
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def markdown_table(head: list[str], rows: Iterable[list[str]]) -> list[str]:
    """Return the lines of a table."""
    body = ["| " + " | ".join(_cell(cell) for cell in row) + " |" for row in rows]
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *body]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def anchored(anchor: str, text: str) -> str:
    """Return a text that other pages can link to by an anchor."""
    return f'<a id="{anchor}"></a>{text}'
