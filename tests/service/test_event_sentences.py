"""Sentences of records: every kind has one, and none gives away a secret."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from boxes import SEED, Trial
from houses import BOOKS
from trueodds.journal import RECORD_KINDS, Record
from trueodds.service import boxman
from trueodds.service.errors import ServiceRefused
from trueodds.service.sentence import ACTED, SENTENCES, say_record

SOURCE = Path(boxman.__file__).parents[1]
NAMES = {"BOUGHT_IN": "bought_in", "CASHED_OUT": "cashed_out", "WENT": "went"}


def written_kinds() -> set[str]:
    """Every kind that some code makes a record of."""
    kinds = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Record":
                first = node.args[0]
                if isinstance(first, ast.Constant):
                    kinds.add(str(first.value))
                elif isinstance(first, ast.Name) and first.id in NAMES:
                    kinds.add(NAMES[first.id])
    return kinds


def test_every_kind_is_written_and_has_a_sentence() -> None:
    assert written_kinds() == set(RECORD_KINDS) == set(SENTENCES)


def evening(trial: Trial) -> None:
    """Everything a boxman writes down."""
    for player in ("ann", "bob"):
        trial.wish(player, "sit", cents=50_000)
    trial.wish("ann", "bet", spot="pass", cents=1000)
    for player in ("ann", "bob"):
        trial.commit(player)
    trial.wish("ann", "roll")
    trial.wish("ann", "open", seed=SEED.hex())
    trial.wait()
    no = ServiceRefused("loss_limit", "no")
    told = trial.boxman.tell_of_limit(trial.box, "bob", no, trial.now_ms)
    assert trial._take(told.contents, told.box) == ["limits"]
    again = trial.boxman.tell_of_limit(trial.box, "bob", no, trial.now_ms)
    other = trial.boxman.tell_of_limit(trial.box, "ann", ServiceRefused("funds", "no"), trial.now_ms)
    assert (again.contents, other.contents) == ((), ())
    for _ in range(3):
        trial.wait()
    trial.commit("bob")
    trial.wish("bob", "leave")


@pytest.mark.parametrize("book", BOOKS)
def test_an_evening_in_words(book: str) -> None:
    trial = Trial(book)
    evening(trial)
    currency = trial.boxman.header.currency
    records = [one for one in trial.contents if isinstance(one, Record)]
    assert {"bought_in", "committed", "locked", "opened", "missed", "revealed", "limits", "acted_for_absent"} <= {
        one.kind for one in records
    }
    for record in records:
        said = say_record(record, currency)
        assert said
        assert not re.search(r"[0-9a-f]{16}|[{}_]", said), said
        if "player" in record.body:
            assert said.startswith(record.body["player"])


def test_what_is_said() -> None:
    for record, said in (
        (Record("bought_in", {"player": "Ann", "cents": 50_050}), "Ann buys in for S$500.50"),
        (Record("cashed_out", {"player": "Ann", "cents": 100}), "Ann cashes out S$1"),
        (Record("locked", {"lock": {"roll": 12}}), "Bets are closed for roll 12"),
        (Record("revealed", {"proof": {"lock": {"roll": 12}}}), "The secret of roll 12 is revealed"),
        (
            Record("acted_for_absent", {"player": "Bo", "did": "OrderPass"}),
            "Bo was away: the dice were passed by the book",
        ),
        (Record("went", {"player": "Bo", "leaving": True}), "Bo is leaving: what must stay up is played out"),
        (Record("noted", {"by_invitation": True}), "This table is by invitation"),
        (Record("noted", {"why": "a secret"}), "The house makes a note"),
    ):
        assert say_record(record, "SGD") == said


@pytest.mark.parametrize("book", BOOKS)
def test_everything_done_for_the_absent_has_words(book: str) -> None:
    """Also what a book has no use for today: the names are those of the actions."""
    trial = Trial(book)
    trial.wish("ann", "sit", cents=50_000)
    work = boxman._Work(trial.boxman, trial.box, trial.now_ms)
    names = {type(work._way_on("ann")).__name__, "PassDice", "DeclineLine", "AcceptDice", "DeclineDice"}
    assert names | {"throw", "throw_waived"} <= ACTED.keys()
