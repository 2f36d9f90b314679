"""The clauses of a rule text: their ids and the hashes of their words. The words themselves are not part of trueodds.

`clauses/<book>.txt` has one line for each clause: its id, its kind and a SHA-256 hash, separated by tabs.
`tests/support/rule_texts.py` writes these files from the rule texts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

from trueodds.rulebook.errors import BookError

CLAUSE_KINDS: Final = ("section", "intro", "clause")
"""A `section` is a title, an `intro` is a line that only introduces its sub-clauses, a `clause` states something."""

_LISTS: Final = resources.files("trueodds.rulebook") / "clauses"
_LINE: Final = re.compile(rf"([^\t]+)\t({'|'.join(CLAUSE_KINDS)})\t([0-9a-f]{{64}})")


class Clause(NamedTuple):
    """A clause of a rule text. `id` is written as books cite it; `parent` is the id of the clause around it, or ""."""

    id: str
    kind: str
    sha256: str
    parent: str


@cache
def load_clauses(book_id: str) -> Mapping[str, Clause]:
    """Return the clauses of a book that comes with trueodds by their ids, in the order of its text.

    >>> load_clauses("win_line")["6.1.1.2"].parent
    '6.1.1'
    """
    path = _LISTS / f"{book_id}.txt"
    if not path.is_file():
        raise BookError(book_id, "there is no list of the clauses of this book")
    clauses: dict[str, Clause] = {}
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        match = _LINE.fullmatch(line)
        if match is None:
            raise BookError("", f"expected an id, a kind and a SHA-256 hash, got {line!r}", f"{book_id}.txt", number)
        clause_id, kind, sha256 = match.groups()
        if clause_id in clauses:
            raise BookError("", f"{clause_id} is listed twice", f"{book_id}.txt", number)
        parent = next((other for other in reversed(clauses) if is_sub_clause(clause_id, other)), "")
        clauses[clause_id] = Clause(clause_id, kind, sha256, parent)
    return clauses


def is_sub_clause(clause_id: str, other_id: str) -> bool:
    """Return whether a clause lies inside another one, at any depth, according to their ids.

    >>> is_sub_clause("1.2(a)1.i", "1.2(a)"), is_sub_clause("1.2(a)10", "1.2(a)1")
    (True, False)
    """
    rest = clause_id.removeprefix(other_id)
    if not rest or rest == clause_id:
        return False
    last, following = other_id[-1], rest[0]
    return not (last.isdigit() and following.isdigit()) and not (last.isalpha() and following.isalpha())
