"""Appending: one transaction, all or nothing; epochs, sequences, commands and chips."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError, IntegrityError

from support.journal_session import JournalSession, play_sample_session, table_header
from trueodds.craps_table import Table
from trueodds.journal import (
    AppendRequest,
    CommandReply,
    DuplicateCommandError,
    InsufficientFundsError,
    InvalidEventError,
    Journal,
    JournalError,
    NoSuchTableError,
    ServiceEvent,
    StaleEpochError,
    StaleSequenceError,
    TableExistsError,
    TableHeader,
    bought_in,
    cashed_out,
    check_journal,
    open_journal,
)
from trueodds.journal.schema import balances, events
from trueodds.journal.table_state import AppliedEvents, apply_events
from trueodds.rulebook import as_house
from trueodds.table import PlayerLeft, Position, SeatingChanged


def test_a_new_table_is_empty(journal: Journal) -> None:
    state = journal.create_table(table_header())
    assert journal.load_state("t1") == state
    assert (state.sequence, state.hash, state.position) == (0, table_header().hash, Position())
    assert journal.headers() == (table_header(),)
    assert journal.events("t1") == ()
    assert journal.read_lease("t1").owner is None
    assert table_header().load_house().digest == Table("new_jersey").rules.house.digest
    with pytest.raises(TableExistsError):
        journal.create_table(table_header())
    with pytest.raises(NoSuchTableError):
        journal.load_state("t2")


def test_a_table_with_another_event_schema_is_refused(journal: Journal) -> None:
    with pytest.raises(JournalError, match="another event schema"):
        journal.create_table(table_header()._replace(schema_digest="0" * 64))


def test_a_table_with_another_version_of_a_book_is_refused() -> None:
    with pytest.raises(JournalError, match="another version"):
        table_header()._replace(book_digest="0" * 64).load_house()
    with pytest.raises(JournalError, match="do not match its house digest"):
        table_header()._replace(house_digest="0" * 64).load_house()
    with pytest.raises(JournalError, match="a table id must be"):
        table_header("no spaces")


def test_events_are_read_back_after_a_restart(url: str) -> None:
    with open_journal(url) as journal:
        session = play_sample_session(journal)
        state, log = journal.load_state("t1"), journal.events("t1")
        assert state.position == session.table.position
        assert [row.sequence for row in log] == list(range(1, state.sequence + 1))
        assert log[-1].hash == state.hash
    with open_journal(url) as journal:
        assert journal.load_state("t1") == state
        assert journal.events("t1") == log
        assert journal.events("t1", after=3, limit=2) == log[3:5]
        assert sum(state.balances.values()) == 0
        assert state.racks_cents.keys() == {"p1", "p2"}
        assert check_journal(journal) == ()


def test_append_returns_the_stored_state(journal: Journal) -> None:
    session = JournalSession(journal)
    done = session.join("p1", 5000)
    assert done.state == journal.load_state("t1")
    assert done.events == journal.events("t1")
    assert [type(row.decode()).__name__ for row in done.events] == ["PlayerJoined", "ServiceEvent"]
    assert journal.append([]) == ()


def test_a_batch_is_all_or_nothing(journal: Journal) -> None:
    ours, theirs = JournalSession(journal, "t1"), JournalSession(journal, "t2")
    ours.join("p1", 5000)
    before = journal.load_state("t1"), journal.load_state("t2")
    batch = [
        ours.request(bought_in("p1", 100)),
        theirs.request(bought_in("p2", 100)),
        ours.request(cashed_out("p1", 1)),
    ]
    with pytest.raises(StaleSequenceError) as refused:
        journal.append(batch)
    assert refused.value.batch_index == 2
    assert (journal.load_state("t1"), journal.load_state("t2")) == before
    batch[2] = batch[2]._replace(expected_sequence=batch[2].expected_sequence + 1)
    done = journal.append(batch)
    assert [one.state.racks_cents for one in done] == [{"p1": 5100}, {"p2": 100}, {"p1": 5099}]
    assert check_journal(journal) == ()


def test_a_stale_epoch_rolls_everything_back(journal: Journal) -> None:
    session, other = JournalSession(journal, "t1"), JournalSession(journal, "t2")
    assert journal.acquire_lease("t1", "us", 60) == session.epoch + 1
    with pytest.raises(StaleEpochError) as refused:
        journal.append([other.request(bought_in("p1", 100)), session.request(bought_in("p1", 100))])
    assert refused.value.batch_index == 1
    assert refused.value.code == "stale_epoch"
    assert journal.load_state("t2").sequence == 0


@pytest.mark.parametrize("epoch", [0, 1, 2])
def test_a_writer_needs_a_lease(journal: Journal, epoch: int) -> None:
    journal.create_table(table_header())
    if epoch:
        journal.release_lease("t1", journal.acquire_lease("t1", "us", 60))
    with pytest.raises(StaleEpochError):
        journal.append([AppendRequest("t1", epoch, 0, 0, [bought_in("p1", 1)])])


def test_a_command_is_executed_once_and_its_reply_is_kept(url: str) -> None:
    with open_journal(url) as journal:
        session = JournalSession(journal)
        assert journal.find_reply("t1", "p1", "c1") is None
        session.append(bought_in("p1", 500), command_reply=CommandReply("p1", "c1", {"rack": 500}))
        session.append(command_reply=CommandReply("p1", "c2", {"refused": "late"}))
        for again in (session.request(bought_in("p1", 500), command_reply=CommandReply("p1", "c1", {})),) * 2:
            with pytest.raises(DuplicateCommandError) as refused:
                journal.append([again._replace(expected_sequence=0)])
            assert refused.value.reply == {"rack": 500}
    with open_journal(url) as journal:
        assert journal.find_reply("t1", "p1", "c1") == (1, 1, {"rack": 500})
        assert journal.find_reply("t1", "p1", "c2") == (2, 1, {"refused": "late"})
        assert journal.find_reply("t1", "p2", "c1") is None
        session = JournalSession(journal)
        session.append(bought_in("p2", 100), command_reply=CommandReply("p2", "c1", None))
        assert journal.load_state("t1").racks_cents == {"p1": 500, "p2": 100}
        assert check_journal(journal) == ()


def test_a_command_may_occur_once_in_a_batch(journal: Journal) -> None:
    session = JournalSession(journal)
    one = session.request(bought_in("p1", 500), command_reply=CommandReply("p1", "c1", {}))
    with pytest.raises(InvalidEventError, match="twice"):
        journal.append([one, one._replace(expected_sequence=1)])


def test_a_rack_never_goes_below_zero(journal: Journal) -> None:
    session = JournalSession(journal)
    session.join("p1", 2000)
    session.bet("p1", "pass", 1500)
    state = journal.load_state("t1")
    with pytest.raises(InsufficientFundsError) as refused:
        session.bet("p1", "field", 1500)
    assert (refused.value.code, refused.value.player) == ("insufficient_funds", "p1")
    assert (refused.value.has_cents, refused.value.needs_cents) == (500, 1500)
    with pytest.raises(InsufficientFundsError):
        session.append(cashed_out("p1", 501))
    assert journal.load_state("t1") == state
    session.append(cashed_out("p1", 500))
    assert journal.load_state("t1").racks_cents == {"p1": 0}


def test_the_database_refuses_a_negative_rack(journal: Journal) -> None:
    JournalSession(journal).join("p1", 2000)
    with pytest.raises(IntegrityError), journal.database.write_transaction() as connection:
        connection.execute(sa.update(balances).where(balances.c.account == "rack:p1").values(cents=-1))


@pytest.mark.parametrize("statement", [sa.update(events).values(body="{}"), sa.delete(events)])
def test_the_database_refuses_to_change_events(journal: Journal, statement: sa.Executable) -> None:
    JournalSession(journal).join("p1", 2000)
    with pytest.raises(DatabaseError, match="append-only"), journal.database.write_transaction() as connection:
        connection.execute(statement)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (ServiceEvent("rumoured", {}), "unknown service event kind 'rumoured'"),
        (ServiceEvent("note_added", {"half": 0.5}), "got 0.5 in 'half'"),
        (ServiceEvent("note_added", {1: "one"}), "a JSON key must be text"),  # type: ignore[dict-item]  # on purpose
        (bought_in("p1", 0), "cents must be a whole number from 1"),
        (bought_in("", 5), "player must be a player id"),
        (bought_in("a\0b", 5), "player must be a player id"),
        (SeatingChanged("nobody", True), "not at this table"),
        (PlayerLeft("nobody"), "not at this table"),
        (SeatingChanged(5, True), "expected str"),  # type: ignore[arg-type]  # on purpose
        ("a text", "expected an engine event"),
    ],
)
def test_invalid_and_impossible_events_are_refused(journal: Journal, content: ServiceEvent, why: str) -> None:
    session = JournalSession(journal)
    with pytest.raises(InvalidEventError, match=why):
        session.append(bought_in("p1", 5), content)
    assert journal.load_state("t1").sequence == 0


@pytest.mark.parametrize(
    "command", [CommandReply("", "c1", 1), CommandReply("p1", "\0", 1), CommandReply("p1", "c" * 81, 1)]
)
def test_a_command_needs_valid_ids(journal: Journal, command: CommandReply) -> None:
    with pytest.raises(InvalidEventError, match="needs valid player and command ids"):
        JournalSession(journal).append(command_reply=command)


@pytest.mark.parametrize("at_ms", [-1, 2**63, 1.5])
def test_the_time_must_be_milliseconds(journal: Journal, at_ms: int) -> None:
    session = JournalSession(journal)
    with pytest.raises(InvalidEventError, match="milliseconds"):
        journal.append([session.request(bought_in("p1", 1))._replace(at_ms=at_ms)])
    with pytest.raises(JournalError, match="milliseconds"):
        TableHeader.for_house("t2", as_house("NJ"), at_ms)


def test_a_reply_must_be_json(journal: Journal) -> None:
    with pytest.raises(InvalidEventError, match="the reply to command c1"):
        JournalSession(journal).append(command_reply=CommandReply("p1", "c1", {1, 2}))


def test_an_unknown_table_is_refused(journal: Journal) -> None:
    with pytest.raises(NoSuchTableError):
        journal.append([AppendRequest("t9", 1, 0, 0, [])])
    with pytest.raises(NoSuchTableError):
        journal.acquire_lease("t9", "us", 1)


def test_a_cached_state_is_not_used_after_another_process_wrote(url: str) -> None:
    with open_journal(url) as first, open_journal(url) as second:
        session = JournalSession(first)
        session.join("p1", 1000)
        other = JournalSession(second)
        other.append(bought_in("p1", 5))
        session.epoch, session.sequence = other.epoch, other.sequence
        assert session.append(bought_in("p1", 7)).state.racks_cents == {"p1": 1012}
        assert check_journal(second) == ()


def test_more_tables_than_the_cache_holds(journal: Journal) -> None:
    evenings = [JournalSession(journal, f"t{number}") for number in range(4)]
    for cents in (1, 2, 3):
        done = journal.append([one.request(bought_in("p1", cents)) for one in evenings])
        for one, (_, state) in zip(evenings, done, strict=True):
            one.sequence = state.sequence
            assert state == journal.load_state(one.table_id)
    assert check_journal(journal) == ()


def test_states_compare_by_value(journal: Journal) -> None:
    state = JournalSession(journal).join("p1", 5).state
    assert replace(state, sequence=9) != state


def test_applied_events_are_used_only_if_they_start_from_the_stored_state(journal: Journal) -> None:
    """Those applied to another state or at another time are applied again."""
    session = JournalSession(journal)
    session.join("p1", 5000)
    epoch, now = journal.read_lease("t1").epoch, 9_000_000
    more = [bought_in("p1", 100)]
    old = apply_events(journal.load_state("t1"), now, more)
    for cents, step in ((5100, old), (5200, old), (5300, None), (5400, "earlier")):
        state = journal.load_state("t1")
        given = apply_events(state, now - 1, more) if step == "earlier" else step
        append = AppendRequest(
            "t1", epoch, state.sequence, now, more, None, given if isinstance(given, AppliedEvents) else None
        )
        (done,) = journal.append([append])
        assert done.state.racks_cents == {"p1": cents}
        assert done.events[0].at_ms == now
        assert done.state == journal.load_state("t1")
    assert check_journal(journal) == ()
