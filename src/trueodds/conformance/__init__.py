"""Running conformance cases: what a table must answer, step by step, to the cent."""

from trueodds.conformance.cases import Case, CaseError, load_cases
from trueodds.conformance.run import Difference, Report, run_case

__all__ = ["Case", "CaseError", "Difference", "Report", "load_cases", "run_case"]
