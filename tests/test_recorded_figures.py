"""Odds, exact sessions, seeded simulations and random engine steps, compared with `recorded_figures.json`.

Record the figures again only when a rule was changed on purpose:

    PYTHONPATH=tests python tests/support/recorded_figures.py > tests/support/recorded_figures.json
"""

from __future__ import annotations

import json

import pytest

from support.recorded_figures import (
    RECORDED,
    engine_digest,
    odds_digest,
    session_digest,
    simulated_pairs,
    simulation_digest,
)

FIGURES: dict[str, dict[str, str]] = json.loads(RECORDED.read_text("utf-8"))


@pytest.mark.parametrize("book", FIGURES["odds"])
def test_odds_are_as_recorded(book: str) -> None:
    assert odds_digest(book) == FIGURES["odds"][book]


@pytest.mark.parametrize("book", FIGURES["engine"])
def test_random_engine_steps_are_as_recorded(book: str) -> None:
    assert engine_digest(book) == FIGURES["engine"][book]


@pytest.mark.parametrize("name", FIGURES["sessions"])
def test_exact_sessions_are_as_recorded(name: str) -> None:
    assert session_digest(name) == FIGURES["sessions"][name]


def test_every_strategy_in_every_book_is_recorded() -> None:
    assert sorted(FIGURES["simulations"]) == sorted(simulated_pairs())


@pytest.mark.parametrize("name", FIGURES["simulations"])
def test_seeded_simulations_are_as_recorded(name: str) -> None:
    assert simulation_digest(name) == FIGURES["simulations"][name]
