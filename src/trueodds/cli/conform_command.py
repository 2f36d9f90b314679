"""The command `trueodds conform`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trueodds.conformance import CaseError, load_cases, run_case


def conform(
    files: Annotated[list[Path], typer.Argument(help="Case files in the craps-cases/1 format.", metavar="FILE...")],
) -> None:
    """Run conformance cases against the engine and print every mismatch.

    The last line is "N passed, M failed". A case that cannot be run counts as failed.
    Exits with code 1 if a case failed, 2 if a file cannot be read.
    """
    passed = failed = 0
    try:
        cases = [case for path in files for case in load_cases(path)]
    except CaseError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    for case in cases:
        try:
            problems = [str(mismatch) for mismatch in run_case(case).mismatches]
        except CaseError as error:
            problems = [str(error)]
        for problem in problems:
            typer.echo(problem)
        passed += not problems
        failed += bool(problems)
    typer.echo(f"{passed} passed, {failed} failed")
    raise typer.Exit(1 if failed else 0)
