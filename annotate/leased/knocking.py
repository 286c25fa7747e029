"""The knock on the workers' door. What is to be done stands in the database: a knock can be lost, or come twice."""

import logging
from typing import Any

from kombu.exceptions import ChannelError, OperationalError

logger = logging.getLogger("touchstone.queue")


def knock_for(task: Any, key: int) -> bool:
    """Queue the Celery task with the key of what it works on; False where the queue is out of reach.

    What waits is then found by a sweep: when a worker starts, and with every beat of its heart.
    """
    try:
        task.apply_async((key,), retry=False)
    except (ChannelError, OperationalError, OSError) as error:
        logger.warning("The queue cannot be reached, %s of %s waits for a sweep: %s", task.name, key, error)
        return False
    return True
