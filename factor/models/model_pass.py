"""The common part of all passes of a language model over texts."""

from django.db import models
from django.db.models import Q

from jobs.models import Job


class ModelPass(Job):
    """The model reads at most `context_length` tokens at once. `scored_tokens`: tokens that were scored here;
    `seconds`: the time that the model took for them."""

    class State(models.TextChoices):
        SCORING = "scoring", "Scoring"
        STOPPED = "stopped", "Stopped"
        FINISHED = "finished", "Finished"

    ACTIVE = (State.SCORING,)
    RESUMABLE = (State.STOPPED,)
    STOPPED = State.STOPPED
    FINISHED = State.FINISHED

    context_length = models.PositiveIntegerField(default=1024)
    state = models.CharField(max_length=10, choices=State.choices, default=State.SCORING)
    scored_tokens = models.PositiveBigIntegerField(default=0)
    seconds = models.FloatField(default=0.0)

    class Meta:
        abstract = True
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["scoring", "stopped", "finished"]), name="%(class)s_state_known"
            )
        ]

    @property
    def speed(self) -> float | None:
        """Tokens scored a second; None before any was."""
        return self.scored_tokens / self.seconds if self.seconds else None
