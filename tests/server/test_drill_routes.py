"""The drill over HTTP: stateless, in the shapes of a table, marked by the engine."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from trueodds.drill import LEVELS, due, make_exercise
from trueodds.rulebook import book_ids, open_house
from trueodds.table import Dealer
from trueodds.wagers import Rules


def asked(http: httpx.Client, book: str, level: int, number: int) -> Any:
    answer = http.get("/api/drill", params={"book": book, "level": level, "number": number})
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("book", book_ids())
@pytest.mark.parametrize("level", [level.number for level in LEVELS])
def test_a_right_sheet_scores_full_and_a_wrong_one_is_told_which(http: httpx.Client, book: str, level: int) -> None:
    dealer = Dealer(Rules(open_house(book)))
    for number in (1, 2, 2**31 - 1):
        given = asked(http, book, level, number)
        settled = make_exercise(dealer, LEVELS[level - 1], number).settled(dealer)
        assert [(chip["tag"], chip["name"]) for chip in given["chips"]] == [
            (one.tag, one.ruling.name) for one in settled.settled
        ]
        assert {chip["spot"] for chip in given["chips"]} <= {spot["spot"] for spot in given["spots"]}
        assert given["roll"] == str(settled.roll)
        answers = {one.tag: due(one.ruling) for one in settled.settled}
        sheet = {"book": book, "level": level, "number": number, "answers": answers}
        marks = http.post("/api/drill", json=sheet).json()
        assert marks["right"] == marks["of"] == len(answers)
        wrong = given["chips"][0]["tag"]
        answers[wrong] = "moves" if answers[wrong] != "moves" else "loses"
        marks = http.post("/api/drill", json=sheet).json()
        assert [one["tag"] for one in marks["wagers"] if not one["right"]] == [wrong]
        told = next(one for one in marks["wagers"] if one["tag"] == wrong)
        assert told["given"] == answers[wrong] != told["due"]
        assert told["sentence"].endswith(told["cite"][-1])
        assert marks["right"] == len(answers) - 1


def test_nothing_answered_is_nothing_right(http: httpx.Client) -> None:
    marks = http.post("/api/drill", json={"book": "NJ", "level": 1, "number": 5, "answers": {}}).json()
    assert marks["right"] == 0
    assert all(one["given"] is None and one["due"] is not None for one in marks["wagers"])


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"book": "atlantis"}, 404, "no_such_book"),
        ({"level": 0}, 422, "malformed"),
        ({"level": 5}, 422, "malformed"),
        ({"number": -1}, 422, "malformed"),
        ({"number": 2**31}, 422, "malformed"),
    ],
)
def test_what_is_no_exercise_is_refused(http: httpx.Client, change: dict[str, Any], status: int, code: str) -> None:
    sheet: dict[str, Any] = {"book": "NJ", "level": 1, "number": 1} | change
    for answer in (http.get("/api/drill", params=sheet), http.post("/api/drill", json=sheet | {"answers": {}})):
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


@pytest.mark.parametrize("answers", [{"nobody": 100}, {"1": "wins"}, {"1": 1.5}, {"1": True}, {"1": None}, [], None])
def test_what_is_no_answer_is_refused(http: httpx.Client, answers: object) -> None:
    answer = http.post("/api/drill", json={"book": "NJ", "level": 1, "number": 1, "answers": answers})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "malformed")
    assert answer.json()["error"]["where"].startswith("answers")
