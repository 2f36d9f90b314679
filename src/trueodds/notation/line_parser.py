"""The words every line of notation is made of: names, amounts, and a reader that says where it stumbled."""

from __future__ import annotations

import json
import re
from typing import Final, NoReturn

from trueodds.money import STAKE_LIMIT, Cents

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|,|[^\s",]+')
_RESERVED: Final = frozenset({"bonus", "dice", "fire", "made", "open", "puck", "roll"})
_BARE: Final = re.compile(r"[A-Za-z0-9_#][A-Za-z0-9_#.'-]*")
_AMOUNT: Final = re.compile(r"(-?)(0|[1-9][0-9]{0,29})(?:\.([0-9]{2}))?")


class NotationError(ValueError):
    """A line that cannot be read: what was expected, where."""


def write_name(name: str) -> str:
    """Write a player or a tag: as it is when it is one plain word that a line cannot begin with, else quoted.

    >>> write_name("Ann"), write_name("Big Al")
    ('Ann', '"Big Al"')
    """
    return name if _BARE.fullmatch(name) and name not in _RESERVED else json.dumps(name, ensure_ascii=False)


def write_amount(cents: int) -> str:
    """Write cents in units of the currency.

    >>> write_amount(1200), write_amount(1250), write_amount(-5)
    ('12', '12.50', '-0.05')
    """
    sign, whole, part = "-" if cents < 0 else "", abs(cents) // 100, abs(cents) % 100
    return f"{sign}{whole}" + (f".{part:02}" if part else "")


def parse_amount(text: str) -> Cents:
    """Read "12" or "12.50"; the inverse of `write_amount`."""
    match = _AMOUNT.fullmatch(text)
    if match is None:
        msg = f"an amount is written like 12 or 12.50, not {text!r}"
        raise NotationError(msg)
    cents = int(match[2]) * 100 + int(match[3] or 0)
    if cents > STAKE_LIMIT:
        msg = f"{text} is beyond what a table counts"
        raise NotationError(msg)
    return Cents(-cents if match[1] else cents)


class Line:
    """A line being read word by word."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._words: list[str] = _TOKEN.findall(text)
        self._at = 0
        if _TOKEN.sub("", text).strip():
            plain = text.replace('"', "")
            msg = f"a quote is not closed in {plain!r}"
            raise NotationError(msg)

    @property
    def done(self) -> bool:
        """Whether everything has been read."""
        return self._at >= len(self._words)

    def peek(self) -> str:
        """Look at the next word; nothing at the end of the line."""
        return "" if self.done else self._words[self._at]

    def fail(self, expected: str) -> NoReturn:
        """Stumble."""
        found = repr(self.peek()) if not self.done else "the end"
        msg = f"expected {expected}, found {found} in {self.text!r}"
        raise NotationError(msg)

    def word(self, expected: str) -> str:
        """Take any word."""
        if self.done:
            self.fail(expected)
        self._at += 1
        return self._words[self._at - 1]

    def name(self, expected: str) -> str:
        """Take a player or a tag, quoted or not."""
        word = self.word(expected)
        if word.startswith('"'):
            try:
                return str(json.loads(word))
            except ValueError:
                self._at -= 1
                self.fail(expected)
        return word

    def amount(self, expected: str = "an amount") -> Cents:
        """Take an amount."""
        return parse_amount(self.word(expected))

    def number(self, expected: str) -> int:
        """Take a whole number."""
        word = self.word(expected)
        if not (word.isascii() and word.isdecimal()) or len(word) > 12:
            self._at -= 1
            self.fail(expected)
        return int(word)

    def skip(self, *words: str) -> bool:
        """Take these words if they come next."""
        if tuple(self._words[self._at : self._at + len(words)]) != words:
            return False
        self._at += len(words)
        return True

    def expect(self, *words: str) -> None:
        """Take these words or stumble."""
        if not self.skip(*words):
            self.fail(repr(" ".join(words)))

    def end(self) -> None:
        """Make sure nothing is left."""
        if not self.done:
            self.fail("the end")
