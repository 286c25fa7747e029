"""The passages before the input while a benchmark is scored with retrieval (FACTOR §4.3)."""

from django.db import models

from factor.models.scoring import CompletionScore, Scoring


class RetrievalCorpus(models.Model):
    """The passages that a scoring may retrieve: of its source as it was in `revision`, without excluded documents.

    `excluded`: the primary keys of the excluded documents, by the reason (factor/retrieval/exclude.py).
    """

    scoring = models.OneToOneField(Scoring, on_delete=models.CASCADE, related_name="retrieval_corpus")
    revision = models.PositiveIntegerField()
    excluded = models.JSONField(default=dict, blank=True)

    def __str__(self) -> str:
        return f"{self.scoring}: revision {self.revision}"


class Retrieved(models.Model):
    """Under which passage each stride of a completion was scored: `strides` are [first token, passage] in order, the
    passage's primary key None where nothing was found."""

    score = models.OneToOneField(CompletionScore, on_delete=models.CASCADE, related_name="retrieved")
    strides = models.JSONField(default=list, blank=True)

    def __str__(self) -> str:
        return f"{self.score}: {len(self.strides)} strides"
