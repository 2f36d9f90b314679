"""What a boxman grants and refuses, and what is done when nobody does anything."""

from __future__ import annotations

import pytest

from boxes import SEED, Trial
from houses import BOOKS
from trueodds.fair import Proof, verify_roll
from trueodds.journal import Record
from trueodds.service.box import rebuild
from trueodds.service.errors import ServiceRefused
from trueodds.service.pace import Pace
from trueodds.service.wish import read_wish
from trueodds.table import Rolled
from trueodds.table.position import Custody


def proofs(trial: Trial) -> list[Proof]:
    return [
        Proof.from_data(one.body["proof"])
        for one in trial.contents
        if isinstance(one, Record) and one.kind == "revealed"
    ]


@pytest.mark.parametrize("book", BOOKS)
def test_an_evening_alone(book: str) -> None:
    """Sit, bet, roll, leave: the dice are taken with the first roll, and nothing is waited for."""
    trial = Trial(book)
    assert trial.wish("ann", "sit", cents=50_000) == ["Joined", "bought_in", "DiceMoved"]
    assert trial.refused("ann", "roll") == "no_line_bet"
    assert trial.wish("ann", "bet", spot="pass", cents=1000) == ["Made"]
    first = trial.wish("ann", "roll")
    assert first[:3] == ["DiceMoved", "locked", "revealed"]
    for _ in range(30):
        if not any(entry.wager.spot.kind == "pass" for entry in trial.box.table.position.seats[0].entries):
            trial.wish("ann", "bet", spot="pass", cents=1000)
        trial.wish("ann", "roll")
    assert sum(trial.box.table.balances.values()) == 0
    found = proofs(trial)
    rolled = [one.dice for one in trial.contents if isinstance(one, Rolled)]
    assert [one.roll for one in found] == rolled
    assert not [finding for one in found for finding in verify_roll(one)]


def test_nobody_bets_with_chips_that_are_not_there() -> None:
    trial = Trial()
    trial.wish("ann", "sit", cents=1000)
    with pytest.raises(ServiceRefused, match=r"this takes \$20, and there is \$10 in the rack") as no:
        trial.wish("ann", "bet", spot="pass", cents=2000)
    assert no.value.code == "funds"
    assert trial.refused("bob", "bet", spot="pass", cents=1000) == "not_at_table"
    assert trial.refused("ann", "bet", spot="big6", cents=1000) == "not_offered"
    assert trial.refused("ann", "buy_in", cents=10**9) == "buy_in"
    trial.wish("ann", "buy_in", cents=1000)
    trial.wish("ann", "bet", spot="pass", cents=2000)
    assert trial.box.rack("ann") == 0


def test_bets_are_closed_between_lock_and_throw() -> None:
    trial = Trial()
    for player in ("ann", "bob"):
        trial.wish(player, "sit", cents=50_000)
    trial.wish("ann", "bet", spot="pass", cents=1000)
    trial.commit("bob")
    assert trial.wish("ann", "roll") == ["DiceMoved", "locked"]
    for wish, more in (
        ("bet", {"spot": "field", "cents": 500}), ("take_down", {"tag": "1"}), ("roll", {}),
    ):  # fmt: skip
        assert trial.refused("ann", wish, **more) == "closed"
    assert trial.refused("ann", "commit", roll=1, commitment="0" * 64) == "late"
    assert trial.refused("bob", "open", seed="11" * 32) == "wrong_seed"
    assert trial.wish("bob", "open", seed=SEED.hex()) == ["opened", "revealed", "Rolled"]
    assert proofs(trial)[-1].has_outside_seed


