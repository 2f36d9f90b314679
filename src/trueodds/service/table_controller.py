"""The boxman of a table: grants wishes or says why not, closes bets, has the dice thrown, and waits for nobody longer
than the house allows. Pure: the time is given, and what happens is told, not done.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from trueodds.fair import FairDice, Proof
from trueodds.journal import Content, Header, Record, bought_in, cashed_out, follow, write_position
from trueodds.journal.record import went
from trueodds.journal.state import Step
from trueodds.money import STAKE_LIMIT, money
from trueodds.service.box import Box
from trueodds.service.errors import NOES, NOT_AT_TABLE, ServiceRefused
from trueodds.service.limit import Allowance
from trueodds.service.pace import Pace
from trueodds.service.shooter import has_round_without_line, why_no_throw, with_dice
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

FREE = Allowance()
"""No limits."""

LIMIT_CODES = frozenset({"loss_limit", "time_limit"})


def spends(wish: Wish) -> bool:
    """Tell whether limits have a say: where chips are bought or stakes go up."""
    return isinstance(wish, SitDown | BuyIn) or (isinstance(wish, Do) and isinstance(wish.action, Bet | Press))


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

    @cached_property
    def waiving(self) -> Dealer:
        """A dealer who asks no shooter for a line bet: where only those are left who can make none, the game goes on as
        A-38 has it while a point is on.
        """
        return Dealer(Rules(self.header.open_house().change({"shooter_line_required": False})))

    def open(self, box: Box, now_ms: int, notes: tuple[Record, ...] = ()) -> Granted:
        """Publish the anchor of the dice before anything else happens at a table; then the hired sit down."""
        work = _Work(self, box, now_ms)
        work.write(Record("anchored", {"anchor": self._dice.anchor.hex(), "length": self._dice.length}), *notes)
        for bot in work.box.bots:
            work.grant(bot.player, SitDown(bot.buy_in_cents))
        return work.granted()

    def pace_of(self, box: Box) -> Pace:
        """Give a table's own pace, or the house's."""
        return box.pace or self.pace

    def grant(self, box: Box, player: str, wish: Wish, now_ms: int, allowed: Allowance = FREE) -> Granted:
        """Grant a wish within what the player's limits allow; raises `ServiceRefused`."""
        work = _Work(self, box, now_ms, allowed)
        try:
            work.grant(player, wish)
            return work.granted()
        except NOES as no:
            raise ServiceRefused.of(no, self.header.currency) from None

    def tell_of_limit(self, box: Box, player: str, no: ServiceRefused, now_ms: int) -> Granted:
        """Write down that a player came to a limit, once for each time they sit here; nothing for any other no."""
        work = _Work(self, box, now_ms)
        if no.code in LIMIT_CODES and box.seat(player) is not None and player not in box.limited:
            work.write(Record("limits", {"player": player}))
        return work.granted()

    def due_ms(self, box: Box, awake_ms: int | None = 0) -> int | None:
        """Say when the table has waited long enough for something; None when it waits for nothing."""
        waits = self._waits(box, awake_ms)
        return None if waits is None else sum(waits)

    def _waits(self, box: Box, awake_ms: int | None) -> tuple[int, int] | None:
        """Say since when the table waits, and how long it does at most.

        `awake_ms` is since when anybody is there who stays. Nobody is hurried who is alone, or while everybody is away;
        but who leaves is not kept.
        """
        pace = self.pace_of(box)
        if box.roll.lock is not None:
            return box.locked_ms, pace.opening_ms
        custody = box.table.position.custody
        if custody is None or not box.table.position.seats:
            return None
        if not box.leaving and (box.is_alone or awake_ms is None):
            return None
        return max(box.since_ms, awake_ms or 0), pace.shooter_ms if custody.shooter else pace.offer_ms

    def throw_from_ms(self, box: Box) -> int | None:
        """Say from when on the shooter may throw, for the sake of those who bet; None when that was always so."""
        if box.is_alone or not box.rolled_ms:
            return None
        return box.rolled_ms + self.pace_of(box).least_ms

    def wait_no_longer(self, box: Box, now_ms: int, awake_ms: int | None = 0) -> Granted | None:
        """Act where the table has waited long enough, by the book, and say so; None when it has not.

        Where the clock was set back beyond the time to wait, nobody knows how long it has been, and it was long enough.
        """
        waits = self._waits(box, awake_ms)
        if waits is None:
            return None
        since_ms, most_ms = waits
        if since_ms - most_ms <= now_ms < since_ms + most_ms:
            return None
        work = _Work(self, box, now_ms)
        work.act_for_absent(is_left=bool(box.leaving) and (box.all_leave or awake_ms is None))
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

    def __init__(self, boxman: Boxman, box: Box, now_ms: int, allowed: Allowance = FREE) -> None:
        self._boxman = boxman
        self._allowed = allowed
        self._dealer = boxman.dealer
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
        self._offer_to_somebody()

    def _buy_in(self, player: str, cents: int) -> None:
        if cents > BUY_IN_MOST:
            raise ServiceRefused("buy_in", f"up to {BUY_IN_MOST // 100:,} can be bought at a time")
        self._require_allowance(cents, self._allowed.buy_cents, "buy")
        self.write(bought_in(player, cents))

    def _go_away(self, player: str) -> None:
        self._require_seat(player)
        if self.box.roll.lock is not None:
            # Nothing comes down while the dice are on their way; the throw lets go whoever asked before it.
            self._note_leaving(player)
            return
        for action in self._what_may_come_down(player):
            self._act(action)
        if player in self.box.roll.seats:
            self.write(Record("withdrawn", {"player": player}))
        seat = self.box.seat(player)
        if seat is not None and seat.entries:
            self._note_leaving(player)
            return
        self._let_go(player)

    def _note_leaving(self, player: str) -> None:
        if player not in self.box.leaving:
            self.write(went(player))

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
        while rack := self.box.rack(player):
            # A record has a bound, and a rack has none.
            self.write(cashed_out(player, min(rack, STAKE_LIMIT)))
        self._act(Leave(player))

    # ----------------------------------------------------------------------------------------- the game

    def _do(self, player: str, action: Action) -> None:
        self._require_seat(player)
        self._require_open()
        if isinstance(action, Bet | Press) and player in self.box.leaving:
            raise ServiceRefused("leaving", "you are leaving: what is up is played out, and nothing is added")
        if isinstance(action, AcceptDice):
            self._offer_again(player)
        rack = self.box.rack(player)
        self._act(action)
        if isinstance(action, Bet | Press):
            self._require_allowance(rack - self.box.rack(player), self._allowed.bet_cents, "bet")
        if isinstance(action, Bet):
            self._offer_to_somebody()

    def _offer_to_somebody(self) -> None:
        """Offer the dice where nobody has them and nobody is asked: a table that was left alone goes on."""
        if self._dealer.verify(self._position, OpenTable()) is None:
            self._act(OpenTable())

    def _offer_again(self, player: str) -> None:
        """Let the dice go round once more to somebody who asks for them after all had declined or were away."""
        before = self._position.custody
        if before is None or before.shooter is not None or before.offer_to is not None:
            return
        self._act(OpenTable())
        for _ in self._position.seats:
            custody = self._position.custody
            offered = custody.offer_to if custody else None
            if offered is None or offered == player or offered not in before.declined:
                return
            self._act_for(offered, DeclineDice(offered))

    def _roll(self, player: str) -> None:
        self._require_seat(player)
        self._require_open()
        self._offer_again(player)
        custody = self._position.custody
        if custody is not None and custody.offer_to == player:
            self._act(AcceptDice(player))
        self._require_shooter(player)
        self._require_time()
        self._close_and_throw()

    def _require_shooter(self, player: str) -> None:
        """Refuse a throw that would be called no roll: nobody wastes a link of the chain on it."""
        no_roll = why_no_throw(self._dealer, self._position, player)
        if no_roll is not None:
            raise ServiceRefused(no_roll.reason, no_roll.sentence)

    def _require_time(self) -> None:
        least_ms = self._boxman.pace_of(self.box).least_ms
        from_ms = self._boxman.throw_from_ms(self.box)
        wait_ms = 0 if from_ms is None else from_ms - self._now_ms
        # A wait beyond the longest one means that the clock was set back: nobody waits for it to catch up.
        if 0 < wait_ms <= least_ms:
            raise ServiceRefused("pace", f"others still bet: {wait_ms / 1000:.1f} s", wait_ms)

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
        self._throw_down(proof)
        for player in sorted(self.box.leaving):
            for action in self._what_may_come_down(player):
                self._act(action)
            seat = self.box.seat(player)
            if seat is not None and not seat.entries:
                self._let_go(player)

    def _throw_down(self, proof: Proof) -> None:
        custody = self._position.custody
        throw = Throw(proof.roll, custody.shooter if custody else None)
        _, events = self._dealer.act(self._position, throw)
        if any(isinstance(event, NoRoll) for event in events):
            # Nothing changes between lock and throw: the line bet was waived when bets were closed.
            _, events = self._boxman.waiving.act(self._position, throw)
        self.write(*events)

    def act_for_absent(self, *, is_left: bool) -> None:
        """Go on where somebody keeps the table waiting: the dice go on if the book lets them, or are thrown.

        `is_left` says that some wait for their last wagers and nobody who stays is there to throw.
        """
        if self.box.roll.lock is not None:
            self._throw()
            return
        custody = self._position.custody
        if custody is None:
            return
        if self._nobody_has_dice():
            self._act(OpenTable())
            return
        if custody.offer_to is not None:
            # An offer for the round that only decides come bets is to whoever makes a line bet, and nobody will.
            answer = AcceptDice if is_left and not custody.puck_off else DeclineDice
            self._act_for(custody.offer_to, answer(custody.offer_to))
            return
        shooter = custody.shooter or ""
        action = self._way_out(shooter) if is_left else self._way_on(shooter)
        if action is not None:
            self._act_for(shooter, action)
            return
        self._note_absent(shooter, "throw" if self._may_throw(shooter) else "throw_waived")
        self._close_and_throw()

    def _way_on(self, shooter: str) -> Action:
        """Name what gets the dice from a shooter who is away: an order, where the book has one, or passing them."""
        orders = (OrderPass(by, "delay") for by in who_orders(self._dealer.rules))
        allowed = (order for order in orders if self._dealer.verify(self._position, order) is None)
        return next(allowed, PassDice(shooter))

    def _way_out(self, shooter: str) -> Action | None:
        """Name what brings those on who wait for their last wagers, when nobody who stays will throw; None is a throw.

        The dice go to whoever may throw them. Come bets are decided in the round of the book that has one. Else the
        dice are thrown as they are, and the line bet is waived.
        """
        if self._may_throw(shooter):
            return None
        if any(self._may_throw(seat.player) for seat in self._position.seats):
            return PassDice(shooter)
        return DeclineLine(shooter) if has_round_without_line(self._dealer, self._position, shooter) else None

    def _may_throw(self, player: str) -> bool:
        """Tell whether a player, given the dice, could throw them."""
        return why_no_throw(self._dealer, with_dice(self._position, player), player) is None

    def _nobody_has_dice(self) -> bool:
        """Tell whether all have declined the dice: they are offered again, from the first seat on."""
        custody = self._position.custody
        return custody is not None and custody.shooter is None and custody.offer_to is None

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
            raise ServiceRefused(*NOT_AT_TABLE)

    def _require_allowance(self, cents: int, most: int | None, to_do: str) -> None:
        """Hold a player to their own limits, once everything else would be granted."""
        if self._allowed.time_ms == 0:
            raise ServiceRefused("time_limit", "your time at the tables is up for now: what is up is played out")
        if most is not None and cents > most:
            left = money(most, self._boxman.header.currency)
            sentence = f"beyond your own limit of losses: you may {to_do} {left} more for now"
            raise ServiceRefused("loss_limit", sentence, more={"allowed_cents": most})

    def _require_open(self) -> None:
        """Refuse whatever changes the position that is locked: seats and the dice are part of it, as wagers are."""
        if self.box.roll.lock is not None:
            wait_ms = max(1, self.box.locked_ms + self._boxman.pace_of(self.box).opening_ms - self._now_ms)
            raise ServiceRefused("closed", "bets are closed: the dice are on their way", wait_ms)
