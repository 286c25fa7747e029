"""Django's PostgreSQL, which sees without a statement that a connection kept from the last request still stands, and
plans once what is prepared.
"""

import select

from django.db.backends.postgresql import base
from psycopg.pq import PipelineStatus, TransactionStatus


class DatabaseWrapper(base.DatabaseWrapper):
    """Everybody who waits for an answer would wait for that statement and those plans too (bench/workbench)."""

    def init_connection_state(self) -> None:
        """By itself PostgreSQL would plan anew the first five times that a connection is asked a prepared statement,
        and for ever what it thinks the values matter to; here they do not (annotate/database/prepared.py)."""
        super().init_connection_state()
        self.connection.execute("SET plan_cache_mode = force_generic_plan")

    def is_usable(self) -> bool:
        """A server that ends a connection says so: only where there is something to hear, or the last request left
        something behind, is the connection tried."""
        return (not self.errors_occurred and self._is_at_rest() and self._is_silent()) or super().is_usable()

    def _is_at_rest(self) -> bool:
        if self.connection is None or self.connection.closed:
            return False
        driver = self.connection.pgconn
        rest = (TransactionStatus.IDLE, PipelineStatus.OFF)
        return (driver.transaction_status, driver.pipeline_status) == rest

    def _is_silent(self) -> bool:
        heard = select.poll()
        heard.register(self.connection.fileno(), select.POLLIN)
        return not heard.poll(0)
