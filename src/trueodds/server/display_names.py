"""Legible text: names that people can read, and that nobody can take for another's."""

from __future__ import annotations

import unicodedata
from itertools import pairwise
from typing import Final

_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that are drawn as nothing; Unicode counts them as visible."""

_UNSEEN: Final = frozenset("\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f")
_SELECTORS: Final = ((0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
"""Marks that change nothing one can see."""

_ALIKE: Final = frozenset({"ARMENIAN", "CHEROKEE", "COPTIC", "CYRILLIC", "GREEK", "LATIN"})
"""Alphabets with letters that look like letters of another one: a name keeps to one of them."""

_MARKS_MOST: Final = 3


def check_legible(text: str) -> str:
    """Refuse what cannot be seen, what towers over other lines, and letters of alphabets that look alike.

    >>> check_legible("Zo\u00eb 7")
    'Zo\u00eb 7'
    """
    if text != text.strip() or not text.isprintable() or any(_is_unseen(char) for char in text):
        raise ValueError("a name is letters that can be read, without space around it")
    if any(first == second == " " for first, second in pairwise(text)):
        raise ValueError("a name has one space at a time")
    if _longest_marks(text) > _MARKS_MOST:
        raise ValueError(f"a letter has up to {_MARKS_MOST} marks")
    alphabets = {unicodedata.name(char, "").split(" ")[0] for char in text if char.isalpha()} & _ALIKE
    if len(alphabets) > 1:
        raise ValueError("the letters of a name are of one alphabet")
    return text


def _is_unseen(char: str) -> bool:
    return char in _BLANK or char in _UNSEEN or any(low <= ord(char) <= high for low, high in _SELECTORS)


def _longest_marks(text: str) -> int:
    longest = run = 0
    for char in unicodedata.normalize("NFD", text):
        run = run + 1 if unicodedata.combining(char) or unicodedata.category(char) in {"Mn", "Me"} else 0
        longest = max(longest, run)
    return longest
