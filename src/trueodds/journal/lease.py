"""Leases: one process at a time may write a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import sqlalchemy as sa

from trueodds.journal.checksum import row_checksum
from trueodds.journal.database import Database
from trueodds.journal.errors import LeaseHeldError, NoSuchTableError
from trueodds.journal.schema import leases


class Lease(NamedTuple):
    """Which process may write a table, and until when. `epoch` grows whenever the lease is acquired or released."""

    table_id: str
    owner: str | None
    epoch: int
    expires_ms: int

    @property
    def checksum(self) -> str:
        """The checksum stored with the lease."""
        return row_checksum("leases", *self)


MAX_LEASE_MS: Final = 60_000
"""The longest lease. One that would last longer was made while a clock was ahead."""

LEASE_COLUMNS: Final = (leases.c.table_id, leases.c.owner, leases.c.epoch, leases.c.expires_ms)
Clock = Callable[[], int]


class LeaseStore:
    """Reads and changes leases. The time is that of the database unless a clock is given."""

    def __init__(self, database: Database, clock: Clock | None = None) -> None:
        self._database = database
        self._clock = clock

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._database!r})"

    def acquire(
        self, table_id: str, owner: str, seconds: float, is_gone: Callable[[str], bool] = lambda _: False
    ) -> int:
        """Acquire a lease and return its new epoch. Raise `LeaseHeldError` if another owner's lease is not over.

        It is over when it expires, or when `is_gone` says that its owner has ended. A lease that would last longer than
        any lease does was made while a clock was wrong, and is over too. Raise `ValueError` for such a lease.
        """
        if seconds * 1000 > MAX_LEASE_MS:
            raise ValueError(f"a lease must last at most {MAX_LEASE_MS // 1000} seconds, got {seconds}")
        with self._database.write_transaction() as connection:
            lease, now = self._read(connection, table_id), self._now(connection)
            is_running = now < lease.expires_ms <= now + MAX_LEASE_MS
            if lease.owner not in {None, owner} and is_running and not is_gone(lease.owner):
                raise LeaseHeldError(
                    f"{lease.owner} holds the lease on {table_id} for another {lease.expires_ms - now} ms"
                )
            self._write(connection, Lease(table_id, owner, lease.epoch + 1, now + int(seconds * 1000)))
            return lease.epoch + 1

    def renew(self, table_id: str, epoch: int, seconds: float) -> None:
        """Extend a lease, even an expired one. Raise `LeaseHeldError` if another owner took it."""
        with self._database.write_transaction() as connection:
            lease = self._read(connection, table_id)
            if lease.owner is None or lease.epoch != epoch:
                raise LeaseHeldError(f"the lease on {table_id} is at epoch {lease.epoch}, not {epoch}")
            self._write(connection, lease._replace(expires_ms=self._now(connection) + int(seconds * 1000)))

    def release(self, table_id: str, epoch: int) -> None:
        """Release a lease. Do nothing if another owner took it."""
        with self._database.write_transaction() as connection:
            lease = self._read(connection, table_id)
            if lease.owner is not None and lease.epoch == epoch:
                self._write(connection, Lease(table_id, None, epoch + 1, 0))

    def read(self, table_id: str) -> Lease:
        """Return the lease on a table."""
        with self._database.read_transaction() as connection:
            return self._read(connection, table_id, lock=False)

    def _now(self, connection: sa.Connection) -> int:
        return self._clock() if self._clock else self._database.now_ms(connection)

    @staticmethod
    def _read(connection: sa.Connection, table_id: str, *, lock: bool = True) -> Lease:
        wanted = sa.select(*LEASE_COLUMNS).where(leases.c.table_id == table_id)
        found = connection.execute(wanted.with_for_update() if lock else wanted).first()
        if found is None:
            raise NoSuchTableError(f"there is no table {table_id!r}")
        return Lease(*found)

    @staticmethod
    def _write(connection: sa.Connection, lease: Lease) -> None:
        change = sa.update(leases).where(leases.c.table_id == lease.table_id)
        connection.execute(change.values(**lease._asdict(), checksum=lease.checksum))
