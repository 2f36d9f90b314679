"""Settings every test runs under."""

from __future__ import annotations

import os

from hypothesis import settings

pytest_plugins = ("databases", "serving", "browsing")

# Machines are shared and noisy, so no example is timed. Under CI the examples are the same every time, so that a
# change is judged by what it changed; everywhere else they are new ones, and a failure prints how to repeat it.
settings.register_profile("here", deadline=None, print_blob=True)
settings.register_profile("ci", deadline=None, print_blob=True, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")
