"""Strategy files: every key is parsed, and every invalid file has a message."""

from __future__ import annotations

from pathlib import Path

import pytest

from trueodds.strategy import (
    Come,
    Pass,
    Place,
    StrategyError,
    call,
    hits,
    keep,
    ladder,
    last_result,
    last_roll_result,
    load_strategy,
    new_shooter,
    odds,
    parse_strategy,
    point,
    points_made,
    press,
    puck_off,
    puck_on,
    regress,
    rolls,
    take_down,
    totals_rolled,
    up,
)
from trueodds.strategy.conditions import AllOf, Condition

MOLLY = """
name = "Molly"
[[play]]
keep = "pass"
stake = "10.00"
[[play]]
odds = { 4 = 3, 5 = 4, 6 = 5, 8 = 5, 9 = 4, 10 = 3 }
behind = ["pass", "come"]
[[play]]
keep = "come"
stake = 10
up_to = 2
"""


def test_file_and_python_give_equal_plays() -> None:
    written = keep(Pass(10)) + odds("3-4-5", behind=["pass", "come"]) + keep(Come(10), up_to=2)
    assert parse_strategy(MOLLY).plays == written.plays


def test_every_key_of_a_file() -> None:
    text = """
    [[play]]
    keep = "place:6"
    ladder = { stakes = [12, "18.00"], win = 1, lose = "start", past_end = "start", restart_each_shooter = true }
    [play.when]
    puck = "on"
    point = 6
    new_shooter = false
    up = { place = 1 }
    last_result = { pass = "win" }
    last_roll_result = { pass = "lose" }
    [[play]]
    press = "place:6"
    by = 6
    up_to = 30
    when = { hits = { place = 2 }, totals_rolled = { totals = [6, 8], at_least = 2 }, points_made = 1, rolls = 3 }
    [[play]]
    regress = "place:6"
    to = 12
    when = { any = [{ puck = "off" }, { not = { point = [6, 8] } }] }
    [[play]]
    take_down = "place"
    [[play]]
    call = "place"
    to = "off"
    """
    first, second, third, fourth, fifth = parse_strategy(text).plays
    assert first == keep(
        Place(6, ladder(12, 18, win=1, lose="start", past_end="start", restart_each_shooter=True))
    ).when(
        all_of(
            puck_on,
            point(6),
            ~new_shooter,
            up("place", 1),
            last_result("pass", "win"),
            last_roll_result("pass", "lose"),
        )
    )
    assert second == press("place:6", by=6, up_to=30).when(
        all_of(hits("place", 2), totals_rolled(6, 8, at_least=2), points_made(1), rolls(3))
    )
    assert third == regress("place:6", to=12).when(puck_off | ~point(6, 8))
    assert (fourth, fifth) == (take_down("place"), call("place", "off"))


