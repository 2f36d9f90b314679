"""Anchors of the parts of a book on its page, so that other pages can link to them."""

from __future__ import annotations

import re


def anchor(*names: str) -> str:
    """Return the anchor of a part of a book.

    >>> anchor("definition", "Come Out Roll")
    'definition-come-out-roll'
    """
    return "-".join(re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") for name in names)
