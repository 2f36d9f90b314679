"""`simulate` and `compare`: run sessions, with the same results for any number of threads and machines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from secrets import randbits
from typing import TYPE_CHECKING, Final, Required, TypedDict, Unpack

from trueodds.automaton.automaton import DEFAULT_BUDGET_BYTES
from trueodds.automaton.calculation_errors import SessionError
from trueodds.dice import Roll
from trueodds.money import Dollars
from trueodds.rulebook import Book, House, as_house
from trueodds.sessions.session_limits import check_count, parse_limits
from trueodds.simulation.comparison_runner import BatchResult, ComparisonRunner, run_threads
from trueodds.simulation.results import Comparison, Simulation
from trueodds.simulation.session_runner import SimulationSpec
from trueodds.simulation.transition_table import MAX_ROLLS
from trueodds.strategy import Play, Strategy, as_strategy
from trueodds.wager_odds.dice_chances import FAIR_DICE, DiceChances, check_dice

if TYPE_CHECKING:
    from trueodds.simulation.dask_backend import DaskClient

DEFAULT_SESSIONS: Final = 100_000
MAX_SESSIONS: Final = 10**15
MAX_THREADS: Final = 1024


class SimulationOptions(TypedDict, total=False):
    """The keyword arguments of `simulate`, apart from `progress`."""

    bankroll: Required[Dollars]
    sessions: int | None
    seed: int | None
    rolls: int | None
    shooters: int | None
    stop_win: Dollars | None
    stop_loss: Dollars | None
    dice: DiceChances
    recording: Iterable[Roll] | None
    threads: int
    dask_client: DaskClient | None
    budget_bytes: int


def compare(  # noqa: PLR0913  all but two are keywords
    strategies: Iterable[Strategy | Play | str],
    house: House | Book | str,
    *,
    bankroll: Dollars,
    sessions: int | None = None,
    seed: int | None = None,
    rolls: int | None = None,
    shooters: int | None = None,
    stop_win: Dollars | None = None,
    stop_loss: Dollars | None = None,
    dice: DiceChances = FAIR_DICE,
    recording: Iterable[Roll] | None = None,
    threads: int = 1,
    dask_client: DaskClient | None = None,
    budget_bytes: int = DEFAULT_BUDGET_BYTES,
    progress: Callable[[Comparison], None] | None = None,
) -> Comparison:
    """Run sessions of several strategies on the same dice. The arguments are those of `simulate`.

    >>> comparison = compare(["pass", "dont_pass"], "new_jersey", bankroll=100, sessions=2000, seed=1, rolls=50)
    >>> comparison.simulations[0].sessions, 0 < comparison.better_than_first(1) < 1
    (2000, True)
    """
    if isinstance(strategies, str | Strategy | Play):
        raise SessionError(f"strategies must be a list of strategies, got {strategies!r}")
    limits, house = parse_limits(bankroll, rolls, shooters, stop_win, stop_loss, MAX_ROLLS), as_house(house)
    recorded, dice = None if recording is None else tuple(recording), check_dice(dice)
    sessions, seed = _check_roll_source(sessions, seed, recorded, dice)
    if limits.rolls is None and not any(chance for roll, chance in dice if roll.total == 7):
        raise SessionError("these dice never roll a seven-out, so shooters cannot end the session; set rolls")
    check_count("threads", threads, MAX_THREADS)
    specs = [SimulationSpec(as_strategy(one), house, limits, seed, dice, budget_bytes, recorded) for one in strategies]
    if not specs:
        raise SessionError("strategies must not be empty")
    result: BatchResult | None = None
    try:
        for batch in _run_batches(specs, sessions, threads, dask_client):
            if not batch.sessions:
                raise SessionError(f"the recording of {len(recorded or ())} rolls ends before the first session does")
            result = batch if result is None else result + batch
            if progress is not None:
                progress(Comparison(specs, result))
    except KeyboardInterrupt:
        if result is None:
            raise
    if result is None:
        raise SessionError("no session was run")
    return Comparison(specs, result)


def _check_roll_source(
    sessions: int | None, seed: int | None, recording: tuple[Roll, ...] | None, dice: DiceChances
) -> tuple[int, int]:
    """Return the number of sessions and the seed. Without a seed, it is a new random number."""
    check_count("sessions", sessions, MAX_SESSIONS)
    if recording is not None:
        if seed is not None or dice != FAIR_DICE:
            raise SessionError("a recording determines the rolls: it cannot be combined with a seed or biased dice")
        for roll in recording:
            if type(roll) is not Roll:
                raise SessionError(f"recording must contain rolls such as Roll(3, 4), got {roll!r}")
        return sessions or len(recording) or 1, 0
    if seed is None:
        seed = randbits(64)
    if type(seed) is not int or not 0 <= seed < 1 << 64:
        raise SessionError(f"seed must be an integer from 0 to 2**64 - 1, got {seed!r}")
    return sessions or DEFAULT_SESSIONS, seed


def _run_batches(
    specs: list[SimulationSpec], sessions: int, threads: int, dask_client: DaskClient | None
) -> Iterator[BatchResult]:
    if specs[0].recording is not None:
        return iter([ComparisonRunner(specs).run_recording(sessions)])
    if dask_client is not None:
        from trueodds.simulation.dask_backend import run_dask  # noqa: PLC0415  Dask may not be installed

        return run_dask(dask_client, specs, sessions)
    return run_threads(ComparisonRunner(specs), sessions, threads)


def simulate(
    strategy: Strategy | Play | str,
    house: House | Book | str,
    *,
    progress: Callable[[Simulation], None] | None = None,
    **options: Unpack[SimulationOptions],
) -> Simulation:
    """Run sessions of a strategy and return histograms of their results.

    The limits of a session are those of `Session`: `bankroll`, `rolls`, `shooters`, `stop_win` and `stop_loss`, with
    amounts in dollars. `dice` and `budget_bytes` are the same too. `sessions` is the number of sessions (100,000 by
    default). `seed` determines every roll; `threads` and a `dask_client` do not affect the results. Without a seed, a
    new random one is used, which the result has as `seed`. Instead of a seed, `recording` gives rolls to play along,
    one session after the other.

    `progress` is called with the results so far. After Ctrl-C the sessions that have been run are returned.

    >>> simulation = simulate("pass", "new_jersey", bankroll=100, sessions=2000, seed=1, rolls=50)
    >>> simulation.sessions, simulation.mean_of("rolls") <= 50
    (2000, True)
    """
    on_batch = None if progress is None else lambda comparison: progress(comparison.simulations[0])
    return compare([strategy], house, progress=on_batch, **options).simulations[0]
