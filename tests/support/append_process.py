"""A process that appends, for tests that need several processes or one to kill.

append_process.py add URL EPOCH TIMES      append a cent, and try again if another process was faster
append_process.py count URL TIMES          read a number and write the next one, in one transaction
append_process.py forever URL FIRST        append at two tables until killed, and print what was acknowledged
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import sqlalchemy as sa

from trueodds.journal import AppendRequest, CommandReply, Journal, StaleSequenceError, bought_in, open_journal
from trueodds.journal.schema import people

TABLES = ("t1", "t2")


def append_cents(journal: Journal, epoch: int, times: int) -> None:
    done = 0
    while done < times:
        head = journal.load_state("t1").sequence
        try:
            journal.append([AppendRequest("t1", epoch, head, 0, [bought_in("p1", 1)])])
            done += 1
        except StaleSequenceError:
            continue


def increment(journal: Journal, times: int) -> None:
    for _ in range(times):
        with journal.database.write_transaction() as connection:
            number = connection.execute(sa.select(people.c.created_ms).with_for_update()).scalar_one()
            connection.execute(sa.update(people).values(created_ms=number + 1))


def append_forever(journal: Journal, first: int) -> None:
    epochs = {table: journal.acquire_lease(table, "doomed", 60) for table in TABLES}
    heads = {table: journal.load_state(table).sequence for table in TABLES}
    number = first
    while True:
        batch = []
        for table in TABLES:
            contents = [bought_in("p1", 1), bought_in("p2", 1)]
            command = CommandReply("p1", str(number), number)
            batch.append(AppendRequest(table, epochs[table], heads[table], 0, contents, command))
            heads[table] += 2
        journal.append(batch)
        print(number, flush=True)
        number += 1


if __name__ == "__main__":
    command, url, *numbers = sys.argv[1:]
    with open_journal(url) as opened:
        commands: dict[str, Callable[..., None]] = {"add": append_cents, "count": increment, "forever": append_forever}
        commands[command](opened, *map(int, numbers))
