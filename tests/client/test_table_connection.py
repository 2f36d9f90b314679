"""The whole life of a table through the client: three players, lost connections, a server that is started again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from support.running_server import KEY, RunningServer, http_client, run
from trueodds.client import Client, ClientError, ServerRefusedError, TableConnection
from trueodds.client.table_connection import _parse_frame
from trueodds.fair import FairDice, FairRoll, verify_rolls
from trueodds.journal import check_journal

NAMES = ("Ann", "Bob", "Cleo")
ROLLS = 30


async def committed(client: Client, table: str, number: int, seats: int) -> None:
    """Wait until so many seats have committed to a roll."""
    async with asyncio.timeout(60):
        while True:
            roll = (await client.get_table(table))["roll"]
            if len(roll["committed"]) == seats and roll["number"] == number:
                return
            await asyncio.sleep(0.01)


class ThreePlayers:
    """Three people at one table, each with a client and a session."""

    def __init__(self, address: str) -> None:
        self.clients = {name: Client(address) for name in NAMES}
        self.sessions: dict[str, TableConnection] = {}
        self.ids: dict[str, str] = {}
        self.shooters: set[str] = set()

    async def come(self) -> str:
        for name, client in self.clients.items():
            self.ids[name] = (await client.create_guest(name))["id"]
        table = str((await self.clients["Ann"].create_table("new_jersey", {"min_bet": 500}))["id"])
        for name, client in self.clients.items():
            self.sessions[name] = await client.connect(table)
            await self.sessions[name].send("join", cents=1_000_000)
        return table

    async def roll_once(self, table: str) -> None:
        """Whoever has the dice, or is offered them, bets and throws; the others bet, too."""
        look = await self.clients["Bob"].get_table(table)
        custody = look["position"]["custody"]
        shooter = custody.get("shooter") or custody.get("offered_to")
        name = next(name for name, one in self.ids.items() if one == shooter)
        self.shooters.add(name)
        for player, session in self.sessions.items():
            seat = next(seat for seat in look["position"]["seats"] if seat["player"] == self.ids[player])
            has_line = any(entry["wager"]["spot"] == "pass" for entry in seat.get("wagers", ()))
            if not has_line and not look["layout"]["point"]:
                await session.send("bet", spot="pass", stake_cents=1000)
            await session.send("bet", spot="field", stake_cents=500)
        number = look["roll"]["number"]
        await self.have_committed(table, number)
        await self.sessions[name].send("roll", retry=True)
        await self.until(lambda: all(len(one.seeds.proofs) == number for one in self.sessions.values()))

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


def test_three_players_and_a_restart(serve: Callable[..., RunningServer], url: str) -> None:
    server = serve(url)
    party = ThreePlayers(server.address)
    table = run(_evening(server, party))
    assert len(party.shooters) > 1, "the dice never went on"
    sessions = party.sessions.values()
    for session in sessions:
        proofs = session.seeds.proofs
        assert len(proofs) >= ROLLS
        assert not verify_rolls(proofs)
        assert all(len(proof.openings) == len(NAMES) and not proof.missing for proof in proofs)
    assert party.sessions["Cleo"].connection_count >= 3
    state = server.journal.load_state(table)
    assert sum(state.balances.values()) == 0
    assert not check_journal(server.journal)


async def _evening(server: RunningServer, party: ThreePlayers) -> str:
    table = await party.come()
    rolls = 0
    while rolls < ROLLS or len(party.shooters) < 2:
        await party.roll_once(table)
        rolls += 1
        if rolls == 8:
            await party.sessions["Cleo"].drop_connection()
        if rolls == 15:
            await asyncio.to_thread(server.stop)
            await asyncio.to_thread(server.start)
        assert rolls < 300
    await party.until(
        lambda: all(one.last_sequence == party.sessions["Ann"].last_sequence for one in party.sessions.values())
    )
    numbers = [event.sequence async for event in _next_roll(party.sessions["Cleo"])]
    assert numbers == list(range(1, party.sessions["Cleo"].last_sequence + 1))
    opened = [event async for event in _next_roll(party.sessions["Bob"]) if event.kind == "seed_opened"]
    assert opened
    assert all(event.body["seed"] is None for event in opened), "seeds are told with the proof, not before"
    assert await party.clients["Ann"].proofs(table) == party.sessions["Ann"].seeds.proofs
    assert await party.clients["Ann"].proofs(table, after=7) == party.sessions["Ann"].seeds.proofs[7:]
    await party.leave()
    return table


async def _next_roll(session: TableConnection) -> Any:
    """Everything a session has told so far."""
    last = session.last_sequence
    async for event in session:
        yield event
        if event.sequence == last:
            return


def test_refusals_have_a_code(serve: Callable[..., RunningServer]) -> None:
    async def evening() -> None:
        async with Client(serve().address) as client:
            await client.create_guest("Ann")
            table = (await client.create_table("new_jersey"))["id"]
            async with await client.connect(table) as session:
                await session.send("join", cents=1000)
                for wish, more, code in (
                    ("roll", {}, "no_line_bet"),
                    ("bet", {"spot": "pass", "stake_cents": 5000}, "insufficient_funds"),
                    ("bet", {"spot": "pass"}, "invalid_command"),
                    ("win", {}, "invalid_command"),
                ):
                    with pytest.raises(ServerRefusedError) as no:
                        await session.send(wish, **more)
                    assert no.value.code == code
                    assert no.value.message

    run(evening())


def test_two_servers_share_the_tables(serve: Callable[..., RunningServer], url: str) -> None:
    """A table is kept by one of them; the other reads it, and goes on with it when the first is gone."""
    first, second = serve(url), serve(url)
    with http_client(first, name="Ann") as http:
        table = http.post("/api/tables", json={"book": "NJ"}).json()["id"]
        http.post(f"/api/tables/{table}/commands", json={"id": "1", "command": "join", "cents": 1000})
        cookie = {"Cookie": f"trueodds={http.cookies['trueodds']}"}
    with http_client(second) as http:
        sit = {"id": "1", "command": "join", "cents": 1000}
        answer = http.get(f"/api/tables/{table}", headers=cookie)
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "held_elsewhere")
        assert http.post(f"/api/tables/{table}/commands", json=sit, headers=cookie).status_code == 503
        assert len(http.get(f"/api/tables/{table}/events").json()["events"]) == 4
        assert http.get("/api/tables").json()[0]["players"] == ["Ann"]
        first.table_manager.close()
        assert http.get(f"/api/tables/{table}", headers=cookie).json()["is_seated"]
        assert http.post(f"/api/tables/{table}/commands", json=sit, headers=cookie).json() == {
            "ok": True,
            "sequence": 4,
        }
    with http_client(first) as http:
        assert http.get("/healthz").status_code == 503
    assert not check_journal(second.journal)


def test_two_connections_of_one_player(serve: Callable[..., RunningServer]) -> None:
    """Two tabs share a seat: one of them has the seed, the other opens nothing, and neither blames the server."""

    async def evening() -> None:
        async with Client(serve().address) as client:
            await client.create_guest("Ann")
            table = (await client.create_table("new_jersey"))["id"]
            async with await client.connect(table) as one, await client.connect(table) as other:
                await one.send("join", cents=500_000)
                for number in range(1, 6):
                    look = await client.get_table(table)
                    if not any(seat.get("wagers") for seat in look["position"]["seats"]):
                        await other.send("bet", spot="pass", stake_cents=1000)
                    await ThreePlayers.until(lambda: one.last_sequence == other.last_sequence)
                    await committed(client, table, number, 1)
                    await one.send("roll", retry=True)
                    await ThreePlayers.until(lambda: all(len(two.seeds.proofs) == number for two in (one, other)))  # noqa: B023
                assert one.seeds.proofs == other.seeds.proofs
                assert all(len(proof.openings) == 1 and not proof.missing for proof in one.seeds.proofs)

    run(evening())


def test_an_unanswered_commitment_is_repeated_with_the_same_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing happens at the table meanwhile; the first promise may have been written after all."""
    monkeypatch.setattr("trueodds.client.table_connection.SEED_RETRY_MS", 1)
    begun: list[dict[str, Any]] = []

    async def promise() -> None:
        async with TableConnection("http://127.0.0.1:9", "t1", "ann", "") as session:

            def begin(frame: dict[str, Any]) -> asyncio.Future[dict[str, Any]]:
                begun.append(frame)
                answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
                no = {"ok": False, "error": {"code": "unavailable", "message": "no"}}
                answer.set_result({"ok": True} if len(begun) == 3 else no)
                return answer

            monkeypatch.setattr(session, "_start_command", begin)
            session.seeds.is_seated = True
            session._send_seed_commands()
            await ThreePlayers.until(lambda: len(begun) == 3)
            await asyncio.sleep(0.05)
            assert session.seeds._committed_roll == 1

    run(promise(), 60)
    assert begun == [begun[0]] * 3


