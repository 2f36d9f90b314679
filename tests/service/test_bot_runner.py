"""Seats that the house runs: when they decide, when they throw, what they buy, what they remember."""

from __future__ import annotations

import pytest

from boxes import Trial
from houses import BOOKS
from trueodds.journal import Record
from trueodds.service.box import rebuild
from trueodds.service.company import company_due_ms, hired
from trueodds.service.pace import Pace
from trueodds.table import Rolled

PACE = Pace(between_ms=500, window_ms=4_000, shooter_ms=30_000, offer_ms=15_000)


def with_bots(*strategies: str, book: str = "new_jersey", cents: int = 100_000) -> Trial:
    """A table with bots b1, b2 and so on, and Ann, who has just sat down."""
    notes = tuple(hired(f"b{number}", name, cents) for number, name in enumerate(strategies, 1))
    trial = Trial(book, PACE, notes)
    trial.wish("ann", "sit", cents=50_000)
    return trial


def stakes(trial: Trial, player: str) -> int:
    return trial.box.table.balances.get(f"layout:{player}", 0)


def play_on(trial: Trial, throws: int) -> None:
    """Let the bots play, Ann declining the dice, until so many throws were made."""
    until = trial.box.roll.number + throws
    for _ in range(throws * 20):
        if trial.box.roll.number >= until:
            return
        custody = trial.box.table.position.custody
        if trial.keep_company() is None and custody is not None and custody.offer_to == "ann":
            trial.wish("ann", "decline_dice")
        trial.now_ms += 1_000
    raise AssertionError("the bots do not go on")


def test_bots_sit_down_first_and_are_written_down() -> None:
    trial = Trial("new_jersey", PACE, (hired("b1", "molly", 70_000), hired("b2", "iron_cross", 80_000)))
    kinds = [row.kind for row in trial.rows]
    assert kinds == ["anchored", "hired", "hired", "joined", "bought_in", "dice_moved", "joined", "bought_in"]
    assert [bot.player for bot in trial.box.bots] == ["b1", "b2"]
    assert trial.box.people == ()
    assert (trial.box.rack("b1"), trial.box.rack("b2")) == (70_000, 80_000)


def test_they_bet_at_once_and_throw_when_others_had_time_to_bet() -> None:
    trial = with_bots("pass_345", "molly")
    assert trial.keep_company() == ["Made", "Made", "DiceMoved"]
    custody = trial.box.table.position.custody
    assert custody is not None
    assert custody.shooter == "b1"
    assert trial.keep_company() is None
    accepted_ms = trial.now_ms
    assert company_due_ms(trial.boxman, trial.box, 0) == accepted_ms + PACE.window_ms
    trial.now_ms = accepted_ms + PACE.window_ms - 1
    assert trial.keep_company() is None
    trial.now_ms += 1
    assert (trial.keep_company() or [])[:3] == ["locked", "revealed", "Rolled"]
    rolled_ms = trial.box.rolled_ms
    assert trial.keep_company(), "they bet again at once"
    assert company_due_ms(trial.boxman, trial.box, 0) == rolled_ms + PACE.window_ms


def test_whoever_sits_down_has_time_to_bet_before_the_first_throw() -> None:
    trial = with_bots("pass_345")
    trial.keep_company()
    awake_ms = trial.now_ms + 60_000
    assert company_due_ms(trial.boxman, trial.box, awake_ms) == awake_ms + PACE.window_ms


def test_nothing_is_done_while_nobody_is_there() -> None:
    trial = with_bots("pass_345")
    assert trial.keep_company(awake_ms=None) is None
    assert company_due_ms(trial.boxman, trial.box, None) is None
    assert trial.boxman.due_ms(trial.box, None) is None
    trial.now_ms += 10**9
    assert trial.boxman.wait_no_longer(trial.box, trial.now_ms, None) is None


def test_they_wait_for_openings_and_promise_nothing() -> None:
    trial = with_bots("pass_345")
    trial.keep_company()
    trial.commit("ann")
    trial.now_ms += PACE.window_ms
    assert trial.keep_company() == ["locked"]
    assert trial.box.roll.missing == ("ann",)
    assert trial.keep_company() is None
    trial.wish("ann", "open", seed=bytes(32).hex())
    play_on(trial, 20)
    promised = {one.body["player"] for one in trial.contents if isinstance(one, Record) and one.kind == "committed"}
    assert promised == {"ann"}


