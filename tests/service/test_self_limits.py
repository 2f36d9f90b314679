"""Limits: tightened at once, loosened after a day, and what they allow."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trueodds.journal import DAY_MS, Day, Everywhere, Standing
from trueodds.service.limit import Allowance, Later, Limit, Limits, allowance

HOUR_MS = 3_600_000
wanted = st.none() | st.integers(0, 5)
waits = st.sampled_from([0, 1, HOUR_MS, DAY_MS // 2, DAY_MS - 1, DAY_MS, 2 * DAY_MS])
lives = st.lists(st.tuples(waits, wanted), min_size=1, max_size=12)


def looseness(limit: int | None) -> float:
    return float("inf") if limit is None else limit


def live(life: list[tuple[int, int | None]]) -> tuple[Limit, list[tuple[int, int | None]], int]:
    """Wish after wish: the limit in the end, every wish with its time, and the time in the end."""
    limit, now_ms, wishes = Limit(), 0, []
    for wait, want in life:
        now_ms += wait
        before = limit.at(now_ms).now
        limit = limit.wish(want, now_ms)
        if looseness(want) <= looseness(before):
            assert limit == Limit(want), "what is no looser holds at once, and nothing waits"
        else:
            assert limit.now == before, "what is looser changes nothing now"
        wishes.append((now_ms, want))
    return limit, wishes, now_ms


@given(lives, waits)
def test_nobody_is_looser_than_anything_they_wished_for_within_a_day(
    life: list[tuple[int, int | None]], more: int
) -> None:
    limit, wishes, now_ms = live(life)
    then_ms = now_ms + more
    within = [looseness(want) for at_ms, want in wishes if then_ms - at_ms < DAY_MS]
    if within:
        assert looseness(limit.at(then_ms).now) <= min(within)


@given(lives)
def test_who_wishes_for_nothing_else_has_it_after_a_day(life: list[tuple[int, int | None]]) -> None:
    limit, wishes, now_ms = live(life)
    assert limit.at(now_ms + DAY_MS) == Limit(wishes[-1][1])


@given(lives, lives)
def test_limits_are_written_and_read_back(
    loss: list[tuple[int, int | None]], time: list[tuple[int, int | None]]
) -> None:
    limits = Limits(live(loss)[0], live(time)[0])
    assert Limits.from_data(limits.to_data()) == limits
    assert Limits.from_data({}) == Limits()


def test_a_day_in_figures() -> None:
    limit = Limit().wish(5000, 0)
    assert limit == Limit(5000)
    looser = limit.wish(None, 100)
    assert looser == Limit(5000, Later(None, 100 + DAY_MS))
    assert looser.at(99 + DAY_MS).now == 5000
    assert looser.at(100 + DAY_MS) == Limit(None)
    assert looser.wish(None, 50_000) == looser, "asked again, it waits no longer"
    assert looser.wish(8000, 200) == Limit(5000, Later(8000, 200 + DAY_MS)), "something else waits anew"
    assert looser.wish(5000, 200) == Limit(5000), "the same again takes it back"
    assert looser.wish(4000, 200) == Limit(4000)


def test_what_is_allowed() -> None:
    stands = Everywhere({}, Standing(50_000, 0, 40_000, 3000), Day(50_000, 0, -7000, 2 * HOUR_MS))

    def allowed(loss: int | None, time: int | None) -> Allowance:
        return allowance(Limits(Limit(loss), Limit(time)), stands, 0)

    assert allowed(None, None) == (None, None, None)
    assert allowed(10_000, None) == (0, 0, None)
    assert allowed(12_500, None) == (2500, 0, None)
    assert allowed(60_000, 3 * HOUR_MS) == (50_000, 10_000, HOUR_MS)
    winner = Everywhere({}, Standing(), Day(net_cents=4000))
    assert allowance(Limits(Limit(10_000)), winner, 0) == (14_000, 14_000, None), "what was won today may be lost again"
    assert allowed(None, HOUR_MS) == (None, None, 0)
    waiting = Limits(Limit(5000, Later(None, 100)))
    assert allowance(waiting, stands, 99).bet_cents == 0
    assert allowance(waiting, stands, 100).bet_cents is None
