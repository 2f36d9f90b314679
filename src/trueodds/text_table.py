"""Tables for a terminal of any width, drawn with rich. No word or number is broken across lines.

A table that is too wide for the terminal is laid out again. A table of short cells is split into several tables that
repeat the first column. A table with sentences becomes a list of blocks, one for each row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from textwrap import TextWrapper
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.console import RenderableType

MIN_SENTENCE_WIDTH: Final = 16
"""A column of sentences is not made narrower than this."""

MAX_SHORT_WIDTH: Final = 26
"""Cells up to this width count as short."""

BORDER_WIDTH: Final = 3
"""The border and padding of one column; the table has one more character."""

_NO_BREAK: Final = "\N{NO-BREAK SPACE}"
_UNIT: Final = re.compile(r"(?<=\d) %")


def make_table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]], width: int) -> RenderableType:
    """Return a table that fits into `width` columns. Text is shown as it is, without markup."""
    from rich.console import Group  # noqa: PLC0415  slow to import
    from rich.text import Text  # noqa: PLC0415

    cells = [list(row) for row in rows]
    parts: list[RenderableType] = [Text(wrap(title, width), style="italic")] if title else []
    for columns in column_groups(head, cells, width):
        if columns is None:
            parts.append(Text(format_blocks(head, cells, width)))
        else:
            parts.append(_draw([head[c] for c in columns], [[row[c] for c in columns] for row in cells], width))
    return Group(*parts)


def column_groups(head: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[list[int] | None]:
    """Return the columns of each table to draw, or [None] if the rows must be shown as blocks.

    >>> column_groups(["bet", "win", "lose"], [["Pass", "49.29 %", "50.71 %"]], 80)
    [[0, 1, 2]]
    >>> column_groups(["bet", "win", "lose"], [["Pass", "49.29 %", "50.71 %"]], 20)
    [[0, 1], [0, 2]]
    """
    least, natural = _column_widths(head, rows)
    if _table_width(least) <= width:
        return [list(range(len(head)))]
    if len(head) < 3 or max(natural[1:]) > MAX_SHORT_WIDTH:
        return [None]
    groups = _split_columns(least, width, len(head))
    groups = _split_columns(least, width, -(-(len(head) - 1) // len(groups)))  # evenly, if they fit
    if any(_table_width([least[c] for c in group]) > width for group in groups):
        return [None]
    return list(groups)


def _split_columns(least: Sequence[int], width: int, most: int) -> list[list[int]]:
    """Return groups of the first column and up to `most` others that fit into `width` together."""
    groups = [[0]]
    for column in range(1, len(least)):
        group = groups[-1]
        if len(group) > 1 and (len(group) > most or _table_width([least[c] for c in (*group, column)]) > width):
            group = [0]
            groups.append(group)
        group.append(column)
    return groups


def wrap(text: str, width: int) -> str:
    """Return the text in lines of at most `width` characters. A longer word has a line of its own, unbroken.

    >>> wrap("edge -1.4141 %", 10)
    'edge\\n-1.4141 %'
    """
    wrapper = TextWrapper(max(1, width), break_long_words=False, break_on_hyphens=False)
    lines = [line for part in _UNIT.sub(f"{_NO_BREAK}%", text).split("\n") for line in wrapper.wrap(part) or [""]]
    return "\n".join(lines).replace(_NO_BREAK, " ")


def format_blocks(head: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> str:
    """Return each row as a block: the first cell, then one indented line for each other column.

    >>> print(format_blocks(["bet", "wins on"], [["Pass", "a natural or the point"]], 30))
    Pass
      wins on  a natural or the
               point
    """
    label_width = max((len(label) for label in head[1:]), default=0)
    indent = " " * (label_width + 4 if label_width else 2)
    blocks = []
    for row in rows:
        lines = [wrap(row[0], width)] if row[0] else []
        for label, cell in zip(head[1:], row[1:], strict=True):
            text = wrap(cell, width - len(indent)).replace("\n", f"\n{indent}")
            lines.append(f"  {label:<{label_width}}".ljust(len(indent)) + text if cell else "")
        blocks.append("\n".join(line.rstrip() for line in lines if line))
    return "\n".join(blocks)


def _column_widths(head: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[list[int], list[int]]:
    """Return the least and the natural width of each column."""
    least, natural = [], []
    for index, name in enumerate(head):
        cells = [_UNIT.sub(f"{_NO_BREAK}%", row[index]) for row in rows]
        words = [len(word) for text in (name, *cells) for word in re.split(r"[ \n]", text)]
        whole = max(len(line) for text in (name, *cells) for line in text.split("\n"))
        body = max((len(line) for cell in cells for line in cell.split("\n")), default=0)
        least.append(max(*words, min(body, MIN_SENTENCE_WIDTH)))
        natural.append(whole)
    return least, natural


def _table_width(widths: Sequence[int]) -> int:
    return sum(widths) + BORDER_WIDTH * len(widths) + 1


def _fit_widths(least: Sequence[int], natural: Sequence[int], width: int) -> list[int]:
    """Return the widths of columns: natural ones, with the widest columns narrowed until the table fits."""
    widths = list(natural)
    while _table_width(widths) > width:
        candidates = [c for c in range(len(widths)) if widths[c] > least[c]]
        if not candidates:
            break
        widths[max(candidates, key=lambda c: widths[c])] -= 1
    return widths


def _draw(head: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> RenderableType:
    from rich.table import Table  # noqa: PLC0415  slow to import
    from rich.text import Text  # noqa: PLC0415

    widths = _fit_widths(*_column_widths(head, rows), width)
    table = Table(show_header=any(head), header_style="bold")
    for name, column_width in zip(head, widths, strict=True):
        table.add_column(Text(wrap(name, column_width)), width=column_width, no_wrap=True, overflow="ignore")
    for row in rows:
        table.add_row(*(Text(wrap(cell, column_width)) for cell, column_width in zip(row, widths, strict=True)))
    return table
