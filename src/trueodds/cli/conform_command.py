"""The command `trueodds conform`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trueodds.cli.output import JsonOption, print_json
from trueodds.conformance import Case, CaseError, load_cases, run_case


def conform(
    files: Annotated[list[Path], typer.Argument(help="Case files in the craps-cases/1 format.", metavar="FILE...")],
    as_json: JsonOption = False,
) -> None:
    """Run conformance cases against the engine and print every mismatch.

    The last line is "N passed, M failed". A case that cannot be run counts as failed.
    Exits with code 1 if a case failed, 2 if a file cannot be read.
    """
    try:
        cases = [case for path in files for case in load_cases(path)]
    except CaseError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    failed: list[dict[str, object]] = []
    for case in cases:
        problems = _find_problems(case)
        if problems:
            failed.append({"case": case.id, "problems": problems})
        for problem in problems if not as_json else ():
            typer.echo(problem)
    passed = len(cases) - len(failed)
    if as_json:
        print_json({"passed": passed, "failed": len(failed), "failures": failed})
    else:
        typer.echo(f"{passed} passed, {len(failed)} failed")
    raise typer.Exit(1 if failed else 0)


def _find_problems(case: Case) -> list[str]:
    """Return what differs from the expected results, or why the case cannot be run."""
    try:
        return [str(mismatch) for mismatch in run_case(case).mismatches]
    except CaseError as error:
        return [str(error)]
