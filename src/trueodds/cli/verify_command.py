"""`trueodds verify`: fair rolls thrown again from their proofs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from rich.markup import escape

from trueodds.cli.show import AsJson, print_json, print_table
from trueodds.fair import (
    FairError,
    Fault,
    Finding,
    Proof,
    arithmetic,
    read_locks,
    read_proofs,
    verify_roll,
    verify_rolls,
)
from trueodds.fair.reading import read_hex

T = TypeVar("T")


def verify(
    files: Annotated[list[Path], typer.Argument(help="JSON of one proof or a list of them.", metavar="FILE...")],
    anchor: Annotated[
        str | None, typer.Option("--anchor", help="The anchor the table published for the chain of the first roll.")
    ] = None,
    locks: Annotated[
        Path | None, typer.Option("--locks", help="JSON of the locks you saw yourself before the dice were thrown.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Throw fair rolls again from their proofs and say whether they came out as they had to.

    One roll is shown step by step, several as a table; several are consecutive rolls of one table, in any order.
    Exits 2 and names what is wrong, or what cannot be read.
    """
    try:
        proofs = [proof for path in files for proof in _read(path, read_proofs)]
        proofs.sort(key=lambda proof: proof.lock.roll)
        seen = _read(locks, read_locks) if locks else ()
        published = None if anchor is None else read_hex(anchor, "--anchor")
        one = len(proofs) == 1
        findings = verify_roll(proofs[0], published, seen) if one else verify_rolls(proofs, published, seen)
    except FairError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    if as_json:
        print_json(_data(proofs, findings))
    else:
        _show(proofs, findings, published is not None)
    if findings:
        raise typer.Exit(2)


def _show(proofs: Sequence[Proof], findings: Sequence[Finding], published: bool) -> None:
    if len(proofs) == 1:
        _show_one(proofs[0])
    else:
        _show_many(proofs, findings)
    for finding in findings:
        typer.echo(finding.sentence, err=True)
    if findings:
        return
    lock = proofs[0].lock
    those = f"Roll {lock.roll}" if len(proofs) == 1 else f"Rolls {lock.roll} to {proofs[-1].lock.roll}"
    typer.echo(f"{those} of {lock.table}: nothing is wrong. {_outside(proofs)}")
    if published:
        typer.echo("All of it rests on the anchor you gave.")
    else:
        typer.echo(f"All of it rests on the anchor of chain {lock.chain}: {lock.anchor.hex()}")
        typer.echo("Compare it with what the table published before that chain was used, or give that with --anchor.")


def _outside(proofs: Sequence[Proof]) -> str:
    """Say which rolls are the server's word alone, and who did not open."""
    alone = [str(proof.lock.roll) for proof in proofs if not proof.has_outside_seed]
    missed = Counter(seat for proof in proofs for seat in proof.missing)
    told = [f"No seed from outside: roll {', '.join(alone)}." if alone else "Every roll had a seed from outside."]
    if len(proofs) == 1 and not alone:
        told = ["It had a seed from outside."]
    if missed:
        told.append(f"Missing openings: {', '.join(f'{seat} {count}' for seat, count in sorted(missed.items()))}.")
    return " ".join(told)


def _show_one(proof: Proof) -> None:
    typer.echo(f"Roll {proof.lock.roll} of {proof.lock.table}, said to be {proof.roll}")
    for step in arithmetic(proof):
        typer.echo(f"  {step.about:<8} {step.computed}")
        typer.echo(f"  {'':<8} = {step.gives}")


def _show_many(proofs: Sequence[Proof], findings: Sequence[Finding]) -> None:
    wrong = {finding.roll for finding in findings}
    rows = [
        [
            str(proof.lock.roll), str(proof.roll), f"{proof.lock.chain}/{proof.lock.link}",
            escape(", ".join(one.seat for one in proof.openings)) or "none", escape(", ".join(proof.missing)),
            proof.seal.hex()[:16], "wrong" if proof.lock.roll in wrong else "right",
        ]
        for proof in proofs
    ]  # fmt: skip
    title = f"rolls of {escape(proofs[0].lock.table)}, thrown again"
    print_table(title, ["roll", "dice", "chain/link", "seeds of", "missing", "seal", ""], rows)


def _data(proofs: Sequence[Proof], findings: Sequence[Finding]) -> dict[str, Any]:
    told: dict[str, Any] = {
        "table": proofs[0].lock.table,
        "anchor": proofs[0].lock.anchor.hex(),
        "rolls": [
            {
                "roll": proof.lock.roll, "dice": str(proof.roll), "chain": proof.lock.chain, "link": proof.lock.link,
                "outside_seeds": len(proof.openings), "missing": list(proof.missing), "seal": proof.seal.hex(),
            }
            for proof in proofs
        ],
        "findings": [{"roll": one.roll, "code": one.code, "what": one.what} for one in findings],
    }  # fmt: skip
    if len(proofs) == 1:
        told["steps"] = [step._asdict() for step in arithmetic(proofs[0])]
    return told


def _read(path: Path, read: Callable[[str], T]) -> T:
    """Read a file; what is wrong with it is said with its name."""
    try:
        return read(path.read_text("utf-8"))
    except OSError as error:
        raise FairError(Fault.MALFORMED, f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise FairError(Fault.MALFORMED, f"{path} is not text") from None
    except FairError as error:
        raise FairError(error.code, f"{path}: {error}") from None
