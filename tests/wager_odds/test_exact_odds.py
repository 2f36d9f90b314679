"""Exact odds compared with the edges in the rules, with published figures and with brute force."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from support.houses import BOOKS
from support.published_edges import KNOWN_EDGES, matches_printed
from trueodds.automaton import DiceWeightsError, NeverEndsError, TooManyStatesError
from trueodds.craps_table import Table
from trueodds.dice import ROLLS
from trueodds.money import MoneyError
from trueodds.rulebook import BookError, House, Spot, UnknownWagerError, load_book
from trueodds.table import Rolled
from trueodds.wager_odds import FAIR_DICE, biased_dice, house_odds, markov, odds, wager_odds
from trueodds.wager_odds.markov import Transition, expected_totals, explore, strongly_connected_components

# Line coverage of the engine calls made here would take minutes and add nothing.
pytestmark = pytest.mark.no_cover


@pytest.mark.parametrize(("book", "spot"), KNOWN_EDGES, ids=lambda value: value)
def test_known_edges(book: str, spot: str) -> None:
    house = House(load_book(book))
    assert matches_printed(wager_odds(house, Spot.parse(spot)).edge, KNOWN_EDGES[book, spot])


# Win chance and odds of bets with two outcomes. Their variance follows without solving anything.
TWO_OUTCOME_BETS = {
    "place:4": ("1/3", "9/5"), "place:5": ("2/5", "7/5"), "place:6": ("5/11", "7/6"), "hard:4": ("1/9", "7"),
    "hard:6": ("1/11", "9"), "any_craps": ("1/9", "7"), "any7": ("1/6", "4"), "craps2": ("1/36", "30"),
    "yo": ("1/18", "15"), "pass": ("244/495", "1"),
}  # fmt: skip


@pytest.mark.parametrize("spot", TWO_OUTCOME_BETS)
def test_variance_of_bets_with_two_outcomes(spot: str) -> None:
    found = wager_odds(House(load_book("maryland")), Spot.parse(spot))
    win, odds = map(Fraction, TWO_OUTCOME_BETS[spot])
    mean = win * odds - (1 - win)
    assert (found.win_chance, found.edge) == (win, mean)
    assert found.variance_cents2 / found.cost_cents**2 == win * odds**2 + (1 - win) - mean**2


@pytest.mark.parametrize(("times", "published"), [(1, "0.848"), (2, "0.606"), (3, "0.471")])
def test_published_edges_of_pass_with_odds(times: int, published: str) -> None:
    """The summary of house percentages of casinodealerswebsite.com, which also has 0.374 for 3-4-5x."""
    house = House(load_book("maryland"), {"odds_take": dict.fromkeys(("4", "5", "6", "8", "9", "10"), times)})
    assert f"{-float(wager_odds(house, Spot('pass'), full_odds=True).edge) * 100:.3f}" == published


def test_published_figures_of_full_odds_and_hand_length() -> None:
    """The mean hand of 8.526 rolls is from D. Catlin, "The Number of Craps Rolls" (2013)."""
    house = House(load_book("maryland"))
    full = wager_odds(house, Spot("pass"), full_odds=True).edge
    assert full == Fraction(-7, 1870)
    assert f"{-float(full) * 100:.3f}" == "0.374"
    assert wager_odds(house, Spot("dont_pass"), full_odds=True).edge == Fraction(-3, 1100)
    hand = wager_odds(house, Spot("fire")).mean_rolls
    assert hand == Fraction(1671, 196), "a fire bet lasts as long as the hand"
    assert f"{float(hand):.3f}" == "8.526"
    assert wager_odds(house, Spot("pass")).mean_rolls == Fraction(557, 165)
    assert wager_odds(house, Spot("place", (6,))).mean_rolls == Fraction(36, 11)


@pytest.mark.parametrize("book", BOOKS)
def test_chances_add_up_and_edges_agree(book: str) -> None:
    for wager in house_odds(House(load_book(book))):
        assert wager.win_chance + wager.lose_chance + wager.push_chance == 1, wager.name
        assert wager.variance_cents2 > 0
        assert wager.mean_rolls >= 1
        assert wager.edge_per_resolved * (1 - wager.push_chance) == wager.edge


def test_house_options_change_the_odds() -> None:
    nj = load_book("new_jersey")
    on_win = House(nj, {"vig_timing": {"buy": "on_win"}})
    assert wager_odds(on_win, Spot("buy", (4,))).edge == Fraction(-1, 60)
    better = House(nj, {"paytable": {"field12": "3 to 1"}})
    assert wager_odds(better, Spot("field")).edge == Fraction(-1, 36)
    assert matches_printed(wager_odds(House(nj, {"fire_table": "B"}), Spot("fire")).edge, "-0.2389")
    rws_house = House(load_book("rws"))
    assert wager_odds(rws_house, Spot("dont_pass")).edge == Fraction(-27, 1925)
    barred_is_returned = rws_house.with_changes({"dont_bar_result": "returned"}, unchecked={"dont_bar_result"})
    assert wager_odds(barred_is_returned, Spot("dont_pass")).edge == Fraction(-3, 220)


def test_breakage_at_a_given_stake() -> None:
    house = House(load_book("maryland"))
    even, odd = (wager_odds(house, Spot("place", (6,)), stake) for stake in (1200, 1000))
    assert even.edge == Fraction(-1, 66)
    assert odd.mean_cents == Fraction(5, 11) * 1100 - Fraction(6, 11) * 1000


def test_biased_dice() -> None:
    assert dict(biased_dice([1] * 6, [1] * 6)) == dict(FAIR_DICE)
    loaded = biased_dice([1, 1, 1, 1, 1, 3], [1] * 6)
    assert sum(chance for _, chance in loaded) == 1
    seven = wager_odds(House(load_book("rws")), Spot("any7"), dice=loaded)
    assert seven.win_chance == Fraction(1, 6), "one die is fair, so the chance of a seven does not change"
    only_sixes = biased_dice([0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 1])
    assert wager_odds(House(load_book("rws")), Spot("craps12"), dice=only_sixes).edge == 30
    for wrong in ([1] * 5, [0] * 6, [1, 1, 1, 1, 1, -1]):
        with pytest.raises(DiceWeightsError):
            biased_dice(wrong, [1] * 6)


def test_brute_force_over_two_rolls_agrees() -> None:
    """The share of pass bets won or decided within two rolls, over all 1,296 pairs of rolls at a table."""
    house = House(load_book("maryland"), {"after_win": "down"})
    won = decided = 0
    for first, second in product(ROLLS, repeat=2):
        table = Table(house)
        table.bet("A", "pass", 10, tag="p")
        for roll in (first, second):
            (event, *_) = table.roll(roll)
            assert isinstance(event, Rolled)
            for one in event.settled:
                won += one.settlement.paid_cents > 0
                decided += one.settlement.wager_after is None
    by_hand = Fraction(8, 36) + sum(Fraction(w, 36) ** 2 for w in (3, 4, 5, 5, 4, 3))
    assert Fraction(won, 1296) == by_hand
    assert Fraction(decided, 1296) == by_hand + Fraction(4, 36) + Fraction(24, 36) * Fraction(6, 36)


def test_solver_without_craps() -> None:
    """Tosses of a coin until heads, a cycle of states, and the limit on their number."""
    half = Fraction(1, 2)
    rows = explore("s", lambda _: [Transition(half, (Fraction(1),), None), Transition(half, (Fraction(1),), "s")])
    assert expected_totals(rows)["s"] == (Fraction(2),)
    assert sorted(map(sorted, strongly_connected_components({1: [2], 2: [3, 1], 3: [4], 4: []}))) == [[1, 2], [3], [4]]
    with pytest.raises(TooManyStatesError, match="must have at most 10 states"):
        explore(0, lambda n: [Transition(Fraction(1), (Fraction(0),), n + 1)], max_states=10)


def test_a_wager_is_found_by_any_of_its_names() -> None:
    (seven,) = odds("new_jersey", "Big Red")
    assert seven.spot == Spot("any7")
    assert [str(each.spot) for each in odds("NJ", "hard")] == ["hard:4", "hard:6", "hard:8", "hard:10"]
    assert odds("NJ", Spot("place", (6,))) == odds(House(load_book("new_jersey")), "place:6")


@pytest.mark.parametrize("name", ["plaec", "plaec:6", Spot("plaec", (6,))], ids=str)
def test_a_misspelled_wager_suggests_the_nearest_name(name: Spot | str) -> None:
    with pytest.raises(UnknownWagerError, match="did you mean 'place'"):
        odds("new_jersey", name)


@pytest.mark.parametrize("name", ["place:7", "pass_odds"])
def test_a_wager_that_is_not_offered(name: str) -> None:
    with pytest.raises(BookError, match=f"offers no wager called {name}$"):
        odds("new_jersey", name)
    with pytest.raises(BookError, match=r"offers no wager called field with odds$"):
        odds("new_jersey", "field", full_odds=True)


def test_the_stake_is_in_dollars() -> None:
    for stake in (10, "10", "$10.00", Decimal(10)):
        (found,) = odds("maryland", "place:6", stake=stake)
        assert found.stake_cents == 1000


@pytest.mark.parametrize("stake", [10.0, True, 0, -5, "ten"])
def test_an_invalid_stake(stake: Any) -> None:
    with pytest.raises(MoneyError, match="stake"):
        odds("maryland", "place:6", stake=stake)


def test_elimination_without_flint_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    """FLINT is optional: the solver in plain Python gives the same fractions, and the same error."""
    house = House(load_book("new_jersey"))
    with_flint = wager_odds(house, Spot("fire")), wager_odds(house, Spot("pass"), full_odds=True)
    monkeypatch.setattr(markov, "_load_flint", lambda: None)
    assert (wager_odds(house, Spot("fire")), wager_odds(house, Spot("pass"), full_odds=True)) == with_flint
    singular = [[Fraction(1), Fraction(-1)], [Fraction(-1), Fraction(1)]]
    with pytest.raises(NeverEndsError, match="never resolved"):
        markov.solve_linear(singular, [[Fraction(1)], [Fraction(1)]])


def test_flint_is_imported_on_first_use() -> None:
    code = "import sys, trueodds.wager_odds; sys.exit('flint' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
