"""The journal: an append-only log of events per table, and a double-entry ledger, on SQLite or PostgreSQL."""

from trueodds.journal.backup import RestoreResult, restore_backup, write_backup
from trueodds.journal.batch_writer import AppendRequest, AppendResult
from trueodds.journal.check_journal import RollEvidence, check_journal
from trueodds.journal.errors import (
    AppendError,
    BackupError,
    CodecError,
    CorruptDatabaseError,
    DatabaseUnavailableError,
    DuplicateCommandError,
    InsufficientFundsError,
    InvalidEventError,
    JournalError,
    LeaseHeldError,
    NoSuchTableError,
    PersonError,
    SchemaVersionError,
    StaleEpochError,
    StaleSequenceError,
    TableExistsError,
)
from trueodds.journal.event_codec import (
    ENGINE_EVENT_KINDS,
    decode_engine_event,
    decode_position,
    encode_engine_event,
    encode_position,
    engine_event_kind,
    schema_digest,
)
from trueodds.journal.hand_export import HandExportRow, iter_hand_rows
from trueodds.journal.journal import Journal, open_journal
from trueodds.journal.journal_problem import JournalProblem
from trueodds.journal.lease import Lease
from trueodds.journal.ledger import Posting, postings_for_event
from trueodds.journal.notifications import NotificationListener, TableNotification
from trueodds.journal.people import Person, PersonStore
from trueodds.journal.player_totals import DAY_MS, AllTablesTotals, LastDayTotals, PlayerTotals, PlayerTotalsReader
from trueodds.journal.service_event import SERVICE_EVENT_KINDS, ServiceEvent, bought_in, cashed_out
from trueodds.journal.statement_export import StatementRow, iter_statement_rows
from trueodds.journal.stored_event import AnyEvent, StoredEvent, event_hash
from trueodds.journal.stored_reply import CommandReply, StoredReply
from trueodds.journal.table_header import TableHeader
from trueodds.journal.table_state import AppliedEvents, TableState, apply_events

__all__ = [
    "DAY_MS",
    "ENGINE_EVENT_KINDS",
    "SERVICE_EVENT_KINDS",
    "AllTablesTotals",
    "AnyEvent",
    "AppendError",
    "AppendRequest",
    "AppendResult",
    "AppliedEvents",
    "BackupError",
    "CodecError",
    "CommandReply",
    "CorruptDatabaseError",
    "DatabaseUnavailableError",
    "DuplicateCommandError",
    "HandExportRow",
    "InsufficientFundsError",
    "InvalidEventError",
    "Journal",
    "JournalError",
    "JournalProblem",
    "LastDayTotals",
    "Lease",
    "LeaseHeldError",
    "NoSuchTableError",
    "NotificationListener",
    "Person",
    "PersonError",
    "PersonStore",
    "PlayerTotals",
    "PlayerTotalsReader",
    "Posting",
    "RestoreResult",
    "RollEvidence",
    "SchemaVersionError",
    "ServiceEvent",
    "StaleEpochError",
    "StaleSequenceError",
    "StatementRow",
    "StoredEvent",
    "StoredReply",
    "TableExistsError",
    "TableHeader",
    "TableNotification",
    "TableState",
    "apply_events",
    "bought_in",
    "cashed_out",
    "check_journal",
    "decode_engine_event",
    "decode_position",
    "encode_engine_event",
    "encode_position",
    "engine_event_kind",
    "event_hash",
    "iter_hand_rows",
    "iter_statement_rows",
    "open_journal",
    "postings_for_event",
    "restore_backup",
    "schema_digest",
    "write_backup",
]
