"""Company: seats of a table that are run by the house. They decide at once, and throw when everybody had time to bet.

They wish as players do and are answered by the same boxman. They promise no seeds: what they added would be the
server's own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from trueodds.journal import Content, Record
from trueodds.journal.state import Step
from trueodds.service.bot import Bot
from trueodds.service.box import Box
from trueodds.service.boxman import Boxman, Granted
from trueodds.service.errors import ServiceRefused
from trueodds.service.wish import read_wish
from trueodds.strategy import StrategyError

MOST_BOTS: Final = 6
AT_ONCE: Final = 0


def hired(player: str, strategy: str, cents: int) -> Record:
    """Write down that a seat is run by the house."""
    return Record("hired", {"player": player, "strategy": strategy, "cents": cents})


def company_due_ms(boxman: Boxman, box: Box, awake_ms: int | None) -> int | None:
    """Say when a bot has something to do; None when it is not theirs to do, or when nobody is there to see it."""
    custody = box.table.position.custody
    if not box.bots or not _is_watched(box, awake_ms) or box.roll.lock is not None or custody is None:
        return None
    if not all(bot.is_done for bot in box.bots):
        return AT_ONCE
    holder = box.bot(custody.shooter or custody.offer_to)
    if holder is None or holder.is_stuck:
        return None
    return AT_ONCE if custody.shooter is None else _throw_due_ms(boxman, box, awake_ms)


def _is_watched(box: Box, awake_ms: int | None) -> bool:
    """Tell whether anybody is there to see what bots do; who leaves waits for it, there or not."""
    return awake_ms is not None or bool(box.leaving)


def _throw_due_ms(boxman: Boxman, box: Box, awake_ms: int | None) -> int:
    """Say when a bot with the dice throws: everybody had the window to bet since anything changed for them."""
    return max(box.rolled_ms, box.since_ms, awake_ms or 0) + boxman.pace_of(box).least_ms


def keep_company(boxman: Boxman, box: Box, awake_ms: int | None, now_ms: int) -> Granted | None:
    """Let every bot do what it has to do by now; None when there is nothing. What comes of it may be only a thought."""
    due_ms = company_due_ms(boxman, box, awake_ms)
    if due_ms is None or now_ms < due_ms:
        return None
    round_ = _Round(boxman, box, now_ms)
    for bot in box.bots:
        if not bot.is_done:
            round_.bet(bot.player)
    for _ in box.table.position.seats:
        # Dice that are declined go on, to another bot perhaps; each is asked once.
        round_.answer_offer()
    if now_ms >= _throw_due_ms(boxman, round_.box, awake_ms):
        round_.throw()
    return Granted(tuple(round_.contents), round_.box, round_.step)


class _Round:
    """What the bots of one table do at one time: contents so far, and the box after them."""

    def __init__(self, boxman: Boxman, box: Box, now_ms: int) -> None:
        self._boxman = boxman
        self._now_ms = now_ms
        self.box = box
        self.contents: list[Content] = []
        self.step: Step | None = None

    def bet(self, player: str) -> None:
        """Make the whole decision of a bot. One that is refused is not made at all, and the bot lets what is up run."""
        bot = self._bot(player)
        dealer = self._boxman.dealer
        try:
            if bot.is_broke(dealer, self.box.table.position, self.box.rack(player)):
                self._grant(player, [{"wish": "buy_in", "cents": bot.buy_in_cents}])
            self._grant(player, bot.wishes(dealer, self.box.table.position, self.box.rack(player)))
        except (StrategyError, ServiceRefused):
            pass
        self._think(replace(self._bot(player), is_done=True))

    def answer_offer(self) -> None:
        """Accept or decline the dice, if a bot is offered them."""
        custody = self.box.table.position.custody
        bot = self.box.bot(custody.offer_to) if custody else None
        if bot is not None:
            self._with_dice(bot)

    def throw(self) -> None:
        """Throw the dice, or give them on."""
        custody = self.box.table.position.custody
        bot = self.box.bot(custody.shooter) if custody else None
        if bot is not None:
            self._with_dice(bot)

    def _with_dice(self, bot: Bot) -> None:
        wishes = bot.dice_wishes(self._boxman.dealer, self.box.table.position)
        try:
            self._grant(bot.player, wishes)
        except ServiceRefused:
            wishes = []
        if not wishes:
            self._think(replace(self._bot(bot.player), is_stuck=True))

    def _grant(self, player: str, wishes: list[dict[str, Any]]) -> None:
        """Have wishes granted, all or none."""
        box, contents, step = self.box, list[Content](), self.step
        for wish in wishes:
            granted = self._boxman.grant(box, player, read_wish(player, wish), self._now_ms)
            box, contents = granted.box, [*contents, *granted.contents]
            if granted.step is not None:
                step = granted.step if step is None else step.then(granted.step)
        self.box, self.step = box, step
        self.contents += contents

    def _bot(self, player: str) -> Bot:
        bot = self.box.bot(player)
        if bot is None:
            raise LookupError(player)
        return bot

    def _think(self, changed: Bot) -> None:
        self.box = self.box.with_bot(changed)
