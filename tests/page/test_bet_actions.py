"""Betting in a real browser: quick clicks, undo, repeat, calls, keys, drags and touches."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, expect

from support.browser_user import PHONE, BrowserUser, NewUser
from support.page_server import PageServer


def own_bets(user: BrowserUser, table: str) -> dict[str, list[int]]:
    """Return the stakes of a user by spot, as the server has them."""
    state = user.table_state(table)
    stakes: dict[str, list[int]] = {}
    for spot in state["layout"]["spots"]:
        for bet in spot["bets"]:
            if bet["player"] == state["you"]:
                stakes.setdefault(spot["spot"], []).append(bet["stake_cents"])
    return stakes


def chips(user: BrowserUser, spot: str) -> Locator:
    return user.page.locator(f'[data-chip-spot="{spot}"]')


def expect_bets(user: BrowserUser, table: str, expected: dict[str, list[int]]) -> None:
    """Wait until the felt shows these bets and no others, and check that the server has them."""
    for spot, stakes in expected.items():
        expect(chips(user, spot)).to_have_count(len(stakes))
    expect(user.page.locator("[data-chip-tag]")).to_have_count(sum(map(len, expected.values())))
    expect(user.page.locator(".pending")).to_have_count(0)
    assert own_bets(user, table) == expected


def join_table(new_user: NewUser, page_server: PageServer, **options: Any) -> tuple[BrowserUser, str]:
    table = page_server.open_table(**options)
    ann = new_user("Ann")
    ann.set_preferences(guideDone=True)
    ann.join(table, 1_000_000)
    return ann, table


def test_quick_clicks_add_chips_to_one_wager(new_user: NewUser, page_server: PageServer) -> None:
    ann, table = join_table(new_user, page_server)
    ann.select_chip(2500)
    ann.spot("field").dblclick()
    ann.spot("field").click()
    expect_bets(ann, table, {"field": [7500]})
    ann.page.keyboard.press("Control+z")
    expect_bets(ann, table, {"field": [5000]})


def test_a_double_click_rolls_once(new_user: NewUser, page_server: PageServer) -> None:
    """Even if its second click comes after the dice have landed."""
    ann, table = join_table(new_user, page_server)
    page_server.next_rolls(table, "4-4", "3-4")
    ann.bet("pass", 2500)
    expect_bets(ann, table, {"pass": [2500]})
    after = int(page_server.table_state(table)["sequence"])
    ann.roll_button.dblclick()
    ann.wait_for_roll(table, after)
    expect(ann.roll_button).to_be_enabled()
    ann.page.mouse.down(click_count=2)
    ann.page.mouse.up(click_count=2)
    ann.page.wait_for_timeout(600)
    assert sum(event["kind"] == "rolled" for event in page_server.events(table, after)) == 1


def test_undo_reverts_all_parts_of_a_split_bet(new_user: NewUser, page_server: PageServer) -> None:
    ann, table = join_table(new_user, page_server)
    ann.bet("field", 2500)
    expect_bets(ann, table, {"field": [2500]})
    ann.bet("whirl", 500)
    expect(ann.page.locator("[data-chip-tag]")).to_have_count(3)
    ann.page.get_by_role("button", name="Undo").click()
    expect_bets(ann, table, {"field": [2500]})


def test_the_spot_card_shows_what_is_still_free_under_the_maximum(new_user: NewUser, page_server: PageServer) -> None:
    ann, table = join_table(new_user, page_server, max_bet=5000)
    card = ann.page.locator("section.card")
    ann.bet("field", 2500)
    expect_bets(ann, table, {"field": [2500]})
    expect(card).to_contain_text("$10 to $25 more, up to $50 in all")
    ann.page.reload()
    ann.wait_until_connected()
    ann.click("field")
    expect_bets(ann, table, {"field": [5000]})
    expect(card).to_contain_text("the maximum of $50 is up")
    ann.page.keyboard.press("Control+z")
    expect(card).to_contain_text("$10 to $25 more, up to $50 in all")


def test_undo_reverts_actions_of_the_spot_card(new_user: NewUser, page_server: PageServer) -> None:
    ann, table = join_table(new_user, page_server)
    ann.bet("field", 2500)
    expect_bets(ann, table, {"field": [2500]})
    ann.page.get_by_role("button", name="Take down Field").click()
    expect_bets(ann, table, {})
    ann.page.get_by_role("button", name="Undo").click()
    expect_bets(ann, table, {"field": [2500]})


def test_bets_are_called_off_and_on(new_user: NewUser, page_server: PageServer) -> None:
    ann, table = join_table(new_user, page_server)
    ann.bet("hard:8", 500)
    expect_bets(ann, table, {"hard:8": [500]})
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


def test_repeat_makes_only_the_bets_that_are_gone(new_user: NewUser, page_server: PageServer) -> None:
    ann, table = join_table(new_user, page_server)
    page_server.next_rolls(table, "4-4", "3-3", "2-2")
    ann.bet("pass", 2500)
    expect_bets(ann, table, {"pass": [2500]})
    ann.roll(table)
    ann.bet("come", 2500)
    ann.bet("field", 2500)
    expect_bets(ann, table, {"pass": [2500], "come": [2500], "field": [2500]})
    ann.roll(table)
    expect_bets(ann, table, {"pass": [2500], "come:6": [2500]})
    ann.page.get_by_role("button", name="Repeat").click()
    expect_bets(ann, table, {"pass": [2500], "come:6": [2500], "field": [2500]})


def test_press_applies_to_the_selected_wager(new_user: NewUser, page_server: PageServer) -> None:
    """Not to a spot that the mouse crosses on its way to the button."""
    ann, table = join_table(new_user, page_server)
    ann.bet("pass", 2500)
    ann.bet("place:5", 2500)
    expect_bets(ann, table, {"pass": [2500], "place:5": [2500]})
    press = ann.page.get_by_role("button", name="Press Place 5", exact=True)
    expect(press).to_be_enabled()
    box = press.bounding_box()
    assert box is not None
    ann.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=8)
    press.click()
    expect_bets(ann, table, {"pass": [2500], "place:5": [5000]})
    ann.spot("come").focus()
    expect(
        ann.page.get_by_role("button", name="Press", exact=False).and_(ann.page.locator("[aria-disabled=true]"))
    ).to_have_count(1)


def test_a_drag_takes_a_bet_down(new_user: NewUser, page_server: PageServer) -> None:
    ann, table = join_table(new_user, page_server)
    ann.bet("field", 2500)
    expect_bets(ann, table, {"field": [2500]})
    field, come = (ann.spot(spot).bounding_box() for spot in ("field", "come"))
    assert field is not None
    assert come is not None
    x, y = field["x"] + field["width"] * 0.8, field["y"] + field["height"] / 2
    mouse = ann.page.mouse
    # Pressed on one spot and released on another nearby: neither a click nor a drag.
    mouse.move(x, field["y"] + 4)
    mouse.down()
    mouse.move(x, come["y"] + come["height"] - 4)
    mouse.up()
    mouse.move(x, come["y"] + 10, steps=6)
    mouse.move(x + 60, y, steps=6)
    expect_bets(ann, table, {"field": [2500]})
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 60, y, steps=6)
    mouse.up()
    expect_bets(ann, table, {})


def test_space_rolls_only_if_no_element_has_the_focus(new_user: NewUser, page_server: PageServer) -> None:
    ann, table = join_table(new_user, page_server)
    page_server.next_rolls(table, "4-4")
    ann.bet("pass", 2500)
    expect_bets(ann, table, {"pass": [2500]})
    after = int(page_server.table_state(table)["sequence"])
    ann.page.locator("[role=tabpanel]").focus()
    ann.page.keyboard.press("Space")
    ann.page.wait_for_timeout(300)
    assert not [event for event in page_server.events(table, after) if event["kind"] in {"roll_locked", "rolled"}]
    ann.page.evaluate("document.activeElement.blur()")
    ann.page.keyboard.press("Space")
    ann.wait_for_roll(table, after)


def test_the_focus_stays_on_roll(new_user: NewUser, page_server: PageServer) -> None:
    """So that a keyboard user can roll again."""
    ann, table = join_table(new_user, page_server)
    page_server.next_rolls(table, "4-4", "2-3", "6-5")
    ann.bet("pass", 2500)
    expect_bets(ann, table, {"pass": [2500]})
    ann.roll_button.focus()
    for _ in range(3):
        after = int(page_server.table_state(table)["sequence"])
        expect(ann.roll_button).to_be_enabled()
        ann.page.keyboard.press("Enter")
        ann.wait_for_roll(table, after)
    expect(ann.roll_button).to_be_focused()


def test_the_same_call_twice_is_announced_twice(new_user: NewUser, page_server: PageServer) -> None:
    ann, table = join_table(new_user, page_server)
    page_server.next_rolls(table, "4-4", "3-6", "3-6")
    ann.bet("pass", 2500)
    expect_bets(ann, table, {"pass": [2500]})
    ann.roll(table)
    ann.page.evaluate(
        """() => {
          window.announcements = []
          const region = document.querySelector('[data-announcement]')
          const record = () => announcements.push(region.textContent)
          new MutationObserver(record).observe(region, { childList: true, characterData: true, subtree: true })
        }"""
    )
    for _ in range(2):
        ann.roll(table)
    ann.page.wait_for_function("announcements.filter((text) => text.startsWith('Nine')).length === 2")


def test_a_skipped_roll_is_announced(new_user: NewUser, page_server: PageServer) -> None:
    table = page_server.open_table()
    ann = new_user("Ann", motion=True)
    page_server.next_rolls(table, "4-4")
    ann.set_preferences(guideDone=True)
    ann.join(table, 1_000_000)
    ann.bet("pass", 2500)
    expect_bets(ann, table, {"pass": [2500]})
    ann.roll_on_server(table)
    expect(ann.page.get_by_text("Dice are out")).to_be_visible()
    ann.bet("field", 2500)
    expect(ann.announcement).to_contain_text("Eight")


def test_nothing_is_bet_without_a_connection(new_user: NewUser, page_server: PageServer) -> None:
    ann, table = join_table(new_user, page_server)
    page_server.server.stop()
    expect(ann.page.locator(".bar.away")).to_be_visible()
    expect(ann.spot("field")).to_be_disabled()
    ann.page.mouse.click(*ann.visible_point("field"))
    expect(ann.page.locator("[data-refused=disconnected]")).to_contain_text("Not connected")
    page_server.server.start()
    ann.wait_until_connected()
    expect_bets(ann, table, {})
    ann.ignore_problems("ERR_CONNECTION|WebSocket|ERR_EMPTY")


def test_a_phone_shows_refusals_from_a_closed_drawer(new_user: NewUser, page_server: PageServer) -> None:
    table = page_server.open_table()
    ann = new_user("Ann", size=PHONE)
    ann.set_preferences(guideDone=True)
    ann.join(table, 3000)
    ann.select_chip(2500)
    ann.spot("pass").tap()
    ann.page.get_by_role("button", name="Hard ways").tap()
    ann.select_chip(500)
    ann.spot("hard:8").tap()
    expect_bets(ann, table, {"pass": [2500], "hard:8": [500]})
    ann.spot("hard:6").tap()
    refusal = ann.page.locator("[data-refused=insufficient_funds]")
    expect(refusal).to_contain_text("$5")
    ann.page.get_by_role("button", name="Fire").tap()
    expect(ann.spot("hard:6")).to_have_count(0)
    expect(refusal).to_be_visible()


def test_a_phone_shows_the_buttons_that_need_an_answer(new_user: NewUser, page_server: PageServer) -> None:
    table = page_server.open_table()
    ann = new_user("Ann", size=PHONE)
    ann.set_preferences(guideDone=True)
    ann.open(f"/table/{table}")
    for action in ("join", "accept_dice", "decline_dice"):
        button = ann.page.locator(f"button[data-action={action}]")
        expect(button).to_have_count(1)
        assert button.evaluate(
            """(button) => {
              const { x, y, width, height } = button.getBoundingClientRect()
              return button.contains(document.elementFromPoint(x + width / 2, y + height / 2))
            }"""
        ), f"{action} is covered"
        if action == "join":
            button.tap()
            expect(ann.page.locator("[data-rack]")).to_have_text("$500")
            ann.page.locator('[data-spot="pass"]').tap()
