"""Language models, and their scores of completions (FACTOR §3.1, §4.2)."""

from collections.abc import Sequence
from typing import Any

from django.db import models
from django.db.models import Q

from annotate.models import Allowance, Dataset
from factor.models.benchmark import Benchmark, Completion, Example
from factor.models.model_pass import ModelPass
from jobs.models import JobItem, JobItemQuerySet
from knowledge.models import KnowledgeSource
from llm.models import Endpoint


class ScoredModel(models.Model):
    """A language model, and how it is reached.

    `reached_by` an endpoint, which knows it as `reached_as`, or its weights in this process: `reached_as` then names
    their folder (transformers) or file (llama-cpp) in WEIGHTS_DIR. One that was scored elsewhere came with a file of
    its scores. `parameters`: how many it has; `cutoff`: the date of
    the last text that it was trained on; None where it is not known. `family`: whose sizes are one line of a chart.
    """

    class Reached(models.TextChoices):
        ENDPOINT = "endpoint", "An endpoint"
        TRANSFORMERS = "transformers", "Weights, by transformers"
        LLAMA_CPP = "llama-cpp", "A GGUF file, by llama.cpp"
        ELSEWHERE = "elsewhere", "Scored elsewhere"

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="scored_models")
    name = models.CharField(max_length=200)
    family = models.CharField(max_length=100, blank=True)
    parameters = models.PositiveBigIntegerField(null=True, blank=True)
    cutoff = models.DateField(null=True, blank=True)
    reached_by = models.CharField(max_length=20, choices=Reached.choices)
    endpoint = models.ForeignKey(
        Endpoint, null=True, blank=True, on_delete=models.PROTECT, related_name="scored_models"
    )
    reached_as = models.CharField(max_length=300)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["dataset", "family", "parameters", "name"]
        constraints = [
            models.UniqueConstraint(fields=["dataset", "name"], name="scored_model_once"),
            models.CheckConstraint(condition=~Q(name="") & ~Q(reached_as=""), name="scored_model_named"),
            models.CheckConstraint(
                condition=Q(reached_by="endpoint", endpoint__isnull=False)
                | Q(reached_by__in=["transformers", "llama-cpp", "elsewhere"], endpoint__isnull=True),
                name="scored_model_reached",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Scoring(ModelPass):
    """A model's pass over a benchmark.

    The prefix is cut on the left so that it fits into `context_length` tokens with the completion; without
    `with_prefix` there is none, which tells what the completions give away by themselves. `source`: the knowledge
    source of in-context retrieval (FACTOR §4.3), every `stride` tokens with the last `query_tokens`; None without
    retrieval. `start_token`: a local model reads each text after the token that its tokenizer puts before texts, which
    the published code leaves out. Its `scored_tokens` are those of completions.
    """

    TITLE = "scoring"

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="scorings")
    model = models.ForeignKey(ScoredModel, on_delete=models.PROTECT, related_name="scorings")
    with_prefix = models.BooleanField(default=True)
    # Code before version 0.3.0 always has the token.
    start_token = models.BooleanField(db_default=True, default=False)
    source = models.ForeignKey(
        KnowledgeSource, null=True, blank=True, on_delete=models.PROTECT, related_name="scorings"
    )
    stride = models.PositiveSmallIntegerField(default=8)
    query_tokens = models.PositiveSmallIntegerField(default=32)

    class Meta(ModelPass.Meta):
        constraints = [
            *ModelPass.Meta.constraints,
            models.CheckConstraint(
                condition=Q(context_length__gte=2, stride__gte=1, query_tokens__gte=1), name="scoring_has_room"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.model} on {self.benchmark}"

    def shared_budgets(self) -> Sequence[models.QuerySet[Any]]:
        """None of them where it calls no model at an endpoint."""
        if self.model.endpoint_id is None:
            return ()
        return (Allowance.objects.holding_for(self.benchmark.dataset_id, self.created_by_id),)


class ScoringItem(JobItem):
    """One example of a scoring: all of its completions are scored together."""

    scoring = models.ForeignKey(Scoring, on_delete=models.CASCADE, related_name="items")
    example = models.ForeignKey(Example, on_delete=models.CASCADE, related_name="scoring_items")

    objects = JobItemQuerySet.as_manager()

    class Meta:
        ordering = ["scoring", "example__position"]
        constraints = [
            *JobItem.Meta.constraints,
            models.UniqueConstraint(fields=["scoring", "example"], name="scoring_item_once"),
        ]
        indexes = [models.Index(fields=["scoring", "state", "attempts"], name="scoring_queue")]

    def __str__(self) -> str:
        return f"{self.scoring}: {self.example}"


class CompletionScore(models.Model):
    """A model's score of one completion: of each of its tokens [start, end, logprob] (language_models/base.py), and
    their `total` and `count`. None, 0 and [] where it has no score; `error` holds the reason."""

    scoring = models.ForeignKey(Scoring, on_delete=models.CASCADE, related_name="scores")
    completion = models.ForeignKey(Completion, on_delete=models.CASCADE, related_name="scores")
    tokens = models.JSONField(default=list, blank=True)
    total = models.FloatField(null=True, blank=True)
    count = models.PositiveIntegerField(default=0)
    prefix_tokens = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["scoring", "completion"], name="completion_score_once"),
            models.CheckConstraint(
                condition=Q(total__isnull=False, count__gte=1, error="")
                | Q(total__isnull=True, count=0) & ~Q(error=""),
                name="completion_scored_or_says_why",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.scoring}: {self.completion}"
