"""The controller of a table: executes or refuses commands, closes bets, rolls the dice, and acts on timeouts.

It is pure: callers pass the time, and it returns the events to append instead of writing them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from trueodds.fair import FairDice, Proof
from trueodds.journal import AnyEvent, ServiceEvent, TableHeader, apply_events, bought_in, cashed_out, encode_position
from trueodds.journal.service_event import (
    ACTED_FOR_ABSENT,
    ANCHOR_PUBLISHED,
    ROLL_LOCKED,
    SECRET_REVEALED,
    SEED_COMMITTED,
    SEED_MISSED,
    SEED_OPENED,
    SEED_WITHDRAWN,
    SELF_LIMIT_REACHED,
    departure_requested,
)
from trueodds.journal.table_state import AppliedEvents
from trueodds.money import MAX_STAKE_CENTS, format_money
from trueodds.service.errors import NOT_AT_TABLE, REFUSALS, CommandRefused
from trueodds.service.live_table import LiveTable
from trueodds.service.pace import Pace
from trueodds.service.player_command import (
    BuyIn,
    CommitSeed,
    DoAction,
    JoinTable,
    LeaveTable,
    OpenSeed,
    PlayerCommand,
    RequestRoll,
)
from trueodds.service.roll_permission import give_dice, has_come_only_round, no_roll_reason
from trueodds.service.self_limits import Allowance
from trueodds.table import (
    AcceptDice,
    Action,
    Bet,
    CachedDealer,
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
    RollDice,
    TakeDown,
)
from trueodds.table.custody import order_authorities
from trueodds.wagers import TableRules

MAX_BUY_IN_CENTS = 100_000_000
"""The most that can be bought at once. Chips are play money, and no rack needs more."""

UNLIMITED = Allowance()
"""No limits."""

_ABSENT_ACTION_NAMES = {
    AcceptDice: "accept_dice",
    DeclineDice: "decline_dice",
    DeclineLine: "decline_line",
    OrderPass: "order_pass",
    PassDice: "pass_dice",
}
"""How the event `acted_for_absent` names the action."""

LIMIT_CODES = frozenset({"loss_limit", "time_limit"})


def risks_money(command: PlayerCommand) -> bool:
    """Return whether a command buys chips or raises stakes, so that self-limits apply."""
    return isinstance(command, JoinTable | BuyIn) or (
        isinstance(command, DoAction) and isinstance(command.action, Bet | Press)
    )


class TableUpdate(NamedTuple):
    """Events to append, and the table after them."""

    events: tuple[AnyEvent, ...]
    table: LiveTable
    applied: AppliedEvents | None


class TableController:
    """Decides what happens at a table. It knows the house, dice and pace of the table, but not its state."""

    def __init__(self, header: TableHeader, dice: FairDice, pace: Pace) -> None:
        self.header = header
        self.dealer = CachedDealer(TableRules(header.load_house()))
        self.pace = pace
        self._dice = dice

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.header.table_id!r})"

    @cached_property
    def dealer_without_line_rule(self) -> Dealer:
        """A dealer that does not require the shooter to have a line bet.

        It is used when no remaining player can make one: play goes on as A-38 allows while a point is on.
        """
        option = "shooter_line_required"
        return CachedDealer(TableRules(self.header.load_house().with_changes({option: False}, unchecked={option})))

    def open_table(self, table: LiveTable, now_ms: int, initial_events: tuple[ServiceEvent, ...] = ()) -> TableUpdate:
        """Publish the anchor of the dice as the first event of a table, then let its bots join."""
        update = _UpdateBuilder(self, table, now_ms)
        update.add(
            ServiceEvent(
                ANCHOR_PUBLISHED, {"anchor": self._dice.anchor.hex(), "chain_length": self._dice.chain_length}
            ),
            *initial_events,
        )
        for bot in update.table.bots:
            update.execute(bot.player, JoinTable(bot.buy_in_cents))
        return update.build()

    def pace_of(self, table: LiveTable) -> Pace:
        """Return the pace of a table: its own, or the default."""
        return table.pace or self.pace

    def execute(
        self, table: LiveTable, player: str, command: PlayerCommand, now_ms: int, allowance: Allowance = UNLIMITED
    ) -> TableUpdate:
        """Execute a command within what the player's limits allow. Raise `CommandRefused` if it is refused."""
        update = _UpdateBuilder(self, table, now_ms, allowance)
        try:
            update.execute(player, command)
            return update.build()
        except REFUSALS as refusal:
            raise CommandRefused.from_error(refusal, self.header.currency) from None

    def record_limit_reached(self, table: LiveTable, player: str, refusal: CommandRefused, now_ms: int) -> TableUpdate:
        """Record that a player reached a self-limit, once per stay at the table. Other refusals record nothing."""
        update = _UpdateBuilder(self, table, now_ms)
        if refusal.code in LIMIT_CODES and table.seat_of(player) is not None and player not in table.limit_reached:
            update.add(ServiceEvent(SELF_LIMIT_REACHED, {"player": player}))
        return update.build()

    def timeout_at_ms(self, table: LiveTable, present_since_ms: int | None = 0) -> int | None:
        """Return when the table stops waiting, or None if it waits for nothing."""
        period = self._waiting_period(table, present_since_ms)
        return None if period is None else sum(period)

    def _waiting_period(self, table: LiveTable, present_since_ms: int | None) -> tuple[int, int] | None:
        """Return since when the table waits, and for how long at most. Return None if it waits for nothing.

        `present_since_ms` is since when any player who is not departing is present. There is no timeout for a
        single player, or while all players are away, unless a departing player waits.
        """
        pace = self.pace_of(table)
        if table.fair_roll.lock is not None:
            return table.locked_ms, pace.seed_timeout_ms
        custody = table.state.position.custody
        if custody is None or not table.state.position.seats:
            return None
        if not table.departing and (table.has_single_player or present_since_ms is None):
            return None
        timeout_ms = pace.shooter_timeout_ms if custody.shooter else pace.offer_timeout_ms
        return max(table.waiting_since_ms, present_since_ms or 0), timeout_ms

    def roll_allowed_at_ms(self, table: LiveTable) -> int | None:
        """Return when the betting window ends and the shooter may roll, or None if there is no window."""
        if table.has_single_player or not table.last_roll_ms:
            return None
        return table.last_roll_ms + self.pace_of(table).roll_delay_ms

    def on_timeout(self, table: LiveTable, now_ms: int, present_since_ms: int | None = 0) -> TableUpdate | None:
        """Act for an absent player after a timeout, as the book allows. Return None before the timeout.

        If the clock was set back by more than the timeout, the waiting time is unknown and counts as over.
        """
        period = self._waiting_period(table, present_since_ms)
        if period is None:
            return None
        since_ms, timeout_ms = period
        if since_ms - timeout_ms <= now_ms < since_ms + timeout_ms:
            return None
        update = _UpdateBuilder(self, table, now_ms)
        update.act_for_absent(
            only_departing_remain=bool(table.departing) and (table.all_humans_departing or present_since_ms is None)
        )
        return update.build()

    def draw_proof(self, table: LiveTable) -> Proof:
        """Return the proof, with the dice, of a locked roll."""
        return self._dice.roll(table.fair_roll)

    def lock_event(self, table: LiveTable) -> ServiceEvent:
        """Return the event that closes bets: it fixes the layout and the link of the secret chain."""
        layout = encode_position(table.state.position).encode()
        return ServiceEvent(ROLL_LOCKED, {"lock": self._dice.lock(table.fair_roll, layout).to_data()})


