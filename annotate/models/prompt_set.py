"""Prompt sets that people uploaded: kept for good, a version for each content."""

import re

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q

from annotate.models.dataset import Dataset

NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
HASH_SHOWN = 12
PROJECT_SET = "touchstone"
LONGEST_NAMED = 100  # of a set as the parameter prompts names it, a version included


class PromptSet(models.Model):
    """One version of an uploaded set of prompt templates; an upload is never changed.

    It belongs to a dataset; `dataset` None: an administrator shared it with all of them. `templates` maps the name of
    each template to its text; `hash` is the SHA-256 over all of them (annotate/prompt_sets/sets.py). `version` counts
    from 1 the uploads of that name to the dataset.
    """

    dataset = models.ForeignKey(Dataset, null=True, blank=True, on_delete=models.CASCADE, related_name="prompt_sets")
    name = models.CharField(max_length=60, validators=[RegexValidator(rf"^{NAME.pattern}$")])
    version = models.PositiveIntegerField()
    hash = models.CharField(max_length=64)
    templates = models.JSONField()
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    uploaded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "evaluators_promptset"  # as when it was of evaluators: older code goes on during an upgrade
        ordering = ["name", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["dataset", "name", "version"], name="prompt_set_version_once"),
            models.UniqueConstraint(fields=["dataset", "name", "hash"], name="prompt_set_content_once"),
            models.UniqueConstraint(
                fields=["name", "version"], condition=Q(dataset=None), name="prompt_set_shared_version_once"
            ),
            models.UniqueConstraint(
                fields=["name", "hash"], condition=Q(dataset=None), name="prompt_set_shared_content_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}@{self.hash[:HASH_SHOWN]}"
