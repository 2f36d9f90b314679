"""Random houses: what loads is lawful and settles within its clauses, and what does not load says why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

import pytest

from support.audited_table import AuditedTable
from support.house_law import broken_demands
from support.houses import BOOKS
from support.random_houses import random_changes
from support.random_table_play import play_randomly
from support.sampling import sample
from trueodds.money import Odds
from trueodds.rulebook import House, HouseError, load_book
from trueodds.table import spot_limits
from trueodds.wagers import rule_builder
from trueodds.wagers.wager_rule import Payout

HOUSES = range(10_000)
GROUP_SIZE = 50
STEPS = 80
GROUPS = sample(range(0, len(HOUSES), GROUP_SIZE), 8)


def play_house(seed: int, results: Counter[str]) -> None:
    """Draw a house from a seed. If it loads, play at it; if not, check the error."""
    random = Random(seed)
    book = load_book(BOOKS[seed % len(BOOKS)])
    changes = random_changes(book, random)
    try:
        house = House(book, changes, book_defaults=random.random() < 0.5)
    except HouseError as error:
        results[error.code] += 1
        check_error(error, changes)
        return
    assert list(broken_demands(house)) == [], changes
    table = AuditedTable(house)
    play_randomly(table, random, STEPS)
    results.update(loaded=1, refused=table.refused, settled=table.settled)


def check_error(error: HouseError, changes: Mapping[str, Any]) -> None:
    """Check that an error has a code and a clause, and that it names the option and what was given."""
    option, _, key = error.where.partition(".")
    assert error.code, changes
    assert error.cite, (str(error), changes)
    _, got, given = error.problem.rpartition("got ")
    assert got, error.problem
    if option in changes:
        assert any(repr(part) in given or str(part) == given for part in _parts(changes[option], key)), str(error)


def _parts(value: Any, key: str) -> Iterable[Any]:
    """Return the parts of a given value that an error may name: one of a list or of a map, or the value itself."""
    if isinstance(value, Mapping):
        return [value[key], key] if key else value.values()
    return [value, *value] if isinstance(value, list) else [value]


@pytest.mark.parametrize("first", GROUPS)
def test_a_random_house_is_refused_or_settles_within_its_clauses(first: int) -> None:
    results: Counter[str] = Counter()
    for seed in range(first, first + GROUP_SIZE):
        play_house(seed, results)
    assert results["loaded"] > 5
    assert results["settled"] > 20 * results["loaded"]
    assert results["refused"] > 5 * results["loaded"]
    assert results["unlawful"] > 5


def run_sample() -> None:
    """Play as many houses as the default sample does."""
    for seed in range(8 * GROUP_SIZE):
        play_house(seed, Counter())


def test_the_sample_finds_a_maximum_that_ignores_what_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spot_limits, "stake_up", lambda *_: 0)
    with pytest.raises(AssertionError, match="the maximum is"):
        run_sample()


@pytest.mark.parametrize(
    ("row", "odds", "words"),
    [("place6", "7 to 5", "place:6"), ("take4", "9 to 5", "odds|buy"), ("any7", "5 to 1", "any7|whirl")],
)
def test_the_sample_finds_a_changed_payout(monkeypatch: pytest.MonkeyPatch, row: str, odds: str, words: str) -> None:
    payout = rule_builder.RuleBuilder.payout

    def changed_payout(self: rule_builder.RuleBuilder, key: object, selection: str = "") -> Payout:
        paid = payout(self, key, selection)
        return paid._replace(odds=Odds.parse(odds)) if key == row else paid

    monkeypatch.setattr(rule_builder.RuleBuilder, "payout", changed_payout)
    with pytest.raises(AssertionError, match=words):
        run_sample()


def test_the_sample_finds_vigorish_above_five_percent(monkeypatch: pytest.MonkeyPatch) -> None:
    for book in ("new_jersey", "maryland"):
        options = load_book(book).options
        unbounded = {**options, "vig_bp": options["vig_bp"]._replace(bounds=())}
        monkeypatch.setitem(vars(load_book(book)), "options", unbounded)
    with pytest.raises(AssertionError, match="vig_bp is at most 500"):
        run_sample()
