"""What hands do at the table in a real browser: quick clicks, undo, repeat, calls, keys, drags and touches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, expect

from house import House
from visitor import PHONE, Visitor

Visit = Callable[..., Visitor]


def up(visitor: Visitor, table: str) -> dict[str, list[int]]:
    """Say what a player has up, by spot, as the server has it."""
    seen = visitor.look(table)
    found: dict[str, list[int]] = {}
    for spot in seen["layout"]["spots"]:
        for chip in spot["chips"]:
            if chip["player"] == seen["you"]:
                found.setdefault(spot["spot"], []).append(chip["stake"])
    return found


def chips(visitor: Visitor, spot: str) -> Locator:
    return visitor.page.locator(f'[data-chip-spot="{spot}"]')


def stakes(visitor: Visitor, table: str, wanted: dict[str, list[int]]) -> None:
    """Wait until the server has these wagers and no others, and the felt shows as many chips."""
    for spot, cents in wanted.items():
        expect(chips(visitor, spot)).to_have_count(len(cents))
    expect(visitor.page.locator("[data-chip-tag]")).to_have_count(sum(map(len, wanted.values())))
    expect(visitor.page.locator(".sent")).to_have_count(0)
    assert up(visitor, table) == wanted


def at_table(visit: Visit, house: House, **more: Any) -> tuple[Visitor, str]:
    table = house.table(**more)
    ann = visit("Ann")
    ann.prefer(guided=True)
    ann.sit(table, 1_000_000)
    expect(ann.page.get_by_role("status").filter(has_text="Connected")).to_be_attached()
    return ann, table


def test_quick_clicks_are_chips_on_one_wager(visit: Visit, house: House) -> None:
    ann, table = at_table(visit, house)
    ann.take_chip(2500)
    ann.spot("field").dblclick()
    ann.spot("field").click()
    stakes(ann, table, {"field": [7500]})
    ann.page.keyboard.press("Control+z")
    stakes(ann, table, {"field": [5000]})


def test_a_double_click_throws_once(visit: Visit, house: House) -> None:
    """However slow its second half is: the dice may lie by then."""
    ann, table = at_table(visit, house)
    house.next_rolls(table, "4-4", "3-4")
    ann.bet("pass", 2500)
    stakes(ann, table, {"pass": [2500]})
    after = int(house.look(table)["sequence"])
    ann.roll_button.dblclick()
    ann.sees_roll(table, after)
    expect(ann.roll_button).to_be_enabled()
    ann.page.mouse.down(click_count=2)
    ann.page.mouse.up(click_count=2)
    ann.page.wait_for_timeout(600)
    assert sum(row["kind"] == "rolled" for row in house.rows(table, after)) == 1


def test_a_bet_that_the_dealer_splits_is_undone_whole(visit: Visit, house: House) -> None:
    ann, table = at_table(visit, house)
    ann.bet("field", 2500)
    stakes(ann, table, {"field": [2500]})
    ann.bet("whirl", 500)
    expect(ann.page.locator("[data-chip-tag]")).to_have_count(3)
    ann.page.get_by_role("button", name="Undo").click()
    stakes(ann, table, {"field": [2500]})


def test_what_the_card_does_is_undone_too(visit: Visit, house: House) -> None:
    ann, table = at_table(visit, house)
    ann.bet("field", 2500)
    stakes(ann, table, {"field": [2500]})
    ann.page.get_by_role("button", name="Take down Field").click()
    stakes(ann, table, {})
    ann.page.get_by_role("button", name="Undo").click()
    stakes(ann, table, {"field": [2500]})


def test_calls_go_off_and_on_again(visit: Visit, house: House) -> None:
    ann, table = at_table(visit, house)
    ann.bet("hard:8", 500)
    stakes(ann, table, {"hard:8": [500]})
    off = ann.page.locator('.chip.off[data-chip-spot="hard:8"]')
    expect(off).to_have_count(1)  # as on every come-out
    ann.page.get_by_role("button", name="All on").click()
    expect(off).to_have_count(0)
    ann.page.get_by_role("button", name="All off").click()
    expect(off).to_have_count(1)
    ann.spot("hard:8").press("o")
    expect(off).to_have_count(0)
    ann.spot("hard:8").press("o")
    expect(off).to_have_count(1)


def test_repeat_bets_again_what_is_gone_and_nothing_else(visit: Visit, house: House) -> None:
    ann, table = at_table(visit, house)
    house.next_rolls(table, "4-4", "3-3", "2-2")
    ann.bet("pass", 2500)
    stakes(ann, table, {"pass": [2500]})
    ann.roll(table)
    ann.bet("come", 2500)
    ann.bet("field", 2500)
    stakes(ann, table, {"pass": [2500], "come": [2500], "field": [2500]})
    ann.roll(table)
    stakes(ann, table, {"pass": [2500], "come:6": [2500]})
    ann.page.get_by_role("button", name="Repeat").click()
    stakes(ann, table, {"pass": [2500], "come:6": [2500], "field": [2500]})


def test_press_is_for_the_wager_that_was_chosen_whatever_the_mouse_crosses(visit: Visit, house: House) -> None:
    ann, table = at_table(visit, house)
    ann.bet("pass", 2500)
    ann.bet("place:5", 2500)
    stakes(ann, table, {"pass": [2500], "place:5": [2500]})
    press = ann.page.get_by_role("button", name="Press Place 5", exact=True)
    expect(press).to_be_enabled()
    box = press.bounding_box()
    assert box is not None
    ann.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=8)
    press.click()
    stakes(ann, table, {"pass": [2500], "place:5": [5000]})
    ann.spot("come").focus()
    expect(
        ann.page.get_by_role("button", name="Press", exact=False).and_(ann.page.locator("[aria-disabled=true]"))
    ).to_have_count(1)


def test_a_drag_takes_down_and_bare_movement_does_not(visit: Visit, house: House) -> None:
    ann, table = at_table(visit, house)
    ann.bet("field", 2500)
    stakes(ann, table, {"field": [2500]})
    field, come = (ann.spot(spot).bounding_box() for spot in ("field", "come"))
    assert field is not None
    assert come is not None
    x, y = field["x"] + field["width"] * 0.8, field["y"] + field["height"] / 2
    mouse = ann.page.mouse
    # Pressed here, let go over there within a small way: neither a click nor a drag.
    mouse.move(x, field["y"] + 4)
    mouse.down()
    mouse.move(x, come["y"] + come["height"] - 4)
    mouse.up()
    mouse.move(x, come["y"] + 10, steps=6)
    mouse.move(x + 60, y, steps=6)
    stakes(ann, table, {"field": [2500]})
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 60, y, steps=6)
    mouse.up()
    stakes(ann, table, {})


def test_space_throws_only_where_nothing_else_has_the_focus(visit: Visit, house: House) -> None:
    ann, table = at_table(visit, house)
    house.next_rolls(table, "4-4")
    ann.bet("pass", 2500)
    stakes(ann, table, {"pass": [2500]})
    after = int(house.look(table)["sequence"])
    ann.page.locator("[role=tabpanel]").focus()
    ann.page.keyboard.press("Space")
    ann.page.wait_for_timeout(300)
    assert not [row for row in house.rows(table, after) if row["kind"] in {"locked", "rolled"}]
    ann.page.evaluate("document.activeElement.blur()")
    ann.page.keyboard.press("Space")
    ann.sees_roll(table, after)


def test_the_focus_stays_on_roll(visit: Visit, house: House) -> None:
    """Whoever throws by keyboard throws again without looking for the button."""
    ann, table = at_table(visit, house)
    house.next_rolls(table, "4-4", "2-3", "6-5")
    ann.bet("pass", 2500)
    stakes(ann, table, {"pass": [2500]})
    ann.roll_button.focus()
    for _ in range(3):
        after = int(house.look(table)["sequence"])
        expect(ann.roll_button).to_be_enabled()
        ann.page.keyboard.press("Enter")
        ann.sees_roll(table, after)
    expect(ann.roll_button).to_be_focused()


def test_the_same_call_twice_is_announced_twice(visit: Visit, house: House) -> None:
    ann, table = at_table(visit, house)
    house.next_rolls(table, "4-4", "3-6", "3-6")
    ann.bet("pass", 2500)
    stakes(ann, table, {"pass": [2500]})
    ann.roll(table)
    ann.page.evaluate(
        """() => {
          window.said = []
          const region = document.querySelector('[data-said]')
          new MutationObserver(() => said.push(region.textContent)).observe(region, { childList: true, characterData: true, subtree: true })
        }"""  # noqa: E501  one line of a script
    )
    for _ in range(2):
        ann.roll(table)
    ann.page.wait_for_function("said.filter((one) => one.startsWith('Nine')).length === 2")


def test_a_throw_that_is_skipped_is_announced(visit: Visit, house: House) -> None:
    table = house.table()
    ann = visit("Ann", motion=True)
    house.next_rolls(table, "4-4")
    ann.prefer(guided=True)
    ann.sit(table, 1_000_000)
    ann.bet("pass", 2500)
    stakes(ann, table, {"pass": [2500]})
    ann.throw(table)
    expect(ann.page.get_by_text("Dice are out")).to_be_visible()
    ann.bet("field", 2500)
    expect(ann.announced).to_contain_text("Eight")


def test_nothing_is_bet_without_a_connection(visit: Visit, house: House) -> None:
    ann, table = at_table(visit, house)
    house.server.stop()
    expect(ann.page.locator(".bar.away")).to_be_visible()
    ann.bet("field", 2500)
    expect(ann.page.locator("[data-refused=away]")).to_contain_text("no connection")
    house.server.start()
    expect(ann.page.get_by_role("status").filter(has_text="Connected")).to_be_attached()
    stakes(ann, table, {})
    ann.forgive("ERR_CONNECTION|WebSocket|ERR_EMPTY")


def test_a_phone_bets_from_a_drawer_and_says_no_where_one_looks(visit: Visit, house: House) -> None:
    table = house.table()
    ann = visit("Ann", size=PHONE)
    ann.prefer(guided=True)
    ann.sit(table, 3000)
    ann.take_chip(2500)
    ann.spot("pass").tap()
    ann.page.get_by_role("button", name="Hard ways").tap()
    ann.take_chip(500)
    ann.spot("hard:8").tap()
    stakes(ann, table, {"pass": [2500], "hard:8": [500]})
    ann.spot("hard:6").tap()
    no = ann.page.locator("[data-refused=funds]")
    expect(no).to_contain_text("this takes $5, and there is $0 in the rack")
    ann.page.get_by_role("button", name="Fire").tap()
    expect(ann.spot("hard:6")).to_have_count(0)
    expect(no).to_be_visible()


def test_a_phone_has_what_is_asked_of_its_owner_in_sight(visit: Visit, house: House) -> None:
    table = house.table()
    ann = visit("Ann", size=PHONE)
    ann.prefer(guided=True)
    ann.open(f"/table/{table}")
    for wanted in ("sit", "accept_dice", "decline_dice"):
        button = ann.page.locator(f"button[data-do={wanted}]")
        expect(button).to_have_count(1)
        assert button.evaluate(
            """(one) => {
              const { x, y, width, height } = one.getBoundingClientRect()
              return one.contains(document.elementFromPoint(x + width / 2, y + height / 2))
            }"""
        ), f"{wanted} is covered"
        if wanted == "sit":
            button.tap()
            expect(ann.page.locator("[data-rack]")).to_have_text("$500")
            ann.page.locator('[data-spot="pass"]').tap()
