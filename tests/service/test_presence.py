"""Presence: which players are active."""

from __future__ import annotations

from trueodds.service.player_command import BuyIn, JoinTable, OpenSeed
from trueodds.service.presence import AWAY_AFTER_MS, Presence

NOW_MS = 1_000_000_000


def test_an_active_player_is_present_for_a_while() -> None:
    attention = Presence()
    assert attention.present_since_ms(["ann"], NOW_MS) is None
    attention.on_command(BuyIn(100), "ann", NOW_MS)
    attention.mark_present("ann", NOW_MS + AWAY_AFTER_MS)
    assert attention.present_since_ms(["ann"], NOW_MS + 2 * AWAY_AFTER_MS) == NOW_MS
    assert attention.present_since_ms(["bob"], NOW_MS) is None
    assert attention.present_since_ms(["ann"], NOW_MS + 2 * AWAY_AFTER_MS + 1) is None
    attention.mark_present("ann", NOW_MS + 3 * AWAY_AFTER_MS)
    assert attention.present_since_ms(["ann", "bob"], NOW_MS + 3 * AWAY_AFTER_MS) == NOW_MS + 3 * AWAY_AFTER_MS


def test_seed_commands_do_not_mark_a_player_present() -> None:
    attention = Presence()
    attention.on_command(OpenSeed(bytes(32)), "ann", NOW_MS)
    assert attention.present_since_ms(["ann"], NOW_MS) is None


def test_joining_restarts_presence() -> None:
    attention = Presence()
    attention.mark_present("ann", NOW_MS)
    attention.on_command(JoinTable(100), "ann", NOW_MS + 60_000)
    assert attention.present_since_ms(["ann"], NOW_MS + 60_000) == NOW_MS + 60_000