def test_a_retry_waits_until_the_roll_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table says how long it may take at most; the dice lie long before."""
    answers: list[dict[str, Any]] = [
        {"ok": False, "error": {"code": "bets_closed", "message": "no", "retry_after_ms": 600_000}},
        {"ok": True},
    ]

    async def answer(_: dict[str, Any]) -> dict[str, Any]:
        return answers.pop(0)

    async def wish() -> None:
        async with TableConnection("http://127.0.0.1:9", "t1", "ann", "") as session:
            monkeypatch.setattr(session, "_send_command", answer)
            session.seeds.lock = lock
            asking = asyncio.create_task(session.send("bet", retry=True))
            await asyncio.sleep(0.3)
            assert not asking.done()
            session.seeds.lock = None
            assert (await asking)["ok"]

    lock = FairDice(KEY, "t1", chain_length=8).lock(FairRoll.first("t1"), b"")
    run(wish(), 60)


@pytest.mark.parametrize(
    ("no", "is_same"),
    [
        ({"code": "unavailable"}, True), ({"code": "busy", "retry_after_ms": 1}, True), ({"code": "stale_epoch"}, True),
        ({"code": "too_soon", "retry_after_ms": 1}, False),
    ],
)  # fmt: skip
def test_retries_reuse_the_id_if_the_outcome_is_open(
    monkeypatch: pytest.MonkeyPatch, no: dict[str, Any], is_same: bool
) -> None:
    """A wish whose fate is unknown may have been granted; one that was refused for good needs another id."""
    monkeypatch.setattr("trueodds.client.table_connection.MAX_WAIT_S", 0.001)
    asked: list[str] = []

    async def answer(frame: dict[str, Any]) -> dict[str, Any]:
        asked.append(frame["id"])
        return {"ok": True} if len(asked) == 3 else {"ok": False, "error": {"message": "no", **no}}

    async def wish() -> None:
        async with TableConnection("http://127.0.0.1:9", "t1", "ann", "") as session:
            monkeypatch.setattr(session, "_send_command", answer)
            assert await session.send("roll", retry=True) == {"ok": True}

    run(wish())
    assert len(asked) == 3
    assert len(set(asked)) == (1 if is_same else 3)


def test_a_bet_delayed_by_a_lost_connection_is_not_made_for_a_later_roll(
    serve: Callable[..., RunningServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve()

    async def play() -> tuple[str, list[str]]:
        async with Client(server.address) as client:
            await client.create_guest("Ann")
            table = (await client.create_table("new_jersey"))["id"]
            online, delayed = await client.connect(table), await client.connect(table)
            await online.send("join", cents=50_000)
            await delayed.wait_caught_up()
            await ThreePlayers.until(lambda: delayed.last_sequence == online.last_sequence)
            connect, network_is_back = delayed._run_connection, asyncio.Event()

            async def wait_for_network() -> None:
                await network_is_back.wait()
                await connect()

            monkeypatch.setattr(delayed, "_run_connection", wait_for_network)
            await delayed.drop_connection()
            await ThreePlayers.until(lambda: delayed._socket is None)
            bet = asyncio.create_task(delayed.send("bet", spot="field", stake_cents=1000))
            await online.send("bet", spot="pass", stake_cents=1000)
            await online.send("roll", retry=True)
            await ThreePlayers.until(lambda: len(online.seeds.proofs) == 1)
            network_is_back.set()
            with pytest.raises(ServerRefusedError) as refused:
                await bet
            wagers = (await client.get_table(table))["position"]["seats"][0].get("wagers", ())
            await online.close()
            await delayed.close()
            return refused.value.code, [wager["wager"]["spot"] for wager in wagers]

    code, spots = run(play(), 60)
    assert code == "stale"
    assert "field" not in spots


def test_invalid_frames_close_the_connection(serve: Callable[..., RunningServer]) -> None:
    server = serve()

    async def evening(frame: str) -> str:
        async with Client(server.address) as client:
            await client.create_guest(f"Ann {len(frame)}")
            table = (await client.create_table("new_jersey"))["id"]
            session = await client.connect(table)
            with pytest.raises(ClientError) as no:
                session._on_frame(_parse_frame(frame))
            await session.close()
            return str(no.value)

    assert "Invalid frame" in run(evening("{"))
    assert "Invalid frame" in run(evening("[1]"))
    assert "Invalid event" in run(evening('{"event": {"sequence": 2}}'))
