"""The whole life of a table through the client: three people and a bot, hands that end, dice that are passed, a lost
connection, a server that is started again; and then everything is checked by those who had no part in it.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from support import independent_verifier as independent
from support.running_server import RunningServer, run
from trueodds.client import Client, ServerRefusedError, TableConnection, TableEvent
from trueodds.journal import check_journal
from trueodds.service.pace import Pace
from trueodds.service.roll_audit import RollAuditor

PEOPLE = ("Ann", "Bob", "Cleo")
PACE = Pace(
    min_roll_interval_ms=0,
    betting_window_ms=50,
    seed_timeout_ms=60_000,
    shooter_timeout_ms=600_000,
    offer_timeout_ms=600_000,
)
DROP_AT, RESTART_AT, ROLLS = 6, 12, 18


class FullSession:
    """What happens, and what everybody saw of it."""

    def __init__(self, server: RunningServer) -> None:
        self.server = server
        self.clients = {name: Client(server.address) for name in PEOPLE}
        self.ids: dict[str, str] = {}
        self.sessions: dict[str, TableConnection] = {}
        self.heard: dict[str, list[TableEvent]] = {name: [] for name in PEOPLE}
        self.table = ""
        self.bot = ""
        self.has_passed = False

    async def live(self) -> None:
        await self._come()
        listening = [asyncio.create_task(self._listen(name)) for name in PEOPLE]
        try:
            await self._play()
            await self._go()
        finally:
            for name in PEOPLE:
                await self.sessions[name].close()
                await self.clients[name].close()
            await asyncio.gather(*listening)

    async def _come(self) -> None:
        for name, client in self.clients.items():
            self.ids[name] = (await client.create_guest(name))["id"]
        self.table = (await self.clients["Ann"].create_table("new_jersey", bots=["pass_345"]))["id"]
        (self.bot,) = (await self.clients["Ann"].get_table(self.table))["bots"]
        for name, client in self.clients.items():
            self.sessions[name] = await client.connect(self.table)
        await asyncio.gather(*(one.send("join", cents=1_000_000) for one in self.sessions.values()))

    async def _listen(self, name: str) -> None:
        async for event in self.sessions[name]:
            self.heard[name].append(event)

    def rolled(self, name: str = "Ann") -> list[dict[str, Any]]:
        return [dict(event.body) for event in self.heard[name] if event.kind == "rolled"]

    def shooters(self) -> set[str]:
        return {str(one["player"]) for one in self.rolled()}

    def seven_outs(self) -> int:
        return sum(bool(one["seven_out"]) for one in self.rolled())

    def is_enough(self) -> bool:
        shooters = self.shooters()
        return (
            len(self.rolled()) >= ROLLS and self.seven_outs() >= 2 and self.has_passed
            and self.bot in shooters and len(shooters) > 2
        )  # fmt: skip

    async def _play(self) -> None:
        is_dropped = is_restarted = False
        for _ in range(400):
            if self.is_enough():
                return
            if not is_dropped and len(self.rolled()) >= DROP_AT:
                is_dropped = True
                await self.sessions["Cleo"].drop_connection()
            if not is_restarted and len(self.rolled()) >= RESTART_AT:
                is_restarted = True
                await asyncio.to_thread(self.server.stop)
                await asyncio.to_thread(self.server.start)
            await self._roll_once()
        raise AssertionError("the evening never ends")

    async def _roll_once(self) -> None:
        """Everybody bets; who of the people has the dice throws them, or gives them on once. The bot does its own.

        It may do so at any moment, so that everything is looked at again until somebody threw.
        """
        before = len(self.rolled())
        until = time.monotonic() + 60
        while time.monotonic() < until:
            look = await self.clients["Bob"].get_table(self.table)
            custody = look["position"]["custody"]
            holder = custody.get("shooter") or custody.get("offered_to")
            name = next((name for name, one in self.ids.items() if one == holder), None)
            with suppress(ServerRefusedError):  # bets were closed just now, or the dice went on
                await self._bet("field" if look["layout"]["point"] else "pass")
                if name is not None and custody.get("shooter") and not self.has_passed:
                    await self.sessions[name].send("pass_dice")
                    self.has_passed = True
                elif name is not None:
                    await self.sessions[name].send("roll", retry=True)
            if len(self.rolled()) > before:
                return
            await asyncio.sleep(0.05)
        raise AssertionError(f"nobody threw: {look['waits_for']}")

    async def _bet(self, spot: str) -> None:
        for session in self.sessions.values():
            with suppress(ServerRefusedError):  # a line bet may be up
                await session.send("bet", spot=spot, stake_cents=1000)

    async def _go(self) -> None:
        """All leave; whoever has the dice throws until the last line bet is decided."""
        for name in PEOPLE:
            await self._leave(name)
        for _ in range(400):
            look = await self.clients["Ann"].get_table(self.table)
            if set(look["names"]) == {self.bot}:
                break
            custody = look["position"]["custody"]
            holder = custody.get("shooter") or custody.get("offered_to")
            for name, one in self.ids.items():
                if one == holder:
                    with suppress(ServerRefusedError):
                        await self.sessions[name].send("roll", retry=True)
            await asyncio.sleep(0.02)
        assert set(look["names"]) == {self.bot}
        assert look["departing"] == []
        for _ in range(500):
            if all(len(heard) == look["sequence"] for heard in self.heard.values()):
                return
            await asyncio.sleep(0.01)

    async def _leave(self, name: str) -> None:
        for _ in range(200):
            with suppress(ServerRefusedError):  # while bets are closed nobody leaves
                await self.sessions[name].send("leave")
                return
            await asyncio.sleep(0.01)
        raise AssertionError(f"{name} may not leave")


def test_a_full_session(serve: Callable[..., RunningServer], url: str) -> None:
    server = serve(url, pace=PACE)
    evening = FullSession(server)
    run(evening.live())

    assert evening.seven_outs() >= 2
    assert evening.has_passed
    assert evening.sessions["Cleo"].connection_count >= 3, "dropped once, and the server was started again"

    ann = evening.heard["Ann"]
    assert [event.sequence for event in ann] == list(range(1, len(ann) + 1))
    for name in PEOPLE:
        assert evening.heard[name] == ann
        assert evening.sessions[name].seeds.proofs == evening.sessions["Ann"].seeds.proofs

    state = server.journal.load_state(evening.table)
    assert sum(state.balances.values()) == 0
    assert set(state.racks_cents) - {evening.bot} <= {
        player for player, cents in state.racks_cents.items() if not cents
    }
    assert not check_journal(server.journal, RollAuditor())

    proofs = [event.body["proof"] for event in ann if event.kind == "secret_revealed"]
    anchor = next(event.body["anchor"] for event in ann if event.kind == "anchor_published")
    assert independent.check(json.dumps(proofs), anchor) is None
    assert [proof["dice"] for proof in proofs] == [one["dice"] for one in evening.rolled()]
    seats = {promise["seat"] for proof in proofs for promise in proof["lock"]["commitments"]}
    assert seats == set(evening.ids.values()), "people promise seeds, and the house does not"
    bad = [dict(proof, dice="1-1" if proof["dice"] != "1-1" else "1-2") for proof in proofs]
    assert independent.check(json.dumps(bad), anchor) == "wrong_dice"
