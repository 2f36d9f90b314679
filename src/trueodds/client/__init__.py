"""A client of the server, typed: people, tables, and a session at a table that keeps its own seeds.

It holds the server to its word: locks are checked before a seed is opened, and every roll is thrown again.
"""

from trueodds.client.client import Client
from trueodds.client.errors import ClientError, RefusedError, UnfairError
from trueodds.client.event import Event
from trueodds.client.keeper import Keeper
from trueodds.client.session import Session

__all__ = ["Client", "ClientError", "Event", "Keeper", "RefusedError", "Session", "UnfairError"]
