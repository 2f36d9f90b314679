"""A whole history as text: the house it was played under, where it started, every action, where it ended.

    trueodds history 1
    book new_jersey <digest>
    house "Boardwalk" USD <digest>
    option min_bet 1500
    events <digest>
    start puck off new | Ann:
    Ann bets 15 on pass as p
    roll 3-4
    end puck off seven | Ann: | made 1

Empty lines and lines that begin with ; are remarks. `option` lines give what differs from the book's bare
options, as JSON. The digests make sure that a history is replayed under the rules it was made under.
"""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, get_args

from trueodds.notation.actions import parse_action, write_action
from trueodds.notation.positions import parse_position, write_position
from trueodds.notation.words import Line, NotationError, write_name
from trueodds.rulebook import House, RulebookError, load_book, plain
from trueodds.table import Action, Dealer, Event, Position, Refused
from trueodds.table.check import check_position
from trueodds.table.position import PositionError
from trueodds.wagers import Rules

FIRST_LINE: Final = "trueodds history 1"


class HistoryError(NotationError):
    """A history that cannot be read or replayed; `line` counts from 1."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")
        self.line = line
        self.what = what


def events_digest() -> str:
    """Digest of the shape of every event: histories and journals carry it."""
    shape = [[kind.__name__, [*inspect.signature(kind).parameters]] for kind in get_args(Event)]
    return hashlib.sha256(json.dumps(shape).encode()).hexdigest()


@dataclass(frozen=True)
class History:
    """What was played: enough to play it again. `lines` says where each action stands in its text."""

    house: House
    start: Position
    actions: tuple[Action, ...]
    end: Position | None = None
    lines: tuple[int, ...] = ()
    start_line: int = 1


class Step(NamedTuple):
    """One action replayed: its line, what happened, and the position after it."""

    line: int
    action: Action
    events: tuple[Event, ...]
    position: Position


def write_history(history: History) -> str:
    """Write a history, with a line for every action."""
    house = history.house
    lines = [
        FIRST_LINE,
        f"book {house.book.id} {house.book.digest}",
        f"house {write_name(house.name)} {house.currency} {house.digest}",
    ]
    for name, value in house.options.items():
        if plain(value) != plain(house.book.options[name].default):
            lines.append(f"option {name} {json.dumps(plain(value), ensure_ascii=True)}")
    lines += [f"events {events_digest()}", f"start {write_position(history.start)}"]
    lines += [write_action(action) for action in history.actions]
    if history.end is not None:
        lines.append(f"end {write_position(history.end)}")
    return "\n".join(lines) + "\n"


def parse_history(text: str) -> History:
    """Read a history; the inverse of `write_history`. Errors name the line."""
    rows = [
        (number, row.strip())
        for number, row in enumerate(text.split("\n"), 1)
        if row.strip() and not row.lstrip().startswith(";")
    ]
    reader = _Rows(rows)
    reader.take(FIRST_LINE)
    house = _read_house(reader)
    reader.take("start")
    start, start_line = reader.read(parse_position), reader.number
    actions, lines = [], []
    end = None
    while reader.more():
        if reader.at("end"):
            reader.take("end")
            end = reader.read(parse_position)
            if reader.more():
                raise HistoryError(reader.next_number, "nothing may follow the end")
            break
        reader.take("")
        actions.append(reader.read(parse_action))
        lines.append(reader.number)
    return History(house, start, tuple(actions), end, tuple(lines), start_line)


class _Rows:
    """The lines of a history, taken one by one."""

    def __init__(self, rows: list[tuple[int, str]]) -> None:
        self._rows = rows
        self._index = 0
        self.number = 1
        self.rest = ""

    def more(self) -> bool:
        return self._index < len(self._rows)

    @property
    def next_number(self) -> int:
        return self._rows[self._index][0] if self.more() else self.number + 1

    def at(self, word: str) -> bool:
        return self.more() and (self._rows[self._index][1] + " ").startswith(word + " ")

    def take(self, word: str) -> None:
        if word and not self.at(word):
            found = repr(self._rows[self._index][1][:60]) if self.more() else "the end of the history"
            raise HistoryError(self.next_number, f"expected {word!r}, found {found}")
        self.number, row = self._rows[self._index]
        self.rest = row.removeprefix(word).strip()
        self._index += 1

    def read(self, parse: Any) -> Any:
        try:
            return parse(self.rest)
        except NotationError as error:
            raise HistoryError(self.number, str(error)) from None


def _read_house(reader: _Rows) -> House:
    reader.take("book")
    book_line = reader.number
    book_id, book_digest = reader.read(lambda text: _words(text, "a book and its digest", 2))
    reader.take("house")
    house_line = reader.number
    name, currency, house_digest = reader.read(_house_words)
    options: dict[str, Any] = {}
    while reader.at("option"):
        reader.take("option")
        option, _, value = reader.rest.partition(" ")
        try:
            options[option] = json.loads(value)
        except ValueError:
            raise HistoryError(reader.number, f"the value of {option} is not JSON: {value!r}") from None
    reader.take("events")
    if reader.rest != events_digest():
        raise HistoryError(reader.number, "made under another shape of events")
    try:
        book = load_book(book_id)
        house = House(book, options, name=name, currency=currency, plain_options=True)
    except RulebookError as error:
        raise HistoryError(book_line, str(error)) from None
    if book.digest != book_digest:
        raise HistoryError(book_line, f"made under another edition of {book.title}")
    if house.digest != house_digest:
        raise HistoryError(house_line, "the options do not make the house of this digest")
    return house


def _words(text: str, expected: str, count: int) -> list[str]:
    words = text.split()
    if len(words) != count:
        msg = f"expected {expected}, not {text!r}"
        raise NotationError(msg)
    return words


def _house_words(text: str) -> list[str]:
    line = Line(text)
    words = [line.name("a house"), line.word("a currency"), line.word("a digest")]
    line.end()
    return words


def replay(history: History, dealer: Dealer | None = None) -> Iterator[Step]:
    """Play a history again, action by action; the line that cannot be done, or an end that differs, is an error."""
    dealer = dealer or Dealer(Rules(history.house))
    position = history.start
    try:
        check_position(dealer.rules, position)
    except PositionError as error:
        raise HistoryError(history.start_line, f"the start cannot be: {error}") from None
    lines = history.lines or tuple(range(1, len(history.actions) + 1))
    for line, action in zip(lines, history.actions, strict=True):
        try:
            position, events = dealer.act(position, action)
        except Refused as refused:
            raise HistoryError(line, f"{write_action(action)!r} is refused: {refused}") from None
        yield Step(line, action, events, position)
    if history.end is not None and history.end != position:
        last = (lines[-1] if lines else 0) + 1
        raise HistoryError(last, f"ends at {write_position(position)!r}, not at {write_position(history.end)!r}")
