"""What is left of this room's work by a lost worker or a lost knock is found with every beat of a worker's heart."""

from collections.abc import Callable
from typing import Any

from django.dispatch import receiver

from factor.building import queue as build
from jobs.signals import heart_beat

SWEEPS: tuple[Callable[[], object], ...] = (build.sweep,)


@receiver(heart_beat)
def sweep(**_: Any) -> None:
    """Queue anew all that stands still."""
    for sweep_some in SWEEPS:
        sweep_some()