def all_of(*conditions: Condition) -> Condition:
    return AllOf(conditions)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nonsense", "strategy, line 1: not valid TOML: Expected"),
        ("", r"at least one \[\[play\]\]"),
        ("play = 3", "play: expected a list, got 3"),
        ("name = 3\n[[play]]\nkeep='pass'\nstake=10", "name: expected a string, got 3"),
        ("color = 'red'\n[[play]]\nkeep='pass'\nstake=10", "line 1: color: unknown key"),
        ("[[play]]\nstake = 10", "play 1: exactly one of keep, odds"),
        ("[[play]]\nkeep='pass'\nodds='2x'\nstake=10", "keep and odds"),
        ("[[play]]\nkeep='pass'", "exactly one of stake, ladder, parlay, grind is needed, got none"),
        ("[[play]]\nkeep='pass'\nstake=10\n[[play]]\nkeep='pass'\nstake=-1", "play 2: .*must be positive"),
        ("[[play]]\nkeep='pass'\nstake=10.5", 'stake must be a whole number or quoted text such as "12.50", got 10.5'),
        ("[[play]]\nkeep='pass'\nstake=true", "stake must be a whole number or quoted text"),
        ("[[play]]\nkeep='Pass Line'\nstake=10", "a spot must be written like"),
        ("[[play]]\nkeep='pass'\nstake=10\nup_to=0", "from 1 to 20"),
        ("[[play]]\nkeep='pass'\nladder=3", "ladder: expected a table"),
        ("[[play]]\nkeep='pass'\nladder={stakes=[]}", "from 1 to 200 rungs, got 0"),
        ("[[play]]\nkeep='pass'\nladder={stakes=5}", "ladder.stakes: expected a list"),
        ("[[play]]\nkeep='pass'\nladder={stakes=[5], win='up'}", "a ladder moves by"),
        ("[[play]]\nkeep='pass'\nladder={stakes=[5], past_end='up'}", "past_end must be"),
        (
            "[[play]]\nkeep='pass'\nladder={stakes=[5], restart_each_shooter=3}",
            "restart_each_shooter: expected true or false",
        ),
        ("[[play]]\nkeep='pass'\nladder={stakes=[5], climb=1}", "ladder.climb: unknown key"),
        ("[[play]]\nodds='a lot'", "odds must be"),
        ("[[play]]\nodds='3-4'", "odds must be"),
        ("[[play]]\nodds='10'", "odds must be"),
        ("[[play]]\nodds={ four = 3 }", "odds by number must be whole multiples"),
        ("[[play]]\nodds='2x'\nbehind=3", "behind"),
        ("[[play]]\npress='place:6'", "needs either to or by"),
        ("[[play]]\npress='place:6'\nby=6", "needs by and up_to together"),
        ("[[play]]\ncall='place'\nto='maybe'", "to: expected one of on, off"),
        ("[[play]]\ntake_down='place'\nwhen={}", "when: at least one condition is needed"),
        ("[[play]]\ntake_down='place'\nwhen=3", "when: expected a table"),
        ("[[play]]\ntake_down='place'\nwhen={moon='full'}", "when.moon: unknown condition; the conditions are puck"),
        ("[[play]]\ntake_down='place'\nwhen={puck='up'}", "puck must be"),
        ("[[play]]\ntake_down='place'\nwhen={point='six'}", "expected one or more whole numbers"),
        ("[[play]]\ntake_down='place'\nwhen={new_shooter=1}", "expected true or false"),
        ("[[play]]\ntake_down='place'\nwhen={up=3}", "expected a table like"),
        ("[[play]]\ntake_down='place'\nwhen={up={place='x'}}", "count must be from"),
        ("[[play]]\ntake_down='place'\nwhen={last_result={place='won'}}", "result must be win, lose or push"),
        ("[[play]]\ntake_down='place'\nwhen={hits={place=0}}", "count must be from 1"),
        ("[[play]]\ntake_down='place'\nwhen={totals_rolled={totals=[13]}}", "totals must be from 2 to 12"),
        ("[[play]]\ntake_down='place'\nwhen={totals_rolled={totals=[]}}", "expected one or more whole numbers"),
        ("[[play]]\ntake_down='place'\nwhen={any=3}", "expected a list of conditions"),
        ("[[play]]\ntake_down=3", "a spot must be written like"),
    ],
)
def test_messages_of_invalid_files(text: str, message: str) -> None:
    with pytest.raises(StrategyError, match=message):
        parse_strategy(text)


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(StrategyError, match=r"nowhere\.toml"):
        load_strategy(tmp_path / "nowhere.toml")
    path = tmp_path / "bytes.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(StrategyError, match="not UTF-8"):
        load_strategy(path)
    path.write_text("#" * (1 << 21))
    with pytest.raises(StrategyError, match="larger than"):
        load_strategy(path)
    path.write_text(MOLLY)
    assert load_strategy(path).name == "Molly"


@pytest.mark.parametrize(
    "text",
    [
        f"[[play]]\nkeep='pass'\nstake={'9' * 5000}",
        f"[[play]]\nkeep='pass'\nstake='{'9' * 5000}'",
        f"[[play]]\nodds='{'9' * 5000}x'",
        "[[play]]\ntake_down='place'\nwhen=" + "{not=" * 300 + "{puck='on'}" + "}" * 300,
        "x=" + "[" * 5000,
    ],
)
def test_extreme_files(text: str) -> None:
    with pytest.raises(StrategyError):
        parse_strategy(text)
