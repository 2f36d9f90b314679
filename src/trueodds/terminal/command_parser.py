"""Parsing what a player types into actions, with error messages for the player."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from trueodds.errors import TrueoddsError
from trueodds.money import Cents, MoneyError, parse_dollars
from trueodds.rulebook import Spot, UnknownWagerError
from trueodds.table import Action, Bet, Position, Press, Reduce, TaggedWager, TakeDown, ToggleBet
from trueodds.wagers import TableRules

_PICK: Final = re.compile(r"[1-9][0-9]?|[1-6]-[1-6]")


class CommandError(TrueoddsError, ValueError):
    """Raised for a line that is not a command. The message is for the player."""


class BetTarget(NamedTuple):
    """The wager or odds bet that a command is about."""

    tag: str
    kind: str
    stake_cents: Cents


def is_complete_spot(rules: TableRules, words: list[str]) -> bool:
    """Return whether the words name a spot, so that only the amount is missing: pass, place 6, hop 2-5."""
    spot = find_spot(rules, words)
    return spot is not None and spot in rules.book.wagers[spot.kind].spots()


def parse_bet(rules: TableRules, position: Position, player: str, words: list[str]) -> Bet:
    """Parse ``pass 10``, ``place 6 12``, ``hop 2-5 1``, ``odds 20`` or ``odds come 6 30``."""
    *named, last = words
    stake = parse_typed_amount(last)
    if not named:
        raise CommandError(f"Bet {last} on what? For example: pass {last}")
    if "odds" in {word.lower() for word in named}:
        return _parse_odds_bet(rules, position, player, [word for word in named if word.lower() != "odds"], stake)
    spot = find_spot(rules, named)
    if spot is None:
        raise CommandError(unknown_wager_text(rules, " ".join(named)))
    return Bet(player, spot, stake)


def unknown_wager_text(rules: TableRules, name: str) -> str:
    """Return a sentence that says there is no such wager, with the nearest name."""
    suggestion = UnknownWagerError(name, rules.book.title, tuple(rules.book.wagers)).suggestion
    hint = f"Did you mean {suggestion.replace('_', ' ')}?" if suggestion else "Type layout to see all wagers."
    return f"There is no wager called {name!r} at this table. {hint}"


def parse_typed_amount(word: str) -> Cents:
    """Parse an amount like 10, 12.50 or $1,000."""
    try:
        return parse_dollars(word, "the amount")
    except MoneyError as error:
        message = str(error)
    raise CommandError(f"{message[0].upper()}{message[1:]}.")


def find_spot(rules: TableRules, words: list[str]) -> Spot | None:
    """Return the spot that words name: a wager with a number or a pair of faces, or a wager alone."""
    if len(words) > 1 and _PICK.fullmatch(words[-1]):
        kind = _find_kind(rules, words[:-1])
        if kind is not None and any(spot.pick for spot in rules.book.wagers[kind].spots()):
            return Spot(kind, tuple(sorted(int(part) for part in words[-1].split("-"))))
    kind = _find_kind(rules, words)
    return None if kind is None else Spot(kind)


def _find_kind(rules: TableRules, words: list[str]) -> str | None:
    """Return the kind of a wager. The words are also tried joined: "big 6" is big6, "don't pass" is dont_pass."""
    for joint in (" ", "_", ""):
        kind = rules.book.find_kind(joint.join(words).replace("'", ""))
        if kind is not None:
            return kind
    return rules.book.find_kind(" ".join(words))


def _parse_odds_bet(rules: TableRules, position: Position, player: str, about: list[str], stake: Cents) -> Bet:
    """Return an odds bet behind the wager that `about` names, or behind the last wager that can have odds."""
    base = _find_base(rules, position, player, about)
    kinds = [kind for kind, odds in rules.odds_rules.items() if odds.base_kind == base.wager.spot.kind]
    offered = [kind for kind in kinds if rules.odds_rules[kind].availability.offered]
    if not kinds:
        raise CommandError(f"{rules.book.wagers[base.wager.spot.kind].title} takes no odds.")
    return Bet(player, Spot((offered or kinds)[0]), stake, base_tag=base.tag)


def _find_base(rules: TableRules, position: Position, player: str, about: list[str]) -> TaggedWager:
    seat = position.find_seat(player)
    kinds = {odds.base_kind for odds in rules.odds_rules.values()}
    wagers = [tagged for tagged in (seat.wagers if seat else ()) if tagged.wager.spot.kind in kinds]
    if about:
        wagers = [tagged for tagged in wagers if _matches(rules, tagged, about)]
    with_number = [
        tagged
        for tagged in wagers
        if rules.wager_rules[tagged.wager.spot].number_of(tagged.wager, position.phase) is not None
    ]
    without_odds = [tagged for tagged in with_number if not tagged.odds_tags]
    found = without_odds or with_number or wagers
    if not found:
        name = f"{' '.join(about)} bet" if about else "bet"
        raise CommandError(f"You have no {name} that takes odds.")
    return found[-1]


def _matches(rules: TableRules, tagged: TaggedWager, words: list[str]) -> bool:
    spot = tagged.wager.spot
    wanted = find_spot(rules, words)
    if wanted is not None and not wanted.pick:
        return spot.kind == wanted.kind
    if wanted is not None:
        return spot == wanted
    if len(words) > 1 and words[-1].isdecimal():
        return spot.kind == _find_kind(rules, words[:-1]) and spot.pick == (int(words[-1]),)
    return False


def find_target(rules: TableRules, position: Position, player: str, words: list[str]) -> BetTarget:
    """Return the bet that words name: ``place 6``, ``come 6``, ``odds``, ``odds come 6`` or ``#3``."""
    seat = position.find_seat(player)
    wagers = seat.wagers if seat else ()
    if len(words) == 1 and words[0].startswith("#"):
        for tagged in wagers:
            for tag, kind, stake in _tagged_bets(tagged):
                if tag == words[0][1:]:
                    return BetTarget(tag, kind, stake)
    elif words and words[0].lower() == "odds":
        with_odds = [
            tagged for tagged in wagers if tagged.odds_tags and (not words[1:] or _matches(rules, tagged, words[1:]))
        ]
        if with_odds:
            *_, (tag, kind, stake) = _tagged_bets(with_odds[-1])
            return BetTarget(tag, kind, stake)
    else:
        matching = [tagged for tagged in wagers if words and _matches(rules, tagged, words)]
        if matching:
            tagged = matching[-1]
            return BetTarget(tagged.tag, tagged.wager.spot.kind, tagged.wager.stake)
    raise CommandError(f"You have no {' '.join([*words, 'bet'])} on the layout.")


