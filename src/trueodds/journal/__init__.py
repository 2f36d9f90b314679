"""The journal: append-only logs chained by hash, a double-entry ledger, on SQLite or PostgreSQL."""

from trueodds.journal.append import Append, Appended
from trueodds.journal.backup import Restored, back_up, restore
from trueodds.journal.check import Thrown, check_journal
from trueodds.journal.codec import (
    EVENT_KINDS,
    kind_of,
    read_event,
    read_position,
    schema_digest,
    write_event,
    write_position,
)
from trueodds.journal.command import Answer, Command
from trueodds.journal.errors import (
    AnsweredError,
    AppendError,
    BackupError,
    CodecError,
    DamagedError,
    FundsError,
    JournalError,
    LeaseHeldError,
    MalformedError,
    NoSuchTableError,
    PersonError,
    StaleEpochError,
    StaleHeadError,
    TableExistsError,
    UnavailableError,
    VersionError,
)
from trueodds.journal.finding import Finding
from trueodds.journal.hands import HandLine, read_hands
from trueodds.journal.header import Header
from trueodds.journal.journal import Journal, open_journal
from trueodds.journal.lease import Lease
from trueodds.journal.ledger import Posting, postings
from trueodds.journal.news import Listener, News
from trueodds.journal.people import People, Person
from trueodds.journal.record import RECORD_KINDS, Record, bought_in, cashed_out
from trueodds.journal.row import Content, Row, row_hash
from trueodds.journal.standing import DAY_MS, Day, Everywhere, Standing, Standings
from trueodds.journal.state import Step, TableState, follow
from trueodds.journal.statement import StatementLine, read_statement

__all__ = [
    "DAY_MS",
    "EVENT_KINDS",
    "RECORD_KINDS",
    "Answer",
    "AnsweredError",
    "Append",
    "AppendError",
    "Appended",
    "BackupError",
    "CodecError",
    "Command",
    "Content",
    "DamagedError",
    "Day",
    "Everywhere",
    "Finding",
    "FundsError",
    "HandLine",
    "Header",
    "Journal",
    "JournalError",
    "Lease",
    "LeaseHeldError",
    "Listener",
    "MalformedError",
    "News",
    "NoSuchTableError",
    "People",
    "Person",
    "PersonError",
    "Posting",
    "Record",
    "Restored",
    "Row",
    "StaleEpochError",
    "StaleHeadError",
    "Standing",
    "Standings",
    "StatementLine",
    "Step",
    "TableExistsError",
    "TableState",
    "Thrown",
    "UnavailableError",
    "VersionError",
    "back_up",
    "bought_in",
    "cashed_out",
    "check_journal",
    "follow",
    "kind_of",
    "open_journal",
    "postings",
    "read_event",
    "read_hands",
    "read_position",
    "read_statement",
    "restore",
    "row_hash",
    "schema_digest",
    "write_event",
    "write_position",
]
