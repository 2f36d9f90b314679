"""Books and wagers in plain words, with the clause behind every statement."""

from trueodds.explain.book import (
    Contrast,
    OptionSheet,
    bare_rules,
    contrasts,
    lawful_words,
    option_sheets,
    procedures_of,
    sheets_of,
)
from trueodds.explain.wager import Sheet, Statement, find_kind, pay_cite, sheet_of, spots_in_words

__all__ = [
    "Contrast",
    "OptionSheet",
    "Sheet",
    "Statement",
    "bare_rules",
    "contrasts",
    "find_kind",
    "lawful_words",
    "option_sheets",
    "pay_cite",
    "procedures_of",
    "sheet_of",
    "sheets_of",
    "spots_in_words",
]
