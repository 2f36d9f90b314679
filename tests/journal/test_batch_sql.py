"""Statements of every batch: nothing is read from end to end, however long the log has become."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sqlalchemy as sa

from evening import Evening
from trueodds.journal import Command, Journal, bought_in, open_journal

KEYS = [("t1", f"p{number % 3}", f"c{number}") for number in range(64)]


def test_answers_of_many_commands_are_looked_up_by_their_keys(journal: Journal) -> None:
    evening = Evening(journal)
    for table_id, player, command_id in KEYS[::2]:
        assert table_id == "t1"
        evening.write(bought_in(player, 5), command=Command(player, command_id, {"for": command_id}))
    found = journal.answers(KEYS)
    assert set(found) == set(KEYS[::2])
    assert all(answer.response == {"for": key[2]} for key, answer in found.items())
    assert journal.answers([]) == {}


def test_a_batch_reads_no_table_from_end_to_end(tmp_path: Path) -> None:
    """SQLite tells how it will read; PostgreSQL decides anew as tables grow."""
    plans: list[str] = []

    def explain(connection: sa.Connection, _cursor: object, text: str, given: Any, _c: object, many: bool) -> None:
        if text.lstrip().startswith("SELECT") and not many:
            raw = connection.connection.cursor()
            plans.extend(step[-1] for step in raw.execute(f"EXPLAIN QUERY PLAN {text}", given))

    with open_journal(str(tmp_path / "journal.db")) as journal:
        evening = Evening(journal)
        sa.event.listen(journal.database.engine, "before_cursor_execute", explain)
        evening.write(bought_in("p1", 5), command=Command("p1", "c1", None))
        journal.answers(KEYS)
    assert any("SEARCH commands" in plan for plan in plans)
    assert any("SEARCH heads" in plan for plan in plans)
    assert not [plan for plan in plans if plan.startswith("SCAN")]
