"""The parser for one line of notation, and the notation of names and amounts."""

from __future__ import annotations

import json
import re
from typing import Final, NoReturn

from trueodds.errors import TrueoddsError
from trueodds.money import MAX_STAKE_CENTS, Cents

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|,|[^\s",]+')
_RESERVED: Final = frozenset({"barred", "bonus", "dice", "end", "fire", "made", "open", "puck", "roll"})
_BARE: Final = re.compile(r"[A-Za-z0-9_#][A-Za-z0-9_#.'-]*")
_AMOUNT: Final = re.compile(r"(-?)(0|[1-9][0-9]{0,29})(?:\.([0-9]{2}))?")


class NotationError(TrueoddsError, ValueError):
    """Raised for text that cannot be parsed. The message says what was expected and what was found."""


def write_name(name: str) -> str:
    """Return the notation of a player or tag. A name that is not a plain word, or is reserved, is quoted.

    >>> write_name("Ann"), write_name("Big Al")
    ('Ann', '"Big Al"')
    """
    return name if _BARE.fullmatch(name) and name not in _RESERVED else json.dumps(name, ensure_ascii=False)


def write_amount(cents: int) -> str:
    """Return an amount of cents in units of the currency.

    >>> write_amount(1200), write_amount(1250), write_amount(-5)
    ('12', '12.50', '-0.05')
    """
    sign, units, rest = "-" if cents < 0 else "", abs(cents) // 100, abs(cents) % 100
    return f"{sign}{units}" + (f".{rest:02}" if rest else "")


def parse_amount(text: str) -> Cents:
    """Parse an amount like "12" or "12.50". This is the inverse of `write_amount`."""
    match = _AMOUNT.fullmatch(text)
    if match is None:
        raise NotationError(f"an amount must be written like 12 or 12.50, got {text!r}")
    cents = int(match[2]) * 100 + int(match[3] or 0)
    if cents > MAX_STAKE_CENTS:
        raise NotationError(f"an amount must be at most {MAX_STAKE_CENTS // 100}, got {text}")
    return Cents(-cents if match[1] else cents)


class LineParser:
    """Parses one line word by word. Arguments named `expected` say in errors what should have come next."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._words: list[str] = _TOKEN.findall(text)
        self._index = 0
        if _TOKEN.sub("", text).strip():
            unquoted = text.replace('"', "")
            raise NotationError(f"a quote is not closed in {unquoted!r}")

    @property
    def at_end(self) -> bool:
        """Whether all words have been parsed."""
        return self._index >= len(self._words)

    def peek(self) -> str:
        """Return the next word without consuming it, or an empty text at the end of the line."""
        return "" if self.at_end else self._words[self._index]

    def fail(self, expected: str) -> NoReturn:
        """Raise `NotationError`: something else was expected next."""
        found = repr(self.peek()) if not self.at_end else "the end"
        raise NotationError(f"expected {expected}, found {found} in {self.text!r}")

    def word(self, expected: str) -> str:
        """Consume and return the next word."""
        if self.at_end:
            self.fail(expected)
        self._index += 1
        return self._words[self._index - 1]

    def name(self, expected: str) -> str:
        """Consume and return a player or tag, quoted or not."""
        word = self.word(expected)
        if word.startswith('"'):
            try:
                return str(json.loads(word))
            except ValueError:
                self._index -= 1
                self.fail(expected)
        return word

    def amount(self, expected: str = "an amount") -> Cents:
        """Consume and return an amount in cents."""
        return parse_amount(self.word(expected))

    def number(self, expected: str) -> int:
        """Consume and return a whole number."""
        word = self.word(expected)
        if not (word.isascii() and word.isdecimal()) or len(word) > 12:
            self._index -= 1
            self.fail(expected)
        return int(word)

    def accept(self, *words: str) -> bool:
        """Consume these words if they come next. Return whether they did."""
        if tuple(self._words[self._index : self._index + len(words)]) != words:
            return False
        self._index += len(words)
        return True

    def expect(self, *words: str) -> None:
        """Consume these words. Raise `NotationError` if they do not come next."""
        if not self.accept(*words):
            self.fail(repr(" ".join(words)))

    def expect_end(self) -> None:
        """Raise `NotationError` unless the line is at its end."""
        if not self.at_end:
            self.fail("the end")
