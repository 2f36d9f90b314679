"""Which process holds a lease, and whether that process is still there.

A process that was killed leaves leases that last for seconds. Another process on the same machine can see at once that
their owner is gone, and need not wait.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Final, NamedTuple

PROC: Final = Path("/proc")


class ProcessIdentity(NamedTuple):
    """A process, as far as other processes can recognize it.

    `namespace` identifies the running machine and its process ids: the same id can mean another process elsewhere.
    `started` tells two processes apart that had the same id one after the other. `nonce` tells apart several owners in
    one process. The first two are empty where the system does not say.
    """

    namespace: str
    pid: int
    started: str
    nonce: str

    @classmethod
    def current(cls) -> ProcessIdentity:
        """Return the identity of a new owner in this process."""
        pid = os.getpid()
        return cls(_namespace(), pid, _start_time(pid), secrets.token_hex(4))

    def __str__(self) -> str:
        return f"{self.namespace}/{self.pid}/{self.started}/{self.nonce}"

    @classmethod
    def parse(cls, owner: str) -> ProcessIdentity | None:
        """Return the identity in an owner's text, or None if the text is not one."""
        parts = owner.split("/")
        if len(parts) != len(cls._fields) or not parts[1].isdecimal():
            return None
        return cls(parts[0], int(parts[1]), parts[2], parts[3])


def is_gone(owner: str) -> bool:
    """Return whether the owner of a lease was a process on this machine that has ended.

    >>> is_gone("another host"), is_gone(str(ProcessIdentity.current()))
    (False, False)
    """
    identity = ProcessIdentity.parse(owner)
    if identity is None or not identity.namespace or not identity.started:
        return False
    if identity.namespace != _namespace():
        return False
    started = _start_time(identity.pid)
    return started != identity.started if started else not _may_be_running(identity.pid)


def _may_be_running(pid: int) -> bool:
    """Return whether a process exists, even if the system shows nothing else about it."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return _state(pid) != "Z"


def _namespace() -> str:
    """Return a text that is the same for processes that see each other's ids, or "" if the system does not say."""
    try:
        boot = (PROC / "sys" / "kernel" / "random" / "boot_id").read_text("ascii").strip()
        return f"{boot}.{(PROC / 'self' / 'ns' / 'pid').stat().st_ino}"
    except OSError:
        return ""


def _start_time(pid: int) -> str:
    """Return when a process was started, in ticks since the machine was, or "" if that is not known."""
    fields = _stat_fields(pid)
    return fields[19] if fields and fields[0] != "Z" else ""


def _state(pid: int) -> str:
    """Return the state of a process, such as Z for one that has ended and is not yet removed, or "" if not known."""
    return next(iter(_stat_fields(pid)), "")


def _stat_fields(pid: int) -> list[str]:
    """Return what the system says about a process after its name, or nothing."""
    try:
        return (PROC / str(pid) / "stat").read_text("ascii", "replace").rpartition(")")[2].split()
    except OSError:
        return []
