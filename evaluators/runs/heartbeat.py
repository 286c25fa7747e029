"""The sweeps of the kinds of work that are not declared in jobs/ yet go with every heartbeat."""

from typing import Any

from django.dispatch import receiver

from annotate.corpus import uploads
from annotate.evidence import uploads as documents
from annotate.prompts.writings import sweep_writings
from annotate.proposals import queue as proposals
from evaluators.comparison import queue as comparisons
from jobs.signals import heart_beat
from knowledge.fetching import waiting as snapshots


@receiver(heart_beat)
def sweep_all(**_: Any) -> None:
    proposals.sweep()
    sweep_writings()
    uploads.sweep()
    documents.sweep()
    snapshots.sweep()
    comparisons.sweep()
