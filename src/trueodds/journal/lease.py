"""Leases: one process writes a table at a time, and an old one finds out when it tries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import sqlalchemy as sa

from trueodds.journal.database import Database
from trueodds.journal.errors import LeaseHeldError, NoSuchTableError
from trueodds.journal.schema import leases
from trueodds.journal.seal import seal


class Lease(NamedTuple):
    """Who writes a table until when. `epoch` grows with every change of hands, giving up included."""

    table_id: str
    owner: str | None
    epoch: int
    until_ms: int

    @property
    def seal(self) -> str:
        """What must stand beside it."""
        return seal("leases", *self)


COLUMNS: Final = (leases.c.table_id, leases.c.owner, leases.c.epoch, leases.c.until_ms)
Clock = Callable[[], int]


class Leases:
    """The leases of a journal. Time is the clock of the database, unless another is given."""

    def __init__(self, database: Database, clock: Clock | None = None) -> None:
        self._database = database
        self._clock = clock

    def take(self, table_id: str, owner: str, seconds: float) -> int:
        """Take a lease that is free, over or one's own, and give its epoch, which nobody had before."""
        with self._database.writing() as connection:
            held, now = self._held(connection, table_id), self._now(connection)
            if held.owner not in {None, owner} and held.until_ms > now:
                raise LeaseHeldError(f"{held.owner} holds the lease on {table_id} for {held.until_ms - now} ms more")
            self._write(connection, Lease(table_id, owner, held.epoch + 1, now + int(seconds * 1000)))
            return held.epoch + 1

    def renew(self, table_id: str, epoch: int, seconds: float) -> None:
        """Hold a lease longer; it may be over, as long as nobody took it."""
        with self._database.writing() as connection:
            held = self._held(connection, table_id)
            if held.owner is None or held.epoch != epoch:
                raise LeaseHeldError(f"the lease on {table_id} is at epoch {held.epoch}, not {epoch}")
            self._write(connection, held._replace(until_ms=self._now(connection) + int(seconds * 1000)))

    def release(self, table_id: str, epoch: int) -> None:
        """Give a lease up, so that whoever had it cannot write any more; one that is gone is left alone."""
        with self._database.writing() as connection:
            held = self._held(connection, table_id)
            if held.owner is not None and held.epoch == epoch:
                self._write(connection, Lease(table_id, None, epoch + 1, 0))

    def read(self, table_id: str) -> Lease:
        """Give the lease on a table as it is."""
        with self._database.reading() as connection:
            return self._held(connection, table_id, lock=False)

    def _now(self, connection: sa.Connection) -> int:
        return self._clock() if self._clock else self._database.now_ms(connection)

    @staticmethod
    def _held(connection: sa.Connection, table_id: str, *, lock: bool = True) -> Lease:
        wanted = sa.select(*COLUMNS).where(leases.c.table_id == table_id)
        found = connection.execute(wanted.with_for_update() if lock else wanted).first()
        if found is None:
            raise NoSuchTableError(f"there is no table {table_id!r}")
        return Lease(*found)

    @staticmethod
    def _write(connection: sa.Connection, lease: Lease) -> None:
        change = sa.update(leases).where(leases.c.table_id == lease.table_id)
        connection.execute(change.values(**lease._asdict(), seal=lease.seal))
