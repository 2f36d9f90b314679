"""`trueodds verify`: repeat fair rolls from their proofs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from trueodds.cli.output import JsonOption, print_json, print_table
from trueodds.fair import (
    FairError,
    FaultCode,
    Proof,
    VerificationFault,
    explain_roll,
    parse_locks,
    parse_proofs,
    verify_roll,
    verify_rolls,
)
from trueodds.fair.strict_json import parse_hex

T = TypeVar("T")


def verify(
    files: Annotated[
        list[Path], typer.Argument(help="JSON files with one proof or a list of proofs.", metavar="FILE...")
    ],
    anchor: Annotated[
        str | None, typer.Option("--anchor", help="Anchor that the table published for the chain of the first roll.")
    ] = None,
    locks_file: Annotated[
        Path | None, typer.Option("--locks", help="JSON file with locks you received before the dice were rolled.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Repeat fair rolls from their proofs and report anything that is wrong.

    One roll is shown step by step, several as a table. Several must be consecutive rolls of one table, in any order.
    The exit code is 2 if a proof is wrong or cannot be read.
    """
    try:
        proofs = [proof for path in files for proof in _read_file(path, parse_proofs)]
        proofs.sort(key=lambda proof: proof.lock.roll)
        known_locks = _read_file(locks_file, parse_locks) if locks_file else ()
        published = None if anchor is None else parse_hex(anchor, "--anchor")
        is_single = len(proofs) == 1
        faults = (
            verify_roll(proofs[0], published, known_locks)
            if is_single
            else verify_rolls(proofs, published, known_locks)
        )
    except FairError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    if as_json:
        print_json(_json_data(proofs, faults))
    else:
        _print_result(proofs, faults, published is not None)
    if faults:
        raise typer.Exit(2)


def _print_result(proofs: Sequence[Proof], faults: Sequence[VerificationFault], published: bool) -> None:
    if len(proofs) == 1:
        _print_steps(proofs[0])
    else:
        _print_table(proofs, faults)
    for fault in faults:
        typer.echo(fault.description, err=True)
    if faults:
        return
    lock = proofs[0].lock
    rolls = f"Roll {lock.roll}" if len(proofs) == 1 else f"Rolls {lock.roll} to {proofs[-1].lock.roll}"
    typer.echo(f"{rolls} of {lock.table}: no faults found. {_client_seed_note(proofs)}")
    if published:
        typer.echo("Checked against the anchor you gave.")
    else:
        typer.echo(f"Anchor of chain {lock.chain}: {lock.anchor.hex()}")
        typer.echo(
            "Compare it with the anchor that the table published before it used that chain, or pass that with --anchor."
        )


def _client_seed_note(proofs: Sequence[Proof]) -> str:
    """Name the rolls without a client seed and the seats that did not open theirs."""
    unseeded = [str(proof.lock.roll) for proof in proofs if not proof.has_client_seed]
    missing = Counter(seat for proof in proofs for seat in proof.missing)
    notes = [f"No client seed in roll {', '.join(unseeded)}." if unseeded else "Every roll had a client seed."]
    if len(proofs) == 1 and not unseeded:
        notes = ["It had a client seed."]
    if missing:
        notes.append(f"Missing openings: {', '.join(f'{seat} {count}' for seat, count in sorted(missing.items()))}.")
    return " ".join(notes)


def _print_steps(proof: Proof) -> None:
    typer.echo(f"Roll {proof.lock.roll} of {proof.lock.table}, stated dice {proof.dice}")
    for step in explain_roll(proof):
        typer.echo(f"  {step.name:<8} {step.computation}")
        typer.echo(f"  {'':<8} = {step.result}")


def _print_table(proofs: Sequence[Proof], faults: Sequence[VerificationFault]) -> None:
    wrong = {fault.roll for fault in faults}
    rows = [
        [
            str(proof.lock.roll), str(proof.dice), f"{proof.lock.chain}/{proof.lock.link}",
            ", ".join(one.seat for one in proof.openings) or "none", ", ".join(proof.missing),
            proof.seal.hex()[:16], "wrong" if proof.lock.roll in wrong else "ok",
        ]
        for proof in proofs
    ]  # fmt: skip
    title = f"rolls of {proofs[0].lock.table}, repeated"
    print_table(title, ["roll", "dice", "chain/link", "client seeds", "missing", "seal", ""], rows)


def _json_data(proofs: Sequence[Proof], faults: Sequence[VerificationFault]) -> dict[str, Any]:
    data: dict[str, Any] = {
        "table": proofs[0].lock.table,
        "anchor": proofs[0].lock.anchor.hex(),
        "rolls": [
            {
                "roll": proof.lock.roll, "dice": str(proof.dice), "chain": proof.lock.chain, "link": proof.lock.link,
                "client_seeds": len(proof.openings), "missing": list(proof.missing), "seal": proof.seal.hex(),
            }
            for proof in proofs
        ],
        "faults": [{"roll": fault.roll, "code": fault.code, "message": fault.message} for fault in faults],
    }  # fmt: skip
    if len(proofs) == 1:
        data["steps"] = [step._asdict() for step in explain_roll(proofs[0])]
    return data


def _read_file(path: Path, read: Callable[[str], T]) -> T:
    """Parse a file. Errors name the file."""
    try:
        return read(path.read_text("utf-8"))
    except OSError as error:
        raise FairError(FaultCode.MALFORMED, f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise FairError(FaultCode.MALFORMED, f"{path} is not UTF-8 text") from None
    except FairError as error:
        raise FairError(error.code, f"{path}: {error}") from None
