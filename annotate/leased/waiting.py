"""Working on leased rows to their end in one process, whoever else works on them too."""

import time
from collections.abc import Callable

from django.conf import settings


def work_until(ended: Callable[[], bool], work: Callable[[], None]) -> None:
    """Work, and again as long as it has not ended: what is left then is held by another process, which ends it or
    loses its leases. `work` frees leases that have run out."""
    while not ended():
        work()
        if not ended():
            time.sleep(settings.HEARTBEAT_SECONDS)
