"""A benchmark made from a knowledge source: its documents, and what became of each (FACTOR §3.2)."""

from collections.abc import Sequence
from typing import Any

from django.db import models
from django.db.models import F, Q

from annotate.models import Allowance
from annotate.models.prompt_set import LONGEST_NAMED, PROJECT_SET
from factor.models.benchmark import Benchmark
from jobs.models import Job, JobItem, JobItemQuerySet
from knowledge.models import Document, KnowledgeSource
from llm.models import Endpoint


class BenchmarkBuild(Job):
    """How a benchmark is made from the source as it was at `source_revision`: of `documents` of its documents, drawn by
    `seed`, one sentence each.

    The model at the endpoint is asked for `contradictions` of each error type in one call; it sees the last
    `context_words` words of the prefix, and answers with at most `answer_tokens` tokens. `filters`: the settings of the
    third stage (factor/filtering/settings.py). `prompts` names the prompt set, `templates` maps the names of its
    templates that the build sends to their hashes; {} in builds from before sets held them.
    """

    class State(models.TextChoices):
        BUILDING = "building", "Being built"
        STOPPED = "stopped", "Stopped"
        FINISHED = "finished", "Finished"

    ACTIVE = (State.BUILDING,)
    RESUMABLE = (State.STOPPED,)
    STOPPED = State.STOPPED
    FINISHED = State.FINISHED
    TITLE = "build"

    benchmark = models.OneToOneField(Benchmark, primary_key=True, on_delete=models.CASCADE, related_name="build")
    source = models.ForeignKey(KnowledgeSource, on_delete=models.PROTECT, related_name="builds")
    source_revision = models.PositiveIntegerField()
    documents = models.PositiveIntegerField()
    seed = models.BigIntegerField()
    endpoint = models.ForeignKey(Endpoint, on_delete=models.PROTECT, related_name="builds")
    model = models.CharField(max_length=200)
    interface = models.CharField(max_length=20, default="chat")
    temperature = models.FloatField(default=0.0)
    contradictions = models.PositiveSmallIntegerField(default=3)
    context_words = models.PositiveSmallIntegerField(default=100)
    answer_tokens = models.PositiveIntegerField(default=1024)
    filters = models.JSONField(default=dict, blank=True)
    prompts = models.CharField(max_length=LONGEST_NAMED, default=PROJECT_SET, db_default=PROJECT_SET)
    templates = models.JSONField(default=dict, db_default={}, blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.BUILDING)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["building", "stopped", "finished"]), name="build_state_known"
            ),
            models.CheckConstraint(condition=~Q(model=""), name="build_names_its_model"),
            models.CheckConstraint(
                condition=Q(documents__gte=1, contradictions__gte=1, temperature__gte=0), name="build_asks_for_some"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.benchmark} of {self.source}"

    def shared_budgets(self) -> Sequence[models.QuerySet[Any]]:
        return (Allowance.objects.holding_for(self.benchmark.dataset_id, self.created_by_id),)


class BenchmarkBuildItemQuerySet(JobItemQuerySet["BenchmarkBuildItem"]):
    def made(self) -> "BenchmarkBuildItemQuerySet":
        return self.filter(outcome=BenchmarkBuildItem.Outcome.MADE)

    def left_out(self) -> "BenchmarkBuildItemQuerySet":
        return self.filter(outcome=BenchmarkBuildItem.Outcome.LEFT_OUT)


class BenchmarkBuildItem(JobItem):
    """One document of a build. `stage`: the one that it waits for, or that it ended in.

    `sentence` are the characters [start, end) of the document's text, "" before one is chosen; the prefix is all before
    it. `outcome` "" while it is under way or has failed; `reason` why it was left out.
    """

    class Stage(models.TextChoices):
        SELECT = "select", "Select"
        GENERATE = "generate", "Generate"
        FILTER = "filter", "Filter"
        CHOOSE = "choose", "Choose"

    class Outcome(models.TextChoices):
        MADE = "made", "An example"
        LEFT_OUT = "left out", "Left out"

    class Reason(models.TextChoices):
        EMPTY = "empty", "It has no text"
        ONLY_HEADLINES = "only headlines", "It has headlines only, no sentence"
        ONLY_FIRST = "only first", "Only its first sentence can be used, and before that there is no prefix"
        TOO_SHORT = "too short", "Its sentences have fewer than 10 words"
        ENDLESS = "endless", "Its sentences are endless"
        NO_TYPE = "no type", "No error type applies to the sentence"
        NOTHING_GENERATED = "nothing generated", "The model brought no contradiction that can be used"
        TOO_FEW = "too few", "Fewer than three contradictions were kept"

    build = models.ForeignKey(BenchmarkBuild, on_delete=models.CASCADE, related_name="items")
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="build_items")
    position = models.PositiveIntegerField()
    stage = models.CharField(max_length=10, choices=Stage.choices, default=Stage.SELECT)
    sentence = models.TextField(blank=True)
    start = models.PositiveIntegerField(default=0)
    end = models.PositiveIntegerField(default=0)
    outcome = models.CharField(max_length=10, choices=Outcome.choices, blank=True)
    reason = models.CharField(max_length=20, choices=Reason.choices, blank=True)

    objects = BenchmarkBuildItemQuerySet.as_manager()

    class Meta:
        ordering = ["build", "position"]
        constraints = [
            *JobItem.Meta.constraints,
            models.UniqueConstraint(fields=["build", "position"], name="build_item_once"),
            models.UniqueConstraint(fields=["build", "document"], name="build_document_once"),
            models.CheckConstraint(condition=Q(end__gte=F("start")), name="build_item_in_order"),
            models.CheckConstraint(
                condition=Q(outcome="left out") & ~Q(reason="") | Q(outcome__in=["", "made"], reason=""),
                name="build_item_left_out_says_why",
            ),
        ]
        indexes = [models.Index(fields=["build", "state", "attempts"], name="build_queue")]

    def __str__(self) -> str:
        return f"{self.build} {self.position + 1}"

    @property
    def prefix(self) -> str:
        """All of the document's text before the sentence."""
        return self.document.text[: self.start]
