"""Exact odds compared with the edges in the rules, with published figures and with brute force."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from itertools import product
from math import sqrt

import pytest

from support.houses import BOOKS
from support.published_edges import KNOWN_EDGES, matches_printed
from trueodds.automaton import DiceWeightsError, NeverEndsError, TooManyStatesError
from trueodds.craps_table import Table
from trueodds.dice import ROLLS
from trueodds.rulebook import House, Spot, load_book
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


def come_moments(point: int) -> tuple[Fraction, Fraction]:
    """Return the mean and the mean square of a $1 come bet with 3-4-5x odds made on this point, from the dice alone.

    Odds are off on a come-out roll, and are then returned.
    """
    ways = {total: 6 - abs(7 - total) for total in range(2, 13)}
    multiples = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}
    pays = {4: Fraction(2), 5: Fraction(3, 2), 6: Fraction(6, 5), 8: Fraction(6, 5), 9: Fraction(3, 2), 10: Fraction(2)}
    results: dict[Fraction, Fraction] = {}

    def add(result: Fraction, chance: Fraction) -> None:
        results[result] = results.get(result, Fraction(0)) + chance

    for total, way in ways.items():
        chance = Fraction(way, 36)
        if total in (7, 11, 2, 3, 12):
            add(Fraction(1 if total in (7, 11) else -1), chance)
            continue
        # The puck afterwards: the roll makes the point if it is the point.
        puck = {0 if total == point else point: chance}
        for _ in range(400):
            after: dict[int, Fraction] = {}
            for phase, here in puck.items():
                for rolled, rolled_ways in ways.items():
                    part = here * Fraction(rolled_ways, 36)
                    if rolled == total:
                        add(1 + (multiples[total] * pays[total] if phase else Fraction(0)), part)
                    elif rolled == 7:
                        add(Fraction(-1) - (multiples[total] if phase else 0), part)
                    else:
                        moved = (rolled if rolled in multiples else 0) if not phase else 0 if rolled == phase else phase
                        after[moved] = after.get(moved, Fraction(0)) + part
            puck = {phase: Fraction(round(chance * 10**30), 10**30) for phase, chance in after.items()}
    mean = sum((result * chance for result, chance in results.items()), Fraction(0))
    return mean, sum((result**2 * chance for result, chance in results.items()), Fraction(0))


def test_come_with_full_odds_mixes_the_points() -> None:
    """The odds are off on a come-out, so the deviation depends on the point that is on when the bet is made."""
    house = House("new_jersey")
    found = wager_odds(house, Spot("come"), full_odds=True)
    by_point = {point: come_moments(point) for point in (4, 5, 6)}
    cost = float(found.cost_cents / found.stake_cents)
    deviations = [sqrt(square - mean**2) / cost for mean, square in by_point.values()]
    assert [f"{deviation:.4f}" for deviation in deviations] == ["1.2225", "1.1934", "1.1615"]
    mean, square = (
        sum(Fraction(2 * ways, 24) * by_point[point][index] for point, ways in ((4, 3), (5, 4), (6, 5)))
        for index in (0, 1)
    )
    assert found.standard_deviation == pytest.approx(sqrt(square - mean**2) / cost, abs=1e-12)
    assert found.edge == Fraction(-7, 1870)


def test_come_with_dice_that_set_one_point_only() -> None:
    house = House("new_jersey")
    fives = biased_dice([0, 0, 0, 1, 0, 1], [1, 0, 1, 0, 0, 0])  # 5, 7 and 9
    assert wager_odds(house, Spot("come"), dice=fives, full_odds=True).win_chance > 0
    never = biased_dice([0, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0])
    assert wager_odds(house, Spot("come"), dice=never).win_chance == 1


def fire_chances() -> list[Fraction]:
    """Return the chances of 0 to 6 different points before a seven-out, from the dice alone."""
    ways = {point: 6 - abs(7 - point) for point in (4, 5, 6, 8, 9, 10)}
    made = {point: Fraction(way, 24) * Fraction(way, way + 6) for point, way in ways.items()}
    lost = 1 - sum(made.values())
    reached: dict[frozenset[int], Fraction] = {frozenset(): Fraction(1)}
    chances = [Fraction(0)] * 7
    for size in range(7):
        following: dict[frozenset[int], Fraction] = {}
        for points, chance in reached.items():
            leaves = 1 - sum((made[point] for point in points), Fraction(0))
            chances[size] += chance * lost / leaves
            for point in made.keys() - points:
                more = points | {point}
                following[more] = following.get(more, Fraction(0)) + chance * made[point] / leaves
        reached = following
    return chances


def test_fire_by_the_number_of_different_points() -> None:
    (fire,) = odds("new_jersey", "fire")
    assert list(fire.distinct_points_chances) == fire_chances()
    assert sum(fire.distinct_points_chances) == 1
    assert sum(fire.distinct_points_chances[4:]) == fire.win_chance
    assert odds("new_jersey", "pass")[0].distinct_points_chances == ()
