"""Malformed things, foreign events, copies and corners: each gets a clear answer and nothing slips through."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction
from typing import Any

import pytest

from houses import BOOKS, plain_table
from trueodds.dice import DiceError, Roll
from trueodds.money import STAKE_LIMIT, Cents, MoneyError
from trueodds.rulebook import BookError, House, Spot, SpotError, load_book
from trueodds.table import (
    AcceptDice,
    ActionError,
    Bet,
    CallWager,
    Code,
    Dealer,
    DeclineDice,
    DeclineLine,
    Entry,
    Join,
    Joined,
    Leave,
    Made,
    OpenTable,
    OrderPass,
    Position,
    Press,
    Reduce,
    Refused,
    Rolled,
    Seat,
    Seated,
    Stand,
    Table,
    TakeDown,
    Throw,
    fold,
    movements,
    situation,
)
from trueodds.table.fold import FoldError
from trueodds.table.legality import verify_bet
from trueodds.table.position import PositionError
from trueodds.wagers import OddsBet, Rules, Wager

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
        lambda: CallWager("A", "t", value),
        lambda: Throw(value),
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
            lambda: Bet("A", PASS, Cents(100), on=value),
            lambda: Throw(Roll(3, 4), irregular=value),
            lambda: Throw(Roll(3, 4), ruling=value),
            lambda: Throw(Roll(3, 4), cocked=value),
            lambda: Join("A", value),
        ]
    for make in makers:
        with pytest.raises((ActionError, MoneyError, DiceError, SpotError)):
            make()


def test_what_is_no_action_and_what_is_no_event() -> None:
    table = plain_table("new_jersey")
    anything: Any = "roll, please"
    for ask in (table.verify, table.can, table.do):
        with pytest.raises(ActionError, match="is no action"):
            ask(anything)
    with pytest.raises(FoldError, match="is no event"):
        fold(table.position, anything)


def test_a_changed_copy_is_checked_like_the_first() -> None:
    with pytest.raises(MoneyError):
        Bet("A", Spot("pass_odds"), Cents(100))._replace(stake=Cents(-100))
    with pytest.raises(DiceError):
        Roll(3, 4)._replace(first=40)


def test_events_of_another_position_do_not_fold() -> None:
    table = plain_table("new_jersey", players=("A", "B"))
    (made,) = table.bet("A", "pass", 1000, tag="p")
    table.bet("B", "field", 1000, tag="f")
    before = table.position
    (rolled, *_) = table.roll("3-4")
    assert isinstance(rolled, Rolled)
    assert isinstance(made, Made)
    for wrong in (
        rolled._replace(settled=rolled.settled[::-1]),
        rolled._replace(settled=rolled.settled[:1]),
        rolled._replace(settled=rolled.settled * 2),
        made._replace(player="C"),
        Seated("C", True),
    ):
        with pytest.raises(FoldError):
            fold(before, wrong)
    alike: list[Any] = [Joined("A", 0), Seated("A", False)]
    assert alike[0] != alike[1]


def test_tags_are_unique_also_for_what_a_bet_is_broken_down_into() -> None:
    table = plain_table("new_jersey")
    table.bet("A", "whirl", 500, tag="w")
    with pytest.raises(Refused) as caught:
        table.bet("A", "whirl", 500, tag="w")
    assert caught.value.code is Code.TAG_IN_USE
    table.bet("A", "field", 500, tag="4.a")
    table.bet("A", "whirl", 500)
    table.bet("A", "field", 500, tag="6")
    table.bet("A", "field", 500)
    tags = [tag for entry in table.position.seats[0].entries for tag in (entry.tag, *entry.odds_tags)]
    assert len(set(tags)) == len(tags)


def test_markers_are_gone_with_the_last_bet_of_their_kind() -> None:
    options = {"bonus_removal": "allow", "bonus_window": "any_come_out"}
    table = plain_table("maryland", options)
    table.bet("A", "tall", 100, tag="t")
    table.bet("A", "small", 100, tag="s")
    table.roll("6-6")
    table.do(TakeDown("A", "t"))
    assert list(table.position.markers.bonus) == [12]
    table.do(TakeDown("A", "s"))
    assert not table.position.markers.bonus
    table.bet("A", "tall", 100)
    (event, *_) = table.roll("5-6")
    assert isinstance(event, Rolled)
    assert event.bonus_marked == (11,)


def test_huge_stakes_and_chips_leave_the_hints_standing() -> None:
    table = plain_table("maryland")
    table.bet("A", "pass", STAKE_LIMIT)
    assert table.legal_actions("A")
    big = plain_table("maryland", {"chip_unit": STAKE_LIMIT, "pay_unit": STAKE_LIMIT})
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
    table = Table(House(load_book(book), {"min_bet": 500}, as_given=True), ["A"])
    table.bet("A", "pass", 1000)
    for again in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table)):  # noqa: S301  our own bytes
        assert again.position == table.position
        assert again.rules.house == table.rules.house
        assert again.roll("3-4") == Table(table.dealer, position=table.position).roll("3-4")
    with pytest.raises(Refused) as refused:
        table.bet("A", "pass", 1)
    again = pickle.loads(pickle.dumps(refused.value))  # noqa: S301  our own bytes
    assert again.refusal == refused.value.refusal
    assert str(pickle.loads(pickle.dumps(BookError("here", "this")))) == "here: this"  # noqa: S301  our own bytes


def test_tables_that_cannot_be_set_up() -> None:
    for players in ("Ann", ["A", "A"]):
        with pytest.raises(PositionError):
            Table("new_jersey", players)
    with pytest.raises(PositionError, match="10 players at 9 seats"):
        plain_table("maryland", {"game": "mini_craps"}, tuple(map(str, range(10))))


def test_a_stranger_does_not_throw_and_a_flat_bet_stands_behind_nothing() -> None:
    table = plain_table("new_jersey")
    refusal = table.verify(Throw(Roll(3, 4), "stranger"))
    assert refusal is not None
    assert refusal.code is Code.NO_SUCH_PLAYER
    table.bet("A", "pass", 1000, tag="p")
    refusal = table.verify(Bet("A", Spot("field"), Cents(100), on="p"))
    assert refusal is not None
    assert refusal.code is Code.BAD_SELECTION


def test_equal_situations_are_equal_whatever_the_order_of_bets_and_odds() -> None:
    def laid(*odds: int) -> Position:
        wager = Wager(PASS, Cents(1000), odds=tuple(OddsBet("pass_odds", Cents(stake)) for stake in odds))
        return Position(6, "under_way", (Seat("A", True, (Entry("1", wager, ("2", "3")),)),))

    assert situation(laid(100, 200), "A") == situation(laid(200, 100), "A")
    first, second = Entry("1", Wager(PASS, Cents(5))), Entry("2", Wager(Spot("field"), Cents(5)))
    one, other = (Position(seats=(Seat("A", True, pair),)) for pair in ((first, second), (second, first)))
    assert situation(one, "A") == situation(other, "A")


def test_what_a_dealer_remembers_is_what_the_verifier_says() -> None:
    """Two flat bets of different size with odds asked for behind each, on one dealer."""
    rules = Rules(House(load_book("maryland"), plain_options=True))
    table = Table(Dealer(rules))
    table.bet("A", "pass", 1000, tag="small")
    table.bet("A", "pass", 5000, tag="large")
    for dice in ("2-2", "6-6"):
        table.roll(dice)
        for tag in ("small", "large", "none", None):
            for stake in (3000, 3001, 15_000, 15_001):
                for spot in (Spot("pass_odds"), Spot("come"), PASS):
                    bet = Bet("A", spot, Cents(stake), on=tag)
                    assert table.verify(bet) == verify_bet(rules, table.position, bet), (bet, dice)


def test_who_throws_and_why_a_throw_counts_are_kept() -> None:
    table = plain_table("new_jersey")
    (event,) = table.do(Throw(Roll(4, 1), "A", irregular="cocked_one_side", cocked=(1, 2)))
    assert isinstance(event, Rolled)
    assert (event.player, event.irregular, event.total) == ("A", "cocked_one_side", 9)
    assert event.sentence == "4-5, 9 (read from 4-1: N.J.A.C. 19:47-1.10(a)1): the point is 9"
    (made,) = table.do(Bet("A", Spot("field"), Cents(500), tender="verbal_cash", confirmed=True))
    assert isinstance(made, Made)
    assert made.tender == "verbal_cash"
    assert sum(sum(moved[1:]) for moved in movements(made)) == 0


def test_what_a_player_may_do_with_dice_and_seat_is_listed() -> None:
    table = plain_table("new_jersey", players=("A", "B"))
    table.do(OpenTable())

    def doing(player: str) -> set[str]:
        return {choice.do for choice in table.legal_actions(player) if choice.spot is None}

    assert doing("A") == {"accept_dice", "decline_dice", "leave"}
    assert doing("B") == {"leave"}
    table.do(AcceptDice("A"))
    assert doing("A") == {"pass_dice", "decline_line", "leave"}
    table.bet("A", "pass", 1000)
    assert doing("A") == {"roll", "pass_dice"}


def test_getting_up_is_listed_where_players_sit() -> None:
    for game, listed in (("craps", False), ("mini_craps", True)):
        table = plain_table("new_jersey", {"game": game}, players=("A",))
        assert ("stand" in {choice.do for choice in table.legal_actions("A")}) == listed, game
        table.do(Stand("A"))
        assert {"sit"} == {choice.do for choice in table.legal_actions("A")} & {"sit", "stand"}, "and down again"


def test_puck_off_corners_when_people_come_and_go() -> None:
    def offered() -> Table:
        table = plain_table("new_jersey", players=("A", "B", "C"))
        table.do(OpenTable())
        table.do(AcceptDice("A"))
        table.bet("A", "pass", 1000)
        table.roll("2-6")
        table.bet("C", "dont_come", 1000, tag="d")
        table.roll("1-4")
        table.roll("2-6")
        table.do(DeclineLine("A"))
        return table

    gone = offered()
    gone.do(Leave("A"))
    assert gone.position.custody is not None
    gone.do(DeclineDice("B"))
    assert gone.position.custody.offer_to == "C", "everybody is asked"
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
    assert back.position.custody.offer_to == "B", "who comes back is asked again"


def test_pending_side_bets_survive_a_change_of_shooter_in_the_puck_off_round() -> None:
    table = plain_table("new_jersey", players=("A", "B"))
    table.do(OpenTable())
    table.do(AcceptDice("A"))
    table.bet("A", "fire", 100)
    table.bet("A", "pass", 1000)
    table.roll("2-6")
    table.bet("A", "come", 1000)
    table.roll("1-4")
    table.roll("2-6")
    table.do(DeclineLine("A"))
    table.do(AcceptDice("B"))
    assert table.position.custody is not None
    assert table.position.custody.fire_pending
    assert table.position.hand == "new"


def test_breakage_is_told_as_a_mixed_number() -> None:
    table = plain_table("maryland", {"pay_unit": 100})
    table.roll("2-2")
    table.bet("A", "place:6", 1000, tag="p")
    (event, *_) = table.roll("3-3")
    assert isinstance(event, Rolled)
    assert event.settled[0].ruling.breakage == Fraction(200, 3)
    assert "breakage 66 2/3 cents" in event.settled[0].sentence


def test_a_bet_on_no_spot_behind_another_is_refused_with_a_clause() -> None:
    table = plain_table("maryland")
    table.bet("A", "all", 100)
    refusal = table.verify(Bet("A", Spot("hop", (1, 1)), Cents(100), on="1"))
    assert refusal is not None
    assert refusal.code == "bad_selection"
    assert refusal.cite
