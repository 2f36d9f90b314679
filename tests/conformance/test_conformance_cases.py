"""The conformance cases, each a test of its own."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any, cast

import pytest
from jsonschema import Draft7Validator

from trueodds.conformance import Case, CaseError, load_cases, run_case
from trueodds.conformance.case_files import Step

CASES = Path(__file__).parent / "cases"
ALL = [case for path in sorted(CASES.glob("*.json")) for case in load_cases(path)]


def test_there_are_327_cases_of_the_books_and_95_of_limits_and_houses() -> None:
    limits = load_cases(CASES / "limits.json")
    assert (len(ALL) - len(limits), len(limits)) == (327, 95)
    assert len({case.id for case in ALL}) == len(ALL)
    assert {case.rulebook for case in limits} == {"MD", "NJ", "RWS", "SD", "WIN"}


@pytest.mark.parametrize("path", sorted(CASES.glob("*.json")), ids=lambda path: path.stem)
def test_a_case_file_has_the_form_of_the_schema(path: Path) -> None:
    schema = json.loads((CASES.parent / "cases.schema.json").read_text("utf-8"))
    errors = Draft7Validator(schema).iter_errors(json.loads(path.read_text("utf-8")))
    assert [f"{error.json_path}: {error.message}" for error in errors] == []


BOOKS_OF_A_SILENCE = {
    "A-52": {"MD", "NJ", "RWS", "SD", "WIN"},
    "A-59": {"MD", "NJ", "RWS", "SD", "WIN"},
    "A-61": {"MD", "NJ", "RWS"},  # the books with buy and lay bets
    "A-62": {"MD", "NJ", "RWS", "SD", "WIN"},
}


@pytest.mark.parametrize(("silence", "books"), BOOKS_OF_A_SILENCE.items())
def test_a_silence_about_limits_has_cases_in_every_book_with_such_bets(silence: str, books: set[str]) -> None:
    document = json.loads((CASES / "limits.json").read_text("utf-8"))
    assert {case["rulebook"] for case in document["cases"] if silence in case["ambiguities"]} == books


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.id)
def test_case(case: Case) -> None:
    assert [str(mismatch) for mismatch in run_case(case).mismatches] == []


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
    assert any(where in str(mismatch) for mismatch in report.mismatches)


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ({"act": "bet", "id": "a", "wager": "pass", "amount": 0}, "must be positive"),
        ({"act": "bet", "id": "a", "wager": "pass", "amount": 1.5}, "whole number of cents"),
        ({"act": "roll", "dice": [0, 7]}, "a die must show 1 to 6"),
        ({"act": "dance"}, "unknown act 'dance'"),
        ({"act": "call", "id": "a", "state": "maybe"}, "call must be one of on, off"),
        ({"act": "configure", "set": {"color": "green"}}, "unknown option 'color'"),
    ],
)
def test_a_step_that_cannot_be_played_is_an_error_and_not_a_mismatch(step: dict[str, Any], message: str) -> None:
    case = Case("X", "x", "NJ", {}, (cast(Step, {"n": 1, "expect": {}, **step}),), {})
    with pytest.raises(CaseError, match=message):
        run_case(case)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", "not valid JSON"),
        ("{}", "not a craps-cases/1 document"),
        ('{"schema": "craps-cases/1", "cases": [{}]}', "incomplete"),
    ],
)
def test_a_broken_case_file_is_an_error(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "cases.json"
    path.write_text(text, "utf-8")
    with pytest.raises(CaseError, match=message):
        load_cases(path)
