"""The whole life of a table through the client: three players, lost connections, a server that is started again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from running_server import KEY, Running, asking, run
from trueodds.client import Client, ClientError, RefusedError, Session
from trueodds.client.session import _read
from trueodds.fair import FairDice, FairRoll, verify_rolls
from trueodds.journal import check_journal

NAMES = ("Ann", "Bob", "Cleo")
ROLLS = 30


async def committed(client: Client, table: str, number: int, seats: int) -> None:
    """Wait until so many seats have committed to a roll."""
    async with asyncio.timeout(60):
        while True:
            roll = (await client.look(table))["roll"]
            if len(roll["committed"]) == seats and roll["number"] == number:
                return
            await asyncio.sleep(0.01)


class Party:
    """Three people at one table, each with a client and a session."""

    def __init__(self, address: str) -> None:
        self.clients = {name: Client(address) for name in NAMES}
        self.sessions: dict[str, Session] = {}
        self.ids: dict[str, str] = {}
        self.shooters: set[str] = set()

    async def come(self) -> str:
        for name, client in self.clients.items():
            self.ids[name] = (await client.guest(name))["id"]
        table = str((await self.clients["Ann"].create_table("new_jersey", {"min_bet": 500}))["id"])
        for name, client in self.clients.items():
            self.sessions[name] = await client.join(table)
            await self.sessions[name].wish("sit", cents=1_000_000)
        return table

    async def roll_once(self, table: str) -> None:
        """Whoever has the dice, or is offered them, bets and throws; the others bet, too."""
        look = await self.clients["Bob"].look(table)
        custody = look["position"]["custody"]
        shooter = custody.get("shooter") or custody.get("offer_to")
        name = next(name for name, one in self.ids.items() if one == shooter)
        self.shooters.add(name)
        for player, session in self.sessions.items():
            seat = next(seat for seat in look["position"]["seats"] if seat["player"] == self.ids[player])
            has_line = any(entry["wager"]["spot"] == "pass" for entry in seat.get("entries", ()))
            if not has_line and not look["layout"]["point"]:
                await session.wish("bet", spot="pass", cents=1000)
            await session.wish("bet", spot="field", cents=500)
        number = look["roll"]["number"]
        await self.have_committed(table, number)
        await self.sessions[name].wish("roll", patient=True)
        await self.until(lambda: all(len(one.keeper.proofs) == number for one in self.sessions.values()))

    async def have_committed(self, table: str, number: int) -> None:
        await committed(self.clients["Ann"], table, number, len(NAMES))

    @staticmethod
    async def until(is_so: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not is_so():
                await asyncio.sleep(0.01)

    async def leave(self) -> None:
        for session in self.sessions.values():
            await session.close()
        for client in self.clients.values():
            await client.close()


def test_an_evening(serve: Callable[..., Running], url: str) -> None:
    server = serve(url)
    party = Party(server.address)
    table = run(_evening(server, party))
    assert len(party.shooters) > 1, "the dice never went on"
    sessions = party.sessions.values()
    for session in sessions:
        proofs = session.keeper.proofs
        assert len(proofs) >= ROLLS
        assert not verify_rolls(proofs)
        assert all(len(proof.openings) == len(NAMES) and not proof.missing for proof in proofs)
    assert party.sessions["Cleo"].connections >= 3
    state = server.journal.load(table)
    assert sum(state.balances.values()) == 0
    assert not check_journal(server.journal)


async def _evening(server: Running, party: Party) -> str:
    table = await party.come()
    rolls = 0
    while rolls < ROLLS or len(party.shooters) < 2:
        await party.roll_once(table)
        rolls += 1
        if rolls == 8:
            await party.sessions["Cleo"].drop()
        if rolls == 15:
            await asyncio.to_thread(server.stop)
            await asyncio.to_thread(server.start)
        assert rolls < 300
    await party.until(lambda: all(one.last == party.sessions["Ann"].last for one in party.sessions.values()))
    numbers = [event.number async for event in _heard(party.sessions["Cleo"])]
    assert numbers == list(range(1, party.sessions["Cleo"].last + 1))
    opened = [event async for event in _heard(party.sessions["Bob"]) if event.kind == "opened"]
    assert opened
    assert all(event.body["seed"] is None for event in opened), "seeds are told with the proof, not before"
    assert await party.clients["Ann"].proofs(table) == party.sessions["Ann"].keeper.proofs
    assert await party.clients["Ann"].proofs(table, after=7) == party.sessions["Ann"].keeper.proofs[7:]
    await party.leave()
    return table


async def _heard(session: Session) -> Any:
    """Everything a session has told so far."""
    last = session.last
    async for event in session:
        yield event
        if event.number == last:
            return


def test_what_one_is_not_allowed_is_said_with_the_reason(serve: Callable[..., Running]) -> None:
    async def evening() -> None:
        async with Client(serve().address) as client:
            await client.guest("Ann")
            table = (await client.create_table("new_jersey"))["id"]
            async with await client.join(table) as session:
                await session.wish("sit", cents=1000)
                for wish, more, code in (
                    ("roll", {}, "no_line_bet"),
                    ("bet", {"spot": "pass", "cents": 5000}, "funds"),
                    ("bet", {"spot": "pass"}, "malformed"),
                    ("win", {}, "malformed"),
                ):
                    with pytest.raises(RefusedError) as no:
                        await session.wish(wish, **more)
                    assert no.value.code == code
                    assert no.value.sentence

    run(evening())


def test_two_servers_share_the_tables(serve: Callable[..., Running], url: str) -> None:
    """A table is kept by one of them; the other reads it, and goes on with it when the first is gone."""
    first, second = serve(url), serve(url)
    with asking(first, name="Ann") as http:
        table = http.post("/api/tables", json={"book": "NJ"}).json()["id"]
        http.post(f"/api/tables/{table}/wishes", json={"id": "1", "wish": "sit", "cents": 1000})
        cookie = {"Cookie": f"trueodds={http.cookies['trueodds']}"}
    with asking(second) as http:
        sit = {"id": "1", "wish": "sit", "cents": 1000}
        answer = http.get(f"/api/tables/{table}", headers=cookie)
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "elsewhere")
        assert http.post(f"/api/tables/{table}/wishes", json=sit, headers=cookie).status_code == 503
        assert len(http.get(f"/api/tables/{table}/rows").json()["rows"]) == 4
        assert http.get("/api/tables").json()[0]["players"] == ["Ann"]
        first.floor.close()
        assert http.get(f"/api/tables/{table}", headers=cookie).json()["seated"]
        assert http.post(f"/api/tables/{table}/wishes", json=sit, headers=cookie).json() == {"ok": True, "sequence": 4}
    with asking(first) as http:
        assert http.get("/healthz").status_code == 503
    assert not check_journal(second.journal)


def test_two_sessions_of_one_player(serve: Callable[..., Running]) -> None:
    """Two tabs share a seat: one of them has the seed, the other opens nothing, and neither blames the server."""

    async def evening() -> None:
        async with Client(serve().address) as client:
            await client.guest("Ann")
            table = (await client.create_table("new_jersey"))["id"]
            async with await client.join(table) as one, await client.join(table) as other:
                await one.wish("sit", cents=500_000)
                for number in range(1, 6):
                    look = await client.look(table)
                    if not any(seat.get("entries") for seat in look["position"]["seats"]):
                        await other.wish("bet", spot="pass", cents=1000)
                    await Party.until(lambda: one.last == other.last)
                    await committed(client, table, number, 1)
                    await one.wish("roll", patient=True)
                    await Party.until(lambda: all(len(two.keeper.proofs) == number for two in (one, other)))  # noqa: B023
                assert one.keeper.proofs == other.keeper.proofs
                assert all(len(proof.openings) == 1 and not proof.missing for proof in one.keeper.proofs)

    run(evening())


def test_a_seed_whose_fate_is_unknown_is_promised_again_and_not_drawn_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing happens at the table meanwhile; the first promise may have been written after all."""
    monkeypatch.setattr("trueodds.client.session.KEEP_AGAIN_MS", 1)
    begun: list[dict[str, Any]] = []

    async def promise() -> None:
        async with Session("http://127.0.0.1:9", "t1", "ann", "") as session:

            def begin(frame: dict[str, Any]) -> asyncio.Future[dict[str, Any]]:
                begun.append(frame)
                answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
                no = {"ok": False, "error": {"code": "unavailable", "sentence": "no"}}
                answer.set_result({"ok": True} if len(begun) == 3 else no)
                return answer

            monkeypatch.setattr(session, "_begin", begin)
            session.keeper.is_seated = True
            session._keep_seeds()
            await Party.until(lambda: len(begun) == 3)
            await asyncio.sleep(0.05)
            assert session.keeper._promised == 1

    run(promise(), 60)
    assert begun == [begun[0]] * 3


