"""The header of a table: what it is, under which house it plays, under which shape of events it is written."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from trueodds.journal.codec import schema_digest
from trueodds.journal.encoding import digest, encode_json, read_json
from trueodds.journal.errors import JournalError
from trueodds.rulebook import Book, House, RulebookError, load_book, plain

TABLE_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Header(NamedTuple):
    """What never changes about a table. `house` is its name, currency and options as JSON.

    >>> from trueodds.rulebook import open_house
    >>> header = Header.of("t1", open_house("NJ"), created_ms=0)
    >>> header.book_id, header.open_house() == open_house("NJ")
    ('new_jersey', True)
    """

    table_id: str
    book_id: str
    book_digest: str
    house: str
    house_digest: str
    schema_digest: str
    created_ms: int

    @classmethod
    def of(cls, table_id: str, house: House, created_ms: int) -> Header:
        """Make the header of a table that plays under a house."""
        if not TABLE_ID.fullmatch(table_id):
            raise JournalError(f"the id of a table is up to 64 letters, digits, _ and -, not {table_id!r}")
        if type(created_ms) is not int or not 0 <= created_ms < 2**63:
            raise JournalError(f"a time is a whole number of milliseconds, not {created_ms!r}")
        options = {name: plain(value) for name, value in house.options.items()}
        text = encode_json({"name": house.name, "currency": house.currency, "options": options})
        return cls(table_id, house.book.id, house.book.digest, text, house.digest, schema_digest(), created_ms)

    @property
    def digest(self) -> str:
        """The hash that the first row is chained to."""
        return digest("header", *self)

    def open_house(self, book: Book | None = None) -> House:
        """Make the house again; a book that is not on the shelf must be given. Another edition is refused."""
        told: dict[str, Any] = read_json(self.house)
        try:
            book = book or load_book(self.book_id)
            if book.digest != self.book_digest:
                raise JournalError(f"table {self.table_id} plays by another edition of {book.title}")
            house = House(book, told["options"], name=told["name"], currency=told["currency"], plain_options=True)
        except (RulebookError, KeyError, TypeError) as error:
            raise JournalError(f"the house of table {self.table_id} cannot be made again: {error}") from None
        if house.digest != self.house_digest:
            raise JournalError(f"the options of table {self.table_id} do not make the house of its digest")
        return house

    @property
    def currency(self) -> str:
        """What the table plays for."""
        return str(read_json(self.house)["currency"])

    def check_schema(self) -> None:
        """Refuse a table that was written under another shape of events."""
        if self.schema_digest != schema_digest():
            raise JournalError(f"table {self.table_id} was written under another shape of events")
