"""`trueodds verify`: what it prints, its JSON, its findings and exit codes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from fair.evening import dice, evening
from trueodds.cli.app import app
from trueodds.fair import arithmetic

EVENING = Path(__file__).parents[1] / "fair" / "evening.json"


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["verify", *words], env={"COLUMNS": "200", "NO_COLOR": "1"})


def stored(path: Path, data: Any) -> str:
    path.write_text(json.dumps(data), "utf-8")
    return str(path)


def test_one_roll_step_by_step(tmp_path: Path) -> None:
    proof = evening(2)[1]
    one = stored(tmp_path / "roll.json", proof.to_data())
    done = run(one)
    assert done.exit_code == 0
    for part in (
        "Roll 2 of t1, said to be 1-6", "= chain 1, link 2", f"= {proof.lock.digest.hex()}", f"= {proof.secret.hex()}",
        "2 such steps down", f"= {proof.lock.anchor.hex()}", "seat Bob committed and did not open",
        "77 modulo 36 is 5", "= 1-6", f"= {proof.seal.hex()}", "nothing is wrong. It had a seed from outside.",
        "Missing openings: Bob 1.", "Compare it with what the table published",
    ):  # fmt: skip
        assert part in done.output, part
    told = json.loads(run(one, "--json").output)
    assert told["findings"] == []
    assert told["steps"][0] == {"about": "link", "computed": "roll 2 in chains of 4 links", "gives": "chain 1, link 2"}


def test_skipped_bytes_are_shown(tmp_path: Path) -> None:
    proof = next(proof for proof in evening(1000) if any(step.gives == "skipped" for step in arithmetic(proof)))
    assert re.search(r"25[2-5] is 252 or more\n +. skipped\n", run(stored(tmp_path / "x.json", proof.to_data())).output)


def test_a_table_of_several() -> None:
    done = run(str(EVENING))
    assert done.exit_code == 0
    assert "rolls of t1, thrown again" in done.output
    assert (
        "Rolls 1 to 6 of t1: nothing is wrong. No seed from outside: roll 3. Missing openings: Ann 1, Bob 1."
        in done.output
    )
    told = json.loads(run(str(EVENING), "--json").output)
    assert [row["dice"] for row in told["rolls"]] == [str(proof.roll) for proof in evening()]
    assert "steps" not in told


def test_files_may_come_in_any_order(tmp_path: Path) -> None:
    files = [stored(tmp_path / f"{n}.json", proof.to_data()) for n, proof in enumerate(evening())]
    assert run(*reversed(files)).exit_code == 0
    assert "roll 3: roll 2 is missing before it" in run(files[0], files[2]).output


def test_the_anchor_that_was_published() -> None:
    good = run(str(EVENING), "--anchor", dice().anchor.hex())
    assert good.exit_code == 0
    assert "All of it rests on the anchor you gave." in good.output
    bad = run(str(EVENING), "--anchor", "00" * 32)
    assert bad.exit_code == 2
    assert "roll 1: its anchor is not the one that was published" in bad.output


def test_the_locks_that_were_seen(tmp_path: Path) -> None:
    locks = [proof.lock.to_data() for proof in evening()]
    assert run(str(EVENING), "--locks", stored(tmp_path / "locks.json", locks)).exit_code == 0
    one = stored(tmp_path / "one.json", evening(1)[0].to_data())
    assert run(one, "--locks", stored(tmp_path / "locks.json", locks)).exit_code == 0
    other = run(str(EVENING), "--locks", stored(tmp_path / "locks.json", locks[0] | {"layout": "00" * 32}))
    assert other.exit_code == 2
    assert "roll 1: another lock was seen for it" in other.output


@pytest.mark.parametrize("count", [1, 6])
def test_what_is_wrong_is_said_and_exits_2(tmp_path: Path, count: int) -> None:
    data: Any = [proof.to_data() for proof in evening(count)]
    data[0]["roll"] = "6-6"
    path = stored(tmp_path / "bad.json", data)
    done = run(path)
    assert done.exit_code == 2
    assert "roll 1: the dice come to 4-2, not 6-6" in done.output
    assert "nothing is wrong" not in done.output
    told = run(path, "--json")
    assert told.exit_code == 2
    assert json.loads(told.stdout)["findings"][0] == {
        "roll": 1, "code": "wrong_roll", "what": "the dice come to 4-2, not 6-6",
    }  # fmt: skip


def test_names_are_printed_as_they_are(tmp_path: Path) -> None:
    thrower = dice("[red]t[/red]")
    path = stored(tmp_path / "red.json", [proof.to_data() for proof in evening(2, thrower)])
    assert "rolls of [red]t[/red], thrown again" in run(path).output


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "this is not JSON"),
        (b"[]", "there is no roll to verify"),
        (b"[1]", "proof 1 is an object"),
        (b"{}", "proof: format is missing"),
        (b"\xff\xfe", "is not text"),
        (None, "cannot be read"),
    ],
)
def test_a_file_that_is_no_proof_is_one_clear_line(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "file.json"
    if content is not None:
        path.write_bytes(content)
    for words in ([str(path)], [str(path), "--json"]):
        done = run(*words)
        assert done.exit_code == 2
        assert message in done.output
        assert "Traceback" not in done.output
        assert len(done.output.strip().splitlines()) == 1


def test_an_anchor_that_is_none_is_one_clear_line() -> None:
    done = run(str(EVENING), "--anchor", "abc")
    assert done.exit_code == 2
    assert done.output.strip() == "--anchor is 64 hexadecimal digits in lower case"
