"""Errors in books and houses."""

from __future__ import annotations

from trueodds.errors import TrueoddsError
from trueodds.rulebook.toml_reader import Location


class RulebookError(TrueoddsError, ValueError):
    """Base class of all errors in books and houses."""


class BookError(RulebookError):
    """A book has a wrong key or value, or there is no such book.

    `where` is the path of the key ("wager.pass.pays"), `problem` what is wrong with it. `file` and `line` are set
    if the book was read from a file.
    """

    def __init__(self, where: str, problem: str, file: str = "", line: int | None = None) -> None:
        super().__init__(where, problem, file, line)
        self.where = where
        self.problem = problem
        self.file = file
        self.line = line

    def __str__(self) -> str:
        return _message(self.where, self.problem, self.file, self.line)

    @staticmethod
    def at(location: Location, problem: str) -> BookError:
        """Make the error for a location in a book file."""
        return BookError(location.dotted, problem, location.file, location.line)


class HouseError(RulebookError):
    """A house has an option that is unknown, malformed or forbidden by its book.

    `code` is stable: ``malformed``, ``unknown_option``, ``unlawful`` or the name of the rule that is broken
    (``vig_above_5pct``, ``fixed_odds`` and so on). `cite` names the clauses that forbid the value or that the option
    comes from; it is empty for an unknown option and for a value of the wrong type.
    `where`, `problem`, `file` and `line` are those of `BookError`.
    """

    def __init__(
        self,
        code: str,
        where: str,
        problem: str,
        cite: tuple[str, ...] = (),
        file: str = "",
        line: int | None = None,
    ) -> None:
        super().__init__(code, where, problem, cite, file, line)
        self.code = code
        self.where = where
        self.problem = problem
        self.cite = cite
        self.file = file
        self.line = line

    def __str__(self) -> str:
        clauses = f" ({'; '.join(self.cite)})" if self.cite else ""
        return _message(self.where, self.problem + clauses, self.file, self.line)

    @staticmethod
    def at(location: Location, problem: str) -> HouseError:
        """Make the error for a malformed value at a location in a house file."""
        return HouseError("malformed", location.dotted, problem, (), location.file, location.line)


class UnknownWagerError(RulebookError):
    """A book has no wager of this name. `known` are the names it has; the message suggests the nearest."""

    def __init__(self, name: str, book: str, known: tuple[str, ...]) -> None:
        super().__init__(name, book, known)
        self.name = name
        self.book = book
        self.known = known

    @property
    def suggestion(self) -> str | None:
        """The known name that is nearest to the unknown one, or None if none is near."""
        from difflib import get_close_matches  # noqa: PLC0415  only errors need it

        return next(iter(get_close_matches(self.name.lower(), self.known, n=1)), None)

    def __str__(self) -> str:
        hint = f"did you mean {self.suggestion!r}?" if self.suggestion else f"its wagers are {', '.join(self.known)}"
        return f"{self.book} has no wager called {self.name!r}; {hint}"


def _message(where: str, problem: str, file: str, line: int | None) -> str:
    """Put the parts of a message together: "my_book.toml, line 12: wager.pass.pays: missing"."""
    source = f"{file}, line {line}" if file and line else file
    return ": ".join(part for part in (source, where, problem) if part)
