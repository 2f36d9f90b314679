"""Exceptions of the journal, each with a stable code."""

from __future__ import annotations

from trueodds.errors import TrueoddsError


class JournalError(TrueoddsError):
    """A journal cannot be opened, read or written."""

    code = "journal"


class CodecError(JournalError):
    """Text is not a valid event, position or JSON value, or a value cannot be encoded."""

    code = "codec"


class DatabaseUnavailableError(JournalError):
    """The database did not answer. Call `find_reply` to learn whether a pending commit succeeded."""

    code = "unavailable"


class CorruptDatabaseError(JournalError):
    """The file is not a database, or its pages are damaged."""

    code = "corrupt_database"


class TableExistsError(JournalError):
    """The journal already has a table with this id."""

    code = "table_exists"


class SchemaVersionError(JournalError):
    """The database was created by another version of trueodds."""

    code = "schema_version"


class LeaseHeldError(JournalError):
    """Another process holds the lease on a table, or the lease to renew was lost."""

    code = "lease_held"


class PersonError(JournalError):
    """A person does not exist, or a name is invalid or taken."""

    code = "person"


class BackupError(JournalError):
    """A backup cannot be written, read or restored."""

    code = "backup"


class AppendError(JournalError):
    """An append was refused, and with it its whole batch. `batch_index` says which append it was."""

    code = "append"

    def __init__(self, message: str, batch_index: int = 0) -> None:
        super().__init__(message)
        self.batch_index = batch_index

    def __reduce__(self) -> tuple[type[AppendError], tuple[object, ...]]:
        return type(self), (str(self), self.batch_index)


class NoSuchTableError(AppendError):
    """The journal has no table with this id."""

    code = "no_such_table"


class InvalidEventError(AppendError):
    """An event is malformed, or it cannot happen in the current state of its table."""

    code = "invalid_event"


class StaleEpochError(AppendError):
    """The lease was released or taken by another process, so this writer may no longer append."""

    code = "stale_epoch"


class StaleSequenceError(AppendError):
    """The table has newer events than the writer knows."""

    code = "stale_sequence"


class InsufficientFundsError(AppendError):
    """A player's rack does not hold enough chips."""

    code = "insufficient_funds"

    def __init__(self, player: str, has_cents: int, needs_cents: int, batch_index: int = 0) -> None:
        super().__init__(f"{player} has {has_cents} cents in the rack and needs {needs_cents}", batch_index)
        self.player = player
        self.has_cents = has_cents
        self.needs_cents = needs_cents

    def __reduce__(self) -> tuple[type[AppendError], tuple[object, ...]]:
        return type(self), (self.player, self.has_cents, self.needs_cents, self.batch_index)


class DuplicateCommandError(AppendError):
    """The command was already answered; `reply` is the stored reply."""

    code = "duplicate_command"

    def __init__(self, command_id: str, reply: object, batch_index: int = 0) -> None:
        super().__init__(f"command {command_id} was already answered", batch_index)
        self.command_id = command_id
        self.reply = reply

    def __reduce__(self) -> tuple[type[AppendError], tuple[object, ...]]:
        return type(self), (self.command_id, self.reply, self.batch_index)
