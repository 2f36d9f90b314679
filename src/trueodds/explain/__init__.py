"""Explain books and wagers in words, with a citation for every statement."""

from trueodds.explain.book_sheet import (
    BookDifference,
    OptionSheet,
    compare_books,
    explain_options,
    explain_wagers,
    rules_as_written,
)
from trueodds.explain.procedure_sheet import explain_procedures, officials_text
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
    "officials_text",
    "rules_as_written",
]
