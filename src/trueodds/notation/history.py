"""The notation of histories: the house, where play started, every action, and where play ended.

    trueodds history 1
    book new_jersey <digest>
    house "Boardwalk" USD <digest>
    option min_bet 1500
    events <digest>
    buy_in 500
    start puck off new | Ann:
    Ann bets 15 on pass as p
    roll 3-4
    end puck off seven | Ann: | made 1

Empty lines and lines that start with ; are comments. The `option` lines list, as JSON, the options that differ from
the defaults of the book. `buy_in` and `end` may be left out. The digests make sure that a history is replayed under
the rules it was played under.
"""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar, get_args

from trueodds.money import Cents
from trueodds.notation.action_text import parse_action, write_action
from trueodds.notation.line_parser import LineParser, NotationError, parse_amount, write_amount, write_name
from trueodds.notation.position_text import parse_position, write_position
from trueodds.rulebook import House, RulebookError, load_book, plain_value
from trueodds.table import Action, CachedDealer, Dealer, Event, Position, Refused
from trueodds.table.position import PositionError
from trueodds.table.validate_position import validate_position
from trueodds.wagers import TableRules

FIRST_LINE: Final = "trueodds history 1"

T = TypeVar("T")


class HistoryError(NotationError):
    """Raised for a history that cannot be parsed or replayed. `line` counts from 1; 0 means the whole text."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(line, reason)
        self.line = line
        self.reason = reason

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


def events_digest() -> str:
    """Return a digest of the names and fields of all events. Every history carries it."""
    schema = [[kind.__name__, [*inspect.signature(kind).parameters]] for kind in get_args(Event)]
    return hashlib.sha256(json.dumps(schema).encode()).hexdigest()


@dataclass(frozen=True)
class History:
    """Everything needed to replay what was played at a table. `lines` are the line numbers of the actions."""

    house: House
    start: Position
    actions: tuple[Action, ...]
    end: Position | None = None
    lines: tuple[int, ...] = ()
    start_line: int = 1
    buy_in_cents: Cents | None = None
    end_line: int | None = None


class ReplayStep(NamedTuple):
    """One replayed action: its line, its events, and the position after it."""

    line: int
    action: Action
    events: tuple[Event, ...]
    position: Position


def write_history(history: History) -> str:
    """Return the notation of a history, with one line for every action."""
    house = history.house
    lines = [
        FIRST_LINE,
        f"book {house.book.id} {house.book.digest}",
        f"house {write_name(house.name)} {house.currency} {house.digest}",
    ]
    for name, value in house.options.items():
        if plain_value(value) != plain_value(house.book.options[name].default):
            lines.append(f"option {name} {json.dumps(plain_value(value), ensure_ascii=True)}")
    lines.append(f"events {events_digest()}")
    if history.buy_in_cents is not None:
        lines.append(f"buy_in {write_amount(history.buy_in_cents)}")
    lines.append(f"start {write_position(history.start)}")
    lines += [write_action(action) for action in history.actions]
    if history.end is not None:
        lines.append(f"end {write_position(history.end)}")
    return "\n".join(lines) + "\n"


def parse_history(text: str) -> History:
    """Parse a history. This is the inverse of `write_history`. Raise `HistoryError`, which names the line."""
    numbered = [
        (number, line.strip())
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip() and not line.lstrip().startswith(";")
    ]
    lines = _HistoryLines(numbered)
    lines.expect(FIRST_LINE)
    house = _parse_house(lines)
    buy_in = None
    if lines.next_is("buy_in"):
        lines.expect("buy_in")
        buy_in = lines.parse_rest(parse_amount)
    lines.expect("start")
    start, start_line = lines.parse_rest(parse_position), lines.number
    actions, action_lines = [], []
    end, end_line = None, None
    while lines.has_more():
        if lines.next_is("end"):
            lines.expect("end")
            end, end_line = lines.parse_rest(parse_position), lines.number
            if lines.has_more():
                raise HistoryError(lines.next_number, "nothing may follow the end")
            break
        lines.expect("")
        actions.append(lines.parse_rest(parse_action))
        action_lines.append(lines.number)
    return History(house, start, tuple(actions), end, tuple(action_lines), start_line, buy_in, end_line)


class _HistoryLines:
    """The lines of a history, consumed one by one. `rest` is the current line without its first word."""

    def __init__(self, lines: list[tuple[int, str]]) -> None:
        self._lines = lines
        self._index = 0
        self.number = 1
        self.rest = ""

    def has_more(self) -> bool:
        return self._index < len(self._lines)

    @property
    def next_number(self) -> int:
        return self._lines[self._index][0] if self.has_more() else self.number + 1

    def next_is(self, word: str) -> bool:
        return self.has_more() and (self._lines[self._index][1] + " ").startswith(word + " ")

    def expect(self, word: str) -> None:
        if word and not self.next_is(word):
            found = repr(self._lines[self._index][1][:60]) if self.has_more() else "the end of the history"
            raise HistoryError(self.next_number, f"expected {word!r}, found {found}")
        self.number, line = self._lines[self._index]
        self.rest = line.removeprefix(word).strip()
        self._index += 1

    def parse_rest(self, parse: Callable[[str], T]) -> T:
        try:
            return parse(self.rest)
        except NotationError as error:
            raise HistoryError(self.number, str(error)) from None


def _parse_house(lines: _HistoryLines) -> House:
    lines.expect("book")
    book_line = lines.number
    book_id, book_digest = lines.parse_rest(lambda text: _split_words(text, "a book and its digest", 2))
    lines.expect("house")
    house_line = lines.number
    name, currency, house_digest = lines.parse_rest(_parse_house_line)
    options: dict[str, object] = {}
    while lines.next_is("option"):
        lines.expect("option")
        option, _, value = lines.rest.partition(" ")
        try:
            options[option] = json.loads(value)
        except ValueError:
            raise HistoryError(lines.number, f"the value of {option} must be JSON, got {value!r}") from None
    lines.expect("events")
    if lines.rest != events_digest():
        raise HistoryError(lines.number, "this history was written by a version with different events")
    try:
        book = load_book(book_id)
        house = House(book, options, name=name, currency=currency, book_defaults=True)
    except RulebookError as error:
        raise HistoryError(book_line, str(error)) from None
    if book.digest != book_digest:
        raise HistoryError(book_line, f"this history was played under another edition of {book.title}")
    if house.digest != house_digest:
        raise HistoryError(house_line, "the options do not match the digest of the house")
    return house


def _split_words(text: str, expected: str, count: int) -> list[str]:
    words = text.split()
    if len(words) != count:
        raise NotationError(f"expected {expected}, got {text!r}")
    return words


def _parse_house_line(text: str) -> list[str]:
    line = LineParser(text)
    words = [line.name("a house"), line.word("a currency"), line.word("a digest")]
    line.expect_end()
    return words


def replay(history: History, dealer: Dealer | None = None) -> Iterator[ReplayStep]:
    """Replay a history and yield each action with its events.

    Raise `HistoryError` if the start is not a valid position, an action is refused, or the end differs.
    """
    dealer = dealer or CachedDealer(TableRules(history.house))
    position = history.start
    try:
        validate_position(dealer.rules, position)
    except PositionError as error:
        raise HistoryError(history.start_line, f"the start is not a valid position: {error}") from None
    lines = history.lines or tuple(range(1, len(history.actions) + 1))
    for line, action in zip(lines, history.actions, strict=True):
        try:
            position, events = dealer.act(position, action)
        except Refused as refused:
            raise HistoryError(line, f"{write_action(action)!r} is refused: {refused}") from None
        yield ReplayStep(line, action, events, position)
    if history.end is not None and history.end != position:
        end_line = history.end_line or (lines[-1] if lines else 0) + 1
        expected, found = write_position(history.end), write_position(position)
        raise HistoryError(end_line, f"the history must end at {expected!r}, but the replay ends at {found!r}")