def test_nothing_that_is_locked_changes_before_the_throw() -> None:
    """Who could give the dice away now would undo a throw whose seeds are known; a seat is part of the layout, too."""
    trial = Trial()
    trial.wish("ann", "sit", cents=50_000)
    trial.wish("ann", "accept_dice")
    trial.wish("ann", "bet", spot="pass", cents=1000)
    trial.commit("ann")
    assert trial.wish("ann", "roll") == ["locked"]
    locked = trial.box.table.position
    for player, wish, more in (
        ("bob", "sit", {"cents": 50_000}), ("ann", "pass_dice", {}), ("ann", "decline_line", {}),
        ("ann", "decline_dice", {}), ("ann", "call", {"tag": "1", "call": "off"}),
        ("ann", "press", {"tag": "1", "to": 2000}),
    ):  # fmt: skip
        assert trial.refused(player, wish, **more) == "closed"
    assert trial.wish("ann", "buy_in", cents=1000) == ["bought_in"]
    assert trial.box.table.position == locked
    assert trial.wish("ann", "open", seed=SEED.hex()) == ["opened", "revealed", "Rolled"]
    assert trial.wish("bob", "sit", cents=50_000)[0] == "Joined"


def test_who_does_not_open_is_named_and_not_waited_for() -> None:
    trial = Trial()
    for player in ("ann", "bob"):
        trial.wish(player, "sit", cents=50_000)
    trial.wish("ann", "bet", spot="pass", cents=1000)
    trial.commit("bob")
    trial.wish("ann", "roll")
    assert trial.wait() == ["missed", "revealed", "Rolled"]
    assert proofs(trial)[-1].missing == ("bob",)


def test_others_have_time_to_bet() -> None:
    trial = Trial(pace=Pace(between_ms=1000, window_ms=6000))
    trial.wish("ann", "sit", cents=50_000)
    trial.wish("ann", "bet", spot="pass", cents=1000)
    trial.wish("ann", "roll")
    trial.wish("bob", "sit", cents=50_000)
    trial.wish("ann", "bet", spot="field", cents=1000)
    rolled_ms = trial.box.rolled_ms
    if not trial.box.table.position.puck:
        trial.wish("ann", "bet", spot="pass", cents=1000)
    with pytest.raises(ServiceRefused) as no:
        trial.boxman.grant(trial.box, "ann", read_wish("ann", {"wish": "roll"}), rolled_ms + 5_500)
    assert (no.value.code, no.value.wait_ms) == ("pace", 500)


@pytest.mark.parametrize("book", BOOKS)
def test_a_shooter_who_is_away_keeps_nobody_waiting(book: str) -> None:
    """The dice go on by the book, offer after offer, and the log says for whom it was done."""
    trial = Trial(book)
    for player in ("ann", "bob"):
        trial.wish(player, "sit", cents=50_000)
    trial.wish("ann", "accept_dice")
    said = trial.wait()
    assert said[0] == "acted_for_absent"
    assert trial.box.table.position.custody is not None
    assert trial.box.table.position.custody.offer_to == "bob"
    trial.wish("bob", "bet", spot="pass", cents=1000)
    trial.wish("bob", "roll")
    while trial.box.table.position.custody.shooter == "bob":
        trial.wait()
        if len(trial.contents) > 300:
            raise AssertionError("the dice never go on")


def test_leaving_takes_down_what_may_come_down() -> None:
    """A pass bet with a point stays until it is decided; the rest comes down, and then the player is paid out."""
    trial = Trial()
    for player in ("ann", "bob"):
        trial.wish(player, "sit", cents=50_000)
    while not trial.box.table.position.puck:
        for player in ("ann", "bob"):
            if not trial.box.seat(player).entries:  # type: ignore[union-attr]  # they sit
                trial.wish(player, "bet", spot="pass", cents=1000)
        trial.wish("ann", "roll")
    trial.wish("bob", "bet", spot="place:6", cents=1200)
    trial.commit("bob")
    assert trial.wish("bob", "leave") == ["Changed", "withdrawn", "went"]
    assert trial.box.leaving == {"bob"}
    assert trial.refused("bob", "bet", spot="field", cents=500) == "leaving"
    for _ in range(60):
        if trial.box.seat("bob") is None:
            break
        trial.wish("ann", "roll")
    assert trial.box.seat("bob") is None
    assert not trial.box.leaving
    assert trial.box.rack("bob") == 0
    assert sum(trial.box.table.balances.values()) == 0


