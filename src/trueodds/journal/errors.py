"""What can go wrong with a journal, each with a stable code."""

from __future__ import annotations

from typing import Any


class JournalError(Exception):
    """A journal that cannot be opened, read or written."""

    code = "journal"


class CodecError(JournalError):
    """Text that is no event, record or position of this edition, or a value that cannot be written as one."""

    code = "codec"


class UnavailableError(JournalError):
    """The database did not answer; whether a commit that was under way went through, `answer` tells."""

    code = "unavailable"


class DamagedError(JournalError):
    """A file that is no database, or not a whole one any more."""

    code = "damaged"


class TableExistsError(JournalError):
    """A table that the journal has already."""

    code = "table_exists"


class VersionError(JournalError):
    """A database whose tables are of another edition."""

    code = "version"


class LeaseHeldError(JournalError):
    """Somebody else holds the lease on a table, or the lease to be renewed is gone."""

    code = "lease_held"


class PersonError(JournalError):
    """A person who does not exist, or a name that is taken."""

    code = "person"


class BackupError(JournalError):
    """A backup that cannot be written, read or restored."""

    code = "backup"


class AppendError(JournalError):
    """An append that was refused, and with it its whole batch; `index` says which of the batch it was."""

    code = "append"

    def __init__(self, what: str, index: int = 0) -> None:
        super().__init__(what)
        self.index = index


class NoSuchTableError(AppendError):
    """A table that the journal does not have."""

    code = "no_such_table"


class MalformedError(AppendError):
    """A row that is no event or record, or an event that cannot have happened at its table."""

    code = "malformed"


class StaleEpochError(AppendError):
    """The lease was taken by another process or given up: whoever appends does not write this table any more."""

    code = "stale_epoch"


class StaleHeadError(AppendError):
    """The table went on since: whoever appends knows an old state of it."""

    code = "stale_head"


class FundsError(AppendError):
    """Not enough chips in a rack: the refusal of whoever owns the money."""

    code = "funds"

    def __init__(self, player: str, has: int, needs: int, index: int = 0) -> None:
        super().__init__(f"{player} has {has} cents in the rack and needs {needs}", index)
        self.player = player
        self.has = has
        self.needs = needs


class AnsweredError(AppendError):
    """The command was answered before; `response` is what it was answered."""

    code = "answered"

    def __init__(self, command_id: str, response: Any, index: int = 0) -> None:
        super().__init__(f"command {command_id} was answered before", index)
        self.response = response
