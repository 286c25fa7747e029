"""Collected prompts, the models that are asked, and their answers."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotate.models.dataset import Dataset
from annotate.models.grants import Allowance
from annotate.models.prompt_set import LONGEST_NAMED, PROJECT_SET
from jobs.models import GroupedItem, Job, JobItem, JobItemQuerySet


class CollectedPrompt(models.Model):
    """A prompt that is to be answered. What a model answers becomes a response, with a prompt of its own there."""

    class Origin(models.TextChoices):
        FILE = "file", "Imported"
        MODEL = "model", "Written by a model"

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="collected_prompts")
    position = models.PositiveIntegerField()
    text = models.TextField()
    domain = models.CharField(max_length=100, blank=True)
    source = models.TextField(blank=True)
    topic = models.CharField(max_length=300, blank=True)
    frequency = models.CharField(max_length=50, blank=True)
    nationality = models.CharField(max_length=100, blank=True)
    origin = models.CharField(max_length=10, choices=Origin.choices, default=Origin.FILE)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["dataset", "position"]
        constraints = [
            models.UniqueConstraint(fields=["dataset", "position"], name="collected_position_once"),
            models.CheckConstraint(condition=Q(origin__in=["file", "model"]), name="collected_origin_known"),
        ]

    def __str__(self) -> str:
        return self.text[:80]


class SubjectModel(models.Model):
    """Facts about a model whose responses are in the dataset (FActScore table 7). "" and null: not known."""

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="subject_models")
    name = models.CharField(max_length=200, help_text="As its responses name it.")
    base = models.CharField(max_length=200, blank=True, help_text="The model that it was tuned from.")
    size = models.CharField(max_length=50, blank=True, help_text="Number of parameters, such as 7B.")
    taught_by = models.CharField(max_length=200, blank=True, help_text="Models whose answers it was trained on.")
    open = models.BooleanField(null=True, blank=True, help_text="Whether its weights can be had.")
    released = models.CharField(max_length=10, blank=True, help_text="Year and month, such as 2023-03.")

    class Meta:
        ordering = ["dataset", "name"]
        constraints = [
            models.UniqueConstraint(fields=["dataset", "name"], name="subject_model_once"),
            models.CheckConstraint(condition=~Q(name=""), name="subject_model_named"),
        ]

    def __str__(self) -> str:
        return self.name


class Generation(Job):
    """A model asked in bulk for answers to a dataset's prompts, zero-shot (FELM §3.5, FActScore §4.3).

    `samples` are the other answers to each prompt, for self-checking, drawn at `sample_temperature`. The answers become
    responses of `subject` when all have settled, or when somebody who has stopped it says so. An answer has at most
    `answer_tokens` tokens.
    """

    class State(models.TextChoices):
        ASKING = "asking", "Asking"
        STOPPED = "stopped", "Stopped"
        FINISHED = "finished", "Finished"

    ACTIVE = (State.ASKING,)
    RESUMABLE = (State.STOPPED,)
    STOPPED = State.STOPPED
    FINISHED = State.FINISHED
    TITLE = "asking"

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="generations")
    subject = models.CharField(max_length=200)
    endpoint = models.ForeignKey("llm.Endpoint", on_delete=models.PROTECT, related_name="generations")
    model = models.CharField(max_length=200)
    interface = models.CharField(max_length=20, default="chat")
    temperature = models.FloatField(default=0.0)
    answer_tokens = models.PositiveIntegerField(default=1024)
    samples = models.PositiveSmallIntegerField(default=0)
    sample_temperature = models.FloatField(default=1.0)
    state = models.CharField(max_length=10, choices=State.choices, default=State.ASKING)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["dataset", "subject"], condition=~Q(state="finished"), name="generation_one_under_way"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["asking", "stopped", "finished"]), name="generation_state_known"
            ),
            models.CheckConstraint(condition=~Q(model="") & ~Q(subject=""), name="generation_names_its_model"),
            models.CheckConstraint(
                condition=Q(temperature__gte=0) & Q(sample_temperature__gte=0), name="generation_not_frozen"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.subject} for {self.dataset}"

    def shared_budgets(self) -> Sequence[models.QuerySet[Any]]:
        return (Allowance.objects.holding_for(self.dataset_id, self.created_by_id),)


class GenerationItem(JobItem):
    """One prompt of a generation. `text` "" where the model had nothing to say; `finish_reason` "length" means that it
    was cut off."""

    generation = models.ForeignKey(Generation, on_delete=models.CASCADE, related_name="items")
    prompt = models.ForeignKey(CollectedPrompt, on_delete=models.CASCADE, related_name="items")
    text = models.TextField(blank=True)
    finish_reason = models.CharField(max_length=50, blank=True)
    samples = models.JSONField(default=list)

    objects = JobItemQuerySet.as_manager()

    class Meta:
        ordering = ["prompt__position"]
        constraints = [
            *JobItem.Meta.constraints,
            models.UniqueConstraint(fields=["generation", "prompt"], name="generation_item_once"),
        ]
        indexes = [models.Index(fields=["generation", "state", "attempts"], name="generation_queue")]

    def __str__(self) -> str:
        return f"{self.generation}: {self.prompt}"


class PromptWriting(GroupedItem):
    """A model asked to write prompts of the domain after those that people drafted, by self-instruct (FELM §3.4).

    `prompts` are in their order; `refused` counts prompts left out because they overlap with another. `prompt_set`
    names the templates that are sent; `prompt_hash` is that of the one that was, "" before the end.
    """

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="prompt_writings")
    endpoint = models.ForeignKey("llm.Endpoint", on_delete=models.PROTECT, related_name="prompt_writings")
    model = models.CharField(max_length=200)
    domain = models.CharField(max_length=100, blank=True)
    wanted = models.PositiveSmallIntegerField()
    seed = models.BigIntegerField()
    prompts = models.JSONField(default=list)
    refused = models.PositiveIntegerField(default=0)
    prompt_set = models.CharField(max_length=LONGEST_NAMED, default=PROJECT_SET, db_default=PROJECT_SET)
    prompt_hash = models.CharField(max_length=64, blank=True, default="", db_default="")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)

    objects = JobItemQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            *GroupedItem.Meta.constraints,
            models.CheckConstraint(condition=~Q(model=""), name="prompt_writing_names_its_model"),
        ]

    def __str__(self) -> str:
        return f"{self.wanted} prompts for {self.dataset}"

    def shared_budgets(self) -> Sequence[models.QuerySet[Any]]:
        return (Allowance.objects.holding_for(self.dataset_id, self.created_by_id),)