def test_leaving_while_the_dice_are_on_their_way() -> None:
    """It is granted at once; the throw decides what it decides, and then the player goes like anybody who leaves."""
    trial = Trial()
    for player in ("ann", "bob", "cleo"):
        trial.wish(player, "sit", cents=50_000)
    trial.wish("ann", "bet", spot="pass", cents=1000)
    trial.wish("bob", "bet", spot="place:6", cents=1200)
    for player in ("bob", "cleo"):
        trial.commit(player)
    assert trial.wish("ann", "roll") == ["DiceMoved", "locked"]
    layout = trial.box.table.position
    assert trial.wish("bob", "leave") == ["went"]
    assert trial.wish("cleo", "leave") == ["went"]
    assert trial.wish("cleo", "leave") == []
    assert trial.box.table.position == layout
    trial.wish("bob", "open", seed=SEED.hex())
    trial.wish("cleo", "open", seed=SEED.hex())
    assert not proofs(trial)[-1].missing
    assert [seat.player for seat in trial.box.table.position.seats] == ["ann"]
    assert (trial.box.rack("bob"), trial.box.rack("cleo"), trial.box.leaving) == (0, 0, frozenset())
    assert sum(trial.box.table.balances.values()) == 0


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("wish", ["roll", "accept_dice"])
def test_who_comes_back_to_a_table_that_all_had_left_alone_gets_the_dice(book: str, wish: str) -> None:
    """Everybody was away until nobody was offered the dice any more; whoever asks for them first has them."""
    trial = Trial(book)
    for player in ("ann", "bob"):
        trial.wish(player, "sit", cents=50_000)
        trial.wish(player, "bet", spot="pass", cents=1000)
    while (custody := trial.box.table.position.custody) and (custody.shooter or custody.offer_to):
        trial.wait()
    assert custody is not None
    trial.contents.clear()
    assert trial.wish("bob", wish)[-1] == ("Rolled" if wish == "roll" else "DiceMoved")
    told = [one.body for one in trial.contents if isinstance(one, Record) and one.kind == "acted_for_absent"]
    assert told == [{"player": "ann", "did": "DeclineDice"}]
    if wish == "accept_dice":
        assert trial.box.table.position.custody == Custody(shooter="bob")


def test_a_bet_wakes_a_table_that_all_had_left_alone() -> None:
    trial = Trial()
    trial.wish("ann", "sit", cents=50_000)
    trial.wish("ann", "decline_dice")
    assert trial.boxman.due_ms(trial.box) is None
    assert trial.wish("ann", "bet", spot="pass", cents=1000) == ["Made", "DiceMoved"]
    assert trial.box.table.position.custody == Custody(offer_to="ann")


@pytest.mark.parametrize("back_ms", [3_600_000, 40_000])
def test_a_clock_that_is_set_back_keeps_nobody_waiting(back_ms: int) -> None:
    """Neither for openings, nor for the shooter, nor between two throws."""
    trial = Trial()
    trial.now_ms += 10_000_000
    for player in ("ann", "bob"):
        trial.wish(player, "sit", cents=50_000)
    trial.wish("ann", "bet", spot="pass", cents=1000)
    trial.commit("bob")
    trial.wish("ann", "roll")
    assert trial.boxman.wait_no_longer(trial.box, trial.now_ms - 1000) is None, "a small step changes nothing"
    thrown = trial.boxman.wait_no_longer(trial.box, trial.now_ms - back_ms)
    assert thrown is not None
    box = thrown.box
    later_ms = box.rolled_ms - back_ms
    assert trial.boxman.wait_no_longer(box, later_ms) is not None, "for the shooter"
    if not box.table.position.puck:
        box = trial.boxman.grant(
            box, "ann", read_wish("ann", {"wish": "bet", "spot": "pass", "cents": 1000}), later_ms
        ).box
    again = trial.boxman.grant(box, "ann", read_wish("ann", {"wish": "roll"}), later_ms)
    assert any(isinstance(one, Rolled) for one in again.contents)


