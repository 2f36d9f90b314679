"""A typed client for the server: accounts, tables, and a connection to a table.

The connection manages the client seeds and verifies the server: it checks every lock before it opens a seed, and
repeats every roll.
"""

from trueodds.client.client import Client
from trueodds.client.errors import ClientError, ServerRefusedError, UnfairServerError
from trueodds.client.seed_manager import SeedManager
from trueodds.client.table_connection import TableConnection
from trueodds.client.table_event import TableEvent

__all__ = [
    "Client",
    "ClientError",
    "SeedManager",
    "ServerRefusedError",
    "TableConnection",
    "TableEvent",
    "UnfairServerError",
]
