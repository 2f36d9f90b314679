"""Random play for property tests: actions drawn without regard to whether they are lawful."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from trueodds.dice import ROLLS
from trueodds.money import Cents
from trueodds.rulebook import Spot, book_ids, load_book
from trueodds.table import (
    AcceptDice,
    Action,
    Bet,
    CallWager,
    Choice,
    DeclineDice,
    DeclineLine,
    Join,
    Leave,
    OpenTable,
    OrderPass,
    PassDice,
    Press,
    Reduce,
    Sit,
    Stand,
    Table,
    TakeDown,
    Throw,
)

PLAYERS = ("A", "B", "C")
SPOTS = sorted(
    {spot for book in book_ids() for text in load_book(book).wagers.values() for spot in text.spots()}
    | {Spot("come", (7,)), Spot("hop", (1, 1)), Spot("roulette"), Spot("pass", (6,)), Spot("place")}
)
LINE = [Spot("pass"), Spot("dont_pass"), Spot("come"), Spot("dont_come")]
ODDS = [Spot(f"{base}_odds") for base in ("pass", "dont_pass", "come", "dont_come", "put")]
STAKES = [1, 7, 50, 99, 100, 120, 150, 500, 600, 1000, 1100, 1200, 2000, 2500, 3000, 5000, 6000, 10_000, 10**7, 10**14]
TAGS = [str(number) for number in range(1, 13)] + ["3.a", "3.b", "none"]
IRREGULAR = ["off_table", "no_end_wall", "on_chips", "dispute", "ricochet"]
STAFF = ["boxperson", "dealer", "floorperson", "stickperson", "player"]

player = st.sampled_from([*PLAYERS, "nobody"])
stake = st.sampled_from(STAKES).map(Cents)
tag = st.sampled_from(TAGS)
timing = st.sampled_from(["open", "open", "open", "in_air", "after_rest"])
confirmed_by = st.lists(st.sampled_from(STAFF), max_size=3).map(tuple)
roll = st.sampled_from(ROLLS)
spot = st.sampled_from(SPOTS) | st.sampled_from(LINE) | st.sampled_from(ODDS)

plain_bets = st.tuples(st.sampled_from(PLAYERS), spot, stake, st.none() | tag).map(lambda drawn: Bet(*drawn))
odd_bets = st.tuples(
    player, spot, stake, st.none() | tag, st.none() | tag,
    st.sampled_from(["chips", "verbal_cash", "match_play", "credit"]), st.booleans(), timing, confirmed_by,
).map(lambda drawn: Bet(*drawn))  # fmt: skip
throws = st.builds(Throw, roll)
odd_throws = st.builds(
    Throw, roll, st.none() | player, st.none() | st.sampled_from(IRREGULAR), st.none() | st.sampled_from(STAFF),
    st.none() | st.sampled_from(["void", "face"]), st.none() | st.tuples(st.integers(0, 1), st.integers(1, 6)),
)  # fmt: skip
changes: st.SearchStrategy[Action] = st.one_of(
    st.builds(TakeDown, player, tag, timing),
    st.builds(Reduce, player, tag, stake, timing),
    st.builds(Press, player, tag, stake, timing, confirmed_by),
    st.builds(CallWager, player, tag, st.sampled_from(["on", "off"])),
)
people: st.SearchStrategy[Action] = st.one_of(
    st.builds(Sit, player),
    st.builds(Stand, player),
    st.builds(Join, st.sampled_from([*PLAYERS, "D", "E"]), st.none() | st.integers(0, 4)),
    st.builds(Leave, player),
    st.builds(OpenTable),
    st.builds(AcceptDice, player),
    st.builds(DeclineDice, player),
    st.builds(PassDice, player),
    st.builds(OrderPass, st.sampled_from(STAFF), st.sampled_from(["delay", "violation", "whim"])),
    st.builds(DeclineLine, player),
)
action: st.SearchStrategy[Action] = st.one_of(
    plain_bets, throws, plain_bets, throws, odd_bets, odd_throws, changes, people
)
actions = st.lists(action, max_size=60)

HOUSES: list[tuple[str, dict[str, Any]]] = [
    *((book, {}) for book in book_ids()),
    ("maryland", {"game": "mini_craps", "bonus_window": "any_come_out", "bonus_removal": "allow"}),
    ("maryland", {"vig_timing": {"buy": "on_win", "lay4": "on_win"}, "vig_refund": False, "call_scope": "roll"}),
    ("maryland", {"pay_unit": 100, "unpayable": "round_up", "fire_ends_on": "any_7", "horn_high_area": False}),
    ("new_jersey", {"game": "mini_craps", "after_win": "up", "pay_unit": 100, "chip_unit": 100}),
    ("new_jersey", {"game": "automated_craps", "fire_successor_points": "freeze", "call_scope": "until_changed"}),
    ("new_jersey", {"odds_take": {"4": 100, "6": 1}, "odds_lay": {"5": 1}, "pay_unit": 500, "chip_unit": 100}),
    ("south_dakota", {"put_removable": True, "whirl_area": False, "unpayable": "refuse"}),
    ("win_line", {"odds_offered": ["pass_odds", "dont_pass_odds", "come_odds", "dont_come_odds"]}),
    ("rws", {"contract_from": "point", "dont_bar_result": "returned", "after_win": "up"}),
]
houses = st.sampled_from(HOUSES)


def ends(choice: Choice) -> list[Cents]:
    """The least and the most a choice takes."""
    if choice.stakes is None:
        return [Cents(1)]
    least, most = choice.stakes.least, choice.stakes.most
    return [least] if most is None else [least, most]


def as_action(player: str, choice: Choice, stake: Cents) -> Action:
    """What doing a choice at a stake is; a roll is any roll."""
    return Throw(ROLLS[0], player) if choice.do == "roll" else choice.action(player, stake)


def lawful_action(table: Table, random: Random) -> Action:
    """Pick something a player may do, or throw; a throw is as likely as everything else together."""
    custody = table.position.custody
    if custody is not None and custody.shooter is None:
        return AcceptDice(custody.offer_to) if custody.offer_to else OpenTable()
    if random.random() < 0.45:
        return Throw(random.choice(ROLLS))
    if custody is not None and custody.shooter and random.random() < 0.1:
        return PassDice(custody.shooter) if random.random() < 0.5 else DeclineLine(custody.shooter)
    player = random.choice(table.position.seats).player
    choice = random.choice([one for one in table.legal_actions(player) if one.spot is not None])
    if choice.stakes is None:
        return as_action(player, choice, Cents(1))
    least, most, step, _ = choice.stakes
    steps = 20 if most is None else min(20, (most - least) // step)
    return as_action(player, choice, Cents(least + step * random.randint(0, steps)))