class _UpdateBuilder:
    """Builds an update: the events so far, and the table after them."""

    def __init__(
        self, controller: TableController, table: LiveTable, now_ms: int, allowance: Allowance = UNLIMITED
    ) -> None:
        self._controller = controller
        self._allowance = allowance
        self._dealer = controller.dealer
        self._now_ms = now_ms
        self._events: list[AnyEvent] = []
        self._applied: AppliedEvents | None = None
        self.table = table

    def build(self) -> TableUpdate:
        """Return the update."""
        return TableUpdate(tuple(self._events), self.table, self._applied)

    def add(self, *events: AnyEvent) -> None:
        """Apply events to the table, as the journal will."""
        applied = apply_events(self.table.state, self._now_ms, events)
        self.table = self.table.after_events(applied.state, events, self._now_ms)
        self._events += events
        self._applied = applied if self._applied is None else self._applied.followed_by(applied)

    def execute(self, player: str, command: PlayerCommand) -> None:
        """Execute a command."""
        match command:
            case JoinTable(cents):
                self._join(player, cents)
            case BuyIn(cents):
                self._require_seat(player)
                self._buy_in(player, cents)
            case DoAction(action, for_roll):
                self._require_next_roll(for_roll)
                self._do_action(player, action)
            case RequestRoll(for_roll):
                self._require_next_roll(for_roll)
                self._roll(player)
            case CommitSeed(commitment, roll):
                self._require_seat(player)
                self.add(ServiceEvent(SEED_COMMITTED, {"player": player, "commitment": commitment.hex(), "roll": roll}))
            case OpenSeed(seed):
                self.add(ServiceEvent(SEED_OPENED, {"player": player, "seed": seed.hex()}))
                if not self.table.fair_roll.missing:
                    self._reveal_and_roll()
            case LeaveTable():
                self._leave(player)

    # --------------------------------------------------------------------------------- joining and leaving

    def _join(self, player: str, cents: int) -> None:
        self._require_bets_open()
        self._act(Join(player))
        self._buy_in(player, cents)
        self._offer_dice_if_free()

    def _buy_in(self, player: str, cents: int) -> None:
        if cents > MAX_BUY_IN_CENTS:
            most = format_money(MAX_BUY_IN_CENTS, self._controller.header.currency)
            raise CommandRefused("buy_in_limit", f"You can buy in for up to {most} at a time")
        self._require_allowance(cents, self._allowance.buy_in_cents, "buy in for")
        self.add(bought_in(player, cents))

    def _leave(self, player: str) -> None:
        self._require_seat(player)
        if self.table.fair_roll.lock is not None:
            # No bet comes down while a roll is locked; departing players leave after the roll.
            self._record_departure_request(player)
            return
        for action in self._take_down_actions(player):
            self._act(action)
        if player in self.table.fair_roll.seats:
            self.add(ServiceEvent(SEED_WITHDRAWN, {"player": player}))
        seat = self.table.seat_of(player)
        if seat is not None and seat.wagers:
            self._record_departure_request(player)
            return
        self._cash_out_and_leave(player)

    def _record_departure_request(self, player: str) -> None:
        if player not in self.table.departing:
            self.add(departure_requested(player))

    def _take_down_actions(self, player: str) -> Iterator[TakeDown]:
        """Yield the take-downs of the wagers and odds that may come down; each is applied before the next."""
        tried: set[str] = set()
        while True:
            seat = self.table.seat_of(player)
            wagers = seat.wagers if seat else ()
            tags = [tag for wager in wagers for tag in (wager.tag, *wager.odds_tags)]
            tag = next((tag for tag in tags if tag not in tried), None)
            if tag is None:
                return
            tried.add(tag)
            action = TakeDown(player, tag)
            if self._dealer.verify(self._position, action) is None:
                yield action

    def _cash_out_and_leave(self, player: str) -> None:
        """Cash out a player without open bets, and let them leave."""
        while rack_cents := self.table.rack_cents(player):
            # The amount of one event is limited; a rack is not.
            self.add(cashed_out(player, min(rack_cents, MAX_STAKE_CENTS)))
        self._act(Leave(player))

    # ----------------------------------------------------------------------------------------- the game

    def _do_action(self, player: str, action: Action) -> None:
        self._require_seat(player)
        self._require_bets_open()
        if isinstance(action, Bet | Press) and player in self.table.departing:
            raise CommandRefused("departing", "You are leaving. Open bets play out; no new bets")
        if isinstance(action, AcceptDice):
            self._offer_dice_again(player)
        rack_cents = self.table.rack_cents(player)
        self._act(action)
        if isinstance(action, Bet | Press):
            self._require_allowance(rack_cents - self.table.rack_cents(player), self._allowance.bet_cents, "bet")
        if isinstance(action, Bet):
            self._offer_dice_if_free()

    def _offer_dice_if_free(self) -> None:
        """Offer the dice if no player has them or is offered them."""
        if self._dealer.verify(self._position, OpenTable()) is None:
            self._act(OpenTable())

    def _offer_dice_again(self, player: str) -> None:
        """Offer the dice to a player who asks for them after all players had declined them."""
        before = self._position.custody
        if before is None or before.shooter is not None or before.offered_to is not None:
            return
        self._act(OpenTable())
        for _ in self._position.seats:
            custody = self._position.custody
            offered_to = custody.offered_to if custody else None
            if offered_to is None or offered_to == player or offered_to not in before.declined_by:
                return
            self._act_for(offered_to, DeclineDice(offered_to))

    def _roll(self, player: str) -> None:
        self._require_seat(player)
        self._require_bets_open()
        self._offer_dice_again(player)
        custody = self._position.custody
        if custody is not None and custody.offered_to == player:
            self._act(AcceptDice(player))
        self._require_shooter(player)
        self._require_betting_window_over()
        self._lock_and_roll()

    def _require_shooter(self, player: str) -> None:
        """Raise `CommandRefused` if the roll would be no roll, so that no link of the chain is wasted on it."""
        no_roll = no_roll_reason(self._dealer, self._position, player)
        if no_roll is not None:
            raise CommandRefused(no_roll.reason, no_roll.sentence)

    def _require_betting_window_over(self) -> None:
        longest_ms = self._controller.pace_of(self.table).roll_delay_ms
        allowed_at_ms = self._controller.roll_allowed_at_ms(self.table)
        wait_ms = 0 if allowed_at_ms is None else allowed_at_ms - self._now_ms
        # A longer wait than that means that the clock was set back; do not wait for it to catch up.
        if 0 < wait_ms <= longest_ms:
            raise CommandRefused("too_soon", f"Betting stays open for {wait_ms / 1000:.1f} s", wait_ms)

    def _lock_and_roll(self) -> None:
        self.add(self._controller.lock_event(self.table))
        if not self.table.fair_roll.missing:
            self._reveal_and_roll()

    def _reveal_and_roll(self) -> None:
        """Reveal the secret and roll, then let departing players without open bets leave."""
        for player in self.table.fair_roll.missing:
            self.add(ServiceEvent(SEED_MISSED, {"player": player, "roll": self.table.fair_roll.number}))
        proof = self._controller.draw_proof(self.table)
        self.add(ServiceEvent(SECRET_REVEALED, {"proof": proof.to_data()}))
        self._apply_roll(proof)
        for player in sorted(self.table.departing):
            for action in self._take_down_actions(player):
                self._act(action)
            seat = self.table.seat_of(player)
            if seat is not None and not seat.wagers:
                self._cash_out_and_leave(player)

    def _apply_roll(self, proof: Proof) -> None:
        custody = self._position.custody
        action = RollDice(proof.dice, custody.shooter if custody else None)
        _, events = self._dealer.act_and_record(self._position, action)
        if any(isinstance(event, NoRoll) for event in events):
            # Nothing changes between lock and roll, so the line bet was waived when bets were closed.
            _, events = self._controller.dealer_without_line_rule.act_and_record(self._position, action)
        self.add(*events)

    def act_for_absent(self, *, only_departing_remain: bool) -> None:
        """Act for the player the table waits for: move the dice on if the book allows it, otherwise roll.

        `only_departing_remain` means that departing players wait for a roll, and no other player is present.
        """
        if self.table.fair_roll.lock is not None:
            self._reveal_and_roll()
            return
        custody = self._position.custody
        if custody is None:
            return
        if self._dice_are_free():
            self._act(OpenTable())
            return
        if custody.offered_to is not None:
            # Dice offered for a come settlement are for a player who makes a line bet, and no absent player will.
            answer = AcceptDice if only_departing_remain and not custody.for_come_settlement else DeclineDice
            self._act_for(custody.offered_to, answer(custody.offered_to))
            return
        shooter = custody.shooter or ""
        action = self._finish_departures(shooter) if only_departing_remain else self._move_dice_on(shooter)
        if action is not None:
            self._act_for(shooter, action)
            return
        self._record_absent_action(shooter, "roll" if self._may_roll(shooter) else "roll_without_line")
        self._lock_and_roll()

    def _move_dice_on(self, shooter: str) -> Action:
        """Return the action that takes the dice from an absent shooter: an order if the book has one, else a pass."""
        orders = (OrderPass(by, "delay") for by in order_authorities(self._dealer.rules))
        allowed = (order for order in orders if self._dealer.verify(self._position, order) is None)
        return next(allowed, PassDice(shooter))

    def _finish_departures(self, shooter: str) -> Action | None:
        """Return the next action that lets departing players finish, or None to roll.

        The dice go to a player who may roll them. If there is none and the book settles come bets without a line bet,
        the shooter declines the line. Otherwise the dice are rolled, and the line bet is waived.
        """
        if self._may_roll(shooter):
            return None
        if any(self._may_roll(seat.player) for seat in self._position.seats):
            return PassDice(shooter)
        return DeclineLine(shooter) if has_come_only_round(self._dealer, self._position, shooter) else None

    def _may_roll(self, player: str) -> bool:
        """Return whether a player could roll if they had the dice."""
        return no_roll_reason(self._dealer, give_dice(self._position, player), player) is None

    def _dice_are_free(self) -> bool:
        """Return whether all players declined the dice. They are then offered again from the first seat on."""
        custody = self._position.custody
        return custody is not None and custody.shooter is None and custody.offered_to is None

    def _act_for(self, player: str, action: Action) -> None:
        self._record_absent_action(player, _ABSENT_ACTION_NAMES[type(action)])
        self._act(action)

    def _record_absent_action(self, player: str, action: str) -> None:
        self.add(ServiceEvent(ACTED_FOR_ABSENT, {"player": player, "action": action}))

    # ----------------------------------------------------------------------------------------- helpers

    @property
    def _position(self) -> Position:
        return self.table.state.position

    def _act(self, action: Action) -> None:
        _, events = self._dealer.act_and_record(self._position, action)
        self.add(*events)

    def _require_next_roll(self, for_roll: int | None) -> None:
        """Raise `CommandRefused` if a command is for another roll than the next one, such as one that is over."""
        number = self.table.fair_roll.number
        if for_roll is None or for_roll == number:
            return
        if for_roll < number:
            raise CommandRefused("stale", f"Roll {for_roll} is over, so nothing was done", details={"roll": number})
        raise CommandRefused("roll_mismatch", f"The next roll is {number}, not {for_roll}", details={"roll": number})

    def _require_seat(self, player: str) -> None:
        if self.table.seat_of(player) is None:
            raise CommandRefused(*NOT_AT_TABLE)

    def _require_allowance(self, cents: int, limit_cents: int | None, verb: str) -> None:
        """Raise `CommandRefused` if a self-limit forbids it. This is the last check."""
        if self._allowance.time_ms == 0:
            raise CommandRefused("time_limit", "Your time limit is reached. Open bets play out; no new bets")
        if limit_cents is not None and cents > limit_cents:
            left = format_money(limit_cents, self._controller.header.currency)
            message = f"Your loss limit lets you {verb} {left} more for now"
            raise CommandRefused("loss_limit", message, details={"allowed_cents": limit_cents})

    def _require_bets_open(self) -> None:
        """Raise `CommandRefused` while the position is locked for a roll, which includes seats and the dice."""
        if self.table.fair_roll.lock is not None:
            wait_ms = max(1, self.table.locked_ms + self._controller.pace_of(self.table).seed_timeout_ms - self._now_ms)
            raise CommandRefused("bets_closed", "Bets are closed for the roll", wait_ms)
