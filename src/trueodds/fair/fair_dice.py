"""The dice of one table: they hold its chains, make the locks and throw."""

from __future__ import annotations

from typing import Any, NoReturn

from trueodds.fair.chain import LENGTH, Chain, check_length, place_of
from trueodds.fair.encoding import check_name
from trueodds.fair.errors import FairError, Fault
from trueodds.fair.key import Key
from trueodds.fair.lock import Lock, layout_digest
from trueodds.fair.proof import Proof
from trueodds.fair.roll import FairRoll


class FairDice:
    """What a server needs to throw for one table; the same key gives the same dice in every process.

    >>> from trueodds.fair import commit_to
    >>> dice = FairDice(Key(bytes(32)), "t1", length=16)
    >>> dice
    FairDice('t1', length 16, secrets hidden)
    >>> roll = FairRoll.first("t1").commit("Ann", commit_to("t1", 1, "Ann", bytes(32)), 1)
    >>> lock = dice.lock(roll, b"Ann: pass 10")
    >>> proof = dice.throw(roll.locked(lock).open("Ann", bytes(32)))
    >>> proof.roll, proof.missing, proof.has_outside_seed
    (Roll(2, 2), (), True)
    """

    __slots__ = ("_chains", "_key", "length", "table")

    def __init__(self, key: Key, table: str, length: int = LENGTH) -> None:
        self._key = key
        self.table = check_name(table, "a table")
        self.length = check_length(length)
        self._chains: dict[int, Chain] = {}

    @property
    def anchor(self) -> bytes:
        """The anchor of the first chain: published when the table opens, before anything is committed."""
        return self._chain(1).anchor

    def lock(self, roll: FairRoll, layout: bytes) -> Lock:
        """Make the lock of a roll. Record it before an opening is taken; the same roll gives the same lock again."""
        if roll.table != self.table:
            raise FairError(Fault.OTHER_TABLE, f"these are the dice of {self.table}, not of {roll.table}")
        if roll.lock is not None:
            raise FairError(Fault.ALREADY_LOCKED, f"roll {roll.number} of {roll.table} is locked already")
        place = place_of(roll.number, self.length)
        chain = self._chain(place.chain)
        return Lock(
            table=self.table, roll=roll.number, length=self.length, chain=place.chain, link=place.link,
            anchor=chain.anchor, next_anchor=self._chain(place.chain + 1).anchor,
            down_to=chain.secret(place.link - 1), past=roll.past, layout=layout_digest(layout),
            commitments=roll.commitments,
        )  # fmt: skip

    def throw(self, roll: FairRoll) -> Proof:
        """Reveal the link that the lock names and throw. Record the proof before it is shown to anybody."""
        lock = roll.lock
        if lock is None:
            raise FairError(Fault.NOT_LOCKED, f"roll {roll.number} of {roll.table} is not locked yet")
        self._check_is_ours(lock)
        return Proof.of(roll, lock, self._chain(lock.chain).secret(lock.link))

    def _check_is_ours(self, lock: Lock) -> None:
        """Refuse to show a link for a lock that names another one than its roll must take."""
        if lock.table != self.table:
            raise FairError(Fault.OTHER_TABLE, f"these are the dice of {self.table}, not of {lock.table}")
        if lock.length != self.length or lock.place != lock.due:
            raise FairError(
                Fault.WRONG_LINK,
                f"the lock of roll {lock.roll} names link {lock.link} of chain {lock.chain}, of {lock.length} links; "
                f"it takes link {lock.due.link} of chain {lock.due.chain}, of {self.length}",
            )
        chain, after = self._chain(lock.chain), self._chain(lock.chain + 1)
        ours = (chain.anchor, after.anchor, chain.secret(lock.link - 1))
        if (lock.anchor, lock.next_anchor, lock.down_to) != ours:
            raise FairError(
                Fault.WRONG_KEY, f"the lock of roll {lock.roll} of {lock.table} was made with another key than this"
            )

    def _chain(self, number: int) -> Chain:
        """Find a chain; the one in use and the one after it are kept."""
        if number not in self._chains:
            kept = {near: chain for near, chain in self._chains.items() if abs(near - number) == 1}
            self._chains = kept | {number: Chain(self._key, self.table, number, self.length)}
        return self._chains[number]

    def __repr__(self) -> str:
        return f"FairDice({self.table!r}, length {self.length}, secrets hidden)"

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        """Refuse to be pickled: the secrets stay in the process that has the key."""
        raise TypeError("dice are not copied")
