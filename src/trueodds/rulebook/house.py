"""A house: the options that the operator of a table chose, out of those its book leaves open."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Set
from pathlib import Path
from types import MappingProxyType
from typing import Final

from trueodds.money import Cents, MoneyError, Odds, OddsWordingError, UnpayablePolicy
from trueodds.rulebook.book import Book
from trueodds.rulebook.book_files import load_book
from trueodds.rulebook.errors import BookError, HouseError
from trueodds.rulebook.option import plain_value
from trueodds.rulebook.option_keys import WORKING_OPTIONS, can_be_off, vig_timing_keys
from trueodds.rulebook.toml_reader import read_toml_file
from trueodds.rulebook.value_types import OptionValue

FIXED_KEY_OPTIONS: Final = ("odds_take", "odds_lay")
"""Maps that must have exactly the keys of the book's default."""


class House:
    """Options on top of a book, checked against it. Immutable; houses with the same content have the same `digest`.

    Amounts are in cents, as in house files.

    >>> house = House("maryland", {"min_bet": 1500})
    >>> house["min_bet"], house["after_win"]
    (1500, 'up')
    """

    __slots__ = ("_options", "_unchecked", "book", "currency", "digest", "name")

    book: Book
    name: str
    currency: str
    digest: str

    def __init__(
        self,
        book: Book | str,
        changes: Mapping[str, object] = MappingProxyType({}),
        *,
        name: str = "",
        currency: str | None = None,
        book_defaults: bool = False,
        unchecked: bool | Set[str] = False,
    ) -> None:
        """Make a house from the default house of a book, given as a book, an id or a code, with `changes`.

        With `book_defaults`, start from the defaults of the book's options instead of its default house.

        `unchecked` skips the book's bounds for all options or for those named, to answer questions like "what if
        the bar were 2?". Malformed values are refused all the same. No house file and no command uses it.
        """
        book = as_book(book)
        self._unchecked = frozenset(book.options if unchecked is True else unchecked or ())
        base = {} if book_defaults else book.default_house
        self.book = book
        self.name = name or f"{book.title}, default house"
        self.currency = currency or book.currency
        for option in changes:
            if option not in book.options:
                raise HouseError("unknown_option", option, f"{book.title} has no such option{_hint(option, book)}")
        self._options = MappingProxyType(
            {
                option: self._checked(
                    option,
                    _merge(base.get(option), changes[option]) if option in changes else base.get(option, ...),
                )
                for option in book.options
            }
        )
        self._check_combinations()
        content = [book.digest, self.currency, {key: plain_value(value) for key, value in self._options.items()}]
        self.digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    def __setattr__(self, name: str, value: object) -> None:
        if hasattr(self, "digest"):
            msg = "a house is immutable; use with_changes() to make another"
            raise AttributeError(msg)
        object.__setattr__(self, name, value)

    def __getitem__(self, option: str) -> OptionValue:
        """Return the value of an option. Raise KeyError if the book has no such option."""
        return self._options[option]

    def get(self, option: str, default: OptionValue = None) -> OptionValue:
        """Return the value of an option, or `default` if the book has no such option."""
        return self._options.get(option, default)

    @property
    def options(self) -> Mapping[str, OptionValue]:
        """All options by name."""
        return self._options

    @property
    def min_bet_cents(self) -> Cents:
        """The table minimum."""
        return Cents(self._integer("min_bet"))

    @property
    def max_bet_cents(self) -> Cents | None:
        """The table maximum, or None."""
        return self._optional_cents("max_bet")

    @property
    def prop_min_cents(self) -> Cents | None:
        """The minimum of hardway, one-roll and bonus bets; None if it is the table minimum."""
        return self._optional_cents("prop_min")

    @property
    def chip_unit_cents(self) -> int:
        """Stakes are multiples of this."""
        return self._integer("chip_unit")

    @property
    def pay_unit_cents(self) -> int:
        """Winnings are multiples of this."""
        return self._integer("pay_unit")

    @property
    def unpayable(self) -> UnpayablePolicy:
        """What happens to winnings that are not a multiple of the pay unit."""
        match self._options["unpayable"]:
            case "round_down":
                return "round_down"
            case "round_up":
                return "round_up"
            case _:
                return "refuse"

    @property
    def pay_table_changes(self) -> Mapping[str, str]:
        """Odds that differ from the book's, by the key of their row in the pay table."""
        changes = self.get("paytable")
        return {key: str(odds) for key, odds in changes.items()} if isinstance(changes, Mapping) else {}

    def wager_list(self, option: str) -> tuple[str, ...]:
        """Return the wagers that an option lists; none if the book has no such option."""
        wagers = self.get(option, ())
        return wagers if isinstance(wagers, tuple) else ()

    def _integer(self, option: str) -> int:
        value = self._options[option]
        if not isinstance(value, int):
            raise TypeError(f"{option} is not a number: {value!r}")
        return value

    def _optional_cents(self, option: str) -> Cents | None:
        return None if self.get(option) is None else Cents(self._integer(option))

    def resolve(self, value: object) -> object:
        """Replace every "$option" in a value of the book with the value of that option, at any depth."""
        if isinstance(value, str) and value.startswith("$"):
            if value[1:] not in self._options:
                raise HouseError("unknown_option", value, f"{self.book.title} has no option {value[1:]}")
            return self._options[value[1:]]
        if isinstance(value, Mapping):
            return {key: self.resolve(item) for key, item in value.items()}
        return tuple(self.resolve(item) for item in value) if isinstance(value, tuple) else value

    def with_changes(self, changes: Mapping[str, object], *, unchecked: Set[str] = frozenset()) -> House:
        """Return another house with some options changed. Maps are changed key by key.

        The values of the options in `unchecked` need not be lawful.
        """
        merged: dict[str, object] = {option: plain_value(value) for option, value in self._options.items()}
        for option, value in changes.items():
            merged[option] = _merge(merged.get(option), value)
        unchecked = unchecked | (set(self.book.options) - set(changes) if self._unchecked else set())
        return House(self.book, merged, name=self.name, currency=self.currency, book_defaults=True, unchecked=unchecked)

    def __reduce__(self) -> tuple[object, ...]:
        options = {name: plain_value(value) for name, value in self._options.items()}
        return (_unpickle_house, (self.book, options, self.name, self.currency, self._unchecked))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, House) and other.digest == self.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<House {self.name!r} of {self.book.id}>"

    def _checked(self, name: str, given: object) -> OptionValue:
        option = self.book.options[name]
        check_bounds = name not in self._unchecked
        value = option.default if given is ... else option.check(given, name, check_bounds=check_bounds)
        if name == "game" and value not in self.book.games:
            games = ", ".join(self.book.games)
            problem = f"{self.book.title} has the games {games}, got {value!r}"
            raise HouseError("malformed", name, problem, option.cite)
        if isinstance(value, tuple):
            for wager in value:
                if wager not in self.book.wagers:
                    raise HouseError("malformed", name, f"{self.book.title} has no wager {wager!r}")
        if name in FIXED_KEY_OPTIONS and isinstance(value, Mapping) and isinstance(option.default, Mapping):
            self._check_keys(name, value, option.default)
        if name == "vig_timing" and isinstance(value, Mapping):
            self._check_vig_timing(value)
        if name == "paytable" and isinstance(value, Mapping):
            self._check_paytable(value)
        return value

    @staticmethod
    def _check_keys(name: str, value: Mapping[str, OptionValue], default: Mapping[str, OptionValue]) -> None:
        if set(value) != set(default):
            keys = ", ".join(default)
            raise HouseError("malformed", name, f"expected a multiple for each of {keys}, got {', '.join(value)}")

    def _check_vig_timing(self, timing: Mapping[str, OptionValue]) -> None:
        keys = vig_timing_keys(self.book)
        for key in timing:
            if key not in keys:
                raise HouseError("malformed", f"vig_timing.{key}", f"expected one of {', '.join(keys)}")

    def _check_paytable(self, changes: Mapping[str, OptionValue]) -> None:
        """Check changed odds against the book: first the wording, then what is fixed, then the minimums."""
        cites = self.book.refusal_cites
        for key, text in changes.items():
            where = f"paytable.{key}"
            row = self.book.pay_table.get(key)
            if row is None:
                problem = f"no such row in the pay table, got {key!r}"
                raise HouseError("bad_paytable", where, problem, cites["bad_paytable"])
            try:
                odds = Odds.parse(text)
            except OddsWordingError as error:
                raise HouseError("odds_wording", where, str(error), cites["odds_wording"]) from None
            except MoneyError as error:
                raise HouseError("bad_paytable", where, str(error), cites["bad_paytable"]) from None
            if "paytable" in self._unchecked:
                continue
            if row.constraint == "fixed" and odds.ratio != row.odds.ratio:
                raise HouseError("fixed_odds", where, f"must be exactly {row.odds}, got {odds}", row.constraint_cite)
            if row.constraint == "minimum" and odds.ratio < row.odds.ratio:
                problem = f"must be at least {row.odds}, got {odds}"
                raise HouseError("below_minimum_odds", where, problem, row.constraint_cite)

    def _check_combinations(self) -> None:
        """Check the options that depend on each other."""
        options = self._options
        for name, option in self.book.options.items():
            if name not in self._unchecked:
                option.check_conditional_bounds(options, name)
        for minimum, maximum in (("min_bet", "max_bet"), ("prop_min", "max_bet"), ("fire_min", "fire_max")):
            low, high = options.get(minimum), options.get(maximum)
            if isinstance(low, int) and isinstance(high, int) and low > high:
                cite = tuple(dict.fromkeys(self.book.options[minimum].cite + self.book.options[maximum].cite))
                raise HouseError("malformed", minimum, f"must be at most {maximum} ({high}), got {low}", cite)
        for name in WORKING_OPTIONS:
            for wager in self.wager_list(name):
                definition = self.book.wagers[wager]
                if not can_be_off(definition):
                    cite = definition.cite("def", definition.spots()[0].selection)
                    raise HouseError("malformed", name, f"{definition.title} is always working, got {wager!r}", cite)


