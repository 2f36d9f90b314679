"""The state of a table: the fold of its rows, and how the next row follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

from trueodds.journal.errors import AppendError, CodecError, JournalError, MalformedError
from trueodds.journal.header import Header
from trueodds.journal.ledger import Posting, post_all, postings, rack, racks
from trueodds.journal.record import Record
from trueodds.journal.row import Content, NewRow, Row, row_hash, write_content
from trueodds.table import Position, fold
from trueodds.table.fold import FoldError


@dataclass(frozen=True, slots=True)
class TableState:
    """A table after its row number `sequence`, whose hash is `hash`. `balances` has every account in cents."""

    header: Header
    sequence: int
    hash: str
    position: Position
    balances: MappingProxyType[str, int]

    @classmethod
    def new(cls, header: Header) -> TableState:
        """Begin a table: nobody there, nothing up, no row."""
        return cls(header, 0, header.digest, Position(), MappingProxyType({}))

    def rack(self, player: str) -> int:
        """What one player has in the rack, in cents."""
        return self.balances.get(rack(player), 0)

    @property
    def racks(self) -> dict[str, int]:
        """What each player has in the rack, in cents."""
        return racks(self.balances)


@dataclass(frozen=True, slots=True)
class Step:
    """Rows that follow a state, what each of them posts, and the state after them. Only `follow` makes one."""

    before: str
    rows: tuple[Row, ...]
    posted: tuple[tuple[Posting, ...], ...]
    state: TableState

    def then(self, later: Step) -> Step:
        """Join two steps, of which the second follows the first."""
        if later.before != self.state.hash:
            raise MalformedError("a step that follows something else")
        return Step(self.before, self.rows + later.rows, self.posted + later.posted, later.state)

    def is_of(self, state: TableState, at_ms: int) -> bool:
        """Whether the step was made from a state, at a time; the hash stands for everything that came before."""
        return self.before == state.hash and all(row.at_ms == at_ms for row in self.rows)


def follow(state: TableState, at_ms: int, contents: Sequence[Content]) -> Step:
    """Let things happen at a table: number, hash, fold and post them. Nothing is stored.

    What cannot have happened is a `MalformedError`, and what a rack cannot pay a `FundsError`.
    """
    if type(at_ms) is not int or not 0 <= at_ms < 2**63:
        raise MalformedError(f"a time is a whole number of milliseconds, not {at_ms!r}")
    table_id, sequence, last, position = state.header.table_id, state.sequence, state.hash, state.position
    balances, rows, posted = state.balances.copy(), [], []
    for content in contents:
        try:
            kind, body = write_content(content)
            moved = postings(content)
            position = position if isinstance(content, Record) else fold(position, content)
            post_all(balances, moved)
        except AppendError:
            raise
        except (CodecError, FoldError, JournalError) as error:
            raise MalformedError(f"table {table_id}: {error}") from None
        sequence += 1
        last = row_hash(last, table_id, sequence, at_ms, kind, body)
        rows.append(NewRow.of(content, Row(table_id, sequence, at_ms, kind, body, last)))
        posted.append(moved)
    after = TableState(state.header, sequence, last, position, MappingProxyType(balances))
    return Step(state.hash, tuple(rows), tuple(posted), after)
