"""Edge cases of the engine: malformed input, events of other positions, copies, huge stakes, people who leave."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from support.houses import BOOKS, book_default_table
from trueodds.craps_table import Table
from trueodds.dice import DiceError, Roll
from trueodds.money import MAX_STAKE_CENTS, Cents, MoneyError
from trueodds.rulebook import BookError, House, Spot, SpotError, load_book
from trueodds.table import (
    AcceptDice,
    ActionError,
    Bet,
    BetMade,
    CachedDealer,
    DeclineDice,
    DeclineLine,
    Join,
    Leave,
    OpenTable,
    OrderPass,
    PlayerJoined,
    Position,
    Press,
    Reduce,
    RefusalCode,
    Refused,
    RollDice,
    Rolled,
    Seat,
    SeatingChanged,
    Stand,
    TaggedWager,
    TakeDown,
    ToggleBet,
    apply_event,
    money_movements,
    player_situation,
)
from trueodds.table.apply_event import EventError
from trueodds.table.position import PositionError
from trueodds.table.verify_bet import verify_bet
from trueodds.wagers import OddsBet, TableRules, Wager

NONSENSE: list[Any] = [None, "", 3.5, [], {}, object(), b"x", float("nan"), "\n", "x" * 100]
PASS = Spot("pass")


@pytest.mark.parametrize("value", NONSENSE, ids=lambda value: type(value).__name__)
def test_no_part_of_an_action_takes_nonsense(value: Any) -> None:
    makers: list[Any] = [
        lambda: Bet(value, PASS, Cents(100)),
        lambda: Bet("A", value, Cents(100)),
        lambda: Bet("A", PASS, value),
        lambda: Bet("A", PASS, Cents(100), tender=value),
        lambda: Bet("A", PASS, Cents(100), timing=value),
        lambda: Bet("A", PASS, Cents(100), confirmed_by=(value,)),
        lambda: TakeDown(value, "t"),
        lambda: TakeDown("A", value),
        lambda: Reduce("A", "t", value),
        lambda: Press("A", "t", value),
        lambda: Press("A", "t", Cents(5), confirmed_by=(value,)),
        lambda: ToggleBet("A", "t", value),
        lambda: RollDice(value),
        lambda: Join(value),
        lambda: Leave(value),
        lambda: AcceptDice(value),
        lambda: OrderPass(value, "delay"),
        lambda: OrderPass("boxperson", value),
        lambda: Roll(value, 1),
        lambda: Roll.parse(value),
        lambda: Spot.parse(value),
    ]
    if value is not None:
        makers += [
            lambda: Bet("A", PASS, Cents(100), tag=value),
            lambda: Bet("A", PASS, Cents(100), base_tag=value),
            lambda: RollDice(Roll(3, 4), irregularity=value),
            lambda: RollDice(Roll(3, 4), ruling=value),
            lambda: RollDice(Roll(3, 4), cocked=value),
            lambda: Join("A", value),
        ]
    for make in makers:
        with pytest.raises((ActionError, MoneyError, DiceError, SpotError)):
            make()


def test_what_is_no_action_and_what_is_no_event() -> None:
    table = book_default_table("new_jersey")
    anything: Any = 7
    for ask in (table.verify, table.can, table.do):
        with pytest.raises(ActionError, match="expected an action"):
            ask(anything)
    with pytest.raises(EventError, match="expected an event"):
        apply_event(table.position, anything)


def test_a_changed_copy_is_checked_like_the_first() -> None:
    with pytest.raises(MoneyError):
        replace(Bet("A", Spot("pass_odds"), Cents(100)), stake_cents=Cents(-100))
    with pytest.raises(DiceError):
        Roll(3, 4)._replace(first=40)


def test_events_of_another_position_do_not_fold() -> None:
    table = book_default_table("new_jersey", players=("A", "B"))
    (made,) = table.bet("A", "pass", 10, tag="p")
    table.bet("B", "field", 10, tag="f")
    before = table.position
    (rolled, *_) = table.roll("3-4")
    assert isinstance(rolled, Rolled)
    assert isinstance(made, BetMade)
    for wrong in (
        replace(rolled, settled=rolled.settled[::-1]),
        replace(rolled, settled=rolled.settled[:1]),
        replace(rolled, settled=rolled.settled * 2),
        replace(made, player="C"),
        SeatingChanged("C", True),
    ):
        with pytest.raises(EventError):
            apply_event(before, wrong)
    alike: list[Any] = [PlayerJoined("A", 0), SeatingChanged("A", False)]
    assert alike[0] != alike[1]


def test_tags_are_unique_also_for_what_a_bet_is_broken_down_into() -> None:
    table = book_default_table("new_jersey")
    table.bet("A", "whirl", 5, tag="w")
    with pytest.raises(Refused) as caught:
        table.bet("A", "whirl", 5, tag="w")
    assert caught.value.code is RefusalCode.TAG_IN_USE
    table.bet("A", "field", 5, tag="4.a")
    table.bet("A", "whirl", 5)
    table.bet("A", "field", 5, tag="6")
    table.bet("A", "field", 5)
    tags = [tag for entry in table.position.seats[0].wagers for tag in (entry.tag, *entry.odds_tags)]
    assert len(set(tags)) == len(tags)


def test_markers_are_gone_with_the_last_bet_of_their_kind() -> None:
    options = {"bonus_removal": "allow", "bonus_window": "any_come_out"}
    table = book_default_table("maryland", options)
    table.bet("A", "tall", 1, tag="t")
    table.bet("A", "small", 1, tag="s")
    table.roll("6-6")
    table.do(TakeDown("A", "t"))
    assert list(table.position.markers.bonus) == [12]
    table.do(TakeDown("A", "s"))
    assert not table.position.markers.bonus
    table.bet("A", "tall", 1)
    (event, *_) = table.roll("5-6")
    assert isinstance(event, Rolled)
    assert event.bonus_numbers == (11,)


def test_huge_stakes_and_chips_leave_the_hints_standing() -> None:
    table = book_default_table("maryland")
    table.bet("A", "pass", Decimal(MAX_STAKE_CENTS) / 100)
    assert table.legal_actions("A")
    big = book_default_table("maryland", {"chip_unit": MAX_STAKE_CENTS, "pay_unit": MAX_STAKE_CENTS})
    assert big.layout("A").spots
    assert big.legal_actions("A")


def test_a_book_cannot_be_changed_behind_its_digest() -> None:
    book = load_book("new_jersey")
    terms: Any = book.wagers["field"].terms
    with pytest.raises(TypeError):
        terms["wins"][0]["pays"] = "hop_hard"
    with pytest.raises(TypeError):
        terms["family"] = "line"


@pytest.mark.parametrize("book", BOOKS)
def test_tables_and_everything_under_them_can_be_sent_to_another_process(book: str) -> None:
    table = Table(House(load_book(book), {"min_bet": 500}, unchecked=True), ["A"])
    table.bet("A", "pass", 10)
    for again in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table)):  # noqa: S301  our own bytes
        assert again.position == table.position
        assert again.rules.house == table.rules.house
        assert again.roll("3-4") == Table(table.dealer, position=table.position).roll("3-4")
    with pytest.raises(Refused) as refused:
        table.bet("A", "pass", "0.01")
    again = pickle.loads(pickle.dumps(refused.value))  # noqa: S301  our own bytes
    assert again.refusal == refused.value.refusal
    assert str(pickle.loads(pickle.dumps(BookError("here", "this")))) == "here: this"  # noqa: S301  our own bytes


def test_tables_that_cannot_be_set_up() -> None:
    for players in ("Ann", ["A", "A"]):
        with pytest.raises(PositionError):
            Table("new_jersey", players)
    with pytest.raises(PositionError, match="this game has 9 seats, got 10 players"):
        book_default_table("maryland", {"game": "mini_craps"}, tuple(map(str, range(10))))


def test_an_unknown_player_cannot_roll_and_a_flat_bet_cannot_stand_behind_another() -> None:
    table = book_default_table("new_jersey")
    refusal = table.verify(RollDice(Roll(3, 4), "stranger"))
    assert refusal is not None
    assert refusal.code is RefusalCode.NO_SUCH_PLAYER
    table.bet("A", "pass", 10, tag="p")
    refusal = table.verify(Bet("A", Spot("field"), Cents(100), base_tag="p"))
    assert refusal is not None
    assert refusal.code is RefusalCode.BAD_SELECTION


def test_equal_situations_are_equal_whatever_the_order_of_bets_and_odds() -> None:
    def laid(*odds: int) -> Position:
        wager = Wager(PASS, Cents(1000), odds_bets=tuple(OddsBet("pass_odds", Cents(stake)) for stake in odds))
        return Position(6, "under_way", (Seat("A", True, (TaggedWager("1", wager, ("2", "3")),)),))

    assert player_situation(laid(100, 200), "A") == player_situation(laid(200, 100), "A")
    first, second = TaggedWager("1", Wager(PASS, Cents(5))), TaggedWager("2", Wager(Spot("field"), Cents(5)))
    one, other = (Position(seats=(Seat("A", True, pair),)) for pair in ((first, second), (second, first)))
    assert player_situation(one, "A") == player_situation(other, "A")


def test_cached_bet_answers_depend_on_the_base_is_what_the_verifier_says() -> None:
    """Verify odds behind two flat bets of different size with one dealer."""
    rules = TableRules(House(load_book("maryland"), book_defaults=True))
    table = Table(CachedDealer(rules))
    table.bet("A", "pass", 10, tag="small")
    table.bet("A", "pass", 50, tag="large")
    for dice in ("2-2", "6-6"):
        table.roll(dice)
        for tag in ("small", "large", "none", None):
            for stake in (3000, 3001, 15_000, 15_001):
                for spot in (Spot("pass_odds"), Spot("come"), PASS):
                    bet = Bet("A", spot, Cents(stake), base_tag=tag)
                    assert table.verify(bet) == verify_bet(rules, table.position, bet), (bet, dice)


def test_the_event_of_a_roll_has_the_player_and_the_irregularity() -> None:
    table = book_default_table("new_jersey")
    (event,) = table.do(RollDice(Roll(4, 1), "A", irregularity="cocked_one_side", cocked=(1, 2)))
    assert isinstance(event, Rolled)
    assert (event.player, event.irregularity, event.total) == ("A", "cocked_one_side", 9)
    assert event.sentence == "4-5, 9 (read from 4-1: N.J.A.C. 19:47-1.10(a)1): the point is 9"
    (made,) = table.do(Bet("A", Spot("field"), Cents(500), tender="verbal_cash", confirmed_aloud=True))
    assert isinstance(made, BetMade)
    assert made.tender == "verbal_cash"
    assert sum(sum(moved[1:]) for moved in money_movements(made)) == 0


def test_what_a_player_may_do_with_dice_and_seat_is_listed() -> None:
    table = book_default_table("new_jersey", players=("A", "B"))
    table.do(OpenTable())

    def doing(player: str) -> set[str]:
        return {choice.verb for choice in table.legal_actions(player) if choice.spot is None}

    assert doing("A") == {"accept_dice", "decline_dice", "leave"}
    assert doing("B") == {"leave"}
    table.do(AcceptDice("A"))
    assert doing("A") == {"pass_dice", "decline_line", "leave"}
    table.bet("A", "pass", 10)
    assert doing("A") == {"roll", "pass_dice"}


def test_getting_up_is_listed_where_players_sit() -> None:
    for game, listed in (("craps", False), ("mini_craps", True)):
        table = book_default_table("new_jersey", {"game": game}, players=("A",))
        assert ("stand" in {choice.verb for choice in table.legal_actions("A")}) == listed, game
        table.do(Stand("A"))
        assert {"sit"} == {choice.verb for choice in table.legal_actions("A")} & {"sit", "stand"}, "and down again"


def test_puck_off_corners_when_people_come_and_go() -> None:
    def offered() -> Table:
        table = book_default_table("new_jersey", players=("A", "B", "C"))
        table.do(OpenTable())
        table.do(AcceptDice("A"))
        table.bet("A", "pass", 10)
        table.roll("2-6")
        table.bet("C", "dont_come", 10, tag="d")
        table.roll("1-4")
        table.roll("2-6")
        table.do(DeclineLine("A"))
        return table

    gone = offered()
    gone.do(Leave("A"))
    assert gone.position.custody is not None
    gone.do(DeclineDice("B"))
    assert gone.position.custody.offered_to == "C", "every player is asked"
    lifted = offered()
    lifted.do(TakeDown("C", "d"))
    for player in "BC":
        lifted.do(DeclineDice(player))
    assert lifted.position.custody is not None
    assert lifted.position.custody.mode == "normal", "no come bet is left to decide"
    back = offered()
    back.do(DeclineDice("B"))
    back.do(Leave("B"))
    back.do(Join("B", 1))
    back.do(DeclineDice("C"))
    assert back.position.custody is not None
    assert back.position.custody.offered_to == "B", "who comes back is asked again"


def test_pending_side_bets_survive_a_change_of_shooter_in_the_puck_off_round() -> None:
    table = book_default_table("new_jersey", players=("A", "B"))
    table.do(OpenTable())
    table.do(AcceptDice("A"))
    table.bet("A", "fire", 1)
    table.bet("A", "pass", 10)
    table.roll("2-6")
    table.bet("A", "come", 10)
    table.roll("1-4")
    table.roll("2-6")
    table.do(DeclineLine("A"))
    table.do(AcceptDice("B"))
    assert table.position.custody is not None
    assert table.position.custody.fire_pending
    assert table.position.hand_stage == "new"


def test_breakage_is_a_mixed_number_in_sentences() -> None:
    table = book_default_table("maryland", {"pay_unit": 100})
    table.roll("2-2")
    table.bet("A", "place:6", 10, tag="p")
    (event, *_) = table.roll("3-3")
    assert isinstance(event, Rolled)
    assert event.settled[0].settlement.breakage_cents == Fraction(200, 3)
    assert "breakage 66 2/3 cents" in event.settled[0].sentence


def test_a_bet_on_no_spot_behind_another_is_refused_with_a_clause() -> None:
    table = book_default_table("maryland")
    table.bet("A", "all", 1)
    refusal = table.verify(Bet("A", Spot("hop", (1, 1)), Cents(100), base_tag="1"))
    assert refusal is not None
    assert refusal.code == "bad_selection"
    assert refusal.cite