def test_a_strategy_without_a_line_bet_is_no_shooter() -> None:
    """The dice go past it at once, and nobody waits for it."""
    trial = with_bots("iron_cross", "pass_345")
    assert trial.keep_company() == ["Made", "DiceMoved", "DiceMoved"]
    custody = trial.box.table.position.custody
    assert custody is not None
    assert custody.shooter == "b2"


def test_dice_that_no_bot_wants_come_to_somebody() -> None:
    trial = with_bots("iron_cross", "iron_cross")
    trial.keep_company()
    custody = trial.box.table.position.custody
    assert custody is not None
    assert custody.offer_to == "ann"
    assert not trial.keep_company()
    assert trial.keep_company() is None
    trial.wish("ann", "bet", spot="pass", cents=1000)
    trial.wish("ann", "roll")
    while not trial.box.table.position.puck:
        if not stakes(trial, "ann"):
            trial.wish("ann", "bet", spot="pass", cents=1000)
        trial.wish("ann", "roll")
    trial.keep_company()
    assert stakes(trial, "b1") == stakes(trial, "b2") > 0


def test_who_cannot_pay_and_has_nothing_up_buys_in_again() -> None:
    trial = with_bots("pass_345", cents=3_000)
    play_on(trial, 150)
    bought = [
        one.body["cents"]
        for one in trial.contents
        if isinstance(one, Record) and one.kind == "bought_in" and one.body["player"] == "b1"
    ]
    assert bought
    assert set(bought) == {3_000}
    assert sum(trial.box.table.balances.values()) == 0


@pytest.mark.parametrize("book", BOOKS)
def test_an_evening_of_bots_by_every_book(book: str) -> None:
    """Nobody is ever stuck with the dice, and every throw is thrown by somebody who may."""
    trial = with_bots("pass_345", "martingale", book=book)
    play_on(trial, 60)
    shooters = {one.player for one in trial.contents if isinstance(one, Rolled)}
    assert shooters == {"b1", "b2"}
    assert not [one for one in trial.contents if type(one).__name__ == "NoRoll"]
    assert sum(trial.box.table.balances.values()) == 0


def test_bots_are_the_fold_of_the_rows() -> None:
    """Whatever they remember, and whether they have bet, is known again from the rows alone; they go on the same."""
    trial = with_bots("molly", "martingale", "oscars_grind")
    bets, memories = 0, 0
    for _ in range(40):
        play_on(trial, 1)
        again = rebuild(trial.box.table, trial.rows)
        assert [bot.memory for bot in again.bots] == [bot.memory for bot in trial.box.bots]
        trial.keep_company()
        again = rebuild(trial.box.table, trial.rows)
        assert [bot.has_bet for bot in again.bots] == [bot.has_bet for bot in trial.box.bots]
        bets += sum(bot.has_bet for bot in again.bots)
        memories += sum(bot.memory != bot.strategy.start() for bot in again.bots)
        trial.box = again
        trial.keep_company()
        assert trial.box.table.sequence == again.table.sequence, "what was decided is not decided again"
    assert bets
    assert memories


def test_a_strategy_that_the_library_has_no_more_leaves_a_player_who_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    trial = with_bots("pass_345")
    monkeypatch.setattr("trueodds.service.box.strategy_names", lambda: ("molly",))
    trial.box = rebuild(trial.box.table, trial.rows)
    assert trial.box.bots == ()
    assert trial.keep_company() is None
    assert trial.wait() == ["acted_for_absent", "DiceMoved"]


def test_bots_play_out_what_somebody_leaves_behind() -> None:
    trial = with_bots("pass_345")
    trial.keep_company()
    trial.wish("ann", "bet", spot="pass", cents=1000)
    while not (trial.box.table.position.puck and stakes(trial, "ann")):
        trial.now_ms += PACE.window_ms
        trial.keep_company()
        if not trial.box.table.position.puck and not stakes(trial, "ann"):
            trial.wish("ann", "bet", spot="pass", cents=1000)
    trial.wish("ann", "leave")
    assert trial.box.leaving == {"ann"}
    for _ in range(400):
        if trial.box.seat("ann") is None:
            break
        trial.now_ms += PACE.window_ms
        if trial.keep_company() is None:
            trial.now_ms += PACE.shooter_ms
            granted = trial.boxman.wait_no_longer(trial.box, trial.now_ms)
            assert granted is not None
            trial.box = granted.box
    assert trial.box.seat("ann") is None
