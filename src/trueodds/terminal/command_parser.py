"""What a player types: short words made into actions, with a sentence when they make no sense."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from trueodds.explain import find_kind
from trueodds.money import Cents, MoneyError, checked_stake
from trueodds.notation import NotationError, parse_amount
from trueodds.rulebook import Spot
from trueodds.table import Action, Bet, CallWager, Entry, Position, Press, Reduce, TakeDown
from trueodds.wagers import Rules

_AMOUNT: Final = re.compile(r"\$?[0-9][0-9,]*(\.[0-9]{2})?")
_PICK: Final = re.compile(r"[1-9][0-9]?|[1-6]-[1-6]")


class CommandError(ValueError):
    """Words that make no action."""


class Target(NamedTuple):
    """A wager or odds that a command is about."""

    tag: str
    kind: str
    stake: Cents


def names_a_spot(rules: Rules, words: list[str]) -> bool:
    """Tell whether words name a wager whole, so that only the amount is missing: pass, place 6, hop 2-5."""
    spot = find_spot(rules, words)
    return spot is not None and spot in rules.book.wagers[spot.kind].spots()


def parse_bet(rules: Rules, position: Position, player: str, words: list[str]) -> Bet:
    """Read ``pass 10``, ``place 6 12``, ``hop 2-5 1``, ``odds 20``, ``odds come 6 30``."""
    *named, last = words
    stake = amount(last)
    if not named:
        msg = f"{last} on what? Say for example: pass {last}"
        raise CommandError(msg)
    if "odds" in {word.lower() for word in named}:
        return _odds_bet(rules, position, player, [word for word in named if word.lower() != "odds"], stake)
    spot = find_spot(rules, named)
    if spot is None:
        msg = f"There is no wager called {' '.join(named)!r} at this table; type layout to see them."
        raise CommandError(msg)
    return Bet(player, spot, stake)


def amount(word: str) -> Cents:
    """Read an amount of money as people write it."""
    if re.fullmatch(r"\$?[0-9][0-9,]*\.[0-9]", word):
        word += "0"
    if _AMOUNT.fullmatch(word) is None:
        msg = f"{word!r} is no amount; write 10 or 12.50."
        raise CommandError(msg)
    try:
        return checked_stake(parse_amount(word.lstrip("$").replace(",", "")))
    except (NotationError, MoneyError) as error:
        raise CommandError(str(error)) from None


def find_spot(rules: Rules, words: list[str]) -> Spot | None:
    """Find a spot by its words: a name with a number or pair, or a name alone."""
    if len(words) > 1 and _PICK.fullmatch(words[-1]):
        kind = _kind(rules, words[:-1])
        if kind is not None and any(spot.pick for spot in rules.book.wagers[kind].spots()):
            return Spot(kind, tuple(sorted(int(part) for part in words[-1].split("-"))))
    kind = _kind(rules, words)
    return None if kind is None else Spot(kind)


def _kind(rules: Rules, words: list[str]) -> str | None:
    """Try the words as they are, and run together ("big 6" is big6, "don't pass" is dont_pass)."""
    for joint in (" ", "_", ""):
        kind = find_kind(rules, joint.join(words).replace("'", ""))
        if kind is not None:
            return kind
    return find_kind(rules, " ".join(words))


def _odds_bet(rules: Rules, position: Position, player: str, about: list[str], stake: Cents) -> Bet:
    """Put odds behind the bet that is named, or else behind the last one that can have them."""
    base = _base(rules, position, player, about)
    kinds = [kind for kind, odds in rules.odds.items() if odds.base == base.wager.spot.kind]
    offered = [kind for kind in kinds if rules.odds[kind].offer.given]
    if not kinds:
        msg = f"Odds do not go behind {rules.book.wagers[base.wager.spot.kind].title}."
        raise CommandError(msg)
    return Bet(player, Spot((offered or kinds)[0]), stake, on=base.tag)


def _base(rules: Rules, position: Position, player: str, about: list[str]) -> Entry:
    seat = position.seat_of(player)
    able = {odds.base for odds in rules.odds.values()}
    entries = [entry for entry in (seat.entries if seat else ()) if entry.wager.spot.kind in able]
    if about:
        entries = [entry for entry in entries if _matches(rules, entry, about)]
    with_number = [
        entry for entry in entries if rules.spots[entry.wager.spot].number_of(entry.wager, position.phase) is not None
    ]
    without_odds = [entry for entry in with_number if not entry.odds_tags]
    found = without_odds or with_number or entries
    if not found:
        said = " ".join(about)
        msg = f"You have no {said} bet that odds could go behind." if said else "You have no bet odds could go behind."
        raise CommandError(msg)
    return found[-1]


def _matches(rules: Rules, entry: Entry, words: list[str]) -> bool:
    spot = entry.wager.spot
    wanted = find_spot(rules, words)
    if wanted is not None and not wanted.pick:
        return spot.kind == wanted.kind
    if wanted is not None:
        return spot == wanted
    if len(words) > 1 and words[-1].isdecimal():
        return spot.kind == _kind(rules, words[:-1]) and spot.pick == (int(words[-1]),)
    return False


def find_target(rules: Rules, position: Position, player: str, words: list[str]) -> Target:
    """Find the wager or odds that words name: ``place 6``, ``come 6``, ``odds``, ``odds come 6``, ``#3``."""
    seat = position.seat_of(player)
    entries = seat.entries if seat else ()
    if len(words) == 1 and words[0].startswith("#"):
        for entry in entries:
            for tag, kind, stake in _all_of(entry):
                if tag == words[0][1:]:
                    return Target(tag, kind, stake)
    elif words and words[0].lower() == "odds":
        behind = [
            entry for entry in entries if entry.odds_tags and (not words[1:] or _matches(rules, entry, words[1:]))
        ]
        if behind:
            *_, (tag, kind, stake) = _all_of(behind[-1])
            return Target(tag, kind, stake)
    else:
        matching = [entry for entry in entries if words and _matches(rules, entry, words)]
        if matching:
            entry = matching[-1]
            return Target(entry.tag, entry.wager.spot.kind, entry.wager.stake)
    msg = f"You have no {' '.join(words) or 'such'} bet up."
    raise CommandError(msg)


def _all_of(entry: Entry) -> list[tuple[str, str, Cents]]:
    odds = zip(entry.odds_tags, entry.wager.odds, strict=True)
    return [(entry.tag, entry.wager.spot.kind, entry.wager.stake), *((tag, bet.kind, bet.stake) for tag, bet in odds)]


def parse_change(rules: Rules, position: Position, player: str, verb: str, words: list[str]) -> Action:
    """Read ``down place 6``, ``off place 6``, ``press place 6 18``, ``reduce place 6 to 6``."""
    if verb in ("press", "reduce"):
        if not words:
            msg = f"{verb} what, to how much? For example: {verb} place 6 12"
            raise CommandError(msg)
        said = [word for word in words if word.lower() != "to"]
        if names_a_spot(rules, said):
            msg = f"To how much? For example: {verb} {' '.join(said)} 12"
            raise CommandError(msg)
        *named, last = said
        to = amount(last)
        target = find_target(rules, position, player, named)
        return Press(player, target.tag, to) if verb == "press" else Reduce(player, target.tag, to)
    if not words:
        msg = f"{verb} what? For example: {verb} place 6"
        raise CommandError(msg)
    target = find_target(rules, position, player, words)
    if verb == "down":
        return TakeDown(player, target.tag)
    return CallWager(player, target.tag, "on" if verb == "on" else "off")
