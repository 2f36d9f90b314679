"""`Table`: a craps table to play at from Python.

A table holds a position, the racks of the players and the history of actions. The rules are applied by its dealer.
Amounts that a caller writes are dollars; attributes that end in `_cents` are cents.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Self

from trueodds.dice import Roll
from trueodds.errors import TrueoddsError
from trueodds.money import Cents, Dollars, format_money, parse_dollars
from trueodds.notation import (
    History,
    parse_action,
    parse_history,
    parse_position,
    replay,
    write_history,
    write_position,
)
from trueodds.rulebook import Book, House, Spot, SpotError, UnknownWagerError, as_house, book_ids, load_book
from trueodds.table import (
    Action,
    Bet,
    CachedDealer,
    Dealer,
    Event,
    Layout,
    LegalAction,
    Position,
    Press,
    Reduce,
    Refusal,
    RollDice,
    Situation,
    TakeDown,
    ToggleBet,
    money_movements,
    new_position,
    player_situation,
)
from trueodds.table.layout import build_layout
from trueodds.table.legal_actions import list_legal_actions
from trueodds.table.position import PositionError
from trueodds.table.validate_position import validate_position
from trueodds.table_svg import draw_svg
from trueodds.wagers import TableRules, WorkingCall


class NotEnoughChipsError(TrueoddsError):
    """Raised when a player's rack does not cover a bet. This is not a refusal: no rule of craps is involved."""

    def __init__(self, player: str, short_cents: int, currency: str = "USD") -> None:
        super().__init__(player, short_cents, currency)
        self.player = player
        self.short_cents = short_cents
        self.currency = currency

    def __str__(self) -> str:
        return f"{self.player} is {format_money(self.short_cents, self.currency)} short of chips"


class NothingToUndoError(TrueoddsError):
    """Raised when there is no action that could be undone."""


CHECKPOINT_INTERVAL: Final = 100
"""The number of actions between two checkpoints. `Table.undo` replays the actions since the last checkpoint.

A table that kept all positions and events instead would be much slower to play at, because of garbage collection.
"""