def _unpickle_house(book: Book, options: Mapping[str, object], name: str, currency: str, unchecked: Set[str]) -> House:
    return House(book, options, name=name, currency=currency, book_defaults=True, unchecked=unchecked)


def _merge(base: object, value: object) -> object:
    """Lay a map over another; any other value replaces the base."""
    if isinstance(base, Mapping) and isinstance(value, Mapping):
        return {**base, **{str(key) if type(key) is int else key: item for key, item in value.items()}}
    return value


def _hint(option: object, book: Book) -> str:
    from difflib import get_close_matches  # noqa: PLC0415  only errors need it

    return "".join(f"; did you mean {near!r}?" for near in get_close_matches(str(option), book.options, n=1))


def load_house(path: Path | str) -> House:
    """Read a house file: `book`, and optionally `name`, `currency` and a table of `options`."""
    reader = read_toml_file(Path(path), HouseError.at)
    book = reader.string("book")
    name, currency = reader.string("name", ""), reader.string("currency", "")
    options = reader.table("options", {})
    reader.reject_unknown_keys()
    location = options.location
    try:
        return House(load_book(book), options.take_all(), name=name, currency=currency)
    except HouseError as error:
        line = location.child(*error.where.split(".")).line
        raise HouseError(error.code, error.where, error.problem, error.cite, location.file, line) from None


def as_house(house: House | Book | str) -> House:
    """Return a house as it is, or the default house of a book, given as a book, an id or a code.

    >>> as_house("NJ").book.id
    'new_jersey'
    """
    return house if isinstance(house, House) else House(house)


def as_book(book: Book | str) -> Book:
    """Return a book as it is, or by its id or code. Raise BookError for anything else."""
    if isinstance(book, Book):
        return book
    if isinstance(book, str):
        return load_book(book)
    msg = f"expected a house, a book or the name of a book, got {book!r}"  # type: ignore[unreachable]
    raise BookError("", msg)
