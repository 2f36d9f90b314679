"""`trueodds verify`: what it prints, its JSON, its findings and exit codes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from support.fair_rolls import dice, make_rolls
from trueodds.cli.app import app
from trueodds.fair import explain_roll

EVENING = Path(__file__).parents[1] / "fair" / "six_rolls.json"


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["verify", *words], env={"COLUMNS": "200", "NO_COLOR": "1"})


def stored(path: Path, data: Any) -> str:
    path.write_text(json.dumps(data), "utf-8")
    return str(path)


def test_one_roll_step_by_step(tmp_path: Path) -> None:
    proof = make_rolls(2)[1]
    one = stored(tmp_path / "roll.json", proof.to_data())
    done = run(one)
    assert done.exit_code == 0
    for part in (
        "Roll 2 of t1, stated dice 1-6", "= chain 1, link 2", f"= {proof.lock.digest.hex()}", f"= {proof.secret.hex()}",
        "2 such hashes in a row", f"= {proof.lock.anchor.hex()}", "seat Bob committed and did not open its seed",
        "77 modulo 36 is 5", "= 1-6", f"= {proof.seal.hex()}", "no faults found. It had a client seed.",
        "Missing openings: Bob 1.", "Compare it with the anchor that the table published",
    ):  # fmt: skip
        assert part in done.output, part
    told = json.loads(run(one, "--json").output)
    assert told["faults"] == []
    assert told["steps"][0] == {
        "name": "link", "computation": "roll 2 in chains of 4 links", "result": "chain 1, link 2",
    }  # fmt: skip


def test_skipped_bytes_are_shown(tmp_path: Path) -> None:
    proof = next(proof for proof in make_rolls(1000) if any(step.result == "skipped" for step in explain_roll(proof)))
    assert re.search(r"25[2-5] is 252 or more\n +. skipped\n", run(stored(tmp_path / "x.json", proof.to_data())).output)


def test_several_rolls_as_a_table() -> None:
    done = run(str(EVENING))
    assert done.exit_code == 0
    assert "rolls of t1, repeated" in done.output
    assert (
        "Rolls 1 to 6 of t1: no faults found. No client seed in roll 3. Missing openings: Ann 1, Bob 1." in done.output
    )
    told = json.loads(run(str(EVENING), "--json").output)
    assert [row["dice"] for row in told["rolls"]] == [str(proof.dice) for proof in make_rolls()]
    assert "steps" not in told


def test_files_may_come_in_any_order(tmp_path: Path) -> None:
    files = [stored(tmp_path / f"{n}.json", proof.to_data()) for n, proof in enumerate(make_rolls())]
    assert run(*reversed(files)).exit_code == 0
    assert "roll 3: roll 2 is missing before it" in run(files[0], files[2]).output


def test_the_published_anchor() -> None:
    good = run(str(EVENING), "--anchor", dice().anchor.hex())
    assert good.exit_code == 0
    assert "Checked against the anchor you gave." in good.output
    bad = run(str(EVENING), "--anchor", "00" * 32)
    assert bad.exit_code == 2
    assert "roll 1: its anchor is not the published one" in bad.output


def test_known_locks(tmp_path: Path) -> None:
    locks = [proof.lock.to_data() for proof in make_rolls()]
    assert run(str(EVENING), "--locks", stored(tmp_path / "locks.json", locks)).exit_code == 0
    one = stored(tmp_path / "one.json", make_rolls(1)[0].to_data())
    assert run(one, "--locks", stored(tmp_path / "locks.json", locks)).exit_code == 0
    other = run(str(EVENING), "--locks", stored(tmp_path / "locks.json", locks[0] | {"layout_digest": "00" * 32}))
    assert other.exit_code == 2
    assert "roll 1: its lock is not the one known from before" in other.output


@pytest.mark.parametrize("count", [1, 6])
def test_faults_are_printed_and_exit_with_2(tmp_path: Path, count: int) -> None:
    data: Any = [proof.to_data() for proof in make_rolls(count)]
    data[0]["dice"] = "6-6"
    path = stored(tmp_path / "bad.json", data)
    done = run(path)
    assert done.exit_code == 2
    assert "roll 1: the dice must be 4-2, got 6-6" in done.output
    assert "no faults found" not in done.output
    told = run(path, "--json")
    assert told.exit_code == 2
    assert json.loads(told.stdout)["faults"][0] == {
        "roll": 1, "code": "wrong_dice", "message": "the dice must be 4-2, got 6-6",
    }  # fmt: skip


def test_names_are_not_interpreted_as_markup(tmp_path: Path) -> None:
    thrower = dice("[red]t[/red]")
    path = stored(tmp_path / "red.json", [proof.to_data() for proof in make_rolls(2, thrower)])
    assert "rolls of [red]t[/red], repeated" in run(path).output


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not valid JSON"),
        (b"[]", "there are no rolls to verify"),
        (b"[1]", "proof 1 must be an object"),
        (b"{}", "proof: format is missing"),
        (b"\xff\xfe", "is not UTF-8 text"),
        (None, "cannot be read"),
    ],
)
def test_malformed_files_are_one_line(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "file.json"
    if content is not None:
        path.write_bytes(content)
    for words in ([str(path)], [str(path), "--json"]):
        done = run(*words)
        assert done.exit_code == 2
        assert message in done.output
        assert "Traceback" not in done.output
        assert len(done.output.strip().splitlines()) == 1


def test_an_invalid_anchor_is_one_line() -> None:
    done = run(str(EVENING), "--anchor", "abc")
    assert done.exit_code == 2
    assert done.output.strip() == "--anchor must be 64 lowercase hexadecimal digits"
