"""Whether the server can write to its database."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Lock
from typing import Final

from trueodds.journal import DatabaseUnavailableError
from trueodds.journal.database import Database

LOG: Final = logging.getLogger("trueodds.server")

CHECK_INTERVAL_MS: Final = 1_000
"""How long an answer is used again, so that frequent requests do not load the disk."""


class HealthCheck:
    """Tries to write to the database, at most once in a while."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        self._database = database
        self._clock = clock
        self._lock = Lock()
        self._checked_ms: int | None = None
        self._error: DatabaseUnavailableError | None = None

    def check(self) -> None:
        """Raise `DatabaseUnavailableError` if nothing can be written."""
        with self._lock:
            now_ms = self._clock()
            if self._checked_ms is None or not 0 <= now_ms - self._checked_ms < CHECK_INTERVAL_MS:
                self._error = self._try_to_write()
                self._checked_ms = now_ms
            error = self._error
        if error is not None:
            raise DatabaseUnavailableError(str(error))

    def _try_to_write(self) -> DatabaseUnavailableError | None:
        try:
            self._database.check_writable()
        except DatabaseUnavailableError as error:
            if self._error is None:
                LOG.error("cannot write to the database: %s", error)
            return error
        if self._error is not None:
            LOG.warning("writing to the database again")
        return None
