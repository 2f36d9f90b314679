"""Simulation: as many sessions as one likes, walked in machine code, the same for any number of threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from fractions import Fraction
from itertools import islice
from math import lcm, sqrt
from threading import Lock
from typing import Any, Final

import numpy as np

from trueodds.chain.automaton import BUDGET, Automaton
from trueodds.chain.by_engine import EnginePlayer
from trueodds.chain.errors import ChainTooLargeError, SessionError
from trueodds.chain.group import Ints
from trueodds.chain.lockstep import walk_abreast
from trueodds.chain.machine import Machine
from trueodds.chain.odds import FAIR, Chances
from trueodds.chain.stream import U, session_rolls
from trueodds.chain.tally import Counts, Tally
from trueodds.chain.walker import CAUSE, LOADED, UNBUILT, UNIFORM, WANTED, Dice, Limits, no_results, walk_each
from trueodds.rulebook import Book, House, open_house
from trueodds.strategy import Part, Strategy, open_strategy
from trueodds.strategy.amount import cents

CHUNK: Final = 1 << 14
"""Sessions that are walked at a time. It has no part in the result."""

ROLLS: Final = 200
ROLLS_MOST: Final = 100_000
FAR: Final = 1 << 44
SIGMA_95: Final = 1.959963984540054

Progress = Callable[["Simulation"], None]


class Player:
    """One strategy at a house, under the terms of a simulation: plays any sessions of it, on any thread."""

    def __init__(
        self,
        strategy: Strategy,
        house: House,
        terms: dict[str, int | None],
        seed: int,
        dice: Chances,
        budget: int,
    ) -> None:
        self.strategy = strategy
        self.house = house
        self._terms = terms
        self._seed = seed
        self._loaded = _thresholds(dice)
        self._machine = Machine(
            Automaton(strategy, house, budget=budget, lazy=True),
            tuple(value for key, value in terms.items() if value is not None and key not in ("rolls", "shooters")),
        )
        self._lock = Lock()
        self._full = False
        self._engine = EnginePlayer(strategy, house)

    def play(self, sessions: Ints) -> Tally:
        """Play sessions by their numbers."""
        tally, todo = Tally(), sessions
        while len(todo):
            out, slot = self._walk(todo)
            over = out[:, CAUSE] != UNBUILT
            tally += Tally.of(out[over], slot)
            wanted = np.unique(out[~over, WANTED])
            todo = todo[~over]
            if len(todo) and not self._build(wanted):
                return tally + self._play_by_engine(todo)
        return tally

    def _build(self, wanted: Ints) -> bool:
        """Build what was missing; say whether there was room."""
        with self._lock:
            if self._full:
                return False
            try:
                self._machine.build(wanted)
            except ChainTooLargeError:
                self._full = True
            return not self._full

    def _walk(self, sessions: Ints) -> tuple[Ints, int]:
        with self._lock:
            machine = self._machine
            places, slot, start = machine.places, machine.slot, machine.automaton.start
            limits = self._limits(slot, machine.highest_fee)
            tape = machine.tape if limits.at_most == -FAR else machine.stopping_at(limits.at_most)
        out = no_results(len(sessions))
        if self._loaded is None:
            dice, walk = Dice(UNIFORM, U(self._seed)), walk_abreast if limits.shooters == FAR else walk_each
        else:
            dice, walk = Dice(LOADED, U(self._seed), len(tape), len(tape) + 36), walk_each
            tape = np.concatenate((tape, self._loaded))
        walk(tape, places, start, limits, dice, sessions, out)
        return out, slot

    def _limits(self, slot: int, fee: int) -> Limits:
        terms = self._terms
        low, high = terms["at_most"], terms["at_least"]
        at_least = FAR if high is None else -(-high // slot)
        return Limits(
            int(terms["bankroll"] or 0) // slot,
            int(terms["rolls"] or 0),
            FAR if terms["shooters"] is None else terms["shooters"],
            -FAR if low is None else low // slot,
            at_least,
            at_least - fee // slot,
        )

    def _play_by_engine(self, sessions: Ints) -> Tally:
        limits = self._limits(1, 0)
        lines = [
            self._engine.play(
                limits.bankroll, limits.rolls, limits.shooters, limits.at_most, limits.at_least,
                session_rolls(self._seed, int(session), self._loaded),
            )
            for session in sessions
        ]  # fmt: skip
        return Tally.of(np.array(lines, dtype=np.int64), 1, by_engine=len(lines))


def _thresholds(dice: Chances) -> Ints | None:
    """Give the words below which each of the 36 rolls lies with loaded dice; nothing for even ones."""
    if dice == FAIR:
        return None
    shares = dict(dice)
    whole = lcm(*(chance.denominator for chance in shares.values()))
    if whole >= 1 << 63:
        raise SessionError("these weights are finer than dice can be thrown")
    each, below, limits = (1 << 64) // whole, Fraction(0), []
    for _, chance in dice:
        below += chance
        limits.append(min(int(below * whole) * each, (1 << 64) - 1))
    return np.array(limits, dtype=np.uint64).view(np.int64)


class Simulation:
    """What simulated sessions came to. Amounts are in cents, as in `Session`."""

    def __init__(self, strategy: Strategy, house: House, bankroll: int, tally: Tally, terms: dict[str, Any]) -> None:
        self.strategy = strategy
        self.house = house
        self.bankroll = bankroll
        self.tally = tally
        self.terms = terms

    @property
    def sessions(self) -> int:
        """How many sessions were played."""
        return self.tally.sessions

    @property
    def results(self) -> Ints:
        """The net results that happened, in order."""
        return self.tally.counts["worth"].values - self.bankroll

    @property
    def times(self) -> Ints:
        """How often each happened."""
        return self.tally.counts["worth"].times

    @property
    def chances(self) -> Any:
        """The share of sessions with each result."""
        return self.times / self.sessions

    @property
    def mean(self) -> float:
        """The mean result."""
        return float(Fraction(self.tally.counts["worth"].sum, self.sessions) - self.bankroll)

    @property
    def variance(self) -> float:
        """The variance of the result, as estimated from these sessions."""
        worth, count = self.tally.counts["worth"], self.sessions
        return float(Fraction(worth.squares * count - worth.sum**2, count * max(1, count - 1)))

    @property
    def deviation(self) -> float:
        """The standard deviation of the result."""
        return sqrt(self.variance)

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return self.deviation / sqrt(self.sessions)

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true mean lies with 95 % confidence."""
        return self.mean - SIGMA_95 * self.error, self.mean + SIGMA_95 * self.error

    def chance(self, wanted: Callable[[int], bool]) -> float:
        """Give the share of the results that are wanted."""
        chosen = np.array([bool(wanted(int(result))) for result in self.results], dtype=bool)
        return int(self.times[chosen].sum()) / self.sessions

    @property
    def ruin(self) -> float:
        """The share that ended in ruin."""
        return self.tally.causes.get("ruin", 0) / self.sessions

    @property
    def profit(self) -> float:
        """The share that went home with more than they came with."""
        return self.chance(lambda result: result > 0)

    @property
    def doubling(self) -> float:
        """The share that went home with at least twice what they came with."""
        return self.chance(lambda result: result >= self.bankroll)

    def quantile(self, share: float) -> int:
        """Give the least result that at least this share of sessions did not exceed."""
        return self.tally.counts["worth"].quantile(share) - self.bankroll

    def average(self, what: str) -> float:
        """Give the mean of "rolls", "hands", "peak", "trough" or "fall"."""
        return float(Fraction(self.tally.counts[what].sum, self.sessions))

    def counted(self, what: str) -> Counts:
        """Give the counts of "worth", "peak", "trough", "fall", "rolls" or "hands"."""
        return self.tally.counts[what]

    @property
    def by_engine(self) -> float:
        """The share of sessions that the engine played because there was no room to compile their situations."""
        return self.tally.by_engine / self.sessions

    def summary(self) -> dict[str, Any]:
        """Gather the figures people ask for; amounts in cents."""
        return {
            "strategy": self.strategy.name,
            "house": self.house.name,
            "sessions": self.sessions,
            **self.terms,
            "mean_cents": self.mean,
            "mean_interval_95_cents": self.interval,
            "deviation_cents": self.deviation,
            "ruin": self.ruin,
            "profit": self.profit,
            "doubling": self.doubling,
            "ended_by": self.tally.causes,
            "mean_rolls": self.average("rolls"),
            "mean_hands": self.average("hands"),
            "mean_peak_cents": self.average("peak"),
            "mean_trough_cents": self.average("trough"),
            "mean_drawdown_cents": self.average("fall"),
            "quantiles_cents": {share: self.quantile(share) for share in (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)},
            "played_by_engine": self.by_engine,
        }

    def __repr__(self) -> str:
        return f"<Simulation {self.strategy.name!r}: {self.sessions:,} sessions, mean {self.mean:.2f} cents>"


