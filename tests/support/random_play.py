"""Random actions for property tests. Most of them are drawn without regard to the rules."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from trueodds.craps_table import Table
from trueodds.dice import ROLLS
from trueodds.money import Cents
from trueodds.rulebook import Spot, book_ids, load_book
from trueodds.table import (
    AcceptDice,
    Action,
    Bet,
    DeclineDice,
    DeclineLine,
    Join,
    Leave,
    LegalAction,
    OpenTable,
    OrderPass,
    PassDice,
    Press,
    Reduce,
    RollDice,
    Sit,
    Stand,
    TakeDown,
    ToggleBet,
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
unusual_bets = st.tuples(
    player, spot, stake, st.none() | tag, st.none() | tag,
    st.sampled_from(["chips", "verbal_cash", "match_play", "credit"]), st.booleans(), timing, confirmed_by,
).map(lambda drawn: Bet(*drawn))  # fmt: skip
rolls = st.builds(RollDice, roll)
irregular_rolls = st.builds(
    RollDice, roll, st.none() | player, st.none() | st.sampled_from(IRREGULAR), st.none() | st.sampled_from(STAFF),
    st.none() | st.sampled_from(["void", "face"]), st.none() | st.tuples(st.integers(0, 1), st.integers(1, 6)),
)  # fmt: skip
changes: st.SearchStrategy[Action] = st.one_of(
    st.builds(TakeDown, player, tag, timing),
    st.builds(Reduce, player, tag, stake, timing),
    st.builds(Press, player, tag, stake, timing, confirmed_by),
    st.builds(ToggleBet, player, tag, st.sampled_from(["on", "off"])),
)
seat_and_dice_actions: st.SearchStrategy[Action] = st.one_of(
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
    plain_bets, rolls, plain_bets, rolls, unusual_bets, irregular_rolls, changes, seat_and_dice_actions
)
actions = st.lists(action, max_size=60)

HOUSES: list[tuple[str, dict[str, Any]]] = [
    *((book, {}) for book in book_ids()),
    ("maryland", {"game": "mini_craps", "bonus_window": "any_come_out"}),
    ("maryland", {"vig_timing": {"buy": "on_win", "lay4": "on_win"}, "vig_refund": False, "call_scope": "roll"}),
    ("maryland", {"pay_unit": 100, "unpayable": "round_up", "fire_ends_on": "any_7", "horn_high_area": False}),
    ("new_jersey", {"game": "mini_craps", "after_win": "up", "pay_unit": 100, "chip_unit": 100}),
    ("new_jersey", {"game": "automated_craps", "fire_successor_points": "freeze", "call_scope": "until_changed"}),
    ("new_jersey", {"odds_take": {"4": 100, "6": 1}, "odds_lay": {"5": 1}, "pay_unit": 500, "chip_unit": 100}),
    ("south_dakota", {"put_removable": True, "whirl_area": False, "unpayable": "refuse"}),
    ("win_line", {"odds_offered": ["pass_odds", "dont_pass_odds", "come_odds", "dont_come_odds"]}),
    ("rws", {"comeout_off": ["place", "buy", "lay", "hard", "come_odds"], "after_win": "up"}),
    ("new_jersey", {"dont_replace": "strict", "max_bet": 3000, "odds_max_bet": 2500, "chip_unit": 100}),
    ("maryland", {"max_bet": 2500, "free_vig": "refuse", "vig_unit": 100, "dont_replace": "strict"}),
    ("rws", {"max_bet": 5000, "odds_max_bet": 4000, "vig_unit": 100}),
    ("south_dakota", {"max_bet": 2000, "whirl_area": False, "horn_high_area": False}),
]
houses = st.sampled_from(HOUSES)


def stake_bounds(choice: LegalAction) -> list[Cents]:
    """Return the smallest and the largest stake of a legal action."""
    if choice.stake_range is None:
        return [Cents(1)]
    least, most = choice.stake_range.min_cents, choice.stake_range.max_cents
    return [least] if most is None else [least, most]


def to_action(player: str, choice: LegalAction, stake: Cents) -> Action:
    """Return a legal action at a stake. A roll is some roll."""
    return RollDice(ROLLS[0], player) if choice.verb == "roll" else choice.to_action(player, stake)


def random_legal_action(table: Table, random: Random) -> Action:
    """Return a random legal action. It is a roll almost half of the time."""
    custody = table.position.custody
    if custody is not None and custody.shooter is None:
        return AcceptDice(custody.offered_to) if custody.offered_to else OpenTable()
    if random.random() < 0.45:
        return RollDice(random.choice(ROLLS))
    if custody is not None and custody.shooter and random.random() < 0.1:
        return PassDice(custody.shooter) if random.random() < 0.5 else DeclineLine(custody.shooter)
    player = random.choice(table.position.seats).player
    choice = random.choice([legal for legal in table.legal_actions(player) if legal.spot is not None])
    if choice.stake_range is None:
        return to_action(player, choice, Cents(1))
    least, most, step, _ = choice.stake_range
    steps = 20 if most is None else min(20, (most - least) // step)
    return to_action(player, choice, Cents(least + step * random.randint(0, steps)))
