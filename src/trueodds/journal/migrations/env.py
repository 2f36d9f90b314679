"""How migrations run: in the transaction of whoever asked for them."""

from __future__ import annotations

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
