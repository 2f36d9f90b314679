"""Sources of rolls."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from trueodds.dice import Roll
from trueodds.roll_sources import RollsError, recorded_rolls, scripted_rolls, seeded_rolls, system_rolls


def test_a_seed_fixes_the_rolls_and_the_system_does_not() -> None:
    assert list(islice(seeded_rolls(7), 50)) == list(islice(seeded_rolls(7), 50))
    assert list(islice(seeded_rolls(7), 50)) != list(islice(seeded_rolls(8), 50))
    assert list(islice(system_rolls(), 50)) != list(islice(system_rolls(), 50))


def test_a_list_of_rolls_ends_and_is_checked_first() -> None:
    assert list(scripted_rolls(["3-4", " 6-1"])) == [Roll(3, 4), Roll(6, 1)]
    with pytest.raises(RollsError, match=r"roll 2: a roll must be written like 3-4, .* got '7-1'"):
        scripted_rolls(["3-4", "7-1"])


def test_rolls_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "rolls.txt"
    path.write_text("; first hand\n4-4\n\n 3-4 \n", "utf-8")
    assert list(recorded_rolls(path)) == [Roll(4, 4), Roll(3, 4)]
    path.write_text("4-4\nsix\n", "utf-8")
    with pytest.raises(RollsError, match="line 2: a roll must be written"):
        recorded_rolls(path)
    with pytest.raises(RollsError, match="cannot read"):
        recorded_rolls(tmp_path / "none.txt")
