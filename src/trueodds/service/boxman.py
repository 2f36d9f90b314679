"""The boxman of a table: grants wishes or says why not, closes bets, has the dice thrown, and waits for nobody longer
than the house allows. Pure: the time is given, and what happens is told, not done.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trueodds.dice import Roll
from trueodds.fair import FairDice, Proof
from trueodds.journal import Content, Header, Record, bought_in, cashed_out, follow, write_position
from trueodds.journal.state import Step
from trueodds.service.box import Box
from trueodds.service.errors import NOES, ServiceRefused
from trueodds.service.pace import Pace
from trueodds.service.wish import BuyIn, CommitSeed, Do, GoAway, OpenSeed, RollDice, SitDown, Wish
from trueodds.table import (
    AcceptDice,
    Action,
    Bet,
    Dealer,
    DeclineDice,
    DeclineLine,
    Join,
    Leave,
    NoRoll,
    OpenTable,
    OrderPass,
    PassDice,
    Position,
    Press,
    TakeDown,
    Throw,
)
from trueodds.table.custody import who_orders
from trueodds.wagers import Rules

BUY_IN_MOST = 100_000_000
"""Cents at a time: these are play chips, and no rack needs more."""


class Granted(NamedTuple):
    """What is to be written down, and the box once it is."""

    contents: tuple[Content, ...]
    box: Box
    step: Step | None


class Boxman:
    """Knows one table's house, dice and pace, and keeps no state."""

    def __init__(self, header: Header, dice: FairDice, pace: Pace) -> None:
        self.header = header
        self.dealer = Dealer(Rules(header.open_house()))
        self.pace = pace
        self._dice = dice

    def open(self, box: Box, now_ms: int, notes: tuple[Record, ...] = ()) -> Granted:
        """Publish the anchor of the dice, before anything else happens at a table."""
        work = _Work(self, box, now_ms)
        work.write(Record("anchored", {"anchor": self._dice.anchor.hex(), "length": self._dice.length}), *notes)
        return work.granted()

    def grant(self, box: Box, player: str, wish: Wish, now_ms: int) -> Granted:
        """Grant a wish; raises `ServiceRefused`."""
        work = _Work(self, box, now_ms)
        try:
            work.grant(player, wish)
            return work.granted()
        except NOES as no:
            raise ServiceRefused.of(no) from None

    def due_ms(self, box: Box) -> int | None:
        """Say when the table has waited long enough for something; None when it waits for nothing."""
        if box.roll.lock is not None:
            return box.locked_ms + self.pace.opening_ms
        custody = box.table.position.custody
        if custody is None or (custody.shooter is None and custody.offer_to is None):
            return None
        return box.since_ms + (self.pace.shooter_ms if custody.shooter else self.pace.offer_ms)

    def wait_no_longer(self, box: Box, now_ms: int) -> Granted | None:
        """Act where the table has waited long enough, by the book, and say so; None when it has not."""
        due_ms = self.due_ms(box)
        if due_ms is None or now_ms < due_ms:
            return None
        work = _Work(self, box, now_ms)
        work.act_for_absent()
        return work.granted()

    def throw(self, box: Box) -> Proof:
        """Throw the dice of a roll that is locked."""
        return self._dice.throw(box.roll)

    def lock(self, box: Box) -> Record:
        """Close the bets: fix the layout and the link of the chain."""
        layout = write_position(box.table.position).encode()
        return Record("locked", {"lock": self._dice.lock(box.roll, layout).to_data()})


