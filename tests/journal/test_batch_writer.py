"""Appending: one transaction, all or nothing; epochs, heads, commands and chips."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError, IntegrityError

from evening import Evening, header, usual_evening
from trueodds.journal import (
    AnsweredError,
    Append,
    AppendError,
    Command,
    FundsError,
    Header,
    Journal,
    JournalError,
    MalformedError,
    NoSuchTableError,
    Record,
    StaleEpochError,
    StaleHeadError,
    TableExistsError,
    bought_in,
    cashed_out,
    check_journal,
    open_journal,
)
from trueodds.journal.schema import balances, rows
from trueodds.journal.state import Step, follow
from trueodds.rulebook import open_house
from trueodds.table import Left, Position, Seated, Table


def test_a_new_table_is_empty(journal: Journal) -> None:
    state = journal.create_table(header())
    assert journal.load("t1") == state
    assert (state.sequence, state.hash, state.position) == (0, header().digest, Position())
    assert journal.tables() == (header(),)
    assert journal.rows("t1") == ()
    assert journal.lease_of("t1").owner is None
    assert header().open_house().digest == Table("new_jersey").rules.house.digest
    with pytest.raises(TableExistsError):
        journal.create_table(header())
    with pytest.raises(NoSuchTableError):
        journal.load("t2")


def test_a_table_of_another_shape_of_events_is_refused(journal: Journal) -> None:
    with pytest.raises(JournalError, match="another shape of events"):
        journal.create_table(header()._replace(schema_digest="0" * 64))


def test_a_table_of_another_edition_of_a_book_is_refused() -> None:
    with pytest.raises(JournalError, match="another edition"):
        header()._replace(book_digest="0" * 64).open_house()
    with pytest.raises(JournalError, match="do not make the house"):
        header()._replace(house_digest="0" * 64).open_house()
    with pytest.raises(JournalError, match="id of a table"):
        header("no spaces")


def test_what_is_written_is_read_back_after_a_restart(url: str) -> None:
    with open_journal(url) as journal:
        evening = usual_evening(journal)
        state, log = journal.load("t1"), journal.rows("t1")
        assert state.position == evening.table.position
        assert [row.sequence for row in log] == list(range(1, state.sequence + 1))
        assert log[-1].hash == state.hash
    with open_journal(url) as journal:
        assert journal.load("t1") == state
        assert journal.rows("t1") == log
        assert journal.rows("t1", after=3, limit=2) == log[3:5]
        assert sum(state.balances.values()) == 0
        assert state.racks.keys() == {"p1", "p2"}
        assert check_journal(journal) == ()


def test_what_append_returns_is_what_load_reads(journal: Journal) -> None:
    evening = Evening(journal)
    done = evening.sit("p1", 5000)
    assert done.state == journal.load("t1")
    assert done.rows == journal.rows("t1")
    assert [type(row.content()).__name__ for row in done.rows] == ["Joined", "Record"]
    assert journal.append([]) == ()


def test_a_batch_is_all_or_nothing(journal: Journal) -> None:
    ours, theirs = Evening(journal, "t1"), Evening(journal, "t2")
    ours.sit("p1", 5000)
    before = journal.load("t1"), journal.load("t2")
    batch = [ours.next(bought_in("p1", 100)), theirs.next(bought_in("p2", 100)), ours.next(cashed_out("p1", 1))]
    with pytest.raises(StaleHeadError) as refused:
        journal.append(batch)
    assert refused.value.index == 2
    assert (journal.load("t1"), journal.load("t2")) == before
    batch[2] = batch[2]._replace(head=batch[2].head + 1)
    done = journal.append(batch)
    assert [one.state.racks for one in done] == [{"p1": 5100}, {"p2": 100}, {"p1": 5099}]
    assert check_journal(journal) == ()


def test_a_stale_epoch_rolls_everything_back(journal: Journal) -> None:
    evening, other = Evening(journal, "t1"), Evening(journal, "t2")
    assert journal.lease("t1", "us", 60) == evening.epoch + 1
    with pytest.raises(StaleEpochError) as refused:
        journal.append([other.next(bought_in("p1", 100)), evening.next(bought_in("p1", 100))])
    assert refused.value.index == 1
    assert refused.value.code == "stale_epoch"
    assert journal.load("t2").sequence == 0


@pytest.mark.parametrize("epoch", [0, 1, 2])
def test_nobody_writes_without_a_lease(journal: Journal, epoch: int) -> None:
    journal.create_table(header())
    if epoch:
        journal.release("t1", journal.lease("t1", "us", 60))
    with pytest.raises(StaleEpochError):
        journal.append([Append("t1", epoch, 0, 0, [bought_in("p1", 1)])])


def test_a_command_is_done_once_and_answered_for_good(url: str) -> None:
    with open_journal(url) as journal:
        evening = Evening(journal)
        assert journal.answer("t1", "p1", "c1") is None
        evening.write(bought_in("p1", 500), command=Command("p1", "c1", {"rack": 500}))
        evening.write(command=Command("p1", "c2", {"refused": "late"}))
        for again in (evening.next(bought_in("p1", 500), command=Command("p1", "c1", {})),) * 2:
            with pytest.raises(AnsweredError) as refused:
                journal.append([again._replace(head=0)])
            assert refused.value.response == {"rack": 500}
    with open_journal(url) as journal:
        assert journal.answer("t1", "p1", "c1") == (1, 1, {"rack": 500})
        assert journal.answer("t1", "p1", "c2") == (2, 1, {"refused": "late"})
        assert journal.answer("t1", "p2", "c1") is None
        evening = Evening(journal)
        evening.write(bought_in("p2", 100), command=Command("p2", "c1", None))
        assert journal.load("t1").racks == {"p1": 500, "p2": 100}
        assert check_journal(journal) == ()


def test_a_command_stands_once_in_a_batch(journal: Journal) -> None:
    evening = Evening(journal)
    one = evening.next(bought_in("p1", 500), command=Command("p1", "c1", {}))
    with pytest.raises(MalformedError, match="twice"):
        journal.append([one, one._replace(head=1)])


def test_a_rack_never_goes_below_nothing(journal: Journal) -> None:
    evening = Evening(journal)
    evening.sit("p1", 2000)
    evening.bet("p1", "pass", 1500)
    state = journal.load("t1")
    with pytest.raises(FundsError) as refused:
        evening.bet("p1", "field", 1500)
    assert (refused.value.code, refused.value.player) == ("funds", "p1")
    assert (refused.value.has, refused.value.needs) == (500, 1500)
    with pytest.raises(FundsError):
        evening.write(cashed_out("p1", 501))
    assert journal.load("t1") == state
    evening.write(cashed_out("p1", 500))
    assert journal.load("t1").racks == {"p1": 0}


def test_the_database_itself_refuses_a_rack_below_nothing(journal: Journal) -> None:
    Evening(journal).sit("p1", 2000)
    with pytest.raises(IntegrityError), journal.database.writing() as connection:
        connection.execute(sa.update(balances).where(balances.c.account == "rack:p1").values(cents=-1))


@pytest.mark.parametrize("statement", [sa.update(rows).values(body="{}"), sa.delete(rows)])
def test_the_database_itself_refuses_to_change_the_log(journal: Journal, statement: sa.Executable) -> None:
    Evening(journal).sit("p1", 2000)
    with pytest.raises(DatabaseError, match="only appended"), journal.database.writing() as connection:
        connection.execute(statement)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (Record("rumoured", {}), "no record is called 'rumoured'"),
        (Record("noted", {"half": 0.5}), "0.5 in 'half' is no text"),
        (Record("noted", {1: "one"}), "a key of JSON is text"),  # type: ignore[dict-item]  # on purpose
        (bought_in("p1", 0), "more than nothing"),
        (bought_in("", 5), "names a player"),
        (bought_in("a\0b", 5), "names a player"),
        (Seated("nobody", True), "not at this table"),
        (Left("nobody"), "not at this table"),
        (Seated(5, True), "expected str"),  # type: ignore[arg-type]  # on purpose
        ("a text", "is no event"),
    ],
)
def test_what_cannot_be_or_cannot_have_happened_is_refused(journal: Journal, content: Record, why: str) -> None:
    evening = Evening(journal)
    with pytest.raises(MalformedError, match=why):
        evening.write(bought_in("p1", 5), content)
    assert journal.load("t1").sequence == 0


@pytest.mark.parametrize("command", [Command("", "c1", 1), Command("p1", "\0", 1), Command("p1", "c" * 81, 1)])
def test_a_command_has_names(journal: Journal, command: Command) -> None:
    with pytest.raises(MalformedError, match="the names of a player and of itself"):
        Evening(journal).write(command=command)


@pytest.mark.parametrize("at_ms", [-1, 2**63, 1.5])
def test_a_time_is_milliseconds(journal: Journal, at_ms: int) -> None:
    evening = Evening(journal)
    with pytest.raises(MalformedError, match="milliseconds"):
        journal.append([evening.next(bought_in("p1", 1))._replace(at_ms=at_ms)])
    with pytest.raises(JournalError, match="milliseconds"):
        Header.of("t2", open_house("NJ"), at_ms)


def test_an_answer_is_json(journal: Journal) -> None:
    with pytest.raises(MalformedError, match="the answer to command c1"):
        Evening(journal).write(command=Command("p1", "c1", {1, 2}))


def test_a_table_that_is_not_there(journal: Journal) -> None:
    with pytest.raises(NoSuchTableError):
        journal.append([Append("t9", 1, 0, 0, [])])
    with pytest.raises(NoSuchTableError):
        journal.lease("t9", "us", 1)


def test_a_remembered_state_is_not_gone_on_from_when_another_process_wrote(url: str) -> None:
    with open_journal(url) as first, open_journal(url) as second:
        evening = Evening(first)
        evening.sit("p1", 1000)
        other = Evening(second)
        other.write(bought_in("p1", 5))
        evening.epoch, evening.head = other.epoch, other.head
        assert evening.write(bought_in("p1", 7)).state.racks == {"p1": 1012}
        assert check_journal(second) == ()


def test_many_tables_are_remembered_or_read_again(journal: Journal) -> None:
    evenings = [Evening(journal, f"t{number}") for number in range(4)]
    for cents in (1, 2, 3):
        done = journal.append([one.next(bought_in("p1", cents)) for one in evenings])
        for one, (_, state) in zip(evenings, done, strict=True):
            one.head = state.sequence
            assert state == journal.load(one.table_id)
    assert check_journal(journal) == ()


def test_errors_have_codes_of_their_own() -> None:
    def below(kind: type[JournalError]) -> list[type[JournalError]]:
        return [kind, *(one for child in kind.__subclasses__() for one in below(child))]

    codes = [kind.code for kind in below(JournalError)]
    assert len(set(codes)) == len(codes)
    assert issubclass(FundsError, AppendError)


def test_a_state_is_a_value(journal: Journal) -> None:
    state = Evening(journal).sit("p1", 5).state
    assert replace(state, sequence=9) != state


def test_a_step_is_taken_only_from_the_state_that_is_stored(journal: Journal) -> None:
    """One that was made from another state, or for another time, is computed again."""
    evening = Evening(journal)
    evening.sit("p1", 5000)
    epoch, now = journal.lease_of("t1").epoch, 9_000_000
    more = [bought_in("p1", 100)]
    old = follow(journal.load("t1"), now, more)
    for cents, step in ((5100, old), (5200, old), (5300, None), (5400, "earlier")):
        state = journal.load("t1")
        given = follow(state, now - 1, more) if step == "earlier" else step
        append = Append("t1", epoch, state.sequence, now, more, None, given if isinstance(given, Step) else None)
        (done,) = journal.append([append])
        assert done.state.racks == {"p1": cents}
        assert done.rows[0].at_ms == now
        assert done.state == journal.load("t1")
    assert check_journal(journal) == ()
