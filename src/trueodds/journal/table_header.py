"""The header of a table: its id, book, house and event schema."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from trueodds.journal.canonical_json import decode_object, encode_canonical_unchecked, hash_fields
from trueodds.journal.errors import JournalError
from trueodds.journal.event_codec import schema_digest
from trueodds.rulebook import Book, House, RulebookError, load_book, plain_value

TABLE_ID_PATTERN: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


class TableHeader(NamedTuple):
    """What never changes about a table. `house_json` holds the name, currency and options of its house.

    >>> from trueodds.rulebook import as_house
    >>> header = TableHeader.for_house("t1", as_house("NJ"), created_ms=0)
    >>> header.book_id, header.load_house() == as_house("NJ")
    ('new_jersey', True)
    """

    table_id: str
    book_id: str
    book_digest: str
    house_json: str
    house_digest: str
    schema_digest: str
    created_ms: int

    @classmethod
    def for_house(cls, table_id: str, house: House, created_ms: int) -> TableHeader:
        """Return the header of a new table. Raise `JournalError` if the id or the time is invalid."""
        if not TABLE_ID_PATTERN.fullmatch(table_id):
            raise JournalError(f"a table id must be 1 to 64 letters, digits, _ or -, got {table_id!r}")
        if type(created_ms) is not int or not 0 <= created_ms < 2**63:
            raise JournalError(f"created_ms must be a whole number of milliseconds, got {created_ms!r}")
        options = {name: plain_value(value) for name, value in house.options.items()}
        text = encode_canonical_unchecked({"name": house.name, "currency": house.currency, "options": options})
        return cls(table_id, house.book.id, house.book.digest, text, house.digest, schema_digest(), created_ms)

    @property
    def hash(self) -> str:
        """The hash that the first event is chained to."""
        return hash_fields("header", *self)

    def load_house(self, book: Book | None = None) -> House:
        """Return the house of the table. Pass `book` if it is not a built-in one.

        Raise `JournalError` if the book or the house is not the one the table was created with.
        """
        saved = decode_object(self.house_json)
        try:
            book = book or load_book(self.book_id)
            if book.digest != self.book_digest:
                raise JournalError(f"table {self.table_id} was created with another version of {book.title}")
            # The bounds are not checked: a table that is open plays on, even if its house would not be accepted today.
            house = House(
                book,
                saved["options"],
                name=saved["name"],
                currency=saved["currency"],
                book_defaults=True,
                unchecked=True,
            )
        except (RulebookError, KeyError, TypeError) as error:
            raise JournalError(f"cannot load the house of table {self.table_id}: {error}") from None
        if house.digest != self.house_digest:
            raise JournalError(f"the house options of table {self.table_id} do not match its house digest")
        return house

    @property
    def currency(self) -> str:
        """The currency of the table, such as USD."""
        return str(decode_object(self.house_json)["currency"])

    def check_schema(self) -> None:
        """Raise `JournalError` if the table was created with another event schema."""
        if self.schema_digest != schema_digest():
            raise JournalError(f"table {self.table_id} was created with another event schema")
