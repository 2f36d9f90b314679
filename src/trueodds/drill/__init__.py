"""The dealer's drill: exercises with wagers and a roll, and the grading of answers."""

from trueodds.drill.exercise import DRILL_PLAYER, Exercise, make_exercise
from trueodds.drill.grading import FATE_BY_RESULT, DrillAnswer, GradedAnswer, UnknownTagError, correct_answer, grade
from trueodds.drill.hash_random import HashRandom
from trueodds.drill.levels import LEVELS, Level

__all__ = [
    "DRILL_PLAYER",
    "FATE_BY_RESULT",
    "LEVELS",
    "DrillAnswer",
    "Exercise",
    "GradedAnswer",
    "HashRandom",
    "Level",
    "UnknownTagError",
    "correct_answer",
    "grade",
    "make_exercise",
]