class Table:
    """A craps table under the rules of one house.

    >>> table = Table("new_jersey", players=["Ann"], buy_in=500)
    >>> bet_made, = table.bet("Ann", "pass", 10)
    >>> rolled, = table.roll("4-4")
    >>> _ = table.bet("Ann", "place:6", 12)
    >>> rolled, = table.roll("2-4")
    >>> rolled.settled[1].sentence
    'Place 6 wins $14 on $12 at 7 to 6, and stays up: N.J.A.C. 19:47-1.2(a)5; N.J.A.C. 19:47-1.4(b)'
    >>> table.racks_cents
    {'Ann': 49200}
    >>> table
    <Table New Jersey, default house: puck 8 under_way | Ann: pass 10 as 1, place:6 12 as 2 | made 2>
    """

    def __init__(
        self,
        house: House | Book | str | TableRules | Dealer,
        players: Iterable[str] = ("A",),
        *,
        buy_in: Dollars | None = None,
        position: Position | str | None = None,
    ) -> None:
        """Open a table for a house, or for the default house of a book.

        `buy_in` is what each player starts with, in dollars. Without one, players may bet any amount and their racks
        start at zero. `position` is where play starts, as a `Position` or its notation; it replaces `players`.
        """
        if not isinstance(house, TableRules | Dealer):
            house = TableRules(as_house(house))
        self.dealer = house if isinstance(house, Dealer) else CachedDealer(house)
        if isinstance(players, str):
            raise PositionError(f"players must be a list of names, got the text {players!r}")
        if isinstance(position, str):
            position = parse_position(position)
        self._position = self._start = new_position(tuple(players)) if position is None else position
        validate_position(self.rules, self._position)
        max_seats = self.rules.game.max_seats
        if max_seats is not None and len(self._position.seats) > max_seats:
            raise PositionError(f"this game has {max_seats} seats, got {len(self._position.seats)} players")
        self._buy_in: Cents | None = None if buy_in is None else parse_dollars(buy_in, "buy_in")
        # A plain roll is stored as the `Roll` alone.
        self._actions: list[Action | Roll] = []
        self._checkpoints = [self._position]
        # The changes of the racks after the first `_counted` actions. The others are counted when they are needed.
        self._rack_changes: dict[str, int] = {}
        self._counted = 0
        self._counted_position = self._position

    # -------------------------------------------------------------------------------------- questions

    @property
    def rules(self) -> TableRules:
        """The rules of the house."""
        return self.dealer.rules

    @property
    def position(self) -> Position:
        """Everything on the table now. Positions never change; every action makes a new one."""
        return self._position

    @property
    def players(self) -> tuple[str, ...]:
        """The players at the table, clockwise."""
        return tuple(seat.player for seat in self._position.seats)

    @property
    def racks_cents(self) -> dict[str, int]:
        """The chips of each player that are not on the layout, in cents."""
        self._count_actions()
        buy_in = self._buy_in or 0
        racks = dict.fromkeys(self.players, int(buy_in))
        return racks | {player: buy_in + change for player, change in self._rack_changes.items()}

    @property
    def actions(self) -> tuple[Action, ...]:
        """Every action so far."""
        return tuple(RollDice(action) if isinstance(action, Roll) else action for action in self._actions)

    @property
    def history(self) -> History:
        """The start, every action so far and the end. `notation.replay` replays it."""
        return History(self.rules.house, self._start, self.actions, self._position, buy_in_cents=self._buy_in)

    def verify(self, action: Action | str) -> Refusal | None:
        """Return why an action, or its notation, is refused now, or None if the rules allow it."""
        return self.dealer.verify(self._position, parse_action(action) if isinstance(action, str) else action)

    def can(self, action: Action | str) -> bool:
        """Return whether the rules allow an action, or its notation, now. Racks are not looked at."""
        return self.verify(action) is None

    def legal_actions(self, player: str) -> tuple[LegalAction, ...]:
        """Return everything the player may do now, with the stakes that would be accepted."""
        return list_legal_actions(self.dealer, self._position, player)

    def layout(self, player: str) -> Layout:
        """Return the layout as the player sees it: every spot with its payouts, limits and bets."""
        return build_layout(self.dealer, self._position, player)

    def situation(self, player: str) -> Situation:
        """Return the position as the player's strategy sees it."""
        return player_situation(self._position, player)

    # ---------------------------------------------------------------------------------------- actions

    def do(self, action: Action | str) -> tuple[Event, ...]:
        """Do an action, or its notation like "Ann bets 10 on pass", and return the events.

        Raise `Refused` if the rules do not allow it and `NotEnoughChipsError` if the rack does not cover it. In both
        cases nothing changes.
        """
        if isinstance(action, str):
            action = parse_action(action)
        dealer = self.dealer
        act = dealer.act_and_record if dealer.records_procedures else dealer.act
        after, events = act(self._position, action)
        if self._buy_in is not None:
            self._check_racks(events)
        self._position = after
        self._actions.append(action)
        return events

    def bet(
        self, player: str, spot: Spot | str, stake: Dollars, *, base_tag: str | None = None, tag: str | None = None
    ) -> tuple[Event, ...]:
        """Make a bet of `stake` dollars on a spot like "pass", "place:6" or "hop:2-5", and return the events.

        For odds, `base_tag` is the tag or the spot of the wager they stand behind. `tag` names the new wager; without
        one it gets the next number. Raise `UnknownWagerError` if the book has no such wager.
        """
        base = None if base_tag is None else self._find_tag(player, base_tag)
        return self.do(Bet(player, self._parse_spot(spot), parse_dollars(stake, "stake"), base, tag))

    def press(self, player: str, bet: str, stake: Dollars) -> tuple[Event, ...]:
        """Increase a bet to `stake` dollars. `bet` is its tag or its spot."""
        return self.do(Press(player, self._find_tag(player, bet), parse_dollars(stake, "stake")))

    def reduce(self, player: str, bet: str, stake: Dollars) -> tuple[Event, ...]:
        """Decrease a bet to `stake` dollars. `bet` is its tag or its spot."""
        return self.do(Reduce(player, self._find_tag(player, bet), parse_dollars(stake, "stake")))

    def take_down(self, player: str, bet: str) -> tuple[Event, ...]:
        """Take a bet down. `bet` is its tag or its spot."""
        return self.do(TakeDown(player, self._find_tag(player, bet)))

    def call(self, player: str, bet: str, call: WorkingCall) -> tuple[Event, ...]:
        """Call a bet "on" or "off". `bet` is its tag or its spot."""
        return self.do(ToggleBet(player, self._find_tag(player, bet), call))

    def roll(self, dice: Roll | str, player: str | None = None) -> tuple[Event, ...]:
        """Roll the dice, given as a `Roll` or as text like "3-4", and return the events."""
        roll = dice if type(dice) is Roll else Roll.parse(dice)
        if player is not None or self.dealer.records_procedures:
            return self.do(RollDice(roll, player))
        self._position, events = self.dealer.roll(self._position, roll)
        self._actions.append(roll)
        return events

    def undo(self) -> Action:
        """Take back the last action and return it.

        Position, racks and history are as they were before. Raise `NothingToUndoError` if there is no action.
        """
        if not self._actions:
            raise NothingToUndoError("there is no action to undo")
        action = self._actions.pop()
        count = len(self._actions)
        self._position = self._position_after(count)
        if self._counted > count:
            _, events = self._replay(self._position, action)
            self._change_racks(events, -1)
            self._counted, self._counted_position = count, self._position
        return RollDice(action) if isinstance(action, Roll) else action

    def copy(self) -> Self:
        """Return a table with the same position, racks and history that can be played on by itself."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._actions, other._checkpoints = self._actions.copy(), self._checkpoints.copy()
        other._rack_changes = self._rack_changes.copy()
        return other

    # ------------------------------------------------------------------------------------------- text

    @classmethod
    def from_text(cls, text: str, house: House | Book | str | None = None) -> Self:
        """Return a table from text: a history as `str(table)` writes it, or with `house` the line of a position.

        >>> Table.from_text("puck 6 under_way | Ann: pass 10 as 1 | made 1", "new_jersey").position.point
        6
        >>> table = Table("rws", ["Ann"])
        >>> _ = table.roll("3-3")
        >>> Table.from_text(str(table)).position == table.position
        True
        """
        if house is not None:
            return cls(house, position=text)
        history = parse_history(text)
        table = cls(history.house, position=history.start)
        table._buy_in = history.buy_in_cents
        for step in replay(history, table.dealer):
            table._position = step.position
            table._actions.append(step.action)
        return table

    def __str__(self) -> str:
        """Return the history as text, which `from_text` reads."""
        return write_history(self.history)

    def __repr__(self) -> str:
        return f"<Table {self.rules.house.name}: {write_position(self._position)}>"

    def _repr_svg_(self) -> str:
        """Return a drawing of the table, which notebooks show."""
        return draw_svg(self.rules, self._position, self.racks_cents)

    # ----------------------------------------------------------------------------------------- helpers

    def _parse_spot(self, spot: Spot | str) -> Spot:
        """Parse a spot. A kind that no book knows is a misspelling; one of another book is for the rules to refuse."""
        parsed = spot if isinstance(spot, Spot) else Spot.parse(spot)
        if not isinstance(parsed.pick, tuple):
            msg = f"the pick of a spot must be a tuple such as (6,), got {parsed.pick!r}"  # type: ignore[unreachable]
            raise SpotError(msg)
        if parsed.kind not in self.rules.book.wagers and not any(
            parsed.kind in load_book(book_id).wagers for book_id in book_ids()
        ):
            raise UnknownWagerError(parsed.kind, self.rules.book.title, tuple(self.rules.book.wagers))
        return parsed

    def _find_tag(self, player: str, bet: str) -> str:
        """Return the tag of a bet that is named by its tag, or by its spot: then the last one made there."""
        seat = self._position.find_seat(player)
        tags_by_spot: dict[str, str] = {}
        for tagged in seat.wagers if seat else ():
            if bet == tagged.tag or bet in tagged.odds_tags:
                return bet
            tags_by_spot[str(tagged.wager.spot)] = tagged.tag
            for tag, odds_bet in zip(tagged.odds_tags, tagged.wager.odds_bets, strict=True):
                tags_by_spot[odds_bet.kind] = tag
        return tags_by_spot.get(bet, bet)

    def _position_after(self, count: int) -> Position:
        """Return the position after the first `count` actions, and keep checkpoints up to there."""
        checkpoints = self._checkpoints
        del checkpoints[count // CHECKPOINT_INTERVAL + 1 :]
        position = checkpoints[-1]
        for index in range((len(checkpoints) - 1) * CHECKPOINT_INTERVAL, count):
            position, _ = self._replay(position, self._actions[index])
            if (index + 1) % CHECKPOINT_INTERVAL == 0:
                checkpoints.append(position)
        return position

    def _replay(self, position: Position, action: Action | Roll) -> tuple[Position, tuple[Event, ...]]:
        return self.dealer.roll(position, action) if isinstance(action, Roll) else self.dealer.act(position, action)

    def _check_racks(self, events: tuple[Event, ...]) -> None:
        """Raise `NotEnoughChipsError` if events take more from a rack than it holds."""
        racks = self.racks_cents
        for event in events:
            for movement in money_movements(event):
                rack = racks.get(movement.player, self._buy_in or 0) + movement.rack_cents
                if movement.rack_cents < 0 and rack < 0:
                    raise NotEnoughChipsError(movement.player, -rack, self.rules.house.currency)
                racks[movement.player] = rack

    def _count_actions(self) -> None:
        for action in self._actions[self._counted :]:
            self._counted_position, events = self._replay(self._counted_position, action)
            self._change_racks(events, 1)
        self._counted = len(self._actions)

    def _change_racks(self, events: tuple[Event, ...], sign: int) -> None:
        for event in events:
            for movement in money_movements(event):
                change = sign * movement.rack_cents
                self._rack_changes[movement.player] = self._rack_changes.get(movement.player, 0) + change
