"""Where a rule comes from: clauses of the text, and silences where the text left the choice to us."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from trueodds.rulebook.errors import BookError

Cite = tuple[str, ...]
"""Citations written out in full ("N.J.A.C. 19:47-1.4(b)") and ids of silences ("A-18"), in reading order."""

_SILENCE: Final = re.compile(r"A-[0-9]{2}")


def is_silence(reference: str) -> bool:
    """Tell the id of a silence from a clause."""
    return _SILENCE.fullmatch(reference) is not None


def say(cite: Cite) -> str:
    """Write citations for people.

    >>> say(("COMAR 36.05.05.05A(7)", "A-10"))
    'COMAR 36.05.05.05A(7); our choice A-10'
    """
    return "; ".join(f"our choice {part}" if is_silence(part) else part for part in cite)


class Silence(NamedTuple):
    """Something the text leaves open, contradicts or garbles, and what we do about it."""

    id: str
    about: str
    says: str
    we_do: str
    why: str
    options: tuple[str, ...]


class Citer:
    """Writes the clauses of one book out in full and keeps count of what is cited."""

    def __init__(self, clause_format: str) -> None:
        self._format = clause_format
        self.cited: set[str] = set()

    def read(self, value: Any, where: str) -> Cite:
        """Turn "1.4(b)", "A-18" or a list of them into a `Cite`."""
        parts = value if isinstance(value, list) else [value]
        if not parts or not all(isinstance(part, str) and part for part in parts):
            raise BookError(where, f"a citation is a clause, a silence or a list of them, not {value!r}")
        self.cited.update(part for part in parts if is_silence(part))
        return tuple(part if is_silence(part) else self._format.format(part) for part in parts)
