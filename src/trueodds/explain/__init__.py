"""Explain books and wagers in words, with a citation for every statement."""

from trueodds.explain.book_sheet import (
    BookDifference,
    OptionSheet,
    compare_books,
    explain_options,
    explain_procedures,
    explain_wagers,
    rules_as_written,
)
from trueodds.explain.wager_sheet import RuleStatement, WagerSheet, explain_wager

__all__ = [
    "BookDifference",
    "OptionSheet",
    "RuleStatement",
    "WagerSheet",
    "compare_books",
    "explain_options",
    "explain_procedures",
    "explain_wager",
    "explain_wagers",
    "rules_as_written",
]
