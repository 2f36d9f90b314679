"""A process that appends: run by tests that need several, or one that is killed.

appending.py add URL EPOCH TIMES      read the head, add a cent at it, try again when it went on meanwhile
appending.py count URL TIMES          read a number, write the next, in one transaction
appending.py forever URL FIRST        append at two tables until killed, and say what was acknowledged
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import sqlalchemy as sa

from trueodds.journal import Append, Command, Journal, StaleHeadError, bought_in, open_journal
from trueodds.journal.schema import people

TABLES = ("t1", "t2")


def add(journal: Journal, epoch: int, times: int) -> None:
    done = 0
    while done < times:
        head = journal.load("t1").sequence
        try:
            journal.append([Append("t1", epoch, head, 0, [bought_in("p1", 1)])])
            done += 1
        except StaleHeadError:
            continue


def count(journal: Journal, times: int) -> None:
    for _ in range(times):
        with journal.database.writing() as connection:
            number = connection.execute(sa.select(people.c.created_ms).with_for_update()).scalar_one()
            connection.execute(sa.update(people).values(created_ms=number + 1))


def forever(journal: Journal, first: int) -> None:
    epochs = {table: journal.lease(table, "doomed", 60) for table in TABLES}
    heads = {table: journal.load(table).sequence for table in TABLES}
    number = first
    while True:
        batch = []
        for table in TABLES:
            contents = [bought_in("p1", 1), bought_in("p2", 1)]
            command = Command("p1", str(number), number)
            batch.append(Append(table, epochs[table], heads[table], 0, contents, command))
            heads[table] += 2
        journal.append(batch)
        print(number, flush=True)
        number += 1


if __name__ == "__main__":
    what, url, *numbers = sys.argv[1:]
    with open_journal(url) as opened:
        todo: dict[str, Callable[..., None]] = {"add": add, "count": count, "forever": forever}
        todo[what](opened, *map(int, numbers))
