"""Exact odds against the rules' own figures, against published ones, and against brute force."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from typer.testing import CliRunner

from houses import BOOKS
from rulebook_facts import SECTION_8, matches
from trueodds.chain import FAIR, ChainTooLargeError, DiceWeightsError, biased, house_odds, wager_odds
from trueodds.chain.absorbing import Edge, components, expectations, explore
from trueodds.cli.app import app
from trueodds.dice import ROLLS
from trueodds.rulebook import House, Spot, load_book
from trueodds.table import Rolled, Table

# The engine is asked so often here that tracing it line by line would take minutes and cover nothing new.
pytestmark = pytest.mark.no_cover

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("book", "spot"), SECTION_8, ids=lambda value: value)
def test_edges_of_section_8(book: str, spot: str) -> None:
    house = House(load_book(book))
    assert matches(wager_odds(house, Spot.parse(spot)).edge, SECTION_8[book, spot])


# Chance and odds of bets with one way to win: the spread follows from them without any chain.
TWO_WAYS = {
    "place:4": ("1/3", "9/5"), "place:5": ("2/5", "7/5"), "place:6": ("5/11", "7/6"), "hard:4": ("1/9", "7"),
    "hard:6": ("1/11", "9"), "any_craps": ("1/9", "7"), "any7": ("1/6", "4"), "craps2": ("1/36", "30"),
    "yo": ("1/18", "15"), "pass": ("244/495", "1"),
}  # fmt: skip


@pytest.mark.parametrize("spot", TWO_WAYS)
def test_the_spread_of_a_bet_with_two_ends(spot: str) -> None:
    found = wager_odds(House(load_book("maryland")), Spot.parse(spot))
    win, odds = map(Fraction, TWO_WAYS[spot])
    mean = win * odds - (1 - win)
    assert (found.win, found.edge) == (win, mean)
    assert found.variance / found.put_up**2 == win * odds**2 + (1 - win) - mean**2


@pytest.mark.parametrize(("times", "published"), [(1, "0.848"), (2, "0.606"), (3, "0.471")])
def test_published_edges_of_pass_with_odds(times: int, published: str) -> None:
    """As casinodealerswebsite.com prints them in its summary of house percentages; 3-4-5x is 0.374 there."""
    house = House(load_book("maryland"), {"odds_take": dict.fromkeys(("4", "5", "6", "8", "9", "10"), times)})
    assert f"{-float(wager_odds(house, Spot('pass'), odds=True).edge) * 100:.3f}" == published


def test_published_figures_of_full_odds_and_of_a_hand() -> None:
    """The mean hand of 8.526 throws is D. Catlin's ("The Number of Craps Rolls", 2013)."""
    house = House(load_book("maryland"))
    full = wager_odds(house, Spot("pass"), odds=True).edge
    assert full == Fraction(-7, 1870)
    assert f"{-float(full) * 100:.3f}" == "0.374"
    assert wager_odds(house, Spot("dont_pass"), odds=True).edge == Fraction(-3, 1100)
    hand = wager_odds(house, Spot("fire")).rolls
    assert hand == Fraction(1671, 196), "a fire bet lives as long as a hand"
    assert f"{float(hand):.3f}" == "8.526"
    assert wager_odds(house, Spot("pass")).rolls == Fraction(557, 165)
    assert wager_odds(house, Spot("place", (6,))).rolls == Fraction(36, 11)


@pytest.mark.parametrize("book", BOOKS)
def test_chances_add_up_and_edges_agree(book: str) -> None:
    for one in house_odds(House(load_book(book))):
        assert one.win + one.lose + one.void == 1, one.name
        assert one.variance > 0
        assert one.rolls >= 1
        assert one.edge_resolved * (1 - one.void) == one.edge


def test_a_house_s_own_options_count() -> None:
    nj = load_book("new_jersey")
    on_win = House(nj, {"vig_timing": {"buy": "on_win"}})
    assert wager_odds(on_win, Spot("buy", (4,))).edge == Fraction(-1, 60)
    better = House(nj, {"paytable": {"field12": "3 to 1"}})
    assert wager_odds(better, Spot("field")).edge == Fraction(-1, 36)
    assert matches(wager_odds(House(nj, {"fire_table": "B"}), Spot("fire")).edge, "-0.2389")
    stays = House(load_book("rws"))
    assert wager_odds(stays, Spot("dont_pass")).edge == Fraction(-27, 1925)
    assert wager_odds(stays.change({"dont_bar_result": "returned"}), Spot("dont_pass")).edge == Fraction(-3, 220)


