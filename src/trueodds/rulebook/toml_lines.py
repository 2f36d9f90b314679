"""On which line of a TOML text everything stands: its parser does not say, so the text is read once more for that.

Only text that the parser has taken is read, so nothing is checked again here.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from typing import Final

Path = tuple[str | int, ...]
"""How to get to a value: keys, and numbers in lists."""

_BLANK: Final = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE: Final = re.compile(r"[ \t]*")
_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_PLAIN_VALUE: Final = re.compile(r"[^,\]}#\r\n]*")
_TEXT: Final = re.compile(
    r'"""(?:\\.|(?!""")[^\\])*"{3,5}'
    r"|'''(?:(?!''').)*'{3,5}"
    r'|"(?:\\.|[^"\\])*"'
    r"|'[^']*'",
    re.DOTALL,
)
_AT_LINE: Final = re.compile(r" \(at line (\d+), column \d+\)$")
_AT_END: Final = " (at end of document)"


def lines_of(text: str) -> Mapping[Path, int]:
    """Give the line of every table, key and element of a list.

    >>> lines_of('name = "X"\\n[[play]]\\nkeep = "pass"')
    {('name',): 1, ('play',): 2, ('play', 0): 2, ('play', 0, 'keep'): 3}
    """
    return _Reader(text).read()


def syntax_error(text: str, error: Exception) -> tuple[int, str]:
    """Say on which line the parser gave up, and why."""
    said = str(error)
    found = _AT_LINE.search(said)
    if found:
        return int(found[1]), said[: found.start()]
    if said.endswith(_AT_END):
        return text.rstrip("\n").count("\n") + 1, said.removesuffix(_AT_END) + " at the end of the file"
    return _first_line_with(text, type(error)), said


def _first_line_with(text: str, kind: type[Exception]) -> int:
    """Find where an error comes from that names no line: the first so many lines that have it."""
    lines = text.split("\n")

    def goes_wrong(count: int) -> bool:
        try:
            tomllib.loads("\n".join(lines[:count]))
        except (ValueError, RecursionError) as error:
            return type(error) is kind
        return False

    return bisect_left(range(1, len(lines)), True, key=goes_wrong) + 1


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text.replace("\r\n", "\n")
        self._ends = [match.start() for match in re.finditer("\n", self._text)]
        self._here = 0
        self._lines: dict[Path, int] = {}
        self._rows: Counter[Path] = Counter()

    def read(self) -> Mapping[Path, int]:
        table: Path = ()
        while self._skip(_BLANK) < len(self._text):
            if self._text.startswith("[[", self._here):
                table = self._row()
            elif self._text[self._here] == "[":
                table = self._table()
            else:
                self._pair(table)
        return self._lines

    def _skip(self, what: re.Pattern[str]) -> int:
        match = what.match(self._text, self._here)
        self._here = match.end() if match else self._here
        return self._here

    def _note(self, path: Path) -> None:
        """The first line is where it begins."""
        self._lines.setdefault(path, bisect_left(self._ends, self._here) + 1)

    def _row(self) -> Path:
        """Read [[play]]: one more row of a list."""
        self._here += 2
        *outer, last = self._keys()
        path: Path = (*self._resolved(outer), last)
        self._note(path)
        path = (*path, self._rows[path])
        self._rows[path[:-1]] += 1
        self._note(path)
        self._here += 2
        return path

    def _table(self) -> Path:
        """Read [play.when]: a table, within the last row of a list if that is where it is."""
        self._here += 1
        path = self._resolved(self._keys())
        self._here += 1
        return path

    def _resolved(self, keys: list[str]) -> Path:
        path: Path = ()
        for key in keys:
            path = (*path, key)
            self._note(path)
            if path in self._rows:
                path = (*path, self._rows[path] - 1)
        return path

    def _keys(self) -> list[str]:
        """Read a key, or several with dots between."""
        keys = []
        while True:
            start = self._skip(_SPACE)
            if self._text[start] in "\"'":
                keys.append(str(tomllib.loads(f"key = {self._text[start : self._skip(_TEXT)]}")["key"]))
            else:
                keys.append(self._text[start : self._skip(_BARE_KEY)])
            if self._text[self._skip(_SPACE)] != ".":
                return keys
            self._here += 1

    def _pair(self, table: Path) -> None:
        start = self._here
        for key in self._keys():
            table = (*table, key)
            self._lines.setdefault(table, bisect_left(self._ends, start) + 1)
        self._here += 1
        self._skip(_SPACE)
        self._value(table)

    def _value(self, path: Path) -> None:
        first = self._text[self._here]
        if first == "[":
            self._list(path)
        elif first == "{":
            self._inline(path)
        else:
            self._skip(_TEXT if first in "\"'" else _PLAIN_VALUE)

    def _list(self, path: Path) -> None:
        index, end = 0, self._after("[")
        while self._text[end] != "]":
            self._note((*path, index))
            self._value((*path, index))
            index, end = index + 1, self._after(",")
        self._here += 1

    def _inline(self, path: Path) -> None:
        end = self._after("{")
        while self._text[end] != "}":
            self._pair(path)
            end = self._after(",")
        self._here += 1

    def _after(self, mark: str) -> int:
        """Go on to what comes after a mark, if it is there."""
        if self._text[self._skip(_BLANK)] == mark:
            self._here += 1
        return self._skip(_BLANK)
