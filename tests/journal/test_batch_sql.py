"""The statements of every batch use indexes, however long the log is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sqlalchemy as sa

from support.journal_session import JournalSession
from trueodds.journal import CommandReply, Journal, bought_in, open_journal

KEYS = [("t1", f"p{number % 3}", f"c{number}") for number in range(64)]


def test_replies_are_looked_up_by_key(journal: Journal) -> None:
    session = JournalSession(journal)
    for table_id, player, command_id in KEYS[::2]:
        assert table_id == "t1"
        session.append(bought_in(player, 5), command_reply=CommandReply(player, command_id, {"for": command_id}))
    found = journal.find_replies(KEYS)
    assert set(found) == set(KEYS[::2])
    assert all(answer.reply == {"for": key[2]} for key, answer in found.items())
    assert journal.find_replies([]) == {}


def test_a_batch_never_scans_a_table(tmp_path: Path) -> None:
    """SQLite explains its plan; PostgreSQL chooses one by the size of the tables."""
    plans: list[str] = []

    def explain(connection: sa.Connection, _cursor: object, text: str, given: Any, _c: object, many: bool) -> None:
        if text.lstrip().startswith("SELECT") and not many:
            raw = connection.connection.cursor()
            plans.extend(step[-1] for step in raw.execute(f"EXPLAIN QUERY PLAN {text}", given))

    with open_journal(str(tmp_path / "journal.db")) as journal:
        session = JournalSession(journal)
        sa.event.listen(journal.database.engine, "before_cursor_execute", explain)
        session.append(bought_in("p1", 5), command_reply=CommandReply("p1", "c1", None))
        journal.find_replies(KEYS)
    assert any("SEARCH command_replies" in plan for plan in plans)
    assert any("SEARCH table_states" in plan for plan in plans)
    assert not [plan for plan in plans if plan.startswith("SCAN")]
