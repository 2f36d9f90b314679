"""`trueodds conform`: run conformance cases against the engine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trueodds.conformance import CaseError, load_cases, run_case


def conform(
    files: Annotated[list[Path], typer.Argument(help="Case files in the format craps-cases/1.", metavar="FILE...")],
) -> None:
    """Run case files and print every difference.

    Ends with "N passed, M failed" alone on a line. A case that cannot be run has failed.
    Exits 1 if a case failed, 2 if a file cannot be read.
    """
    passed = failed = 0
    try:
        cases = [case for path in files for case in load_cases(path)]
    except CaseError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    for case in cases:
        try:
            differences = [str(difference) for difference in run_case(case).differences]
        except CaseError as error:
            differences = [str(error)]
        for difference in differences:
            typer.echo(difference)
        passed += not differences
        failed += bool(differences)
    typer.echo(f"{passed} passed, {failed} failed")
    raise typer.Exit(1 if failed else 0)
