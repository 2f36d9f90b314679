"""Exact sessions: the whole distribution of what a strategy does with a bankroll, with no sampling at all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import lcm, sqrt
from pathlib import Path
from typing import Any, Final

import numpy as np

from trueodds.chain.automaton import BUDGET, Automaton
from trueodds.chain.errors import SessionError
from trueodds.chain.group import Ints
from trueodds.chain.kernel import Floats, Flow
from trueodds.chain.odds import FAIR, Chances, check_chances
from trueodds.chain.packed import PackedFlow
from trueodds.chain.plan import Plan, check_size, column_ways, make_plan
from trueodds.chain.rollout import cash_out, enter, exact_endings
from trueodds.chain.terms import CAUSES, LONG_ENOUGH, Figures, check_share, endless, read_terms
from trueodds.rulebook import Book, House, open_house
from trueodds.strategy import Part, Strategy, open_strategy

ROLLS_MOST: Final = 1_000_000
NEGLIGIBLE: Final = 1e-16
Progress = Callable[[int, int | None], None]
"""Told how many situations were found, and after each throw how many of how many are done."""


class Session(Figures):
    """The distribution of a session's result.

    Amounts that are asked for are in units of the currency, as in a strategy (500, "12.50"); everything that is
    answered is in cents. `results` are the net results that can happen, in order, `chances` theirs; with
    `rational=True` `exact` has the same chances as fractions. A session is over after `rolls` throws or `shooters`
    shooters, when rack and stakes up have won `stop_win` or lost `stop_loss`, or in ruin: an empty layout and a demand
    that the rack does not cover. What is up then comes down if it may, and is rolled out if not.

    >>> evening = Session("pass", "new_jersey", bankroll=100, rolls=50)
    >>> round(evening.mean / 100, 2), round(evening.ruin, 4)
    (-2.2, 0.0078)
    """

    def __init__(  # noqa: PLR0913  a session has that many terms, all named
        self,
        strategy: Strategy | Part | str,
        place: House | Book | str,
        *,
        bankroll: int | str,
        rolls: int | None = None,
        shooters: int | None = None,
        stop_win: int | str | None = None,
        stop_loss: int | str | None = None,
        dice: Chances = FAIR,
        rational: bool = False,
        budget: int = BUDGET,
        progress: Progress | None = None,
    ) -> None:
        self.strategy = open_strategy(strategy)
        self.house = open_house(place)
        self.terms = read_terms(bankroll, rolls, shooters, stop_win, stop_loss, ROLLS_MOST)
        if rational and self.terms.rolls is None:
            raise SessionError("exact fractions need a number of rolls: without one a shooter can go on for ever")
        tell = progress or (lambda _done, _whole: None)
        self._automaton = Automaton(self.strategy, self.house, budget=budget, found=lambda count: tell(count, None))
        self._dice = dice = check_chances(dice)
        self._ways, self._whole = column_ways(self._automaton, dice)
        self.rolls = self.terms.rolls or self._enough(self.terms.shooters or 1)
        terms = replace(self.terms, rolls=self.rolls)
        start = int(self._automaton.start)
        self._plan = make_plan(self._automaton, {start: (self.bankroll, self.bankroll)}, terms, dice)
        slot_bytes = (self._plan.whole**self.rolls).bit_length() // 8 + 2 if rational else 8
        check_size(self._plan, self.terms.shooters or 1, budget, self.strategy.name, slot_bytes)
        self.exact: tuple[Fraction, ...] | None = None
        self.causes: dict[str, float | Fraction] = {}
        compute = self._compute_exactly if rational else self._compute
        racks, chances = compute(start, tell)
        self.results: Ints = racks - self.bankroll
        self.chances: Floats = chances

    @property
    def situations(self) -> tuple[int, int]:
        """How many situations before and after betting there were to look at."""
        return len(self._automaton.after), len(self._automaton.next)

    # ------------------------------------------------------------------------------------------------ computing

    def _enough(self, shooters: int) -> int:
        """Find how many throws so many shooters almost never need."""
        phases = self._automaton.phases
        chance = np.array(self._ways / self._whole, dtype=np.float64)
        same, later = np.zeros((2, len(phases.all), len(phases.all)))
        for phase, row in enumerate(phases.next.tolist()):
            for then, weight in zip(row, chance.tolist(), strict=True):
                (later if phases.fresh[then] else same)[phase, then] += weight
        if not later.any():
            raise SessionError("with these dice no shooter ever sevens out; give a number of rolls")
        layers = np.zeros((shooters, len(phases.all)))
        layers[0, phases.start] = 1.0
        for rolls in range(1, ROLLS_MOST):
            following = layers @ same
            following[1:] += layers[:-1] @ later
            layers = following
            if layers.sum() < NEGLIGIBLE:
                return rolls
        raise SessionError("with these dice the shooters go on for ever; give a number of rolls")

    def _compute(self, start: int, progress: Progress) -> tuple[Ints, Floats]:
        plan = self._plan
        flow = Flow(plan, self.terms.shooters)
        flow.now[0][flow.row[start] + self.bankroll // plan.slot - plan.floor[start]] = 1.0
        for done in range(self.rolls):
            flow.step()
            progress(done + 1, self.rolls)
        self.causes = dict(zip(CAUSES[2:], flow.causes.tolist(), strict=True))
        ended = flow.finish()
        self.expected_rolls: float | Fraction = float(flow.visits.sum())
        self.expected_action: float | Fraction = float(flow.visits @ self._mean_decided(self._automaton))
        return self._roll_out(flow, ended)

    def _mean_decided(self, automaton: Automaton) -> Floats:
        ways, whole = column_ways(automaton, self._dice)
        mean: Floats = automaton.decided.astype(np.float64) @ np.array(ways / whole, dtype=np.float64)
        return mean

    def _roll_out(self, flow: Flow, ended: Floats) -> tuple[Ints, Floats]:
        """Let what is up at the end come down or be decided."""
        plan, ends = self._plan, cash_out(self._automaton)
        owner, racks = _cells(plan)
        there = np.flatnonzero(ended)
        before, places = np.unique(owner[there], return_inverse=True)
        numbers = enter(ends, self._automaton, before)[places]
        amounts = racks[there] * plan.slot
        starts: dict[int, tuple[int, int]] = {}
        for number in np.unique(numbers).tolist():
            mine = amounts[numbers == number]
            starts[number] = (int(mine.min()), int(mine.max()))
        after = make_plan(ends, starts, None, self._dice, plan.slot)
        last = Flow(after, None)
        np.add.at(last.now[0], last.row[numbers] + amounts // after.slot - after.floor[numbers], ended[there])
        for _ in range(LONG_ENOUGH):
            if last.running <= NEGLIGIBLE:
                break
            last.step()
        else:
            raise endless()
        self.expected_action = float(self.expected_action) + float(last.visits @ self._mean_decided(ends))
        over = last.finish()
        _, racks = _cells(after)
        there = np.flatnonzero(over)
        amounts, places = np.unique(racks[there] * after.slot, return_inverse=True)
        chances: Floats = np.bincount(places, weights=over[there]).astype(np.float64)
        return amounts, chances

    def _compute_exactly(self, start: int, progress: Progress) -> tuple[Ints, Floats]:
        plan = self._plan
        flow = PackedFlow(plan, self.terms.shooters, self.rolls)
        flow.put(start, self.bankroll // plan.slot)
        for done in range(self.rolls):
            flow.step()
            progress(done + 1, self.rolls)
        whole = plan.whole**self.rolls
        self.causes = {cause: Fraction(count, whole) for cause, count in zip(CAUSES[2:], flow.causes, strict=True)}
        rows = flow.finish()
        ends = cash_out(self._automaton)
        before = enter(ends, self._automaton, np.array(list(rows), dtype=np.int64))
        endings = exact_endings(ends, *column_ways(ends, self._dice), before)
        share = lcm(*(chance.denominator for ending in endings for chance in ending.cash.values()))
        ways: dict[int, int] = defaultdict(int)
        action = Fraction(0)
        for row, ending in zip(rows.values(), endings, strict=True):
            back = [(cash, int(chance * share)) for cash, chance in ending.cash.items()]
            mass = 0
            for rack, count in flow.unpack(row):
                mass += count
                for cash, times in back:
                    ways[rack * plan.slot + cash] += count * times
            action += Fraction(mass, whole) * ending.action
        decided = [
            Fraction(
                sum(int(one) * int(way) for one, way in zip(stakes, self._ways.tolist(), strict=True)), self._whole
            )
            for stakes in self._automaton.decided.tolist()
        ]
        self.expected_rolls = Fraction(sum(flow.visits), whole)
        self.expected_action = action + sum(
            (Fraction(count, whole) * stake for count, stake in zip(flow.visits, decided, strict=True) if count),
            Fraction(0),
        )
        racks = sorted(ways)
        self.exact = tuple(Fraction(ways[rack], whole * share) for rack in racks)
        return np.array(racks, dtype=np.int64), np.array([float(chance) for chance in self.exact])

    # ------------------------------------------------------------------------------------------------ answering

    @property
    def mean(self) -> float | Fraction:
        """The expected result, in cents."""
        if self.exact is None:
            return float(self.results @ self.chances)
        return sum((int(result) * chance for result, chance in zip(self.results, self.exact, strict=True)), Fraction(0))

    @property
    def variance(self) -> float | Fraction:
        """The variance of the result, in cents squared."""
        mean = self.mean
        if self.exact is None:
            return float((self.results - float(mean)) ** 2 @ self.chances)
        pairs = zip(self.results, self.exact, strict=True)
        return sum(((int(result) - mean) ** 2 * chance for result, chance in pairs), Fraction(0))

    @property
    def deviation(self) -> float:
        """The standard deviation of the result, in cents."""
        return sqrt(self.variance)

    def chance(self, wanted: Callable[[int], bool]) -> float | Fraction:
        """Give the chance of the results that are wanted, exactly where the session is."""
        chosen = [bool(wanted(int(result))) for result in self.results]
        if self.exact is None:
            return float(self.chances[np.array(chosen, dtype=bool)].sum())
        return sum((one for one, yes in zip(self.exact, chosen, strict=True) if yes), Fraction(0))

    @property
    def ruin(self) -> float | Fraction:
        """The chance of ending with an empty layout and a demand that cannot be paid."""
        return self.causes["ruin"]

    def quantile(self, share: float) -> int:
        """Give the least result that at least this share of sessions does not exceed, in cents."""
        check_share(share)
        if self.exact is not None:
            below, wanted = Fraction(0), Fraction(share)
            for result, chance in zip(self.results.tolist(), self.exact, strict=True):
                below += chance
                if below >= wanted:
                    return int(result)
        place = int(np.searchsorted(np.cumsum(self.chances), share - 1e-12))
        return int(self.results[min(place, len(self.results) - 1)])

    def summary(self) -> dict[str, Any]:
        """Gather the figures people ask for; amounts in cents."""
        figures: dict[str, Any] = {
            "strategy": self.strategy.name,
            "house": self.house.name,
            "bankroll_cents": self.bankroll,
            "rolls": self.rolls,
            "shooters": self.terms.shooters,
            "mean_cents": self.mean,
            "deviation_cents": self.deviation,
            "ruin": self.ruin,
            "profit": self.profit,
            "doubling": self.doubling,
            "stopped_by_win": self.causes["stop_win"],
            "stopped_by_loss": self.causes["stop_loss"],
            "expected_rolls": self.expected_rolls,
            "expected_action_cents": self.expected_action,
            "quantiles_cents": self.quantiles,
        }
        return figures

    def plot(self, path: Path | str | None = None) -> Any:
        """Draw the distribution with Matplotlib; write it to a file if one is named. Gives the figure."""
        from trueodds.chain.plot import plot_session  # noqa: PLC0415  Matplotlib is slow to load

        return plot_session(self, None if path is None else Path(path))

    def __repr__(self) -> str:
        return f"<Session {self.strategy.name!r} at {self.house.name!r}: mean {float(self.mean):.2f} cents>"


def _cells(plan: Plan) -> tuple[Ints, Ints]:
    """Give the situation and the rack, in slots, of every cell."""
    width = np.maximum(plan.ceiling - plan.floor + 1, 0)
    owner = np.repeat(np.arange(len(width)), width)
    begins = np.concatenate(([0], np.cumsum(width)[:-1]))
    racks: Ints = np.arange(int(width.sum())) - begins[owner] + plan.floor[owner]
    return owner, racks
