"""Exact odds compared with published figures, each to the last digit that its source prints."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from itertools import islice
from math import sqrt
from typing import Any, Final, NamedTuple

import pytest

from support.published_edges import matches_printed
from trueodds.money import Cents
from trueodds.rulebook import House, Spot, load_book
from trueodds.table import Dealer
from trueodds.wager_odds import FAIR_DICE, ShooterHand, WagerOdds, wager_odds
from trueodds.wager_odds.markov import Transition, expected_totals, explore
from trueodds.wagers import Phase, TableRules, Wager

# Line coverage of the engine calls made here would take minutes and add nothing.
pytestmark = pytest.mark.no_cover


class Source(NamedTuple):
    """The author, title and address of a publication."""

    author: str
    title: str
    address: str


TIMES: Final = "https://www.casinocitytimes.com/"
SOURCES: Final = {
    "bestonline": Source("Best Online Casinos", "Hop Bets", "http://www.bestonlinecasinos.com/craps/bets/hop/"),
    "catlin-fire": Source(
        "D. Catlin, with S. N. Ethier's chances",
        "The Fire Bet (2010)",
        TIMES + "donald-catlin/article/the-fire-bet-57750",
    ),
    "catlin-laying": Source(
        "D. Catlin, quoting O. Vancura (Smart Casino Gaming, 1996) and F. Scoblete (Forever Craps, 2000)",
        "Laying the Odds (2003)",
        TIMES + "donald-catlin/article/laying-the-odds-7540",
    ),
    "catlin-rolls": Source(
        "D. Catlin", "The Number of Craps Rolls (2013)", TIMES + "donald-catlin/article/the-number-of-craps-rolls-61956"
    ),
    "chips-buy": Source(
        "Chips & Truths", "Craps House Edge Buy Bets", "https://chipsandtruths.com/craps/house-edge-buy-bets/"
    ),
    "chips-field": Source(
        "Chips & Truths", "Craps House Edge Field Bet", "https://chipsandtruths.com/craps/house-edge-field-bet/"
    ),
    "crapsanalyst": Source(
        "Craps Analyst",
        "How Many Rolls Will Each Craps Shooter Have?",
        "https://crapsanalyst.com/how-many-rolls-will-each-craps-shooter-have",
    ),
    "dealers": Source(
        "Casino Dealers Website",
        "Summary of bets: house %",
        "https://www.casinodealerswebsite.com/-house--summary.html",
    ),
    "diehard": Source(
        "G. Marsaglia, in a listing by drfloob",
        "Diehard: the craps test, expected wins in 200,000 games",
        "https://gist.github.com/drfloob/6924928",
    ),
    "ethier-hoppe": Source(
        "S. N. Ethier and F. M. Hoppe",
        "A world record in Atlantic City and the length of the shooter's hand at craps (Math. Intelligencer 32, 2010)",
        "https://arxiv.org/abs/0906.1545",
    ),
    "goatcabin": Source(
        "goatcabin", "Two million players (2010)", "https://wizardofvegas.com/member/goatcabin/blog/2/"
    ),
    "grochowski-buy": Source(
        "J. Grochowski",
        "Decreasing the House Edge on the 4 and 10 in Craps (2002)",
        TIMES + "john-grochowski/article/decreasing-the-house-edge-on-the-4-and-10-in-craps-823",
    ),
    "grochowski-odds": Source(
        "J. Grochowski",
        "The odds at craps is a great bet (2013)",
        TIMES + "john-grochowski/article/the-odds-at-craps-is-a-great-bet-61748",
    ),
    "grochowski-put": Source("J. Grochowski", "Put bets (2018)", TIMES + "john-grochowski/article/put-bets-66393"),
    "grochowski-theories": Source(
        "J. Grochowski", "Craps Theories (2002)", TIMES + "john-grochowski/article/craps-theories-5682"
    ),
    "grochowski-wealth": Source(
        "J. Grochowski",
        "Craps Offers Players a Wealth of Betting Options (2001)",
        TIMES + "john-grochowski/article/craps-offers-players-a-wealth-of-betting-options-840",
    ),
    "homepoker": Source("Home Poker Games", "Craps Odds", "http://www.homepokergames.com/craps-odds.php"),
    "krigman-lay": Source(
        "A. Krigman",
        "Should you lay odds on Don't Pass and Don't Come bets at craps? (2011)",
        TIMES + "alan-krigman/article/should-you-lay-odds-on-dont-pass-and-dont-come-bets-at-craps-59919",
    ),
    "krigman-props": Source(
        "A. Krigman",
        "Proposition Bets at Craps Are Appealing Despite the High Edge (2000)",
        TIMES + "alan-krigman/article/proposition-bets-at-craps-are-appealing-despite-the-high-edge-5537",
    ),
    "pilarski": Source(
        "M. Pilarski", "Leftovers from last week (2006)", TIMES + "mark-pilarski/article/leftovers-from-last-week-28149"
    ),
    "sportsgeek": Source(
        "The Sports Geek",
        "Examining Craps Odds and the House Edge",
        "https://www.thesportsgeek.com/blog/craps-house-edge/",
    ),
    "stickman": Source(
        "J. Stich",
        "Odds of Winning the Fire Bet (2013)",
        TIMES + "jerry-stickman/article/odds-of-winning-the-fire-bet-62190",
    ),
    "tunica": Source(
        "Tunica Travel",
        "The Fire Bet at Craps (2012)",
        "https://tunicatravel.com/blog/2012/04/the-fire-bet-at-craps/",
    ),
    "wizard-ask": Source(
        "M. Shackleford",
        "Ask the Wizard: Craps - Probability",
        "https://wizardofodds.com/ask-the-wizard/craps/probability/",
    ),
    "wizard-bonus": Source(
        "M. Shackleford", "Bonus Craps", "https://wizardofodds.com/games/craps/side-bets/bonus-craps/"
    ),
}


def odds_multiples(times: int) -> dict[str, Any]:
    return {"odds_take": dict.fromkeys(("4", "5", "6", "8", "9", "10"), times)}


# The houses of the figures. They use the pay tables of their books and 3-4-5x odds unless an option says otherwise.
HOUSES: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "maryland": ("maryland", {}),
    "new_jersey": ("new_jersey", {}),
    "rws": ("rws", {}),
    "south_dakota": ("south_dakota", {}),
    "win_line": ("win_line", {}),
    "1x": ("maryland", odds_multiples(1)),
    "2x": ("maryland", odds_multiples(2)),
    "3x": ("maryland", odds_multiples(3)),
    "5x": ("maryland", odds_multiples(5)),
    "10x": ("maryland", odds_multiples(10)),
    "100x": ("maryland", odds_multiples(100)),
    "put-5x": ("south_dakota", odds_multiples(5)),
    "put-10x": ("south_dakota", odds_multiples(10)),
    "put-20x": ("south_dakota", odds_multiples(20)),
    "put-100x": ("south_dakota", odds_multiples(100)),
    "vig-on-win": ("new_jersey", {"vig_timing": {"buy": "on_win"}}),
    "vig-of-4-on-win": ("new_jersey", {"vig_timing": {"buy": "on_win"}, "vig_bp": 400}),
    "triple-12": ("new_jersey", {"paytable": {"field12": "3 to 1"}}),
    **{f"hard-hop-{pays}": ("south_dakota", {"paytable": {"hop_hard": f"{pays} to 1"}}) for pays in range(29, 34)},
    **{f"easy-hop-{pays}": ("south_dakota", {"paytable": {"hop_easy": f"{pays} to 1"}}) for pays in range(14, 17)},
}

# The quantities that figures are about. House edges and chances are in percent unless the name says otherwise.
MEASURES: Final[dict[str, Callable[[WagerOdds], Fraction]]] = {
    "edge": lambda found: -100 * found.edge,
    "edge with odds": lambda found: -100 * found.edge,
    "edge resolved": lambda found: -100 * found.edge_per_resolved,
    "win": lambda found: 100 * found.win_chance,
    "lose": lambda found: 100 * found.lose_chance,
    "push": lambda found: 100 * found.push_chance,
    "chance": lambda found: found.win_chance,
    "odds against": lambda found: found.lose_chance / found.win_chance,
    "wins in 200,000": lambda found: 200_000 * found.win_chance,
    "return with odds": lambda found: found.mean_cents / found.stake_cents,
    "deviation with odds": lambda found: Fraction(sqrt(found.variance_cents2)) / found.stake_cents,
}


class Figure(NamedTuple):
    """A published number: its source, and the house, wager and quantity that it is about."""

    source: str
    house: str
    spot: str
    measure: str
    printed: str


def figures(source: str, house: str, measure: str, printed: dict[str, str]) -> list[Figure]:
    return [Figure(source, house, spot, measure, number) for spot, number in printed.items()]


FIGURES: Final = [
    # Line bets alone and with odds.
    *figures("dealers", "new_jersey", "edge", {"pass": "1.41", "come": "1.41"}),
    *figures("dealers", "new_jersey", "edge", {"dont_pass": "1.36", "dont_come": "1.36"}),
    *figures("dealers", "new_jersey", "odds against", {"pass": "1.02869", "dont_pass": "1.02845"}),
    Figure("dealers", "1x", "pass", "edge with odds", "0.848"),
    Figure("dealers", "2x", "pass", "edge with odds", "0.606"),
    Figure("dealers", "win_line", "pass", "edge with odds", "0.606"),
    Figure("dealers", "3x", "pass", "edge with odds", "0.471"),
    Figure("dealers", "rws", "pass", "edge with odds", "0.374"),
    Figure("grochowski-odds", "1x", "pass", "edge with odds", "0.8"),
    Figure("grochowski-odds", "2x", "pass", "edge with odds", "0.6"),
    Figure("grochowski-odds", "5x", "pass", "edge with odds", "0.3"),
    Figure("grochowski-odds", "10x", "pass", "edge with odds", "0.2"),
    Figure("grochowski-odds", "100x", "pass", "edge with odds", "0.02"),
    Figure("wizard-ask", "maryland", "pass", "return with odds", "-0.014141"),
    Figure("wizard-ask", "maryland", "pass", "deviation with odds", "4.915632"),
    *figures("wizard-ask", "south_dakota", "edge resolved", {"pass": "1.41", "dont_pass": "1.40"}),
    Figure("catlin-laying", "maryland", "dont_pass", "edge", "1.364"),
    Figure("catlin-laying", "maryland", "dont_pass", "edge resolved", "1.40"),
    Figure("goatcabin", "win_line", "pass", "edge", "1.414"),
    Figure("grochowski-theories", "rws", "pass", "win", "49.3"),
    Figure("diehard", "rws", "pass", "wins in 200,000", "98585.858586"),
    Figure("krigman-lay", "new_jersey", "dont_pass", "win", "47.9"),
    Figure("krigman-lay", "new_jersey", "dont_pass", "lose", "49.3"),
    Figure("krigman-lay", "new_jersey", "dont_pass", "push", "2.8"),
    # Place, buy, lay and put bets.
    *figures(
        "homepoker", "maryland", "edge",
        {"pass": "1.41", "dont_pass": "1.36", "come": "1.41", "dont_come": "1.36", "place:4": "6.67",
         "place:10": "6.67", "place:5": "4.00", "place:9": "4.00", "place:6": "1.52", "place:8": "1.52",
         "place_lose:4": "3.03", "place_lose:10": "3.03", "buy:4": "4.76", "buy:10": "4.76", "buy:5": "4.76",
         "buy:9": "4.76", "buy:6": "4.76", "buy:8": "4.76"},
    ),
    *figures(
        "homepoker", "maryland", "win",
        {"place:4": "33.3", "place:5": "40.0", "place:6": "45.5", "place_lose:4": "66.7", "place_lose:5": "60.0"},
    ),
    *figures(
        "sportsgeek", "rws", "edge",
        {"lay:4": "2.44", "lay:10": "2.44", "lay:5": "3.23", "lay:9": "3.23", "buy:4": "4.76", "place:6": "1.52"},
    ),
    Figure("chips-buy", "new_jersey", "buy:4", "edge", "4.76"),
    Figure("chips-buy", "vig-on-win", "buy:4", "edge", "1.67"),
    Figure("chips-buy", "vig-on-win", "buy:10", "edge", "1.67"),
    Figure("grochowski-buy", "vig-of-4-on-win", "buy:4", "edge", "1.3"),
    Figure("grochowski-buy", "vig-of-4-on-win", "buy:10", "edge", "1.3"),
    *figures(
        "grochowski-put", "south_dakota", "edge",
        {"put:4": "33.3", "put:10": "33.3", "put:5": "20", "put:9": "20", "put:6": "9.1", "put:8": "9.1"},
    ),
    Figure("grochowski-put", "put-5x", "put:6", "edge with odds", "1.52"),
    Figure("grochowski-put", "put-10x", "put:8", "edge with odds", "0.83"),
    Figure("grochowski-put", "put-20x", "put:6", "edge with odds", "0.43"),
    Figure("grochowski-put", "put-100x", "put:8", "edge with odds", "0.09"),
    *figures("grochowski-wealth", "south_dakota", "edge", {"big6": "9.09", "big8": "9.09", "place:6": "1.52"}),
    # One-roll bets and hardways.
    *figures(
        "pilarski", "new_jersey", "edge", {"hard:4": "11.1", "hard:10": "11.1", "hard:6": "9.09", "hard:8": "9.09"}
    ),
    *figures(
        "krigman-props", "maryland", "edge",
        {"craps2": "13.9", "craps3": "11.1", "any7": "16.7", "yo": "11.1", "craps12": "13.9", "any_craps": "11.1",
         "hop:3-5": "11.1", "hop:1-4": "11.1", "hop:2-4": "11.1"},
    ),
    Figure("grochowski-theories", "south_dakota", "craps12", "edge", "13.89"),
    Figure("chips-field", "new_jersey", "field", "edge", "5.56"),
    Figure("chips-field", "triple-12", "field", "edge", "2.78"),
    Figure("bestonline", "hard-hop-29", "hop:2-2", "edge", "16.67"),
    Figure("bestonline", "hard-hop-30", "hop:2-2", "edge", "13.89"),
    Figure("bestonline", "hard-hop-31", "hop:3-3", "edge", "11.11"),
    Figure("bestonline", "hard-hop-32", "hop:4-4", "edge", "8.33"),
    Figure("bestonline", "hard-hop-33", "hop:5-5", "edge", "5.56"),
    Figure("bestonline", "easy-hop-14", "hop:1-3", "edge", "16.67"),
    Figure("bestonline", "easy-hop-15", "hop:2-4", "edge", "11.11"),
    Figure("bestonline", "easy-hop-16", "hop:1-5", "edge", "5.56"),
    # Fire and bonus bets.
    Figure("tunica", "new_jersey", "fire", "edge", "21"),
    Figure("stickman", "maryland", "fire", "lose", "98.94"),
    *figures("wizard-bonus", "maryland", "chance", {"small": "0.026354", "tall": "0.026354", "all": "0.005258"}),
    *figures("wizard-bonus", "maryland", "edge", {"small": "7.76", "tall": "7.76", "all": "7.46"}),
]  # fmt: skip


@cache
def exact_odds(house: str, spot: str, odds: bool) -> WagerOdds:
    book, options = HOUSES[house]
    return wager_odds(House(load_book(book), options), Spot.parse(spot), full_odds=odds)


def label(value: tuple[object, ...]) -> str:
    return " ".join(map(str, value))


@pytest.mark.parametrize("figure", FIGURES, ids=label)
def test_published_odds(figure: Figure) -> None:
    found = exact_odds(figure.house, figure.spot, figure.measure.endswith("with odds"))
    exact = MEASURES[figure.measure](found)
    assert matches_printed(exact, figure.printed), (float(exact), SOURCES[figure.source])


def test_figures_are_distinct_and_every_source_is_used() -> None:
    assert len(set(FIGURES)) == len(FIGURES)
    used = {figure.source for figure in FIGURES} | {source for source, *_ in (*BONUS_PAYS, *POINTS, *HANDS)}
    assert used == set(SOURCES)


# Maryland fixes the payouts of the bonus bets. For other pay tables only the win chance comes from the engine.
BONUS_PAYS: Final = [
    ("wizard-bonus", "small", 30, "18.3029"), ("wizard-bonus", "tall", 30, "18.3029"),
    ("wizard-bonus", "small", 34, "7.76"), ("wizard-bonus", "all", 150, "20.6087"),
    ("wizard-bonus", "all", 155, "17.98"), ("wizard-bonus", "all", 160, "15.35"),
    ("wizard-bonus", "all", 165, "12.72"), ("wizard-bonus", "all", 170, "10.09"),
    ("wizard-bonus", "all", 175, "7.46"),
]  # fmt: skip


@pytest.mark.parametrize("row", BONUS_PAYS, ids=label)
def test_bonus_bets_with_other_pay_tables(row: tuple[str, str, int, str]) -> None:
    source, spot, pays, printed = row
    win = exact_odds("maryland", spot, False).win_chance
    edge = 100 * (1 - win - win * pays)
    assert matches_printed(edge, printed), (float(edge), SOURCES[source])


@cache
def distinct_points_chances() -> tuple[Fraction, ...]:
    """Return the chances that a hand makes 0, 1, ... 6 distinct points, by following a fire bet to its end."""
    dealer = Dealer(TableRules(House(load_book("new_jersey"))))
    start: tuple[Phase, Wager] = (0, Wager(Spot("fire"), Cents(100)))

    def step(state: tuple[Phase, Wager]) -> Iterable[Transition[tuple[Phase, Wager]]]:
        puck, held = state
        for roll, chance in FAIR_DICE:
            after = dealer.settle(held, puck, roll)[0].wager_after
            counts = tuple(int(after is None and len(held.marks) == count) for count in range(7))
            yield Transition(
                chance, counts, None if after is None else (dealer.rules.puck_after(puck, roll.total), after)
            )

    return expected_totals(explore(start, step))[start]


# Chances of a number of distinct points in a hand, as a fraction of 1 or in percent.
POINTS: Final = [
    ("catlin-fire", 0, "chance", "0.593939393939"), ("catlin-fire", 1, "chance", "0.260750492004"),
    ("catlin-fire", 2, "chance", "0.101275355549"), ("catlin-fire", 3, "chance", "0.033434212179"),
    ("catlin-fire", 4, "chance", "0.008798178440"), ("stickman", 0, "percent", "59"), ("stickman", 1, "percent", "26"),
    ("stickman", 2, "percent", "10"), ("stickman", 4, "percent", "0.88"),
]  # fmt: skip


@pytest.mark.parametrize("row", POINTS, ids=label)
def test_distinct_points_in_a_hand(row: tuple[str, int, str, str]) -> None:
    source, count, how, printed = row
    chance = distinct_points_chances()[count]
    exact = {"chance": chance, "percent": 100 * chance}[how]
    assert matches_printed(exact, printed), (float(exact), SOURCES[source])


def test_distinct_points_give_the_edge_of_the_fire_bet() -> None:
    """The chances above must also give the edges that the engine finds for the fire bet."""
    chances = distinct_points_chances()
    assert sum(chances) == 1
    for table, pays in (("A", (24, 249, 999)), ("B", (39, 199, 499))):
        won = sum(chance * (1 + net) for chance, net in zip(chances[4:], pays, strict=True))
        assert wager_odds(House(load_book("new_jersey"), {"fire_table": table}), Spot("fire")).edge == won - 1


@cache
def shooter_hand() -> tuple[ShooterHand, tuple[Fraction, ...]]:
    """Return a hand and the chances that it has at least 1, 2, ... 400 rolls."""
    chain = ShooterHand(House(load_book("new_jersey")))
    return chain, tuple(islice(chain.survival_chances(), 400))


LENGTHS: Final[dict[str, Callable[[ShooterHand, tuple[Fraction, ...]], Fraction]]] = {
    "mean": lambda chain, _: chain.summary().mean_rolls,
    "median": lambda _, survival: Fraction(sum(chance > Fraction(1, 2) for chance in survival)),
    "154 rolls, times 10^9": lambda _, survival: 10**9 * survival[153],
    "154 rolls, inverse, in 10^9": lambda _, survival: 1 / survival[153] / 10**9,
    "no points": lambda chain, _: chain.points_made_chances(0)[0],
    "limit of the chance of one more roll": lambda _, survival: survival[-1] / survival[-2],
}

HANDS: Final = [
    ("catlin-rolls", "mean", "8.526"), ("crapsanalyst", "mean", "8.53"), ("crapsanalyst", "median", "6"),
    ("ethier-hoppe", "mean", "1671/196"), ("ethier-hoppe", "mean", "8.525510"),
    ("ethier-hoppe", "154 rolls, times 10^9", "0.178882426"),
    ("ethier-hoppe", "154 rolls, inverse, in 10^9", "5.6"),
    ("ethier-hoppe", "154 rolls, inverse, in 10^9", "5.59"),
    ("ethier-hoppe", "154 rolls, inverse, in 10^9", "5.590264072"),
    ("ethier-hoppe", "limit of the chance of one more roll", "0.862473751659322030"),
    ("catlin-fire", "no points", "0.593939393939"),
]  # fmt: skip


@pytest.mark.parametrize("row", HANDS, ids=label)
def test_published_hand_lengths(row: tuple[str, str, str]) -> None:
    source, what, printed = row
    exact = LENGTHS[what](*shooter_hand())
    assert matches_printed(exact, printed), (float(exact), SOURCES[source])


# Ethier and Hoppe's closed form of the chance of at least n rolls: a sum of c * e ** (n - 1), with c and e as printed.
CLOSED_FORM: Final = (
    ("1.211844812464518572", "0.862473751659322030"),
    ("-0.006375542263784777", "0.741708271459795977"),
    ("-0.004042671248651503", "0.709206775794379015"),
    ("-0.201426598952082292", "0.186611201086502979"),
)


def test_closed_form_of_the_hand_length() -> None:
    terms = [(Fraction(c), Fraction(e)) for c, e in CLOSED_FORM]
    for before, exact in enumerate(shooter_hand()[1]):
        closed_form = sum(c * e**before for c, e in terms)
        assert abs(exact - closed_form) < Fraction(1, 10**17), before + 1
