"""Whoever leaves is let go in the end: what must stay up is thrown for, under every book."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from boxes import SEED, Trial
from houses import BOOKS
from trueodds.journal import Record
from trueodds.service.box import rebuild
from trueodds.service.company import hired
from trueodds.service.errors import ServiceRefused
from trueodds.table import Entry, Rolled

MOST_STEPS = 3_000
"""Far beyond what any of these takes; dice that go round for ever would take it, whatever they show."""


def entries(trial: Trial, player: str) -> tuple[Entry, ...]:
    seat = trial.box.seat(player)
    return seat.entries if seat else ()


def has(trial: Trial, player: str, kind: str) -> bool:
    return any(entry.wager.spot.kind == kind for entry in entries(trial, player))


def go_on(trial: Trial, awake_ms: int | None = 0) -> None:
    """Do what is due next, by the bots of the house or by the table."""
    if trial.keep_company(awake_ms) in (None, []):
        trial.wait(awake_ms)


def play_out(trial: Trial, awake_ms: int | None = 0) -> None:
    """Go on until nobody is left but those who stay."""
    for _ in range(MOST_STEPS):
        if not trial.box.leaving:
            break
        go_on(trial, awake_ms)
    assert not trial.box.leaving
    assert sum(trial.box.table.balances.values()) == 0


def done(trial: Trial) -> set[str]:
    """Name what was done for the absent."""
    records = (one for one in trial.contents if isinstance(one, Record) and one.kind == "acted_for_absent")
    return {str(record.body["did"]) for record in records}


def left_with_come_bets(book: str, *players: str) -> Trial:
    """Play until the puck is off and everybody has a come bet on a number and nothing else; then all leave."""
    trial = Trial(book)
    for player in players:
        trial.wish(player, "sit", cents=5_000_000)
    for _ in range(MOST_STEPS):
        position = trial.box.table.position
        if not position.puck and all(has(trial, player, "come") for player in players):
            break
        for player in players:
            if not position.puck and not has(trial, player, "pass"):
                trial.wish(player, "bet", spot="pass", cents=1000)
            elif position.puck and not has(trial, player, "come"):
                trial.wish(player, "bet", spot="come", cents=1000)
        custody = position.custody
        assert custody is not None
        trial.wish(custody.shooter or custody.offer_to or "", "roll")
    for player in players:
        assert has(trial, player, "come")
        trial.wish(player, "leave")
    assert trial.box.leaving == set(players)
    trial.contents.clear()
    return trial


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("players", [("ann",), ("ann", "bob")])
def test_who_leaves_is_let_go_though_nobody_stays(book: str, players: tuple[str, ...]) -> None:
    """The dice are thrown for those who have gone, until their line bets are decided."""
    trial = Trial(book)
    for player in players:
        trial.wish(player, "sit", cents=50_000)
    while not trial.box.table.position.puck:
        for player in players:
            if not trial.box.seat(player).entries:  # type: ignore[union-attr]  # they sit
                trial.wish(player, "bet", spot="pass", cents=1000)
        trial.wish("ann", "roll")
    for player in players:
        trial.wish(player, "leave")
    assert trial.box.leaving == set(players)
    for _ in range(300):
        if not trial.box.table.position.seats:
            break
        trial.wait()
    assert not trial.box.table.position.seats
    assert trial.boxman.due_ms(trial.box) is None
    assert {row.kind for row in trial.rows} >= {"acted_for_absent", "cashed_out"}
    assert sum(trial.box.table.balances.values()) == 0


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("players", [("ann",), ("ann", "bob"), ("ann", "bob", "cleo")])
def test_come_bets_that_are_left_behind_are_decided(book: str, players: tuple[str, ...]) -> None:
    """In the round of the book that has one; a book that wants a line bet for every come-out waives it, and says so."""
    trial = left_with_come_bets(book, *players)
    play_out(trial)
    assert not trial.box.table.position.seats
    assert trial.boxman.due_ms(trial.box) is None
    assert ("throw_waived" in done(trial)) == (book == "rws")


@pytest.mark.parametrize(
    ("book", "spot", "cents"),
    [
        ("new_jersey", "fire", 500), ("maryland", "fire", 500), ("maryland", "small", 500), ("maryland", "all", 500),
        ("south_dakota", "put:6", 1000),
    ],
)  # fmt: skip
def test_a_wager_that_stays_is_thrown_for_without_a_line_bet(book: str, spot: str, cents: int) -> None:
    """Alone, before the first throw: nothing else is up, and nobody could make a line bet any more."""
    trial = Trial(book)
    trial.wish("ann", "sit", cents=50_000)
    trial.wish("ann", "bet", spot=spot, cents=cents)
    trial.wish("ann", "leave")
    assert trial.box.leaving == {"ann"}
    play_out(trial)
    assert trial.box.seat("ann") is None
    assert "throw_waived" in done(trial)


def test_a_rack_beyond_what_a_record_holds_is_paid_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trueodds.service.boxman.STAKE_LIMIT", 20_000)
    trial = Trial()
    trial.wish("ann", "sit", cents=50_000)
    assert trial.wish("ann", "leave") == ["cashed_out", "cashed_out", "cashed_out", "DiceMoved", "Left"]
    assert (trial.box.seat("ann"), sum(trial.box.table.balances.values())) == (None, 0)


def test_nobody_may_ask_for_such_a_throw() -> None:
    trial = left_with_come_bets("rws", "ann")
    assert trial.refused("ann", "roll") == "no_line_bet"


def test_the_line_bet_is_not_waived_while_somebody_holds_one() -> None:
    """The dice go from a shooter with a come bet only to the holder of a pass bet, though both leave."""
    trial = Trial("rws")
    for player in ("ann", "bob"):
        trial.wish(player, "sit", cents=5_000_000)
    for _ in range(MOST_STEPS):
        position = trial.box.table.position
        custody = position.custody
        assert custody is not None
        shooter = custody.shooter or custody.offer_to or ""
        if not position.puck and shooter == "ann" and has(trial, "ann", "come"):
            break
        for player in ("ann", "bob"):
            if not position.puck and not has(trial, player, "pass"):
                trial.wish(player, "bet", spot="pass", cents=1000)
        if position.puck and not has(trial, "ann", "come"):
            trial.wish("ann", "bet", spot="come", cents=1000)
        trial.wish(shooter, "roll")
    trial.wish("bob", "bet", spot="pass", cents=1000)
    for player in ("ann", "bob"):
        trial.wish(player, "leave")
    trial.contents.clear()
    while has(trial, "bob", "pass"):
        trial.wait()
        assert "throw_waived" not in done(trial) or not has(trial, "bob", "pass")
    thrown = [one.player for one in trial.contents if isinstance(one, Rolled)]
    assert set(thrown) == {"bob"}
    play_out(trial)


@pytest.mark.parametrize("strategy", ["pass_345", "iron_cross", "come_345"])
@pytest.mark.parametrize("book", ["new_jersey", "rws"])
def test_whoever_leaves_the_company_of_bots_is_let_go(book: str, strategy: str) -> None:
    notes = tuple(hired(player, strategy, 500_000) for player in ("bot1", "bot2"))
    trial = Trial(book, notes=notes)
    trial.wish("ann", "sit", cents=5_000_000)
    for _ in range(MOST_STEPS):
        position = trial.box.table.position
        if not position.puck and has(trial, "ann", "come") and not has(trial, "ann", "pass"):
            break
        if not position.puck and not has(trial, "ann", "pass"):
            trial.wish("ann", "bet", spot="pass", cents=1000)
        elif position.puck and not has(trial, "ann", "come"):
            trial.wish("ann", "bet", spot="come", cents=1000)
        custody = position.custody
        assert custody is not None
        if "ann" in (custody.shooter, custody.offer_to):
            trial.wish("ann", "roll")
        else:
            trial.now_ms += trial.pace.window_ms + trial.pace.between_ms
            go_on(trial)
    trial.wish("ann", "leave")
    assert trial.box.leaving == {"ann"}
    play_out(trial, None)


@pytest.mark.parametrize("book", BOOKS)
def test_who_stays_and_is_away_keeps_nobody_who_leaves(book: str) -> None:
    """Bob left with a bet that must stay, and Ann has closed the page: the dice are thrown for both."""
    trial = Trial(book)
    for player in ("ann", "bob"):
        trial.wish(player, "sit", cents=50_000)
    while not trial.box.table.position.puck:
        for player in ("ann", "bob"):
            if not entries(trial, player):
                trial.wish(player, "bet", spot="pass", cents=1000)
        trial.wish("ann", "roll")
    trial.wish("bob", "leave")
    assert trial.box.leaving == {"bob"}
    play_out(trial, None)
    assert [seat.player for seat in trial.box.table.position.seats] == ["ann"]
    assert trial.boxman.due_ms(trial.box, None) is None, "and then the table waits for Ann"


def test_the_line_bet_is_waived_over_a_restart() -> None:
    """Between lock and throw, while the seed of the leaver's browser is waited for."""
    trial = left_with_come_bets("rws", "ann")
    trial.commit("ann")
    for _ in range(3):
        if trial.box.roll.lock is None:
            trial.wait()
    assert trial.box.roll.missing == ("ann",)
    assert "throw_waived" in done(trial)
    trial.box = rebuild(trial.box.table, trial.rows)
    assert trial.wish("ann", "open", seed=SEED.hex())[:3] == ["opened", "revealed", "Rolled"]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("seed", range(6))
