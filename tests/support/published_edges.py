"""Published edges of wagers, and the comparison of an exact value with a printed one."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

# Section 8 of the rules: expected results per dollar, by book and spot. They were computed by separate calculators that
# share no code with the books.
KNOWN_EDGES = {
    ("new_jersey", "pass"): "-7/495",
    ("new_jersey", "come"): "-7/495",
    ("new_jersey", "dont_pass"): "-3/220",
    ("win_line", "dont_pass"): "-3/220",
    ("maryland", "dont_come"): "-3/220",
    ("maryland", "place:4"): "-1/15",
    ("maryland", "place:5"): "-1/25",
    ("maryland", "place:6"): "-1/66",
    ("new_jersey", "place_lose:4"): "-1/33",
    ("new_jersey", "place_lose:5"): "-1/40",
    ("new_jersey", "place_lose:6"): "-1/55",
    ("new_jersey", "buy:4"): "-1/21",
    ("rws", "buy:6"): "-1/21",
    ("maryland", "lay:9"): "-1/21",
    ("rws", "lay:4"): "-1/41",
    ("rws", "lay:5"): "-1/31",
    ("rws", "lay:6"): "-1/25",
    ("new_jersey", "hard:4"): "-1/9",
    ("new_jersey", "hard:8"): "-1/11",
    ("south_dakota", "field"): "-1/18",
    ("rws", "any7"): "-1/6",
    ("rws", "any_craps"): "-1/9",
    ("maryland", "craps12"): "-5/36",
    ("maryland", "yo"): "-1/9",
    ("rws", "ce"): "-1/9",
    ("new_jersey", "ce"): "-1/9",
    ("rws", "horn"): "-1/8",
    ("maryland", "whirl"): "-2/15",
    ("maryland", "horn_high:2"): "-23/180",
    ("south_dakota", "horn_high:11"): "-11/90",
    ("maryland", "six_seven_eight"): "-1/18",
    ("south_dakota", "big6"): "-1/11",
    ("south_dakota", "put:4"): "-1/3",
    ("south_dakota", "put:5"): "-1/5",
    ("south_dakota", "put:6"): "-1/11",
    ("new_jersey", "fire"): "-0.2076",
    ("maryland", "small"): "-0.07761",
    ("maryland", "tall"): "-0.07761",
    ("maryland", "all"): "-0.07464",
}


def matches_printed(exact: Fraction, printed: str) -> bool:
    """Whether an exact value equals a printed fraction, or rounds to a printed decimal."""
    if "/" in printed:
        return exact == Fraction(printed)
    digits = -Decimal(printed).as_tuple().exponent  # type: ignore[operator]  # finite decimals have an int
    return round(exact, digits) == Fraction(printed)
