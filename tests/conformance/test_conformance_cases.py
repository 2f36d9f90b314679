"""The conformance cases, each a test of its own."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from trueodds.conformance import Case, CaseError, load_cases, run_case

CASES = Path(__file__).parent / "cases"
ALL = [case for path in sorted(CASES.glob("*.json")) for case in load_cases(path)]


def test_there_are_327_cases() -> None:
    assert len(ALL) == 327
    assert len({case.id for case in ALL}) == 327


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.id)
def test_case(case: Case) -> None:
    assert [str(difference) for difference in run_case(case).differences] == []


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda case: case["steps"][1]["expect"]["bets"]["a"].update(cash=1), "step 2 bets.a.cash"),
        (lambda case: case["steps"][1]["expect"]["bets"]["a"].update(odds="2 to 1"), "step 2 bets.a.odds"),
        (lambda case: case["steps"][1]["expect"]["bets"]["a"].update(result="lose"), "step 2 bets.a.result"),
        (lambda case: case["steps"][1]["expect"]["bets"]["a"].pop("odds"), "step 2 bets.a.odds"),
        (lambda case: case["steps"][1]["expect"].update(point_after=6), "step 2 point_after"),
        (lambda case: case["steps"][0]["expect"].update(vig=5), "step 1 vig"),
        (lambda case: case["steps"][0]["expect"].update(result="refused", reason="window"), "step 1 reason"),
        (lambda case: case["final"].update(player_net=1), "final player_net"),
        (lambda case: case["final"].update(open_bets={"a": 1}), "final open_bets.a"),
    ],
)
def test_a_wrong_expectation_is_found(change: Any, where: str) -> None:
    document = json.loads((CASES / "nj.json").read_text("utf-8"))
    row = copy.deepcopy(next(case for case in document["cases"] if case["id"] == "NJ-PASS-01"))
    change(row)
    options = {**document["option_defaults"]["NJ"], **row["options"]}
    report = run_case(Case(row["id"], row["title"], "NJ", options, tuple(row["steps"]), row["final"]))
    assert not report.passed
    assert any(where in str(difference) for difference in report.differences)


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ({"act": "bet", "id": "a", "wager": "pass", "amount": 0}, "more than nothing"),
        ({"act": "bet", "id": "a", "wager": "pass", "amount": 1.5}, "whole number of cents"),
        ({"act": "roll", "dice": [0, 7]}, "a die shows 1 to 6"),
        ({"act": "dance"}, "unknown act 'dance'"),
        ({"act": "call", "id": "a", "state": "maybe"}, "a call is one of on, off"),
        ({"act": "configure", "set": {"colour": "green"}}, "unknown option 'colour'"),
    ],
)
def test_a_step_that_cannot_be_read_is_an_error_and_no_failure(step: dict[str, Any], message: str) -> None:
    case = Case("X", "x", "NJ", {}, ({"n": 1, "expect": {}, **step},), {})
    with pytest.raises(CaseError, match=message):
        run_case(case)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", "is not JSON"),
        ("{}", "is not a craps-cases/1 document"),
        ('{"schema": "craps-cases/1", "cases": [{}]}', "incomplete"),
    ],
)
def test_a_broken_case_file_is_an_error(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "cases.json"
    path.write_text(text, "utf-8")
    with pytest.raises(CaseError, match=message):
        load_cases(path)
