"""Self-limits: tighter at once, looser after a day, and what they allow."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trueodds.journal import DAY_MS, AllTablesTotals, LastDayTotals, PlayerTotals
from trueodds.service.self_limits import Allowance, PendingLimit, SelfLimit, SelfLimits, remaining_allowance

HOUR_MS = 3_600_000
wanted = st.none() | st.integers(0, 5)
waits = st.sampled_from([0, 1, HOUR_MS, DAY_MS // 2, DAY_MS - 1, DAY_MS, 2 * DAY_MS])
lives = st.lists(st.tuples(waits, wanted), min_size=1, max_size=12)


def looseness(limit: int | None) -> float:
    return float("inf") if limit is None else limit


def live(life: list[tuple[int, int | None]]) -> tuple[SelfLimit, list[tuple[int, int | None]], int]:
    """Make requests one after the other; return the final limit, each request with its time, and the final time."""
    limit, now_ms, commands = SelfLimit(), 0, []
    for wait, want in life:
        now_ms += wait
        before = limit.at_time(now_ms).current
        limit = limit.request(want, now_ms)
        if looseness(want) <= looseness(before):
            assert limit == SelfLimit(want), "what is no looser holds at once, and nothing waits"
        else:
            assert limit.current == before, "what is looser changes nothing now"
        commands.append((now_ms, want))
    return limit, commands, now_ms


@given(lives, waits)
def test_a_limit_is_never_looser_than_a_request_within_a_day(life: list[tuple[int, int | None]], more: int) -> None:
    limit, commands, now_ms = live(life)
    then_ms = now_ms + more
    within = [looseness(want) for at_ms, want in commands if then_ms - at_ms < DAY_MS]
    if within:
        assert looseness(limit.at_time(then_ms).current) <= min(within)


@given(lives)
def test_a_request_holds_after_a_day(life: list[tuple[int, int | None]]) -> None:
    limit, commands, now_ms = live(life)
    assert limit.at_time(now_ms + DAY_MS) == SelfLimit(commands[-1][1])


@given(lives, lives)
def test_limits_round_trip(loss: list[tuple[int, int | None]], time: list[tuple[int, int | None]]) -> None:
    limits = SelfLimits(live(loss)[0], live(time)[0])
    assert SelfLimits.from_data(limits.to_data()) == limits
    assert SelfLimits.from_data({}) == SelfLimits()


def test_a_day_of_requests() -> None:
    limit = SelfLimit().request(5000, 0)
    assert limit == SelfLimit(5000)
    looser = limit.request(None, 100)
    assert looser == SelfLimit(5000, PendingLimit(None, 100 + DAY_MS))
    assert looser.at_time(99 + DAY_MS).current == 5000
    assert looser.at_time(100 + DAY_MS) == SelfLimit(None)
    assert looser.request(None, 50_000) == looser, "asked again, it waits no longer"
    assert looser.request(8000, 200) == SelfLimit(5000, PendingLimit(8000, 200 + DAY_MS)), "something else waits anew"
    assert looser.request(5000, 200) == SelfLimit(5000), "the same again takes it back"
    assert looser.request(4000, 200) == SelfLimit(4000)


def test_the_remaining_allowance() -> None:
    stands = AllTablesTotals({}, PlayerTotals(50_000, 0, 40_000, 3000), LastDayTotals(50_000, 0, -7000, 2 * HOUR_MS))

    def allowed(loss: int | None, time: int | None) -> Allowance:
        return remaining_allowance(SelfLimits(SelfLimit(loss), SelfLimit(time)), stands, 0)

    assert allowed(None, None) == (None, None, None)
    assert allowed(10_000, None) == (0, 0, None)
    assert allowed(12_500, None) == (2500, 0, None)
    assert allowed(60_000, 3 * HOUR_MS) == (50_000, 10_000, HOUR_MS)
    winner = AllTablesTotals({}, PlayerTotals(), LastDayTotals(net_cents=4000))
    assert remaining_allowance(SelfLimits(SelfLimit(10_000)), winner, 0) == (14_000, 14_000, None), (
        "what was won today may be lost again"
    )
    assert allowed(None, HOUR_MS) == (None, None, 0)
    waiting = SelfLimits(SelfLimit(5000, PendingLimit(None, 100)))
    assert remaining_allowance(waiting, stands, 99).bet_cents == 0
    assert remaining_allowance(waiting, stands, 100).bet_cents is None
