"""Citations: which clause of its text a rule comes from, or which silence where the text left the choice to us."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from trueodds.rulebook.toml_reader import Location, TomlReader

Citation = tuple[str, ...]
"""Clauses in full ("N.J.A.C. 19:47-1.4(b)") and ids of silences ("A-18"), in reading order."""

_SILENCE_ID: Final = re.compile(r"A-[0-9]{2}")


def is_silence(reference: str) -> bool:
    """Return whether a reference is the id of a silence and not a clause."""
    return _SILENCE_ID.fullmatch(reference) is not None


def format_citation(cite: Citation) -> str:
    """Return a citation as text.

    >>> format_citation(("COMAR 36.05.05.05A(7)", "A-10"))
    'COMAR 36.05.05.05A(7); our choice A-10'
    """
    return "; ".join(f"our choice {reference}" if is_silence(reference) else reference for reference in cite)


class Silence(NamedTuple):
    """A point that the text leaves open, contradicts or garbles, and how trueodds resolves it.

    `says` is what the text says, `we_do` our answer, `why` the reason; `options` are the house options that change
    the answer.
    """

    id: str
    about: str
    says: str
    we_do: str
    why: str
    options: tuple[str, ...]


class CitationParser:
    """Writes the clauses of one book in full, and records which silences are cited."""

    def __init__(self, clause_template: str) -> None:
        self._template = clause_template
        self.cited_silences: set[str] = set()

    def parse(self, value: object, location: Location) -> Citation:
        """Parse "1.4(b)", "A-18" or a list of them."""
        given = value if isinstance(value, list) else [value]
        references = [reference for reference in given if isinstance(reference, str) and reference]
        if not references or len(references) != len(given):
            location.fail(f"expected a clause, a silence or a list of them, got {value!r}")
        self.cited_silences.update(reference for reference in references if is_silence(reference))
        return tuple(
            reference if is_silence(reference) else self._template.format(reference) for reference in references
        )

    def take(self, reader: TomlReader, key: str) -> Citation:
        """Take a key from a table and parse it."""
        return self.parse(reader.take(key), reader.location_of(key))
