"""People behind player ids. Events never contain a name, so deleting a person leaves the journal intact."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, Literal, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from trueodds.journal.canonical_json import JsonObject, decode_object, encode_canonical
from trueodds.journal.checksum import row_checksum
from trueodds.journal.database import Database
from trueodds.journal.errors import PersonError
from trueodds.journal.schema import people

PersonKind = Literal["guest", "registered", "bot"]
"""A bot has no password and no cookie, so nobody can log in as one."""

MAX_NAME_LENGTH: Final = 40

_MAX_CHECKPOINTS: Final = 3
"""How often to try to truncate the write-ahead log. Each attempt waits for readers up to the busy timeout."""


class Person(NamedTuple):
    """A guest, a registered person or a bot. A deleted person has no name, password or limits.

    `sign_out_count` grows when the person is signed out everywhere.
    """

    person_id: str
    name: str | None
    kind: PersonKind
    password_hash: str | None
    created_ms: int
    self_limits: JsonObject
    deleted_ms: int | None
    sign_out_count: int = 0

    @property
    def is_deleted(self) -> bool:
        """Whether the person was deleted, so that only the id is left."""
        return self.deleted_ms is not None


class PersonStore:
    """Creates, finds and changes people. Callers pass times and password hashes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._database!r})"

    def create(
        self, name: str, created_ms: int, *, kind: PersonKind = "guest", password_hash: str | None = None
    ) -> Person:
        """Create a person with a random id. Raise `PersonError` if the name is invalid or taken."""
        person = Person(secrets.token_hex(16), _validate_name(name), kind, password_hash, created_ms, {}, None)
        try:
            with self._database.write_transaction() as connection:
                connection.execute(sa.insert(people).values(**_person_columns(person)))
        except IntegrityError:
            raise PersonError(f"the name {name!r} is taken") from None
        return person

    def find_or_create_bot(self, display_name: str, created_ms: int, excluded_ids: Collection[str] = ()) -> Person:
        """Return a bot with a display name, numbered if necessary, that is not among the excluded ids.

        Bots are shared between tables and created when first needed.
        """
        number = 1
        while True:
            name = f"{display_name} (bot)" if number == 1 else f"{display_name} {number} (bot)"
            person = self.find_by_name(name)
            if person is None:
                try:
                    return self.create(name, created_ms, kind="bot")
                except PersonError:
                    if self.find_by_name(name) is None:
                        raise
                    continue  # another process created it first: look again
            if person.kind == "bot" and person.person_id not in excluded_ids:
                return person
            number += 1

    def find(self, person_id: str) -> Person | None:
        """Return a person by id, deleted or not, or None."""
        return self._find(people.c.person_id == person_id)

    def find_by_name(self, name: str) -> Person | None:
        """Return a person by name, ignoring case, or None."""
        return self._find(people.c.normalized_name == normalize_name(name))

    def register(self, person_id: str, name: str, password_hash: str) -> Person:
        """Turn a guest into a registered person with a name and a password."""

        def changed(person: Person) -> Person:
            if person.kind != "guest":
                raise PersonError(f"{person.name} is already registered")
            return person._replace(name=_validate_name(name), kind="registered", password_hash=password_hash)

        return self._change(person_id, changed)

    def sign_out_everywhere(self, person_id: str) -> Person:
        """Invalidate every session of a person."""
        return self._change(person_id, lambda person: person._replace(sign_out_count=person.sign_out_count + 1))

    def change_self_limits(self, person_id: str, change: Callable[[JsonObject], JsonObject]) -> Person:
        """Replace a person's limits by what `change` returns for the current ones."""
        return self._change(person_id, lambda person: person._replace(self_limits=dict(change(person.self_limits))))

    def delete(self, person_id: str, deleted_ms: int) -> Person:
        """Delete the name, password and limits of a person. The id stays."""
        gone = self._change(
            person_id,
            lambda person: person._replace(name=None, password_hash=None, self_limits={}, deleted_ms=deleted_ms),
        )
        if self._database.is_sqlite:
            # SQLite overwrites the name in its file; this also removes it from the write-ahead log.
            for _ in range(_MAX_CHECKPOINTS):
                if self._truncate_wal():
                    break
        return gone

    def _truncate_wal(self) -> bool:
        """Truncate SQLite's write-ahead log. Return False if readers prevented it."""
        with self._database.engine.connect() as connection:
            driver = connection.connection.driver_connection
            is_busy, _, _ = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()  # type: ignore[union-attr]  # it is open
        return not is_busy

    def _find(self, condition: sa.ColumnElement[bool]) -> Person | None:
        with self._database.read_transaction() as connection:
            found = connection.execute(sa.select(*_PERSON_COLUMNS).where(condition)).first()
        return None if found is None else _person_from_row(found)

    def _change(self, person_id: str, change: Callable[[Person], Person]) -> Person:
        try:
            with self._database.write_transaction() as connection:
                which = people.c.person_id == person_id
                found = connection.execute(sa.select(*_PERSON_COLUMNS).where(which).with_for_update()).first()
                person = change(self._require_existing(_person_from_row(found) if found else None, person_id))
                connection.execute(sa.update(people).where(which).values(**_person_columns(person)))
                return person
        except IntegrityError:
            raise PersonError("the name is taken") from None

    @staticmethod
    def _require_existing(person: Person | None, person_id: str) -> Person:
        if person is None or person.is_deleted:
            raise PersonError(f"there is no person with the id {person_id!r}")
        return person


_PERSON_COLUMNS: Final = [people.c[name] for name in Person._fields]


def _person_from_row(row: Any) -> Person:
    return Person(*row)._replace(self_limits=decode_object(row.self_limits))


def normalize_name(name: str) -> str:
    """Return the normal form of a name, equal for names that look alike.

    >>> normalize_name("ANN") == normalize_name("ann")
    True
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _validate_name(name: str) -> str:
    if not name.strip() or name != name.strip() or len(name) > MAX_NAME_LENGTH or not name.isprintable():
        raise PersonError(
            f"a name must be 1 to {MAX_NAME_LENGTH} printable characters without surrounding spaces, got {name!r}"
        )
    return name


def _person_columns(person: Person) -> dict[str, str | int | None]:
    columns = person._asdict() | {
        "self_limits": encode_canonical(dict(person.self_limits)),
        "normalized_name": None if person.name is None else normalize_name(person.name),
    }
    return columns | {"checksum": person_checksum(columns)}


def person_checksum(columns: Mapping[str, str | int | None]) -> str:
    """Return the checksum of the columns of a person."""
    return row_checksum("people", *(columns[column.name] for column in people.columns if column.name != "checksum"))