def _tagged_bets(tagged: TaggedWager) -> list[tuple[str, str, Cents]]:
    odds = zip(tagged.odds_tags, tagged.wager.odds_bets, strict=True)
    return [
        (tagged.tag, tagged.wager.spot.kind, tagged.wager.stake),
        *((tag, bet.kind, bet.stake) for tag, bet in odds),
    ]


def parse_change(rules: TableRules, position: Position, player: str, verb: str, words: list[str]) -> Action:
    """Parse ``down place 6``, ``off place 6``, ``press place 6 18`` or ``reduce place 6 to 6``."""
    if verb in ("press", "reduce"):
        if not words:
            raise CommandError(f"{verb} which bet, and to how much? For example: {verb} place 6 12")
        words = [word for word in words if word.lower() != "to"]
        if is_complete_spot(rules, words):
            raise CommandError(f"To how much? For example: {verb} {' '.join(words)} 12")
        *named, last = words
        stake = parse_typed_amount(last)
        target = find_target(rules, position, player, named)
        return Press(player, target.tag, stake) if verb == "press" else Reduce(player, target.tag, stake)
    if not words:
        raise CommandError(f"{verb} which bet? For example: {verb} place 6")
    target = find_target(rules, position, player, words)
    if verb == "down":
        return TakeDown(player, target.tag)
    return ToggleBet(player, target.tag, "on" if verb == "on" else "off")
