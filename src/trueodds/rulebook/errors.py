"""What goes wrong when a book or a house is read: one message that says what and where."""

from __future__ import annotations

from typing import Any


class RulebookError(ValueError):
    """A book or a house that cannot be used."""


class BookError(RulebookError):
    """A book's file has a wrong key or value."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(f"{where}: {what}")
        self.where = where
        self.what = what

    def __reduce__(self) -> tuple[Any, ...]:
        return (BookError, (self.where, self.what))


class HouseError(RulebookError):
    """A house asks for something that is unknown, malformed or forbidden by its book.

    `code` is stable: ``malformed``, ``unknown_option``, ``unlawful`` or the name of the rule that is broken
    (``vig_above_5pct``, ``fixed_odds`` and so on). `cite` names the clauses that forbid it, where one does.
    """

    def __init__(self, code: str, where: str, what: str, cite: tuple[str, ...] = ()) -> None:
        because = f" ({'; '.join(cite)})" if cite else ""
        super().__init__(f"{where}: {what}{because}")
        self.code = code
        self.where = where
        self.what = what
        self.cite = cite

    def __reduce__(self) -> tuple[Any, ...]:
        return (HouseError, (self.code, self.where, self.what, self.cite))