def simulate(  # noqa: PLR0913  a simulation has that many terms, all named
    strategy: Strategy | Part | str,
    place: House | Book | str,
    *,
    bankroll: int | str,
    sessions: int,
    seed: int,
    rolls: int | None = None,
    shooters: int | None = None,
    stop_win: int | str | None = None,
    stop_loss: int | str | None = None,
    dice: Chances = FAIR,
    threads: int = 1,
    budget: int = BUDGET,
    progress: Progress | None = None,
) -> Simulation:
    """Play sessions and count what they came to. The seed decides every roll, whatever the threads.

    Interrupted, it gives what was played until then.

    >>> evening = simulate("pass", "new_jersey", bankroll=100, sessions=2000, seed=1, rolls=50)
    >>> evening.sessions, evening.average("rolls") <= 50
    (2000, True)
    """
    chosen, house = open_strategy(strategy), open_house(place)
    _check("sessions", sessions, 10**15)
    _check("threads", threads, 1024)
    if type(seed) is not int or not 0 <= seed < 1 << 64:
        raise SessionError(f"a seed goes from 0 to 2**64 - 1, not {seed!r}")
    bank = cents(bankroll, "a bankroll")
    win = None if stop_win is None else cents(stop_win, "a win to stop at")
    loss = None if stop_loss is None else cents(stop_loss, "a loss to stop at")
    if rolls is None:
        rolls = ROLLS if shooters is None else ROLLS_MOST
    _check("rolls", rolls, ROLLS_MOST)
    if shooters is not None:
        _check("shooters", shooters, 1000)
    terms = {
        "bankroll": bank,
        "rolls": rolls,
        "shooters": shooters,
        "at_least": None if win is None else bank + win,
        "at_most": None if loss is None else bank - loss,
    }
    player = Player(chosen, house, terms, seed, dice, budget)
    shown = {"bankroll_cents": bank, "rolls": rolls, "shooters": shooters, "seed": seed}

    def so_far(tally: Tally) -> Simulation:
        return Simulation(chosen, house, bank, tally, shown)

    tally = Tally()
    try:
        for part in played(player, sessions, threads):
            tally += part
            if progress is not None:
                progress(so_far(tally))
    except KeyboardInterrupt:
        if not tally.sessions:
            raise
    return so_far(tally)


def chunks(sessions: int) -> Iterator[Ints]:
    """Number sessions in portions."""
    return (np.arange(begin, min(begin + CHUNK, sessions)) for begin in range(0, sessions, CHUNK))


def played(player: Player, sessions: int, threads: int) -> Iterator[Tally]:
    """Play portions on threads, and give each as it is done; never more of them in flight than are needed."""
    if threads == 1:
        yield from map(player.play, chunks(sessions))
        return
    todo = chunks(sessions)
    with ThreadPoolExecutor(threads) as pool:
        running: set[Future[Tally]] = {pool.submit(player.play, chunk) for chunk in islice(todo, 2 * threads)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            running |= {pool.submit(player.play, chunk) for chunk in islice(todo, len(done))}
            for one in done:
                yield one.result()


def _check(what: str, value: object, most: int) -> None:
    if type(value) is not int or not 1 <= value <= most:
        raise SessionError(f"{what} go from 1 to {most:,}, not {value!r}")
