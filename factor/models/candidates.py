"""What a model wrote as contradictions for a build, and what became of each (FACTOR §3.2.2 to §3.2.4)."""

from django.db import models
from django.db.models import Q

from factor.models.benchmark import FactorErrorType
from factor.models.benchmark_build import BenchmarkBuild, BenchmarkBuildItem


class CandidateQuerySet(models.QuerySet["Candidate"]):
    def of(self, build: BenchmarkBuild) -> "CandidateQuerySet":
        return self.filter(item__build=build)

    def waiting(self) -> "CandidateQuerySet":
        """Those that the filters have still to judge."""
        return self.filter(outcome=Candidate.Outcome.WAITING)

    def dropped(self) -> "CandidateQuerySet":
        return self.filter(outcome=Candidate.Outcome.DROPPED)

    def passed(self) -> "CandidateQuerySet":
        """Those that passed the filters, chosen or not."""
        return self.filter(outcome__in=[Candidate.Outcome.KEPT, Candidate.Outcome.CHOSEN])

    def measured(self) -> "CandidateQuerySet":
        """Those that at least one of the filters has measured."""
        return self.filter(Q(contradiction__isnull=False) | Q(fluency__isnull=False))


class Candidate(models.Model):
    """What the model wrote as one contradiction of an item's sentence (FACTOR §3.2.2); `position` numbers those of one
    answer from 0.

    `edits`: the changes that it planned, in its words. `contradiction`: the filter's probability that it contradicts
    the original; `fluency`: its mean log-probability less the original's; None where that filter has not measured it.
    `reason` is why it was dropped, "" else, and `explanation` the filter's sentence about it. A kept one passed the
    filters and was not needed.
    """

    class Outcome(models.TextChoices):
        WAITING = "waiting", "Waiting"
        DROPPED = "dropped", "Dropped"
        KEPT = "kept", "Kept, not chosen"
        CHOSEN = "chosen", "Chosen"

    class Reason(models.TextChoices):
        UNREADABLE = "unreadable", "The answer has no contradiction that can be read"
        NOT_APPLICABLE = "not applicable", "The model says that there is nothing to change"
        CUT_OFF = "cut off", "The answer was cut off within it"
        UNCHANGED = "unchanged", "It is the original sentence"
        REPEATED = "repeated", "It is there already"
        SEVERAL_SENTENCES = "several sentences", "It has more sentences than the original"
        LENGTH = "length", "It is far longer or far shorter than the original"
        UNLIKE = "unlike", "It is another sentence: more than half of the original's words are changed"
        NOT_CONTRADICTORY = "not contradictory", "It does not contradict the original enough"
        NOT_FLUENT = "not fluent", "It is less fluent than the original"
        NOT_MEASURED = "not measured", "A filter could not measure it"

    # Why what was written could not be a candidate for the filters at all.
    UNFIT = (
        *(Reason.UNREADABLE, Reason.NOT_APPLICABLE, Reason.CUT_OFF, Reason.UNCHANGED, Reason.REPEATED),
        *(Reason.SEVERAL_SENTENCES, Reason.LENGTH, Reason.UNLIKE),
    )

    item = models.ForeignKey(BenchmarkBuildItem, on_delete=models.CASCADE, related_name="candidates")
    error_type = models.CharField(max_length=20, choices=FactorErrorType.choices)
    position = models.PositiveSmallIntegerField()
    edits = models.TextField(blank=True)
    text = models.TextField(blank=True)
    contradiction = models.FloatField(null=True, blank=True)
    fluency = models.FloatField(null=True, blank=True)
    outcome = models.CharField(max_length=10, choices=Outcome.choices, default=Outcome.WAITING)
    reason = models.CharField(max_length=20, choices=Reason.choices, blank=True)
    explanation = models.TextField(blank=True)

    objects = CandidateQuerySet.as_manager()

    class Meta:
        ordering = ["item__position", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["item", "error_type", "position"], name="candidate_once"),
            models.CheckConstraint(
                condition=Q(error_type__in=["entity", "predicate", "circumstance", "coreference", "link"]),
                name="candidate_error_known",
            ),
            models.CheckConstraint(
                condition=Q(outcome="dropped") & ~Q(reason="")
                | Q(outcome__in=["waiting", "kept", "chosen"], reason=""),
                name="candidate_dropped_says_why",
            ),
        ]
        indexes = [models.Index(fields=["item", "outcome"], name="candidate_outcome")]

    def __str__(self) -> str:
        return self.text[:80]
