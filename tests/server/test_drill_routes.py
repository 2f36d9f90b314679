"""The drill over HTTP: stateless, in the shapes of a table, marked by the engine."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from trueodds.drill import LEVELS, correct_answer, make_exercise
from trueodds.rulebook import as_house, book_ids
from trueodds.table import Dealer
from trueodds.wagers import TableRules


def asked(http: httpx.Client, book: str, level: int, number: int) -> Any:
    answer = http.get("/api/drill", params={"book": book, "level": level, "number": number})
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("book", book_ids())
@pytest.mark.parametrize("level", [level.number for level in LEVELS])
def test_correct_and_wrong_answers(http: httpx.Client, book: str, level: int) -> None:
    dealer = Dealer(TableRules(as_house(book)))
    for number in (1, 2, 2**31 - 1):
        given = asked(http, book, level, number)
        settled = make_exercise(dealer, LEVELS[level - 1], number).settle(dealer)
        assert [(chip["tag"], chip["name"]) for chip in given["bets"]] == [
            (one.tag, one.settlement.name) for one in settled.settled
        ]
        assert {chip["spot"] for chip in given["bets"]} <= {spot["spot"] for spot in given["spots"]}
        assert given["roll"] == str(settled.roll)
        answers = {one.tag: correct_answer(one.settlement) for one in settled.settled}
        sheet = {"book": book, "level": level, "number": number, "answers": answers}
        marks = http.post("/api/drill", json=sheet).json()
        assert marks["correct"] == marks["total"] == len(answers)
        wrong = given["bets"][0]["tag"]
        answers[wrong] = "moves" if answers[wrong] != "moves" else "loses"
        marks = http.post("/api/drill", json=sheet).json()
        assert [one["tag"] for one in marks["wagers"] if not one["is_correct"]] == [wrong]
        told = next(one for one in marks["wagers"] if one["tag"] == wrong)
        assert told["answer"] == answers[wrong] != told["correct_answer"]
        assert told["sentence"].endswith(told["cite"][-1])
        assert marks["correct"] == len(answers) - 1


def test_missing_answers_are_wrong(http: httpx.Client) -> None:
    marks = http.post("/api/drill", json={"book": "NJ", "level": 1, "number": 5, "answers": {}}).json()
    assert marks["correct"] == 0
    assert all(one["answer"] is None and one["correct_answer"] is not None for one in marks["wagers"])


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"book": "atlantis"}, 404, "no_such_book"),
        ({"level": 0}, 422, "invalid_request"),
        ({"level": 5}, 422, "invalid_request"),
        ({"number": -1}, 422, "invalid_request"),
        ({"number": 2**31}, 422, "invalid_request"),
    ],
)
def test_invalid_exercises_are_refused(http: httpx.Client, change: dict[str, Any], status: int, code: str) -> None:
    sheet: dict[str, Any] = {"book": "NJ", "level": 1, "number": 1} | change
    for answer in (http.get("/api/drill", params=sheet), http.post("/api/drill", json=sheet | {"answers": {}})):
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


@pytest.mark.parametrize("answers", [{"nobody": 100}, {"1": "wins"}, {"1": 1.5}, {"1": True}, {"1": None}, [], None])
def test_invalid_answers_are_refused(http: httpx.Client, answers: object) -> None:
    answer = http.post("/api/drill", json={"book": "NJ", "level": 1, "number": 1, "answers": answers})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "invalid_request")
    assert answer.json()["error"]["field"].startswith("answers")
