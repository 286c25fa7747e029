"""Factuality in open-ended generation (FACTOR §6): pairs, minimal facts, texts of a model, labels of people."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate.models import Allowance
from factor.models.benchmark import Completion
from factor.models.scoring import Scoring
from jobs.models import Job, JobItem, JobItemQuerySet
from llm.models import Endpoint
from ratings.errors import RatingError
from ratings.models import Rating, RatingItemQuerySet


class LabelAnswer(models.TextChoices):
    """The truth of a generation with regard to the minimal fact, or the reason to leave it out (FACTOR §6.1)."""

    TRUE = "true", "True"
    FALSE = "false", "False"
    NEUTRAL = "neutral", "Neutral"
    ILL_FORMATTED = "ill_formatted", "Ill-formatted generation"
    NOT_FACTUAL = "not_factual", "The original completion is not factual"
    NOT_CONTRADICTORY = "not_contradictory", "The changed completion does not contradict the original"


# Reasons that hold for all texts of the pair.
OF_PAIR = (LabelAnswer.NOT_FACTUAL, LabelAnswer.NOT_CONTRADICTORY)
EXCLUDED = (*OF_PAIR, LabelAnswer.ILL_FORMATTED)


class OpenEndedStudy(Job):
    """A scored model that goes on with the texts before the edits of drawn pairs.

    At most `per_group` pairs that it got right and as many that it got wrong (eq. 2) are drawn with `seed`; each brings
    `generations` texts of at most `answer_tokens` tokens, which `raters` people label. The prompt is cut on the left to
    `prompt_characters`. `right_pairs`, `wrong_pairs`: of the whole benchmark when the study began; `unscored_pairs`
    had no score and belong to neither. A finished study can be resumed for the texts that failed.
    """

    class State(models.TextChoices):
        ASKING = "asking", "Asking"
        STOPPED = "stopped", "Stopped"
        FINISHED = "finished", "Finished"

    ACTIVE = (State.ASKING,)
    RESUMABLE = (State.STOPPED, State.FINISHED)
    STOPPED = State.STOPPED
    FINISHED = State.FINISHED
    TITLE = "study"

    scoring = models.ForeignKey(Scoring, on_delete=models.CASCADE, related_name="open_ended_studies")
    endpoint = models.ForeignKey(Endpoint, on_delete=models.PROTECT, related_name="open_ended_studies")
    reached_as = models.CharField(max_length=300)
    seed = models.BigIntegerField()
    per_group = models.PositiveIntegerField(default=100)
    generations = models.PositiveSmallIntegerField(default=3)
    raters = models.PositiveSmallIntegerField(default=1)
    temperature = models.FloatField(default=1.0)
    answer_tokens = models.PositiveIntegerField(default=64)
    prompt_characters = models.PositiveIntegerField(default=4000)
    right_pairs = models.PositiveIntegerField()
    wrong_pairs = models.PositiveIntegerField()
    unscored_pairs = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.ASKING)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["asking", "stopped", "finished"]), name="open_ended_state_known"
            ),
            models.CheckConstraint(
                condition=Q(per_group__gte=1, generations__gte=1, raters__gte=1, raters__lte=2), name="open_ended_sizes"
            ),
            models.CheckConstraint(condition=Q(temperature__gte=0) & ~Q(reached_as=""), name="open_ended_askable"),
        ]

    def __str__(self) -> str:
        return f"{self.scoring.model}, open-ended, seed {self.seed}"

    def shared_budgets(self) -> Sequence[models.QuerySet[Any]]:
        return (Allowance.objects.holding_for(self.scoring.benchmark.dataset_id, self.created_by_id),)

    @property
    def items(self) -> "OpenEndedGenerationQuerySet":
        """The texts of all its pairs."""
        return OpenEndedGeneration.objects.filter(pair__study=self)


class OpenEndedPair(models.Model):
    """A false completion and the true one of its example, as drawn; `position` mixes the groups.

    `right`: the model gave the true one the higher mean log-probability. `common`: what both begin with, in whole
    words. `fact`: the minimal fact that the false one changes, "" until somebody has written it; `excluded`: a reason
    of OF_PAIR for which the pair is left out instead.
    """

    study = models.ForeignKey(OpenEndedStudy, on_delete=models.CASCADE, related_name="pairs")
    completion = models.ForeignKey(Completion, on_delete=models.CASCADE, related_name="open_ended_pairs")
    position = models.PositiveIntegerField()
    right = models.BooleanField()
    common = models.TextField(blank=True)
    fact = models.TextField(blank=True)
    excluded = models.CharField(max_length=20, choices=LabelAnswer.choices, blank=True)
    written_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    written_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["study", "position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "position"], name="open_ended_position_once"),
            models.UniqueConstraint(fields=["study", "completion"], name="open_ended_pair_once"),
            models.CheckConstraint(
                condition=Q(excluded__in=["", "not_factual", "not_contradictory"]), name="open_ended_pair_excluded_why"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.study}: pair {self.position + 1}"


class OpenEndedGenerationQuerySet(  # type: ignore[override] # as_manager of two query sets
    JobItemQuerySet["OpenEndedGeneration"], RatingItemQuerySet["OpenEndedGeneration"]
):
    def to_label(self) -> "OpenEndedGenerationQuerySet":
        """The texts that are written, of pairs that have a fact and are not left out."""
        return self.done().filter(pair__excluded="").exclude(pair__fact="")


class OpenEndedGeneration(JobItem):
    """The n-th text (`sample`, from 0) with which the model went on; "" where it had nothing to say."""

    RATERS = "pair__study__raters"
    ON_PAGE = ("pair__study", "pair__completion__example")

    pair = models.ForeignKey(OpenEndedPair, on_delete=models.CASCADE, related_name="generations")
    sample = models.PositiveSmallIntegerField()
    text = models.TextField(blank=True)
    finish_reason = models.CharField(max_length=50, blank=True)

    objects = OpenEndedGenerationQuerySet.as_manager()

    class Meta:
        ordering = ["pair__position", "sample"]
        constraints = [
            *JobItem.Meta.constraints,
            models.UniqueConstraint(fields=["pair", "sample"], name="open_ended_sample_once"),
        ]
        indexes = [models.Index(fields=["state", "attempts"], name="open_ended_queue")]

    def __str__(self) -> str:
        return f"{self.pair}, text {self.sample + 1}"


class OpenEndedLabel(Rating):
    """One rater's answer to a generation."""

    ANSWERS = ("answer",)

    item = models.ForeignKey(OpenEndedGeneration, on_delete=models.CASCADE, related_name="ratings")
    answer = models.CharField(max_length=20, choices=LabelAnswer.choices)

    class Meta(Rating.Meta):
        constraints = [
            *Rating.Meta.constraints,
            models.CheckConstraint(
                condition=Q(
                    answer__in=["true", "false", "neutral", "ill_formatted", "not_factual", "not_contradictory"]
                ),
                name="open_ended_answer_known",
            ),
        ]

    def check_answers(self, item: OpenEndedGeneration) -> None:
        if self.answer not in LabelAnswer.values:
            raise RatingError("Say whether the text is true, false or neutral, or why it is left out.")
        super().check_answers(item)
