"""Line numbers of a TOML text. `tomllib` does not report them, so the text is scanned once more.

Only text that `tomllib` has parsed is scanned, so nothing is validated here.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from typing import Final

KeyPath = tuple[str | int, ...]
"""The path to a value: keys of tables and indexes of lists."""

_BLANK: Final = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE: Final = re.compile(r"[ \t]*")
_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_PLAIN_VALUE: Final = re.compile(r"[^,\]}#\r\n]*")
_STRING: Final = re.compile(
    r'"""(?:\\.|(?!""")[^\\])*"{3,5}'
    r"|'''(?:(?!''').)*'{3,5}"
    r'|"(?:\\.|[^"\\])*"'
    r"|'[^']*'",
    re.DOTALL,
)
_AT_LINE_SUFFIX: Final = re.compile(r" \(at line (\d+), column \d+\)$")
_AT_END_SUFFIX: Final = " (at end of document)"


def line_numbers(text: str) -> Mapping[KeyPath, int]:
    """Return the line of every table, key and list item.

    >>> line_numbers('name = "X"\\n[[play]]\\nkeep = "pass"')
    {('name',): 1, ('play',): 2, ('play', 0): 2, ('play', 0, 'keep'): 3}
    """
    return _LineScanner(text).scan()


def locate_syntax_error(text: str, error: Exception) -> tuple[int, str]:
    """Return the line and the message of a syntax error that `tomllib` raised."""
    message = str(error)
    found = _AT_LINE_SUFFIX.search(message)
    if found:
        return int(found[1]), message[: found.start()]
    if message.endswith(_AT_END_SUFFIX):
        return text.rstrip("\n").count("\n") + 1, message.removesuffix(_AT_END_SUFFIX) + " at the end of the file"
    return _first_failing_line(text, type(error)), message


def _first_failing_line(text: str, kind: type[Exception]) -> int:
    """Return the line of an error that names none: the last line of the shortest prefix that raises it."""
    lines = text.split("\n")

    def goes_wrong(count: int) -> bool:
        try:
            tomllib.loads("\n".join(lines[:count]))
        except (ValueError, RecursionError) as error:
            return type(error) is kind
        return False

    return bisect_left(range(1, len(lines)), True, key=goes_wrong) + 1


class _LineScanner:
    def __init__(self, text: str) -> None:
        self._text = text.replace("\r\n", "\n")
        self._line_ends = [match.start() for match in re.finditer("\n", self._text)]
        self._offset = 0
        self._lines: dict[KeyPath, int] = {}
        self._array_lengths: Counter[KeyPath] = Counter()

    def scan(self) -> Mapping[KeyPath, int]:
        table: KeyPath = ()
        while self._skip(_BLANK) < len(self._text):
            if self._text.startswith("[[", self._offset):
                table = self._scan_array_table()
            elif self._text[self._offset] == "[":
                table = self._scan_table()
            else:
                self._scan_pair(table)
        return self._lines

    def _skip(self, what: re.Pattern[str]) -> int:
        match = what.match(self._text, self._offset)
        self._offset = match.end() if match else self._offset
        return self._offset

    def _record_line(self, path: KeyPath) -> None:
        """Record where a path first occurs."""
        self._lines.setdefault(path, bisect_left(self._line_ends, self._offset) + 1)

    def _scan_array_table(self) -> KeyPath:
        """Scan [[play]]: one more table of a list."""
        self._offset += 2
        *outer, last = self._scan_keys()
        path: KeyPath = (*self._resolve(outer), last)
        self._record_line(path)
        path = (*path, self._array_lengths[path])
        self._array_lengths[path[:-1]] += 1
        self._record_line(path)
        self._offset += 2
        return path

    def _scan_table(self) -> KeyPath:
        """Scan [play.when]: a table, inside the last table of a list if `play` is a list."""
        self._offset += 1
        path = self._resolve(self._scan_keys())
        self._offset += 1
        return path

    def _resolve(self, keys: list[str]) -> KeyPath:
        path: KeyPath = ()
        for key in keys:
            path = (*path, key)
            self._record_line(path)
            if path in self._array_lengths:
                path = (*path, self._array_lengths[path] - 1)
        return path

    def _scan_keys(self) -> list[str]:
        """Scan a key, or several keys with dots between them."""
        keys = []
        while True:
            start = self._skip(_SPACE)
            if self._text[start] in "\"'":
                keys.append(str(tomllib.loads(f"key = {self._text[start : self._skip(_STRING)]}")["key"]))
            else:
                keys.append(self._text[start : self._skip(_BARE_KEY)])
            if self._text[self._skip(_SPACE)] != ".":
                return keys
            self._offset += 1

    def _scan_pair(self, table: KeyPath) -> None:
        start = self._offset
        for key in self._scan_keys():
            table = (*table, key)
            self._lines.setdefault(table, bisect_left(self._line_ends, start) + 1)
        self._offset += 1
        self._skip(_SPACE)
        self._scan_value(table)

    def _scan_value(self, path: KeyPath) -> None:
        first = self._text[self._offset]
        if first == "[":
            self._scan_array(path)
        elif first == "{":
            self._scan_inline_table(path)
        else:
            self._skip(_STRING if first in "\"'" else _PLAIN_VALUE)

    def _scan_array(self, path: KeyPath) -> None:
        index, end = 0, self._skip_past("[")
        while self._text[end] != "]":
            self._record_line((*path, index))
            self._scan_value((*path, index))
            index, end = index + 1, self._skip_past(",")
        self._offset += 1

    def _scan_inline_table(self, path: KeyPath) -> None:
        end = self._skip_past("{")
        while self._text[end] != "}":
            self._scan_pair(path)
            end = self._skip_past(",")
        self._offset += 1

    def _skip_past(self, mark: str) -> int:
        """Skip blanks, a mark if it is there, and the blanks after it."""
        if self._text[self._skip(_BLANK)] == mark:
            self._offset += 1
        return self._skip(_BLANK)