class _Work:
    """One wish being granted: contents so far, and the box after them."""

    def __init__(self, boxman: Boxman, box: Box, now_ms: int) -> None:
        self._boxman = boxman
        self._dealer = boxman.dealer
        self._pace = boxman.pace
        self._now_ms = now_ms
        self._contents: list[Content] = []
        self._step: Step | None = None
        self.box = box

    def granted(self) -> Granted:
        """Give what came of it."""
        return Granted(tuple(self._contents), self.box, self._step)

    def write(self, *contents: Content) -> None:
        """Let things happen: numbered, folded and posted as the journal will."""
        step = follow(self.box.table, self._now_ms, contents)
        self.box = self.box.after(step.state, contents, self._now_ms)
        self._contents += contents
        self._step = step if self._step is None else self._step.then(step)

    def grant(self, player: str, wish: Wish) -> None:
        """Do what a wish asks for."""
        match wish:
            case SitDown(cents):
                self._sit_down(player, cents)
            case BuyIn(cents):
                self._require_seat(player)
                self._buy_in(player, cents)
            case Do(action):
                self._do(player, action)
            case RollDice():
                self._roll(player)
            case CommitSeed(commitment, roll):
                self._require_seat(player)
                self.write(Record("committed", {"player": player, "commitment": commitment.hex(), "roll": roll}))
            case OpenSeed(seed):
                self.write(Record("opened", {"player": player, "seed": seed.hex()}))
                if not self.box.roll.missing:
                    self._throw()
            case GoAway():
                self._go_away(player)

    # --------------------------------------------------------------------------------- coming and going

    def _sit_down(self, player: str, cents: int) -> None:
        self._require_open()
        self._act(Join(player))
        self._buy_in(player, cents)
        if self._dealer.verify(self._position, OpenTable()) is None:
            self._act(OpenTable())

    def _buy_in(self, player: str, cents: int) -> None:
        if cents > BUY_IN_MOST:
            raise ServiceRefused("buy_in", f"up to {BUY_IN_MOST // 100:,} can be bought at a time")
        self.write(bought_in(player, cents))

    def _go_away(self, player: str) -> None:
        self._require_seat(player)
        self._require_open()
        for action in self._what_may_come_down(player):
            self._act(action)
        if player in self.box.roll.seats:
            self.write(Record("withdrawn", {"player": player}))
        seat = self.box.seat(player)
        if seat is not None and seat.entries:
            if player not in self.box.leaving:
                self.write(Record("went", {"player": player, "leaving": True}))
            return
        self._let_go(player)

    def _what_may_come_down(self, player: str) -> Iterator[TakeDown]:
        """Name wagers and odds that may come down, one after the other as they do."""
        kept: set[str] = set()
        while True:
            seat = self.box.seat(player)
            tags = [tag for entry in (seat.entries if seat else ()) for tag in (entry.tag, *entry.odds_tags)]
            found = next((tag for tag in tags if tag not in kept), None)
            if found is None:
                return
            kept.add(found)
            down = TakeDown(player, found)
            if self._dealer.verify(self._position, down) is None:
                yield down

    def _let_go(self, player: str) -> None:
        """Pay out a player who has nothing up any more."""
        rack = self.box.rack(player)
        if rack:
            self.write(cashed_out(player, rack))
        self._act(Leave(player))

    # ----------------------------------------------------------------------------------------- the game

    def _do(self, player: str, action: Action) -> None:
        self._require_seat(player)
        self._require_open()
        if isinstance(action, Bet | Press) and player in self.box.leaving:
            raise ServiceRefused("leaving", "you are leaving: what is up is played out, and nothing is added")
        self._act(action)

    def _roll(self, player: str) -> None:
        self._require_seat(player)
        self._require_open()
        custody = self._position.custody
        if custody is not None and custody.offer_to == player:
            self._act(AcceptDice(player))
        self._require_shooter(player)
        self._require_time()
        self._close_and_throw()

    def _require_shooter(self, player: str) -> None:
        """Refuse a throw that would be called no roll: nobody wastes a link of the chain on it."""
        _, events = self._dealer.act(self._position, Throw(Roll(1, 1), player))
        for event in events:
            if isinstance(event, NoRoll):
                raise ServiceRefused(event.reason, event.sentence)

    def _require_time(self) -> None:
        several = len(self._position.seats) > 1
        least = max(self._pace.between_ms, self._pace.window_ms if several else 0)
        wait_ms = self.box.rolled_ms + least - self._now_ms
        if self.box.rolled_ms and wait_ms > 0:
            what = "others still bet" if several else "the dice come back"
            raise ServiceRefused("pace", f"{what}: {wait_ms / 1000:.1f} s", wait_ms)

    def _close_and_throw(self) -> None:
        self.write(self._boxman.lock(self.box))
        if not self.box.roll.missing:
            self._throw()

    def _throw(self) -> None:
        """Reveal and throw; then let those go who wait for it."""
        for missing in self.box.roll.missing:
            self.write(Record("missed", {"player": missing, "roll": self.box.roll.number}))
        proof = self._boxman.throw(self.box)
        self.write(Record("revealed", {"proof": proof.to_data()}))
        custody = self._position.custody
        self._act(Throw(proof.roll, custody.shooter if custody else None))
        for player in sorted(self.box.leaving):
            for action in self._what_may_come_down(player):
                self._act(action)
            seat = self.box.seat(player)
            if seat is not None and not seat.entries:
                self._let_go(player)

    def act_for_absent(self) -> None:
        """Go on where somebody keeps the table waiting: the dice go on if the book lets them, or are thrown."""
        if self.box.roll.lock is not None:
            self._throw()
            return
        custody = self._position.custody
        if custody is None:
            return
        if custody.offer_to is not None:
            self._act_for(custody.offer_to, DeclineDice(custody.offer_to))
            return
        shooter = custody.shooter or ""
        for action in self._ways_on(shooter):
            if self._dealer.verify(self._position, action) is None:
                self._act_for(shooter, action)
                return
        self._note_absent(shooter, "throw")
        self._close_and_throw()

    def _ways_on(self, shooter: str) -> tuple[Action, ...]:
        """Name what gets the dice from a shooter who is away, the best way first; the verifier picks."""
        orders = tuple(OrderPass(by, "delay") for by in who_orders(self._dealer.rules))
        return (*orders, PassDice(shooter), DeclineLine(shooter))

    def _act_for(self, player: str, action: Action) -> None:
        self._note_absent(player, type(action).__name__)
        self._act(action)

    def _note_absent(self, player: str, did: str) -> None:
        self.write(Record("acted_for_absent", {"player": player, "did": did}))

    # ----------------------------------------------------------------------------------------- small print

    @property
    def _position(self) -> Position:
        return self.box.table.position

    def _act(self, action: Action) -> None:
        _, events = self._dealer.act(self._position, action)
        self.write(*events)

    def _require_seat(self, player: str) -> None:
        if self.box.seat(player) is None:
            raise ServiceRefused("not_at_table", "sit down first")

    def _require_open(self) -> None:
        """Refuse whatever changes the position that is locked: seats and the dice are part of it, as wagers are."""
        if self.box.roll.lock is not None:
            wait_ms = max(1, self.box.locked_ms + self._pace.opening_ms - self._now_ms)
            raise ServiceRefused("closed", "bets are closed: the dice are on their way", wait_ms)
