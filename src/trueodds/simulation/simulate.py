"""Simulation: as many sessions as one likes, the same for any number of threads and machines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from math import sqrt
from pathlib import Path
from typing import Any, Final, Required, TypedDict, Unpack

import numpy as np

from trueodds.chain.automaton import BUDGET
from trueodds.chain.errors import SessionError
from trueodds.chain.fan import Fan, watch
from trueodds.chain.group import Ints
from trueodds.chain.kernel import Floats
from trueodds.chain.machine import MOST_ROLLS
from trueodds.chain.match import Match, Score, play_here
from trueodds.chain.odds import FAIR, Chances, check_chances
from trueodds.chain.player import Game
from trueodds.chain.tally import Counts, Tally
from trueodds.chain.terms import Figures, check_count, check_share, read_terms
from trueodds.dice import Roll
from trueodds.rulebook import Book, House, open_house
from trueodds.strategy import Part, Strategy, open_strategy

SESSIONS_MOST: Final = 10**15
SIGMA_95: Final = 1.959963984540054


class Wishes(TypedDict, total=False):
    """What a simulation is asked for by name."""

    bankroll: Required[int | str]
    sessions: int | None
    seed: int | None
    rolls: int | None
    shooters: int | None
    stop_win: int | str | None
    stop_loss: int | str | None
    dice: Chances
    recording: Iterable[Roll] | None
    threads: int
    fleet: Any
    budget: int


class Simulation(Figures):
    """What simulated sessions came to. Amounts are in cents, as in `Session`."""

    def __init__(self, game: Game, tally: Tally) -> None:
        self.game = game
        self.terms = game.terms
        self.tally = tally

    @property
    def strategy(self) -> Strategy:
        """What was played."""
        return self.game.strategy

    @property
    def house(self) -> House:
        """Where."""
        return self.game.house

    @property
    def sessions(self) -> int:
        """How many sessions were played."""
        return self.tally.sessions

    @property
    def results(self) -> Ints:
        """The net results that happened, in order."""
        return self.counted("worth").values - self.bankroll

    @property
    def times(self) -> Ints:
        """How often each happened."""
        return self.counted("worth").times

    @property
    def chances(self) -> Floats:
        """The share of sessions with each result."""
        return self.times / self.sessions

    @property
    def mean(self) -> float:
        """The mean result."""
        return self.counted("worth").mean - self.bankroll

    @property
    def deviation(self) -> float:
        """The standard deviation of the result, as estimated from these sessions."""
        return sqrt(self.variance)

    @property
    def variance(self) -> float:
        """The variance of the result."""
        return self.counted("worth").variance

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return self.deviation / sqrt(self.sessions)

    @property
    def interval(self) -> tuple[float, float] | None:
        """Where the true mean lies with 95 % confidence; one session does not tell."""
        if self.sessions == 1:
            return None
        return self.mean - SIGMA_95 * self.error, self.mean + SIGMA_95 * self.error

    def chance(self, wanted: Callable[[int], bool]) -> float:
        """Give the share of the results that are wanted."""
        chosen = np.array([bool(wanted(int(result))) for result in self.results], dtype=bool)
        return int(self.times[chosen].sum()) / self.sessions

    @property
    def ruin(self) -> float:
        """The share that ended in ruin."""
        return self.tally.causes.get("ruin", 0) / self.sessions

    def quantile(self, share: float) -> int:
        """Give the least result that at least this share of sessions did not exceed."""
        check_share(share)
        return self.counted("worth").quantile(share) - self.bankroll

    def average(self, what: str) -> float:
        """Give the mean of "rolls", "hands", "peak", "trough" or "fall"."""
        return self.counted(what).mean

    def counted(self, what: str) -> Counts:
        """Give the counts of "worth", "peak", "trough", "fall", "rolls" or "hands"."""
        return self.tally.counts[what]

    @property
    def by_engine(self) -> float:
        """The share of sessions that the engine played because there was no room to compile their situations."""
        return self.tally.by_engine / self.sessions

    @cached_property
    def fan(self) -> Fan:
        """How results spread over time: quantiles after more and more throws, from the first of the sessions."""
        return watch(self.game, self.sessions)

    def fan_rows(self) -> list[dict[str, Any]]:
        """Give the fan line by line: throws, and the result in cents at each share."""
        fan = self.fan
        lines = zip(fan.throws.tolist(), fan.results.T.tolist(), strict=True)
        return [{"throws": throws} | dict(zip(map(str, fan.shares), line, strict=True)) for throws, line in lines]

    def summary(self) -> dict[str, Any]:
        """Gather the figures people ask for; amounts in cents."""
        return {
            "strategy": self.strategy.name,
            "house": self.house.name,
            "sessions": self.sessions,
            "bankroll_cents": self.bankroll,
            "rolls": self.terms.rolls,
            "shooters": self.terms.shooters,
            "seed": None if self.game.recording else self.game.seed,
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
            "quantiles_cents": self.quantiles,
            "played_by_engine": self.by_engine,
        }

    def plot(self, path: str | Path | None = None) -> Any:
        """Draw the distribution and the fan, into a file (.svg, .png, .pdf) or as a Matplotlib figure."""
        from trueodds.chain.plot import plot_simulations  # noqa: PLC0415  drawing is asked for seldom

        return plot_simulations([self], None if path is None else Path(path))

    def __repr__(self) -> str:
        return f"<Simulation {self.strategy.name!r}: {self.sessions:,} sessions, mean {self.mean:.2f} cents>"


class Comparison:
    """Strategies on the same dice, and by how much each did better than the first. Amounts are in cents."""

    def __init__(self, games: Iterable[Game], score: Score) -> None:
        pairs = zip(games, score.tallies, strict=True)
        self.simulations = tuple(Simulation(game, tally) for game, tally in pairs)
        self.apart = score.apart

    @property
    def sessions(self) -> int:
        """How many sessions each played."""
        return self.simulations[0].sessions

    def ahead(self, index: int) -> tuple[float, float, float]:
        """Say by how much a strategy did better than the first on average, and between what that lies with 95 %."""
        apart = self._against_first(index)
        error = SIGMA_95 * sqrt(apart.variance / int(apart.times.sum()))
        return apart.mean, apart.mean - error, apart.mean + error

    def better(self, index: int) -> float:
        """Give the share of sessions in which a strategy did better than the first."""
        apart = self._against_first(index)
        return int(apart.times[apart.values > 0].sum()) / int(apart.times.sum())

    def _against_first(self, index: int) -> Counts:
        if not 1 <= index <= len(self.apart):
            raise SessionError(f"strategies 1 to {len(self.apart)} are held against the first, 0, not {index!r}")
        return self.apart[index - 1]

    def summary(self) -> list[dict[str, Any]]:
        """Gather the figures people ask for, strategy by strategy."""
        told = [one.summary() for one in self.simulations]
        for index, one in enumerate(told[1:], 1):
            mean, low, high = self.ahead(index)
            one |= {
                "ahead_of_first_cents": mean,
                "ahead_of_first_interval_95_cents": (low, high),
                "better_than_first": self.better(index),
            }
        return told

    def plot(self, path: str | Path | None = None) -> Any:
        """Draw the distributions and fans over each other, into a file or as a Matplotlib figure."""
        from trueodds.chain.plot import plot_simulations  # noqa: PLC0415  drawing is asked for seldom

        return plot_simulations(self.simulations, None if path is None else Path(path))

    def __repr__(self) -> str:
        names = ", ".join(one.strategy.name for one in self.simulations)
        return f"<Comparison of {names}: {self.sessions:,} sessions each>"


def compare(  # noqa: PLR0913  a simulation has that many terms, all named
    strategies: Iterable[Strategy | Part | str],
    place: House | Book | str,
    *,
    bankroll: int | str,
    sessions: int | None = None,
    seed: int | None = None,
    rolls: int | None = None,
    shooters: int | None = None,
    stop_win: int | str | None = None,
    stop_loss: int | str | None = None,
    dice: Chances = FAIR,
    recording: Iterable[Roll] | None = None,
    threads: int = 1,
    fleet: Any = None,
    budget: int = BUDGET,
    progress: Callable[[Comparison], None] | None = None,
) -> Comparison:
    """Play sessions of several strategies on the same dice. Everything else is as in `simulate`.

    >>> found = compare(["pass", "dont_pass"], "new_jersey", bankroll=100, sessions=2000, seed=1, rolls=50)
    >>> found.simulations[0].sessions, 0 < found.better(1) < 1
    (2000, True)
    """
    terms, house = read_terms(bankroll, rolls, shooters, stop_win, stop_loss, MOST_ROLLS), open_house(place)
    known, dice = None if recording is None else tuple(recording), check_chances(dice)
    sessions, seed = _check_dice(sessions, seed, known, dice)
    if terms.rolls is None and not any(chance for roll, chance in dice if roll.total == 7):
        raise SessionError("with these dice no shooter ever sevens out; give a number of rolls")
    check_count("threads", threads, 1024)
    games = [Game(open_strategy(one), house, terms, seed, dice, budget, known) for one in strategies]
    if not games:
        raise SessionError("there is no strategy to play")
    score: Score | None = None
    try:
        for part in _played(games, sessions, threads, fleet):
            if not part.sessions:
                raise SessionError("the recording ends before the first session does")
            score = part if score is None else score + part
            if progress is not None:
                progress(Comparison(games, score))
    except KeyboardInterrupt:
        if score is None:
            raise
    if score is None:
        raise SessionError("no session was played")
    return Comparison(games, score)


def _check_dice(
    sessions: int | None, seed: int | None, recording: tuple[Roll, ...] | None, dice: Chances
) -> tuple[int, int]:
    """Settle on a number of sessions and a seed; a recording needs neither."""
    check_count("sessions", sessions, SESSIONS_MOST)
    if recording is not None:
        if seed is not None or dice != FAIR:
            raise SessionError("a recording has its own dice: give no seed and no weights with it")
        if not all(type(roll) is Roll for roll in recording):
            raise SessionError("a recording is a list of rolls, like Roll(3, 4)")
        return sessions or len(recording) or 1, 0
    if sessions is None or seed is None:
        raise SessionError("say how many sessions to play, and a seed")
    if type(seed) is not int or not 0 <= seed < 1 << 64:
        raise SessionError(f"a seed goes from 0 to 2**64 - 1, not {seed!r}")
    return sessions, seed


def _played(games: list[Game], sessions: int, threads: int, fleet: Any) -> Iterator[Score]:
    if games[0].recording is not None:
        return iter([Match(games).play_recording(sessions)])
    if fleet is not None:
        from trueodds.chain.fleet import play_far  # noqa: PLC0415  Dask may not be installed

        return play_far(fleet, games, sessions)
    return play_here(Match(games), sessions, threads)


def simulate(
    strategy: Strategy | Part | str,
    place: House | Book | str,
    *,
    progress: Callable[[Simulation], None] | None = None,
    **terms: Unpack[Wishes],
) -> Simulation:
    """Play sessions and count what they came to. The seed decides every roll, whatever the threads or the fleet.

    Terms are those of `Session` (`bankroll`, `rolls`, `shooters`, `stop_win`, `stop_loss`, `dice`, `budget`), and
    `sessions`, `seed`, `threads`, a `fleet` (a Dask client), or instead of a seed a `recording` of rolls: sessions are
    then played along it, one after the other. Interrupted, it gives what was played until then.

    >>> evening = simulate("pass", "new_jersey", bankroll=100, sessions=2000, seed=1, rolls=50)
    >>> evening.sessions, evening.average("rolls") <= 50
    (2000, True)
    """
    tell = None if progress is None else lambda found: progress(found.simulations[0])
    return compare([strategy], place, progress=tell, **terms).simulations[0]
