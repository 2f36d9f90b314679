"""The keeper of a seat's seeds: promises one for every roll, shows it when the lock is right, verifies what came of it.

Pure but for the seeds: events go in, and what the seat has to wish for comes out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from trueodds.client.errors import UnfairError
from trueodds.client.event import Event
from trueodds.fair import NO_PAST, FairError, Lock, Proof, commit_to, new_seed, verify_roll, verify_rolls


class Keeper:
    """Follows the log of one table from its first row. `proofs` has every roll, verified.

    A seat has one seed for a roll. Where another session of the same player was first, this one opens nothing.
    """

    def __init__(self, table: str, seat: str, seed: Callable[[], bytes] = new_seed) -> None:
        self.table = table
        self.seat = seat
        self.proofs: list[Proof] = []
        self.lock: Lock | None = None
        self.is_seated = False
        self._new_seed = seed
        self._seeds: dict[int, bytes] = {}
        self._anchor: bytes | None = None
        self._length = 0
        self._has_committed = self._has_opened = self._is_leaving = False
        self._promised = 0
        self._asked: set[tuple[str, int]] = set()

    @property
    def roll(self) -> int:
        """The number of the roll that comes next."""
        return len(self.proofs) + 1

    def hear(self, event: Event) -> None:
        """Take in what happened; raises `UnfairError`."""
        body, is_me = event.body, event.body.get("player") == self.seat
        match event.kind:
            case "anchored" if self._anchor is None:
                self._anchor, self._length = bytes.fromhex(body["anchor"]), body["length"]
            case "joined" if is_me:
                self.is_seated = True
                self._asked.discard(("commit", self.roll))
            case "left" if is_me:
                self.is_seated = self._is_leaving = False
            case "went" if is_me and body.get("leaving"):
                self._is_leaving = True
            case "committed" if is_me:
                self._has_committed = True
                self.granted(body["commitment"])
            case "withdrawn" if is_me:
                self._has_committed, self._promised = False, 0
                self._seeds.pop(self.roll, None)
            case "locked":
                self._take_lock(body["lock"])
            case "opened" if is_me:
                self._has_opened = True
            case "revealed":
                self._verify(body["proof"])
            case "rolled" if not self.proofs or body["dice"] != str(self.proofs[-1].roll):
                raise UnfairError(self.roll, [f"the dice that were called, {body['dice']}, are not those of the proof"])

    def due(self) -> dict[str, Any] | None:
        """Say what the seat has to wish for now, each once; None when there is nothing."""
        seed = self._seeds.get(self.roll)
        if self.lock is not None:
            mine = self.seat in self.lock.seats and not self._has_opened and self._promised == self.roll
            return {"wish": "open", "seed": seed.hex()} if mine and seed and self._ask("open") else None
        wanted = self.is_seated and not self._is_leaving and not self._has_committed
        if not wanted or not self._ask("commit"):
            return None
        seed = self._seeds[self.roll] = self._new_seed()
        return {"wish": "commit", "roll": self.roll, "commitment": self._promise(seed).hex()}

    def granted(self, commitment: str) -> None:
        """Know that the server took a commitment: where it is this keeper's to the next roll, its lock must have it.

        A yes may be heard after the commitment was withdrawn, or after another took its place; then it binds nobody.
        """
        seed = self._seeds.get(self.roll)
        if seed is not None and commitment == self._promise(seed).hex():
            self._promised = self.roll

    def is_for_now(self, due: Mapping[str, Any]) -> bool:
        """Tell whether something that was due may still be wished for: it is of the seed for the next roll."""
        seed = self._seeds.get(self.roll)
        if seed is None or self._has_opened:
            return False
        if due["wish"] == "open":
            return self.lock is not None and bool(due["seed"] == seed.hex())
        return self.lock is None and bool(due["commitment"] == self._promise(seed).hex())

    def _ask(self, wish: str) -> bool:
        asked = (wish, self.roll)
        is_new = asked not in self._asked
        self._asked.add(asked)
        return is_new

    def _promise(self, seed: bytes) -> bytes:
        return commit_to(self.table, self.roll, self.seat, seed)

    def _take_lock(self, data: Mapping[str, Any]) -> None:
        try:
            lock = Lock.from_data(dict(data))
        except FairError as error:
            raise UnfairError(self.roll, [str(error)]) from None
        faults = [what for wrong, what in self._faults(lock) if wrong]
        if faults:
            raise UnfairError(self.roll, faults)
        self.lock = lock

    def _faults(self, lock: Lock) -> list[tuple[bool, str]]:
        """Check what docs/fairness.md says a seat checks before it opens its seed."""
        last = self.proofs[-1] if self.proofs else None
        begins = lock.link == 1
        anchor = self._anchor if last is None else last.lock.next_anchor if begins else last.lock.anchor
        down_to = anchor if last is None or begins else last.secret
        seed = self._seeds.get(self.roll)
        has_promised = self._promised == self.roll and seed is not None
        return [
            (lock.table != self.table, "the lock is of another table"),
            (lock.roll != self.roll, f"the lock is of roll {lock.roll}"),
            (lock.length != self._length or lock.place != lock.due, "the lock names another link than the roll takes"),
            (lock.anchor != anchor, "the lock names another anchor than was announced"),
            (lock.down_to != down_to, "the lock does not lead down to the last secret"),
            (lock.past != (NO_PAST if last is None else last.seal), "the lock was made after another past"),
            (
                has_promised and lock.commitment_of(self.seat) != self._promise(seed or b""),
                "the lock has not this seat's own commitment",
            ),
        ]

    def _verify(self, data: Mapping[str, Any]) -> None:
        """Throw a roll again."""
        try:
            proof = Proof.from_data(dict(data))
            seen = [] if self.lock is None else [self.lock]
            if self.proofs:
                found = verify_rolls([self.proofs[-1], proof], None, seen)
            else:
                found = verify_roll(proof, self._anchor, seen)
        except FairError as error:
            raise UnfairError(self.roll, [str(error)]) from None
        faults = [finding.sentence for finding in found]
        if self.lock is None or proof.lock != self.lock:
            faults.append("it was thrown under another lock than the one that was told")
        if self._has_opened and self.seat in proof.missing:
            faults.append("the seed of this seat was opened and left out")
        if faults:
            raise UnfairError(self.roll, faults)
        self._seeds.pop(self.roll, None)
        self._asked = {asked for asked in self._asked if asked[1] > self.roll}
        self.proofs.append(proof)
        self.lock, self._has_committed, self._has_opened = None, False, False
