"""People: who is behind an opaque id. They live apart from the journal, which never has a name."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, Literal, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from trueodds.journal.database import Database
from trueodds.journal.encoding import read_json, write_json
from trueodds.journal.errors import PersonError
from trueodds.journal.schema import people
from trueodds.journal.seal import seal

Kind = Literal["guest", "registered", "house"]
"""Who is of the house has no password and no cookie: nobody can come in as them."""

NAME_LENGTH: Final = 40

_CHECKPOINTS: Final = 3
"""How often the log is tried to be emptied; each time readers are waited for as long as the database waits."""


class Person(NamedTuple):
    """Somebody. A deleted person has no name, no password and no limits any more, and cannot be found by name.

    `epoch` grows when this person is signed out everywhere.
    """

    person_id: str
    name: str | None
    kind: Kind
    password_hash: str | None
    created_ms: int
    limits: Mapping[str, Any]
    deleted_ms: int | None
    epoch: int = 0

    @property
    def is_deleted(self) -> bool:
        """Whether only the id is left."""
        return self.deleted_ms is not None


class People:
    """The people of a journal. Times and password hashes are given; nothing here looks at a password."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, name: str, created_ms: int, *, kind: Kind = "guest", password_hash: str | None = None) -> Person:
        """Take somebody in under an id that says nothing; a name that is taken is refused."""
        person = Person(secrets.token_hex(16), _checked_name(name), kind, password_hash, created_ms, {}, None)
        try:
            with self._database.writing() as connection:
                connection.execute(sa.insert(people).values(**_columns(person)))
        except IntegrityError:
            raise PersonError(f"the name {name!r} is taken") from None
        return person

    def hire(self, called: str, created_ms: int, busy: Collection[str] = ()) -> Person:
        """Give somebody of the house who is called so and not busy, under the first name that is free to have.

        The house has few people, and each sits at many tables: a name is made when it is needed first.
        """
        number = 1
        while True:
            name = f"{called} (bot)" if number == 1 else f"{called} {number} (bot)"
            person = self.find_by_name(name)
            if person is None:
                try:
                    return self.create(name, created_ms, kind="house")
                except PersonError:
                    if self.find_by_name(name) is None:
                        raise
                    continue  # somebody else was quicker: look again who it is
            if person.kind == "house" and person.person_id not in busy:
                return person
            number += 1

    def find(self, person_id: str) -> Person | None:
        """Find somebody by id, deleted or not."""
        return self._one(people.c.person_id == person_id)

    def find_by_name(self, name: str) -> Person | None:
        """Find somebody by name, in capitals or not."""
        return self._one(people.c.name_key == name_key(name))

    def register(self, person_id: str, name: str, password_hash: str) -> Person:
        """Make a guest a registered person, under a name and a password of their own."""

        def changed(person: Person) -> Person:
            if person.kind != "guest":
                raise PersonError(f"{person.name} is registered already")
            return person._replace(name=_checked_name(name), kind="registered", password_hash=password_hash)

        return self._change(person_id, changed)

    def sign_out(self, person_id: str) -> Person:
        """Let nobody be this person any more who was until now."""
        return self._change(person_id, lambda person: person._replace(epoch=person.epoch + 1))

    def limits(self, person_id: str) -> Mapping[str, Any]:
        """Give the limits somebody set."""
        return self._known(self.find(person_id), person_id).limits

    def change_limits(self, person_id: str, change: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> Person:
        """Change somebody's limits, an object of JSON without fractions, from what they are at that moment."""
        return self._change(person_id, lambda person: person._replace(limits=dict(change(person.limits))))

    def delete(self, person_id: str, deleted_ms: int) -> Person:
        """Forget name, password and limits; the id stays, and with it everything in the journal."""
        gone = self._change(
            person_id,
            lambda person: person._replace(name=None, password_hash=None, limits={}, deleted_ms=deleted_ms),
        )
        if self._database.is_sqlite:
            # The name is overwritten in the file; this also takes it out of the log beside it.
            for _ in range(_CHECKPOINTS):
                if self._empty_log():
                    break
        return gone

    def _empty_log(self) -> bool:
        """Empty SQLite's write-ahead log; says whether it could be done, which whoever reads meanwhile may prevent."""
        with self._database.engine.connect() as connection:
            driver = connection.connection.driver_connection
            is_busy, _, _ = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()  # type: ignore[union-attr]  # it is open
        return not is_busy

    def _one(self, which: sa.ColumnElement[bool]) -> Person | None:
        with self._database.reading() as connection:
            found = connection.execute(sa.select(*_COLUMNS).where(which)).first()
        return None if found is None else _read(found)

    def _change(self, person_id: str, change: Any) -> Person:
        try:
            with self._database.writing() as connection:
                which = people.c.person_id == person_id
                found = connection.execute(sa.select(*_COLUMNS).where(which).with_for_update()).first()
                person: Person = change(self._known(_read(found) if found else None, person_id))
                connection.execute(sa.update(people).where(which).values(**_columns(person)))
                return person
        except IntegrityError:
            raise PersonError("that name is taken") from None

    @staticmethod
    def _known(person: Person | None, person_id: str) -> Person:
        if person is None or person.is_deleted:
            raise PersonError(f"there is nobody with the id {person_id!r}")
        return person


_COLUMNS: Final = [people.c[name] for name in Person._fields]


def _read(found: Any) -> Person:
    return Person(*found)._replace(limits=read_json(found.limits))


def name_key(name: str) -> str:
    """Give what two names share that would be taken for each other.

    >>> name_key("ANN") == name_key("ann")
    True
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _checked_name(name: str) -> str:
    if not name.strip() or name != name.strip() or len(name) > NAME_LENGTH or not name.isprintable():
        raise PersonError(f"a name is a text of up to {NAME_LENGTH} letters, not {name!r}")
    return name


def _columns(person: Person) -> dict[str, Any]:
    written = person._asdict() | {
        "limits": write_json(dict(person.limits)),
        "name_key": None if person.name is None else name_key(person.name),
    }
    return written | {"seal": person_seal(written)}


def person_seal(written: Mapping[str, Any]) -> str:
    """Seal the columns of a person."""
    return seal("people", *(written[column.name] for column in people.columns if column.name != "seal"))