def test_breakage_at_the_stake_asked() -> None:
    house = House(load_book("maryland"))
    even, odd = (wager_odds(house, Spot("place", (6,)), stake) for stake in (1200, 1000))
    assert even.edge == Fraction(-1, 66)
    assert odd.mean == Fraction(5, 11) * 1100 - Fraction(6, 11) * 1000


def test_biased_dice() -> None:
    assert dict(biased([1] * 6, [1] * 6)) == dict(FAIR)
    loaded = biased([1, 1, 1, 1, 1, 3], [1] * 6)
    assert sum(chance for _, chance in loaded) == 1
    seven = wager_odds(House(load_book("rws")), Spot("any7"), dice=loaded)
    assert seven.win == Fraction(1, 6), "one die is fair, so a seven is as likely as ever"
    only_sixes = biased([0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 1])
    assert wager_odds(House(load_book("rws")), Spot("craps12"), dice=only_sixes).edge == 30
    for wrong in ([1] * 5, [0] * 6, [1, 1, 1, 1, 1, -1]):
        with pytest.raises(DiceWeightsError):
            biased(wrong, [1] * 6)


def test_brute_force_over_two_throws_agrees() -> None:
    """All 1,296 pairs of throws through a table, for the part of a field and a pass bet decided by then."""
    house = House(load_book("maryland"), {"after_win": "down"})
    won = decided = 0
    for first, second in product(ROLLS, repeat=2):
        table = Table(house)
        table.bet("A", "pass", 1000, tag="p")
        for roll in (first, second):
            (event, *_) = table.roll(roll)
            assert isinstance(event, Rolled)
            for one in event.settled:
                won += one.ruling.cash > 0
                decided += one.ruling.after is None
    by_hand = Fraction(8, 36) + sum(Fraction(w, 36) ** 2 for w in (3, 4, 5, 5, 4, 3))
    assert Fraction(won, 1296) == by_hand
    assert Fraction(decided, 1296) == by_hand + Fraction(4, 36) + Fraction(24, 36) * Fraction(6, 36)


def test_the_solver_by_itself() -> None:
    """A fair coin until heads: two throws on average; a ring of states; and a bound on their number."""
    half = Fraction(1, 2)
    rows = explore("s", lambda _: [Edge(half, (Fraction(1),), None), Edge(half, (Fraction(1),), "s")])
    assert expectations(rows)["s"] == (Fraction(2),)
    assert sorted(map(sorted, components({1: [2], 2: [3, 1], 3: [4], 4: []}))) == [[1, 2], [3], [4]]
    with pytest.raises(ChainTooLargeError, match="more than 10 states"):
        explore(0, lambda n: [Edge(Fraction(1), (Fraction(0),), n + 1)], limit=10)


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["odds", *words], env={"COLUMNS": "220", "NO_COLOR": "1"})
    return done.exit_code, done.output


def test_the_command_in_every_form() -> None:
    code, table = run("maryland", "place")
    assert code == 0
    assert "-1.5152 %" in table
    assert "-1/66" in run("maryland", "place", "--fractions")[1]
    rows = json.loads(run("NJ", "pass", "--format", "json")[1])
    assert [row["wager"] for row in rows] == ["Pass", "Pass with full odds"]
    assert rows[1]["edge"]["exact"] == "-7/1870"
    assert rows[0]["stake_cents"] > 0
    table_rows = list(csv.reader(io.StringIO(run("rws", "lay", "--format", "csv", "--fractions")[1])))
    assert table_rows[1][0] == "Lay 4"
    assert table_rows[1][5] == "-1/41"
    assert run("rws", "horn", "--format", "markdown")[1].splitlines()[1].startswith("|---|")
    assert "16.6667 %" in run("rws", "any7", "--faces", "1,1,1,1,1,3/1,1,1,1,1,1")[1]
    assert "$10" in run("maryland", "place", "--stake", "10")[1]
    boardwalk = str(ROOT / "docs" / "examples" / "boardwalk.toml")
    assert "-2.7778 %" in run("new_jersey", "field", "--house", boardwalk)[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["atlantis"], "no such book"),
        (["rws", "roulette"], "no flat wager 'roulette'"),
        (["rws", "pass_odds"], "no flat wager"),
        (["rws", "--house", str(ROOT / "docs" / "examples" / "boardwalk.toml")], "is a house over new_jersey"),
        (["rws", "--stake", "ten"], "an amount is written like"),
        (["rws", "--stake", "0"], "more than nothing"),
        (["rws", "--faces", "1,2"], "a die has six weights"),
        (["rws", "--faces", "a,b,c,d,e,f"], "weights are numbers"),
    ],
)
def test_mistakes_are_one_clear_line(words: list[str], message: str) -> None:
    code, said = run(*words)
    assert code == 2
    assert message in said
    assert "Traceback" not in said