def test_everybody_is_let_go_whatever_they_did_before(book: str, seed: int) -> None:
    """Three players bet, throw, pass and leave as it happens; in the end all leave, and nobody's chips stay."""
    picks = random.Random(f"{book} {seed}")
    trial = Trial(book)
    players = ["ann", "bob", "cleo"]
    for player in players:
        trial.wish(player, "sit", cents=5_000_000)
    lines = ["pass", "dont_pass", "come", "dont_come"]
    spots = [str(spot) for spot in trial.boxman.dealer.rules.spots]
    ways: list[Callable[[str], object]] = [
        lambda player: trial.wish(player, "bet", spot=picks.choice(lines), cents=1000),
        lambda player: trial.wish(player, "bet", spot=picks.choice(spots), cents=picks.choice([500, 1000, 1200])),
        lambda player: trial.wish(player, "roll"),
        lambda player: trial.wish(player, "roll"),
        lambda player: trial.wish(player, "pass_dice"),
        lambda player: trial.wish(player, "decline_line"),
        lambda player: trial.wish(player, "decline_dice"),
    ]  # fmt: skip
    for _ in range(150):
        try:
            picks.choice(ways)(picks.choice(players))
        except ServiceRefused:
            continue
    picks.shuffle(players)
    for player in players:
        trial.wish(player, "leave")
        if trial.box.leaving:
            trial.wait()
    play_out(trial)
    assert not trial.box.table.position.seats
