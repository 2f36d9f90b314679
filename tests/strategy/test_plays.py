"""The words of a strategy: what each part does, what a file may say, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from houses import BOOKS, default_dealer
from trueodds.chain import Automaton
from trueodds.dice import Roll
from trueodds.money import Cents, MoneyError
from trueodds.rulebook import Spot
from trueodds.strategy import (
    Come,
    Decision,
    Down,
    Field,
    Hard,
    Part,
    Pass,
    Place,
    Put,
    Resize,
    Say,
    Step,
    Strategy,
    StrategyError,
    StrategyRefusedError,
    across,
    bet,
    call,
    decide,
    down,
    function,
    hits,
    just,
    keep,
    ladder,
    last,
    lay_out,
    load_strategy,
    named_strategy,
    new_shooter,
    odds,
    outcome_of,
    point,
    points_made,
    press,
    puck_off,
    puck_on,
    read_strategy,
    regress,
    remember,
    strategy_names,
    thrown,
    throws,
    up,
)
from trueodds.strategy.condition import All, Condition
from trueodds.table import Dealer, Position, Rolled, Seat, Situation, situation
from trueodds.wagers import OddsBet, Wager

MARYLAND = default_dealer("maryland")


class Player:
    """One player with a strategy at a table of scripted dice."""

    def __init__(self, strategy: Strategy | Part, dealer: Dealer = MARYLAND) -> None:
        self.strategy = strategy if isinstance(strategy, Strategy) else Strategy((strategy,))
        self.dealer = dealer
        self.position = Position(seats=(Seat("player"),))
        self.memory = self.strategy.start()
        self.cost = 0
        self.ready = False

    def bet(self) -> list[str]:
        """Decide, once before each throw; what is up afterwards."""
        if self.ready:
            return self.up
        self.ready = True
        decision = decide(self.dealer, self.position, self.strategy.parts, self.memory)
        self.position, self.cost = decision.position, decision.cost
        return self.up

    @property
    def up(self) -> list[str]:
        return [
            f"{wager.spot} {wager.up // 100}" + (f" {wager.call}" if wager.call else "")
            for wager in situation(self.position, "player").wagers
        ]

    def play(self, dice: str) -> list[str]:
        """Bet and throw, for each roll, then bet; what is up afterwards."""
        for text in dice.split():
            self.bet()
            self.ready = False
            self.position, (event, *_) = self.dealer.roll(self.position, Roll.parse(text))
            assert isinstance(event, Rolled)
            self.memory = remember(self.strategy, self.memory, outcome_of(event))
        return self.bet()


def test_molly_as_the_players_know_her() -> None:
    molly = Player(keep(Pass(10)) + odds("3-4-5") + keep(Come(10), up_to=2))
    assert molly.bet() == ["pass 10"]
    assert molly.play("4-4") == ["come 10", "pass 60"]
    assert molly.play("2-3") == ["come 10", "come:5 50", "pass 60"]
    assert molly.cost == 4000 + 1000
    assert molly.play("6-4") == ["come:5 50", "come:10 40", "pass 60"]
    assert molly.play("3-4") == ["pass 10"]


def test_keep_waits_for_its_window_and_its_condition() -> None:
    assert Player(keep(Come(10))).bet() == []
    assert Player(keep(Place(6, 12)).when(puck_on)).bet() == []
    assert Player(keep(Place(6, 12)).when(puck_off)).bet() == ["place:6 12"]
    assert Player(keep(Place(6, 12)).when(puck_on)).play("2-2") == ["place:6 12"]
    assert Player(keep(Place(6, 12)).when(puck_on & point(6, 8))).play("2-2") == []
    assert Player(keep(Place(6, 12)).when(puck_off | point(4))).play("2-2") == ["place:6 12"]
    assert Player(keep(Field(10)).when(~puck_off)).bet() == []
    assert Player(keep(Field(10)).when(puck_on).when(point(4))).play("2-2") == ["field 10"]


@pytest.mark.parametrize(("times", "stake"), [("3-4-5", 40), ("2x", 20), ("full", 40), (20, 20), ({9: 1, 5: 3}, 10)])
def test_odds_by_the_number(times: str | int | dict[int, int], stake: int) -> None:
    assert Player(keep(Pass(10)) + odds(times, behind="pass")).play("4-5") == [f"pass {10 + stake}"]


def test_odds_of_no_times_are_not_put_up() -> None:
    assert Player(keep(Pass(10)) + odds({4: 3})).play("4-5") == ["pass 10"]


def test_a_ladder_presses_and_regresses_what_stays_up() -> None:
    player = Player(keep(Place(6, ladder(12, 18, 30, win=1, past_end="start", each_shooter=True))).when(puck_on))
    assert player.play("2-2") == ["place:6 12"]
    assert player.play("3-3") == ["place:6 18"]
    assert player.play("3-3") == ["place:6 30"]
    assert player.play("3-3") == ["place:6 12"], "past the end it starts again"
    assert player.play("3-3 3-4 2-2") == ["place:6 12"], "a new shooter starts again"


def test_a_martingale() -> None:
    stakes = []
    player = Player(keep(Pass(ladder(10, 20, 40, win="start", lose=1, past_end="start"))))
    for dice in ("1-1", "1-1", "1-1", "1-1", "5-6"):
        stakes += player.bet()
        player.play(dice)
    assert stakes == ["pass 10", "pass 20", "pass 40", "pass 10", "pass 20"]
    assert player.up == ["pass 10"]


def test_a_ladder_never_goes_below_its_foot() -> None:
    player = Player(keep(Field(ladder(10, 20, win=-1, lose=1))))
    assert player.play("1-1 1-1") == ["field 10"]
    assert player.play("3-3 3-3 3-3") == ["field 20"]


def test_press_and_regress() -> None:
    base = keep(Place(6, 12)).when(new_shooter)
    player = Player(base + press("place:6", by=6, up_to=24).when(just("place:6", "win")))
    assert player.play("2-2 3-3 3-3 3-3") == ["place:6 24"], "a fixed stake leaves a pressed bet alone"
    lone = Player(
        press("place:6", by=6, up_to=24).when(just("place:6", "win"))
        + regress("place:6", to=12).when(hits("place:6", 3))
    )
    lone.position = lay_out(Situation(4, "under_way", (Wager(Spot("place", (6,)), Cents(1200)),)))
    assert lone.play("3-3") == ["place:6 18"]
    assert lone.play("1-1") == ["place:6 18"], "only right after the win"
    assert lone.play("3-3") == ["place:6 24"]
    assert lone.play("3-3") == ["place:6 12"]


def test_down_and_calls() -> None:
    line = keep(Place(8, 12)).when(puck_on) + down("place").when(thrown(8, least=2))
    player = Player(line)
    assert player.play("2-2 4-4") == ["place:8 12"]
    assert player.bet() == ["place:8 12"]
    flat = Player(keep(Pass(10)) + odds("2x") + down("pass_odds").when(throws(2)))
    assert flat.play("2-2") == ["pass 30"]
    called = Player(keep(Hard(6, 10)).when(puck_on) + call("hard", "off").when(point(9)))
    assert called.play("4-5") == ["hard:6 10 off"]
    backed = Player(keep(Pass(10)) + keep(Come(10)) + odds("2x", behind="come") + call("come_odds", "off"))
    backed.play("2-2 4-5")
    (come, _) = situation(backed.position, "player").wagers
    assert [bet.call for bet in come.odds] == ["off"]


def test_conditions_that_remember() -> None:
    assert Player(keep(Field(10)).when(last("pass", "lose")) + keep(Pass(10))).play("1-1") == ["field 10", "pass 10"]
    assert Player(keep(Field(10)).when(last("pass", "lose")) + keep(Pass(10))).play("1-1 5-6") == ["pass 10"]
    assert (
        Player(keep(Field(10)).when(last("dont_pass", "push")) + keep(bet("dont_pass", 10))).play("6-6")[-1]
        == "field 10"
    )
    assert Player(keep(Field(10)).when(points_made(1))).play("2-2 2-2") == ["field 10"]
    assert Player(keep(Field(10)).when(points_made(1))).play("2-2 2-2 3-3 3-4") == []
    assert Player(keep(Field(10)).when(points_made(1))).play("2-2 3-4") == []
    assert Player(keep(Field(10)).when(throws(3))).play("2-2 3-3") == []
    assert Player(keep(Field(10)).when(throws(3))).play("2-2 3-3 3-3") == ["field 10"]
    assert (
        Player(keep(Field(10)).when(up("come", 2)) + keep(Come(10), up_to=2)).play("2-2 4-5 3-3 1-1")[-1] == "field 10"
    )


def test_a_part_sees_only_what_it_touches() -> None:
    seen: list[tuple[str, ...]] = []

    class Nosy(type(keep(Field(10)))):  # type: ignore[misc]  # a Keep that looks around
        def acts(self, view: object, memory: object) -> list[Put]:
            seen.append(tuple(str(wager.spot) for wager in view.wagers))  # type: ignore[attr-defined]
            return []

    Player(keep(Pass(10)) + Nosy(stake=Field(10))).play("2-2")
    assert seen == [(), ()]


def test_take_downs_come_first_so_that_the_net_cost_is_enough() -> None:
    strategy = keep(Field(10)) + down("place")
    position = lay_out(Situation(4, "under_way", (Wager(Spot("place", (6,)), Cents(1200)),)))
    decision = decide(MARYLAND, position, strategy.parts, strategy.start())
    assert [type(action).__name__ for action in decision.actions] == ["TakeDown", "Bet"]
    assert decision.cost == 1000 - 1200
    assert replayed(position, decision) == situation(decision.position, "player")


def replayed(position: Position, decision: Decision) -> Situation:
    for action in decision.actions:
        position, _ = MARYLAND.act(position, action)
    return situation(position, "player")


@pytest.mark.parametrize(
    ("strategy", "actions", "cost"),
    [
        (keep(Place(6, 12)) + down("place:6"), 0, 0),
        (keep(Place(6, 24)) + regress("place:6", to=12), 1, 1200),
        (keep(Place(6, 12)) + keep(Field(10)) + press("place:6", to=24) + down("place"), 1, 1000),
        (keep(Place(6, 12)) + call("place", "off") + keep(Field(10)), 3, 2200),
    ],
)
def test_parts_that_undo_each_other_can_still_be_played(strategy: Strategy, actions: int, cost: int) -> None:
    position = Position(4, "under_way", seats=(Seat("player"),))
    decision = decide(MARYLAND, position, strategy.parts, strategy.start())
    assert (len(decision.actions), decision.cost) == (actions, cost)
    assert replayed(position, decision) == situation(decision.position, "player")


def test_changing_twice_what_was_there() -> None:
    strategy = press("place:6", to=24) + regress("place:6", to=18) + down("hard")
    wagers = (Wager(Spot("hard", (4,)), Cents(1000)), Wager(Spot("place", (6,)), Cents(1200)))
    position = lay_out(Situation(9, "under_way", wagers))
    decision = decide(MARYLAND, position, strategy.parts, strategy.start())
    assert [type(action).__name__ for action in decision.actions] == ["TakeDown", "Press", "Reduce"]
    assert replayed(position, decision) == situation(decision.position, "player")


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        (keep(Pass(10)) + odds("2x", behind="pas"), "Maryland has no wager 'pas'; it has pass"),
        (keep(Pass(10)).when(up("plcae:6")) + odds("2x"), "no wager 'plcae'"),
        (keep(Pass(10)) + press("place:7", to=12), "Maryland has no place:7"),
        (keep(Pass(10)) + down("put"), "no wager 'put'"),
        (keep(Pass(10)) + call("big6", "off"), "no wager 'big6'"),
        (keep(Pass(10)).when(~point(2, 7)) + odds("2x"), "2, 7 is no point in Maryland"),
        (keep(Pass(10)).when(puck_on | hits("nothing")) + odds("2x"), "no wager 'nothing'"),
    ],
)
def test_names_nobody_knows_are_errors(strategy: Strategy, message: str) -> None:
    with pytest.raises(StrategyError, match=message):
        Automaton(strategy, MARYLAND.rules.house)


def test_a_ladder_cannot_follow_a_bet_that_is_broken_down() -> None:
    dealer = default_dealer("new_jersey")
    spot = next(spot for spot, rule in dealer.rules.spots.items() if rule.breakdown and rule.offer.given)
    with pytest.raises(StrategyError, match="is broken down into several wagers"):
        Automaton(keep(bet(spot, ladder(60, 120, lose=1))), dealer.rules.house)


def test_odds_can_be_pressed_and_asked_about() -> None:
    player = Player(keep(Pass(10)) + odds("1x") + press("pass_odds", by=10, up_to=30).when(thrown(2)))
    assert player.play("2-2 1-1") == ["pass 30"]
    after = Player(keep(Pass(10)) + odds("2x") + keep(Field(10)).when(just("pass_odds", "win")))
    assert after.play("2-2 2-2") == ["field 10", "pass 10"]


def test_odds_that_are_up_are_counted() -> None:
    strategy = keep(Pass(10)) + odds("1x") + keep(Field(10)).when(up("pass_odds"))
    assert Player(strategy).bet() == ["pass 10"]
    assert Player(strategy).play("2-2") == ["field 10", "pass 20"]


def test_just_means_any_of_those_decided() -> None:
    """A seven wins the come bet in the box and loses the one that has travelled: both just happened."""
    for result in ("win", "lose"):
        player = Player(keep(Come(10), up_to=2) + keep(Field(10)).when(just("come", result)))
        assert player.play("2-2 4-4 3-4") == ["field 10"]


def test_names_of_sums() -> None:
    assert (keep(Pass(10)) + keep(Come(10))).name == "the strategy"
    assert (named_strategy("pass") + keep(Come(10))).name == "Pass line and more"
    assert (named_strategy("pass") + named_strategy("horn")).name == "Pass line and Horn"
    assert across({6: 12, 8: 12}).when(puck_on).parts[1].condition == puck_on


def test_steps_of_a_function_by_value_and_by_spot() -> None:
    odds_bet = OddsBet("pass_odds", Cents(2000))
    line = Wager(Spot("pass"), Cents(1000), odds=(odds_bet,))
    six = Wager(Spot("place", (6,)), Cents(1200))
    position = lay_out(Situation(4, "under_way", (line, six)))
    steps: list[Step] = [
        Resize(six, Cents(1800)),
        Say(Spot("place", (6,)), "off"),
        Resize(line, Cents(3000), odds_bet),
        Put(Spot("hard", (4,)), Cents(1000)),
        Down(Spot("hard", (4,))),
    ]
    strategy = function(lambda _view, _memory: steps)
    after = decide(MARYLAND, position, strategy.parts, strategy.start()).position
    seen = situation(after, "player").wagers
    assert [(str(one.spot), one.up, one.call) for one in seen] == [("pass", 4000, ""), ("place:6", 1800, "off")]


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (Down(Spot("field")), "is not up"),
        (Down(Spot("pass"), OddsBet("pass_odds", Cents(1))), "no odds"),
        ("roll", "a decision is made of steps"),
    ],
)
def test_steps_that_make_no_sense(step: Any, message: str) -> None:
    position = lay_out(Situation(4, "under_way", (Wager(Spot("pass"), Cents(1000)),)))
    with pytest.raises(StrategyError, match=message):
        decide(MARYLAND, position, function(lambda _view, _memory: [step]).parts, (None,))


def test_a_refusal_names_the_action_the_clause_and_the_position() -> None:
    part = keep(Place(6, 5))
    with pytest.raises(StrategyRefusedError, match=r"X is refused: player bets 5 on place:6: .*\(below_min\)") as no:
        decide(MARYLAND, Position(seats=(Seat("player"),)), (part,), (part.start(),), name="X")
    assert "at: puck off new | player:" in str(no.value)


@pytest.mark.parametrize("name", strategy_names())
def test_the_library_reads_and_says_what_it_is(name: str) -> None:
    strategy = named_strategy(name)
    assert strategy.name
    assert strategy.about.endswith(".")


def test_the_library_has_a_dozen() -> None:
    assert len(strategy_names()) >= 12
    with pytest.raises(StrategyError, match="no strategy 'nobody'; there are"):
        named_strategy("nobody")


def test_across() -> None:
    assert Player(across({6: 12, 8: 12})).bet() == ["place:6 12", "place:8 12"]
    assert Player(across({4: 10}, "buy"), default_dealer("new_jersey")).bet() == ["buy:4 10"]


def test_bets_that_are_broken_down_are_one_part() -> None:
    """Where the layout has no box for it, a bet is several wagers, and still one bet of the strategy."""
    found = 0
    for book in BOOKS:
        dealer = default_dealer(book)
        for spot, rule in dealer.rules.spots.items():
            if rule.breakdown and rule.offer.given:
                part = keep(bet(spot, 60))
                touched = part.touches(dealer.rules) or frozenset()
                assert {one for one, _ in rule.breakdown} < touched
                assert len(Player(part, dealer).bet()) == len(rule.breakdown)
                found += 1
    assert found


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


def test_a_file_is_the_same_as_its_python() -> None:
    written = keep(Pass(10)) + odds("3-4-5", behind=["pass", "come"]) + keep(Come(10), up_to=2)
    assert read_strategy(MOLLY).parts == written.parts


def test_every_word_of_a_file() -> None:
    text = """
    [[play]]
    keep = "place:6"
    ladder = { stakes = [12, "18.00"], win = 1, lose = "start", past_end = "start", each_shooter = true }
    [play.when]
    puck = "on"
    point = 6
    new_shooter = false
    up = { place = 1 }
    last = { pass = "win" }
    just = { pass = "lose" }
    [[play]]
    press = "place:6"
    by = 6
    up_to = 30
    when = { hits = { place = 2 }, thrown = { totals = [6, 8], least = 2 }, points_made = 1, throws = 3 }
    [[play]]
    regress = "place:6"
    to = 12
    when = { any = [{ puck = "off" }, { not = { point = [6, 8] } }] }
    [[play]]
    down = "place"
    [[play]]
    call = "place"
    to = "off"
    """
    first, second, third, fourth, fifth = read_strategy(text).parts
    assert first == keep(Place(6, ladder(12, 18, win=1, lose="start", past_end="start", each_shooter=True))).when(
        _all(puck_on, point(6), ~new_shooter, up("place", 1), last("pass", "win"), just("pass", "lose"))
    )
    assert second == press("place:6", by=6, up_to=30).when(
        _all(hits("place", 2), thrown(6, 8, least=2), points_made(1), throws(3))
    )
    assert third == regress("place:6", to=12).when(puck_off | ~point(6, 8))
    assert (fourth, fifth) == (down("place"), call("place", "off"))


def _all(*conditions: Condition) -> Condition:
    return All(conditions)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nonsense", "strategy, line 1: Expected"),
        ("", r"at least one \[\[play\]\]"),
        ("play = 3", "at least one"),
        ("name = 3\n[[play]]\nkeep='pass'\nstake=10", "name is a text"),
        ("colour = 'red'\n[[play]]\nkeep='pass'\nstake=10", "'colour' is not understood"),
        ("[[play]]\nstake = 10", "play 1: exactly one of keep, odds"),
        ("[[play]]\nkeep='pass'\nodds='2x'\nstake=10", "keep and odds"),
        ("[[play]]\nkeep='pass'", "keep needs a stake, a ladder, a parlay or a grind, not none"),
        ("[[play]]\nkeep='pass'\nstake=10\n[[play]]\nkeep='pass'\nstake=-1", "play 2: .*more than nothing"),
        ("[[play]]\nkeep='pass'\nstake=10.5", "a stake is a whole number of dollars or a text"),
        ("[[play]]\nkeep='pass'\nstake=true", "a stake is a whole number"),
        ("[[play]]\nkeep='Pass Line'\nstake=10", "a spot is written like"),
        ("[[play]]\nkeep='pass'\nstake=10\nup_to=0", "from 1 to 20"),
        ("[[play]]\nkeep='pass'\nladder=3", "ladder: expected a table"),
        ("[[play]]\nkeep='pass'\nladder={stakes=[]}", "at least one rung"),
        ("[[play]]\nkeep='pass'\nladder={stakes=5}", "stakes is a list"),
        ("[[play]]\nkeep='pass'\nladder={stakes=[5], win='up'}", "a ladder moves by"),
        ("[[play]]\nkeep='pass'\nladder={stakes=[5], past_end='up'}", "past its end"),
        ("[[play]]\nkeep='pass'\nladder={stakes=[5], each_shooter=3}", "each_shooter is true or false"),
        ("[[play]]\nkeep='pass'\nladder={stakes=[5], climb=1}", "'climb' is not understood"),
        ("[[play]]\nodds='a lot'", "odds are"),
        ("[[play]]\nodds='3-4'", "odds are"),
        ("[[play]]\nodds='10'", "odds are"),
        ("[[play]]\nodds={ four = 3 }", "times by number"),
        ("[[play]]\nodds='2x'\nbehind=3", "behind"),
        ("[[play]]\npress='place:6'", "either to a stake or by an amount"),
        ("[[play]]\npress='place:6'\nby=6", "needs a limit"),
        ("[[play]]\ncall='place'\nto='maybe'", "a call is on or off"),
        ("[[play]]\ndown='place'\nwhen={}", "a condition says something"),
        ("[[play]]\ndown='place'\nwhen=3", "when: expected a table"),
        ("[[play]]\ndown='place'\nwhen={moon='full'}", "'moon' is no condition; there are puck"),
        ("[[play]]\ndown='place'\nwhen={puck='up'}", "the puck is on or off"),
        ("[[play]]\ndown='place'\nwhen={point='six'}", "expected numbers"),
        ("[[play]]\ndown='place'\nwhen={new_shooter=1}", "expected true or false"),
        ("[[play]]\ndown='place'\nwhen={up=3}", "expected a table like"),
        ("[[play]]\ndown='place'\nwhen={up={place='x'}}", "a count goes from"),
        ("[[play]]\ndown='place'\nwhen={last={place='won'}}", "a result is win, lose or push"),
        ("[[play]]\ndown='place'\nwhen={hits={place=0}}", "a count goes from 1"),
        ("[[play]]\ndown='place'\nwhen={thrown={totals=[13]}}", "totals go from 2 to 12"),
        ("[[play]]\ndown='place'\nwhen={thrown={totals=[]}}", "expected numbers"),
        ("[[play]]\ndown='place'\nwhen={any=3}", "expected a list of conditions"),
        ("[[play]]\ndown=3", "a spot is written like"),
    ],
)
def test_what_a_file_may_not_say(text: str, message: str) -> None:
    with pytest.raises(StrategyError, match=message):
        read_strategy(text)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(StrategyError, match=r"nowhere\.toml"):
        load_strategy(tmp_path / "nowhere.toml")
    path = tmp_path / "bytes.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(StrategyError, match="decode"):
        load_strategy(path)
    path.write_text("#" * (1 << 21))
    with pytest.raises(StrategyError, match="too large"):
        load_strategy(path)
    path.write_text(MOLLY)
    assert load_strategy(path).name == "Molly"


def test_what_python_may_not_say() -> None:
    with pytest.raises(StrategyError, match="has no parts"):
        Strategy(())
    with pytest.raises(StrategyError, match=r"keep takes a bet like Pass\(10\)"):
        keep("pass")
    with pytest.raises(MoneyError):
        Pass(0)
    with pytest.raises(StrategyError, match="a stake is a whole number"):
        Pass(10.0)
    with pytest.raises(StrategyError, match="either to a stake or by"):
        press("place:6", to=12, by=6, up_to=18)
    with pytest.raises(StrategyError, match="a ladder has at least one rung"):
        ladder()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: keep(Pass(10)) + 5, "a strategy is made of parts"),  # type: ignore[operator]
        (lambda: keep(Pass(10)) + Come(10), "a strategy is made of parts"),  # type: ignore[operator]
        (lambda: keep(Pass(10)).when(True), "a condition is like"),  # type: ignore[arg-type]
        (lambda: puck_on & "x", "a condition is like"),  # type: ignore[operator]
        (lambda: puck_on | 3, "a condition is like"),  # type: ignore[operator]
        (lambda: puck_on and point(6), "combine conditions with &"),
        (lambda: odds({}), "times by number"),
        (lambda: odds("\u0663x"), "odds are"),
        (lambda: function(lambda _v, _m: [], lambda _m, _o: [], 0), None),
    ],
)
def test_slips_of_the_pen(make: Any, message: str | None) -> None:
    if message is None:
        with pytest.raises(StrategyError, match="a memory is hashable"):
            Automaton(make(), MARYLAND.rules.house)
        return
    with pytest.raises(StrategyError, match=message):
        make()


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        (None, "a decision is a list of steps"),
        (Put(Spot("field"), Cents(1000)), "a decision is a list of steps"),
        ([Put("field", 1000)], "makes no sense"),  # type: ignore[arg-type]
        ([Put(Spot("field"), Cents(-5))], "makes no sense"),
        ([Put(Spot("field"), 1.5)], "makes no sense"),  # type: ignore[arg-type]
    ],
)
def test_functions_that_decide_on_nonsense(steps: Any, message: str) -> None:
    with pytest.raises(StrategyError, match=message):
        Automaton(function(lambda _view, _memory: steps), MARYLAND.rules.house)


def test_a_function_may_begin_with_no_memory_and_remember_all_the_same() -> None:
    strategy = function(
        lambda _view, seen: [Put(Spot("field"), Cents(3000 if seen else 1000))], lambda _memory, _outcome: "a throw"
    )
    assert sorted(set(Automaton(strategy, MARYLAND.rules.house).cost.tolist())) == [1000, 3000]


@pytest.mark.parametrize(
    "text",
    [
        f"[[play]]\nkeep='pass'\nstake={'9' * 5000}",
        f"[[play]]\nkeep='pass'\nstake='{'9' * 5000}'",
        f"[[play]]\nodds='{'9' * 5000}x'",
        "[[play]]\ndown='place'\nwhen=" + "{not=" * 300 + "{puck='on'}" + "}" * 300,
        "x=" + "[" * 5000,
    ],
)
def test_files_that_go_too_far(text: str) -> None:
    with pytest.raises(StrategyError):
        read_strategy(text)


def test_odds_behind_what_has_none() -> None:
    for part in (odds("2x", behind="place"), odds({7: 3})):
        with pytest.raises(StrategyError, match="no odds"):
            Automaton(keep(Pass(10)) + part, MARYLAND.rules.house)