def test_who_is_patient_waits_no_longer_than_bets_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table says how long it may take at most; the dice lie long before."""
    answers: list[dict[str, Any]] = [
        {"ok": False, "error": {"code": "closed", "sentence": "no", "wait_ms": 600_000}},
        {"ok": True},
    ]

    async def answer(_: dict[str, Any]) -> dict[str, Any]:
        return answers.pop(0)

    async def wish() -> None:
        async with Session("http://127.0.0.1:9", "t1", "ann", "") as session:
            monkeypatch.setattr(session, "_ask", answer)
            session.keeper.lock = lock
            asking = asyncio.create_task(session.wish("bet", patient=True))
            await asyncio.sleep(0.3)
            assert not asking.done()
            session.keeper.lock = None
            assert (await asking)["ok"]

    lock = FairDice(KEY, "t1", length=8).lock(FairRoll.first("t1"), b"")
    run(wish(), 60)


@pytest.mark.parametrize(
    ("no", "is_same"),
    [
        ({"code": "unavailable"}, True), ({"code": "busy", "wait_ms": 1}, True), ({"code": "stale_epoch"}, True),
        ({"code": "pace", "wait_ms": 1}, False),
    ],
)  # fmt: skip
def test_what_is_no_answer_for_good_is_asked_again_under_its_id(
    monkeypatch: pytest.MonkeyPatch, no: dict[str, Any], is_same: bool
) -> None:
    """A wish whose fate is unknown may have been granted; one that was refused for good needs another id."""
    monkeypatch.setattr("trueodds.client.session.WAIT_MOST_S", 0.001)
    asked: list[str] = []

    async def answer(frame: dict[str, Any]) -> dict[str, Any]:
        asked.append(frame["id"])
        return {"ok": True} if len(asked) == 3 else {"ok": False, "error": {"sentence": "no", **no}}

    async def wish() -> None:
        async with Session("http://127.0.0.1:9", "t1", "ann", "") as session:
            monkeypatch.setattr(session, "_ask", answer)
            assert await session.wish("roll", patient=True) == {"ok": True}

    run(wish())
    assert len(asked) == 3
    assert len(set(asked)) == (1 if is_same else 3)


def test_what_no_server_sends_ends_a_session_with_the_reason(serve: Callable[..., Running]) -> None:
    server = serve()

    async def evening(frame: str) -> str:
        async with Client(server.address) as client:
            await client.guest(f"Ann {len(frame)}")
            table = (await client.create_table("new_jersey"))["id"]
            session = await client.join(table)
            with pytest.raises(ClientError) as no:
                session._hear(_read(frame))
            await session.close()
            return str(no.value)

    assert "no frame" in run(evening("{"))
    assert "no frame" in run(evening("[1]"))
    assert "is none" in run(evening('{"event": {"number": 2}}'))
