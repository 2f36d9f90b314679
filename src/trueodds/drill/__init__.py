"""The dealer's drill: wagers and a throw made from a number, and whether what somebody pays is right."""

from trueodds.drill.chance import Chance
from trueodds.drill.exercise import PLAYER, Exercise, make_exercise
from trueodds.drill.level import LEVELS, Level
from trueodds.drill.sheet import FATES, Answer, Marked, NoSuchTagError, due, mark

__all__ = [
    "FATES",
    "LEVELS",
    "PLAYER",
    "Answer",
    "Chance",
    "Exercise",
    "Level",
    "Marked",
    "NoSuchTagError",
    "due",
    "make_exercise",
    "mark",
]
