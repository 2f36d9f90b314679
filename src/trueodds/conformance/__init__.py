"""Conformance cases: steps at a table with their expected results, to the cent."""

from trueodds.conformance.case_files import Case, CaseError, load_cases
from trueodds.conformance.case_runner import CaseReport, Mismatch, run_case

__all__ = ["Case", "CaseError", "CaseReport", "Mismatch", "load_cases", "run_case"]