def test_who_left_with_nothing_may_come_back() -> None:
    """Leaving is over when the player is gone, also where there was nothing to pay out."""
    trial = Trial()
    trial.wish("ann", "sit", cents=50_000)
    trial.wish("bob", "sit", cents=1000)
    while not trial.box.table.position.puck or not trial.box.seat("bob").entries:  # type: ignore[union-attr]  # bob sits
        if not trial.box.table.position.puck:
            for player in ("ann", "bob"):
                if not trial.box.seat(player).entries:  # type: ignore[union-attr]  # they sit
                    short = 1000 - trial.box.rack(player)
                    if short > 0:
                        trial.wish(player, "buy_in", cents=short)
                    trial.wish(player, "bet", spot="pass", cents=1000)
        trial.wish("ann", "roll")
    if trial.box.rack("bob"):
        trial.wish("bob", "bet", spot="come", cents=trial.box.rack("bob") // 1000 * 1000)
    trial.wish("bob", "leave")
    assert trial.box.leaving == {"bob"}
    for _ in range(200):
        if trial.box.seat("bob") is None:
            break
        if not trial.box.seat("ann").entries:  # type: ignore[union-attr]  # ann sits
            trial.wish("ann", "bet", spot="pass", cents=1000)
        trial.wish("ann", "roll")
    assert trial.box.leaving == frozenset()
    trial.wish("bob", "sit", cents=2000)
    if not trial.box.table.position.puck:
        trial.wish("bob", "bet", spot="pass", cents=1000)


def test_a_box_is_the_fold_of_its_rows() -> None:
    """Rebuilt from the rows alone: while bets are open, between lock and throw, and after it."""
    trial = Trial()
    for player in ("ann", "bob"):
        trial.wish(player, "sit", cents=50_000)
    trial.wish("ann", "bet", spot="pass", cents=1000)
    trial.commit("bob")
    assert rebuild(trial.box.table, trial.rows) == trial.box
    trial.wish("ann", "roll")
    assert trial.box.roll.missing == ("bob",)
    assert rebuild(trial.box.table, trial.rows) == trial.box
    trial.wait()
    trial.wish("bob", "leave")
    assert rebuild(trial.box.table, trial.rows) == trial.box
    assert (trial.box.roll.number, trial.box.rolled_ms > 0) == (2, True)


@pytest.mark.parametrize(
    "data",
    [
        None, [], "roll", {}, {"wish": 3}, {"wish": "win"}, {"wish": "bet"}, {"wish": "bet", "spot": "pass"},
        {"wish": "bet", "spot": "pass", "cents": 0}, {"wish": "bet", "spot": "pass", "cents": 1.5},
        {"wish": "bet", "spot": "pass", "cents": True}, {"wish": "bet", "spot": "", "cents": 100},
        {"wish": "bet", "spot": "x" * 99, "cents": 100}, {"wish": "bet", "spot": "place:x:y", "cents": 100},
        {"wish": "bet", "spot": "pass", "cents": 10**30}, {"wish": "bet", "spot": "pass", "cents": 100, "more": 1},
        {"wish": "call", "tag": "1", "call": "maybe"}, {"wish": "roll", "dice": "3-4"}, {"wish": "leave", 3: 4},
        {"wish": "commit", "commitment": "zz", "roll": 1}, {"wish": "commit", "commitment": "AA" * 32, "roll": 1},
        {"wish": "commit", "commitment": "00" * 32, "roll": -1}, {"wish": "open", "seed": "00"}, {"wish": "sit"},
    ],
)  # fmt: skip
def test_wishes_that_are_none(data: object) -> None:
    with pytest.raises(ServiceRefused) as no:
        read_wish("ann", data)
    assert no.value.code == "malformed"
    assert len(no.value.sentence) <= 300


def test_alone_one_throws_whenever_one_likes() -> None:
    """No window, no least time, and nobody is hurried who keeps nobody waiting."""
    trial = Trial(pace=Pace(between_ms=5_000, window_ms=6_000))
    trial.wish("ann", "sit", cents=50_000)
    for _ in range(5):
        if not trial.box.seat("ann").entries:  # type: ignore[union-attr]  # ann sits
            trial.wish("ann", "bet", spot="pass", cents=1000)
        trial.now_ms -= trial.pace.window_ms + trial.pace.between_ms
        trial.wish("ann", "roll")
    assert trial.boxman.throw_from_ms(trial.box) is None
    assert trial.boxman.due_ms(trial.box) is None
    trial.wish("bob", "sit", cents=50_000)
    assert trial.boxman.throw_from_ms(trial.box) == trial.box.rolled_ms + 6_000
    assert trial.boxman.due_ms(trial.box) is not None


def test_a_table_has_its_own_pace() -> None:
    own = Pace(between_ms=1_000, window_ms=2_000, opening_ms=700, shooter_ms=9_000, offer_ms=4_000)
    trial = Trial(pace=Pace(), notes=(own.to_record(),))
    for player in ("ann", "bob"):
        trial.wish(player, "sit", cents=50_000)
    assert trial.boxman.due_ms(trial.box) == trial.box.since_ms + 4_000
    trial.wish("ann", "accept_dice")
    assert trial.boxman.due_ms(trial.box) == trial.box.since_ms + 9_000
    trial.wish("ann", "bet", spot="pass", cents=1000)
    trial.commit("bob")
    trial.wish("ann", "roll")
    assert trial.boxman.due_ms(trial.box) == trial.box.locked_ms + 700
    trial.wait()
    assert trial.boxman.throw_from_ms(trial.box) == trial.box.rolled_ms + 2_000
    assert rebuild(trial.box.table, trial.rows) == trial.box


def test_who_comes_back_is_not_hurried_for_having_been_away() -> None:
    trial = Trial()
    for player in ("ann", "bob"):
        trial.wish(player, "sit", cents=50_000)
    trial.wish("ann", "accept_dice")
    back_ms = trial.now_ms + 10**7
    assert trial.boxman.due_ms(trial.box, None) is None
    assert trial.boxman.due_ms(trial.box, back_ms) == back_ms + trial.pace.shooter_ms


def test_dice_that_all_declined_are_offered_again() -> None:
    trial = Trial()
    for player in ("ann", "bob"):
        trial.wish(player, "sit", cents=50_000)
    for player in ("ann", "bob"):
        trial.wish(player, "decline_dice")
    custody = trial.box.table.position.custody
    assert custody is not None
    assert (custody.shooter, custody.offer_to) == (None, None)
    assert trial.wait() == ["DiceMoved"]
    custody = trial.box.table.position.custody
    assert custody is not None
    assert custody.offer_to == "ann"


def test_alone_one_takes_the_dice_that_one_declined() -> None:
    trial = Trial()
    trial.wish("ann", "sit", cents=50_000)
    trial.wish("ann", "decline_dice")
    trial.wish("ann", "bet", spot="pass", cents=1000)
    assert "Rolled" in trial.wish("ann", "roll")


def test_mini_craps_is_played_sitting() -> None:
    """Who got up stays a player and may not bet or shoot until seated again."""
    trial = Trial("new_jersey", game="mini_craps")
    trial.wish("ann", "sit", cents=50_000)
    assert trial.wish("ann", "get_up") == ["Seated"]
    assert trial.refused("ann", "bet", spot="pass", cents=1000) == "not_seated"
    assert trial.box.rack("ann") == 50_000
    assert trial.wish("ann", "take_seat") == ["Seated"]
    trial.wish("ann", "bet", spot="pass", cents=1000)
    assert trial.wish("ann", "roll")[-1] == "Rolled"
