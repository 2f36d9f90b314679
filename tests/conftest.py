"""Settings that every test runs under."""

from __future__ import annotations

import os
import signal

from hypothesis import settings

pytest_plugins = ("support.databases", "support.server_fixtures", "support.browser", "support.table_managers")

# A shell that starts the tests in the background makes them ignore Ctrl-C, and programs that tests start inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Machines are shared and noisy, so no example has a deadline. Under CI the examples are the same every time, so that a
# failure is caused by a change. Elsewhere they are new each time, and a failure prints how to repeat it.
settings.register_profile("here", deadline=None, print_blob=True)
settings.register_profile("ci", deadline=None, print_blob=True, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")
