"""Who is there, and who is away."""

from __future__ import annotations

from trueodds.service.attention import AWAY_MS, Attention
from trueodds.service.wish import BuyIn, OpenSeed, SitDown

NOW_MS = 1_000_000_000


def test_who_shows_up_is_there_for_a_while() -> None:
    attention = Attention()
    assert attention.since_ms(["ann"], NOW_MS) is None
    attention.hear(BuyIn(100), "ann", NOW_MS)
    attention.show_up("ann", NOW_MS + AWAY_MS)
    assert attention.since_ms(["ann"], NOW_MS + 2 * AWAY_MS) == NOW_MS
    assert attention.since_ms(["bob"], NOW_MS) is None
    assert attention.since_ms(["ann"], NOW_MS + 2 * AWAY_MS + 1) is None
    attention.show_up("ann", NOW_MS + 3 * AWAY_MS)
    assert attention.since_ms(["ann", "bob"], NOW_MS + 3 * AWAY_MS) == NOW_MS + 3 * AWAY_MS


def test_seeds_are_no_sign_of_anybody() -> None:
    attention = Attention()
    attention.hear(OpenSeed(bytes(32)), "ann", NOW_MS)
    assert attention.since_ms(["ann"], NOW_MS) is None


def test_who_sits_down_is_new_there() -> None:
    attention = Attention()
    attention.show_up("ann", NOW_MS)
    attention.hear(SitDown(100), "ann", NOW_MS + 60_000)
    assert attention.since_ms(["ann"], NOW_MS + 60_000) == NOW_MS + 60_000
