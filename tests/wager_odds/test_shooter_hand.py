"""The length of a hand, exactly: against the definition by brute force, and against figures from elsewhere."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import islice, product

import pytest
from typer.testing import CliRunner

from houses import BOOKS
from trueodds.chain import HandChain, biased, wager_odds
from trueodds.cli.app import app
from trueodds.dice import ROLLS
from trueodds.rulebook import House, Spot, load_book
from trueodds.table import Rolled, Table


@pytest.mark.parametrize("book", BOOKS)
def test_every_book_has_the_same_hand(book: str) -> None:
    told = HandChain(House(load_book(book))).summary()
    assert told.throws == Fraction(1671, 196), "8.526 throws, as D. Catlin has it"
    assert told.points == Fraction(67, 98)


def test_a_hand_lives_as_long_as_a_fire_bet() -> None:
    house = House(load_book("new_jersey"))
    assert HandChain(house).summary().throws == wager_odds(house, Spot("fire")).rolls


def test_lasting_by_brute_force() -> None:
    """Every sequence of three throws on a table, counting the hands that are still alive before each."""
    house = House(load_book("maryland"))
    table = Table(house)
    start, alive = table.position, [0, 0, 0, 0]
    for sequence in product(ROLLS, repeat=3):
        table.position = start
        alive[0] += 1
        for index, roll in enumerate(sequence):
            (event, *_) = table.roll(roll)
            assert isinstance(event, Rolled)
            if event.seven_out:
                break
            alive[index + 1] += 1
    lasting = list(islice(HandChain(house).lasting(), 4))
    assert lasting == [Fraction(count, 36**3) for count in alive]


def test_the_mean_is_the_sum_of_what_lasts_and_points_add_up() -> None:
    chain = HandChain(House(load_book("rws")))
    total = sum(islice(chain.lasting(), 600))
    assert abs(float(total - chain.summary().throws)) < 1e-12
    made = chain.points_made(200)
    assert abs(float(sum(made)) - 1) < 1e-12
    mean = sum(count * chance for count, chance in enumerate(made))
    assert abs(float(mean - chain.summary().points)) < 1e-12


def test_the_record_hand() -> None:
    """154 throws, thrown in Atlantic City in 2009: about one chance in 5.6 billion, as was widely reported."""
    chance = next(islice(HandChain(House(load_book("new_jersey"))).lasting(), 153, None))
    assert f"{float(1 / chance) / 1e9:.1f}" == "5.6"


def test_dice_without_a_seven_never_end_a_hand() -> None:
    chain = HandChain(House(load_book("rws")), biased([1, 0, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0]))
    assert next(islice(chain.lasting(), 50, None)) == 1


def test_the_command() -> None:
    def run(*words: str) -> tuple[int, str]:
        done = CliRunner().invoke(app, ["hand", *words], env={"COLUMNS": "200", "NO_COLOR": "1"})
        return done.exit_code, done.output

    code, said = run("maryland", "--throws", "154")
    assert code == 0
    assert "8.525510 (1671/196)" in said
    assert "at least 154 throws" in said
    assert "All Small wins" in said
    told = json.loads(run("new_jersey", "--json")[1])
    assert told["at_least_throws"]["1"]["exact"] == "1"
    assert told["median_throws"] == 6
    for words, message in (
        (["rws", "--throws", "0"], "from 1 to 5000"),
        (["rws", "--faces", "1,2"], "six weights"),
        (["rws", "--faces", "1,0,0,0,0,0/1,1,1,0,0,0"], "never ends"),
        (["x"], "no such book"),
    ):
        code, said = run(*words)
        assert code == 2, said
        assert message in said
