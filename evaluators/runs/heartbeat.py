"""The sweeps of the kinds of work that are not declared in jobs/ yet go with every heartbeat."""

from typing import Any

from django.dispatch import receiver

from evaluators.comparison import queue as comparisons
from jobs.signals import heart_beat


@receiver(heart_beat)
def sweep_all(**_: Any) -> None:
    comparisons.sweep()
