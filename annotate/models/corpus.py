"""Prompts, the responses to them, and the imports that brought them."""

import json
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q, Value
from django.utils import timezone

from annotate.models.dataset import Dataset
from annotate.models.values import Stance

if TYPE_CHECKING:
    from annotate.models.gold import GoldLabel
    from annotate.models.review import Signature
    from annotate.models.work import Label


class Import(models.Model):
    """One file on its way in. Its responses are invisible until `finished_at` is set, in one statement.

    `beat_at` is renewed while rows are written: an unfinished import whose beat has stopped was killed. The next import
    of the dataset marks it `abandoned`, so that it cannot go on should it live after all, and sweeps its rows.
    """

    class Format(models.TextChoices):
        FELM = "felm", "FELM"
        FACTSCORE = "factscore", "FActScore"
        RESPONSES = "responses", "Unlabelled responses"
        FOR_FACTS = "responses-for-facts", "Unlabelled responses, for atomic facts"
        CLAIMS = "claims", "Claims against a source"
        MAPPED = "mapped", "By a recipe"

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="imports")
    format = models.CharField(max_length=20, choices=Format.choices)
    recipe = models.JSONField(null=True, blank=True, help_text="The recipe as it was; null for the other formats.")
    subject = models.CharField(max_length=200, blank=True)
    file_name = models.CharField(max_length=255)
    file_hash = models.CharField(max_length=64)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    started_at = models.DateTimeField(auto_now_add=True)
    beat_at = models.DateTimeField(auto_now_add=True)
    abandoned = models.BooleanField(default=False)
    finished_at = models.DateTimeField(null=True, blank=True)
    created = models.PositiveIntegerField(default=0)
    unchanged = models.PositiveIntegerField(default=0)
    skipped = models.PositiveIntegerField(default=0, db_default=0)
    warnings = models.JSONField(default=list)

    class Meta:
        ordering = ["-started_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["dataset"], condition=Q(finished_at__isnull=True), name="import_one_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.file_name} into {self.dataset}"


class SkippedRow(models.Model):
    """A row of an import's file that could not be taken. content: the row as JSON in ASCII, "" where it is none."""

    imported = models.ForeignKey(Import, on_delete=models.CASCADE, related_name="skipped_rows")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=200)
    cause = models.TextField()
    content = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["imported", "number"], name="skipped_row_once")]

    def __str__(self) -> str:
        return f"{self.imported}, row {self.number}"


class Prompt(models.Model):
    """A question to a model. FELM's prompts belong to one response each; FActScore's are shared between subjects."""

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="prompts")
    text = models.TextField()
    domain = models.CharField(max_length=100, blank=True)
    source = models.TextField(blank=True)
    topic = models.CharField(max_length=300, blank=True)
    frequency = models.CharField(max_length=50, blank=True)
    nationality = models.CharField(max_length=100, blank=True)
    extra = models.JSONField(default=dict, blank=True)
    reference_facts = models.JSONField(
        null=True, blank=True, help_text="Texts: what a complete answer states; null for no list."
    )

    class Meta:
        indexes = [
            models.Index(fields=["dataset", "domain"], name="prompt_domain"),
            models.Index(fields=["dataset", "topic"], name="prompt_topic"),
        ]

    def __str__(self) -> str:
        return self.text[:80]


def complete(path: str = "") -> Q:
    """The condition that a response is of a complete import; path: that to the response, such as "response__"."""
    return Q(**{f"{path}imported__finished_at__isnull": False})


def visible(path: str = "") -> Q:
    """The condition that a response counts: its import is complete, and it was not removed by selection."""
    return complete(path) & Q(**{f"{path}removed_at__isnull": True})


class ResponseQuerySet(models.QuerySet["Response"]):
    def complete(self) -> "ResponseQuerySet":
        """Those whose import is complete, removed ones too."""
        return self.filter(complete())

    def visible(self) -> "ResponseQuerySet":
        """Those that count."""
        return self.filter(visible())

    def with_text(self, text: str) -> "ResponseQuerySet":
        """Those whose own text, prompt or topic has the text in it."""
        return self.filter(Q(text__icontains=text) | Q(prompt__text__icontains=text) | Q(prompt__topic__icontains=text))


class Response(models.Model):
    """A subject model's answer to a prompt.

    `index` is the row's key in its file as text (FActScore: subject/topic); `position` its place in the dataset.
    `content_hash` is that of the row as imported (annotate/corpus/rows.py): the same row again is unchanged.
    `extra` keeps the fields of the file without a column, so that an export gives them back; `details` what is not read
    of its row. Annotators do not see these: there may be labels or the names of models. `removed_at`: since when it
    counts nowhere; who removed it and why stands in a Removal.
    """

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="responses")
    imported = models.ForeignKey(Import, on_delete=models.CASCADE, related_name="responses")
    prompt = models.ForeignKey(Prompt, on_delete=models.CASCADE, related_name="responses")
    task = models.ForeignKey(
        "annotate.Task", null=True, blank=True, on_delete=models.SET_NULL, related_name="responses"
    )
    index = models.CharField(max_length=500)
    position = models.PositiveIntegerField()
    subject = models.CharField(max_length=200, blank=True)
    text = models.TextField(blank=True)
    abstained = models.BooleanField(default=False)
    content_hash = models.CharField(max_length=64)
    extra = models.JSONField(default=dict, blank=True)
    details = models.JSONField(default=dict, db_default=Value({}, models.JSONField()), blank=True)
    removed_at = models.DateTimeField(null=True, blank=True)

    objects = ResponseQuerySet.as_manager()

    class Meta:
        ordering = ["dataset", "position"]
        constraints = [
            models.UniqueConstraint(fields=["dataset", "index"], name="response_index_once"),
            models.UniqueConstraint(fields=["dataset", "position"], name="response_position_once"),
        ]
        indexes = [
            models.Index(fields=["dataset", "subject"], name="response_subject"),
            # The visible ones are counted without reading their texts.
            models.Index(fields=["dataset", "imported", "removed_at"], name="response_of_import"),
            models.Index(fields=["dataset"], condition=Q(removed_at__isnull=False), name="response_removed"),
        ]

    def __str__(self) -> str:
        return f"{self.dataset} {self.index}"

    @property
    def heading(self) -> str:
        """What a list calls it by: its prompt; of a claim that stands alone, which nobody asked for, the claim."""
        return self.prompt.text or self.text

    def shown_details(self) -> list[tuple[str, str]]:
        """Each by its key, what is no text as JSON."""
        return [
            (key, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
            for key, value in self.details.items()
        ]

    def signatures_in_force(self) -> dict[str, "Signature"]:
        """The signatures that count, by level."""
        return {each.level: each for each in self.signatures.filter(withdrawn_at__isnull=True).select_related("who")}

    def withdraw_signatures(self) -> None:
        """Withdraw signatures that stand for other gold than there will be: they stay on record, but count no more."""
        self.signatures.filter(withdrawn_at__isnull=True).update(withdrawn_at=timezone.now())


class SubjectSample(models.Model):
    """Another answer of the same subject model to the same prompt, for self-checking (FActScore §4.1).

    Nobody labels it, so it is no response: it has neither segments nor a place in the dataset.
    """

    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="other_samples")
    position = models.PositiveIntegerField()
    text = models.TextField()

    class Meta:
        ordering = ["response", "position"]
        constraints = [
            models.UniqueConstraint(fields=["response", "position"], name="subject_sample_position_once"),
        ]

    def __str__(self) -> str:
        return f"{self.response}, sample {self.position + 1}"


class ReferenceLink(models.Model):
    """A source that bears on a response, a label or gold: exactly one of the three.

    For a response the file's two lists are kept verbatim: row i holds the i-th url and the i-th retrieved content.
    Where the lists differ in length the surplus rows have a null in the other column; the pairing is only by position.
    One of a label or of gold is a card: `quote` is the passage it goes by, `stance` what that does to the unit, and
    the quote stands in `document`, a page of the knowledge source, or in `snapshot`, a page of the web as it was.
    `quote_found` says whether it does; null: there is no quote, or no text yet to look in.
    """

    response = models.ForeignKey(Response, null=True, blank=True, on_delete=models.CASCADE, related_name="references")
    label = models.ForeignKey(
        "annotate.Label", null=True, blank=True, on_delete=models.CASCADE, related_name="references"
    )
    gold = models.ForeignKey(
        "annotate.GoldLabel", null=True, blank=True, on_delete=models.CASCADE, related_name="references"
    )
    position = models.PositiveIntegerField()
    url = models.TextField(null=True, blank=True)  # noqa: DJ001 - null: no url at this place; "" is the file's own
    content = models.TextField(null=True, blank=True)  # noqa: DJ001 - likewise
    quote = models.TextField(blank=True, default="", db_default="")
    stance = models.CharField(max_length=20, choices=Stance.choices, blank=True, default="", db_default="")
    document = models.ForeignKey(
        "knowledge.Document", null=True, blank=True, on_delete=models.PROTECT, related_name="references"
    )
    snapshot = models.ForeignKey(
        "knowledge.Snapshot", null=True, blank=True, on_delete=models.PROTECT, related_name="references"
    )
    quote_found = models.BooleanField(null=True, blank=True)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.CheckConstraint(
                condition=(
                    Q(response__isnull=False, label__isnull=True, gold__isnull=True)
                    | Q(response__isnull=True, label__isnull=False, gold__isnull=True)
                    | Q(response__isnull=True, label__isnull=True, gold__isnull=False)
                ),
                name="reference_has_one_owner",
            ),
            models.CheckConstraint(
                condition=Q(url__isnull=False) | Q(content__isnull=False) | Q(document__isnull=False),
                name="reference_not_empty",
            ),
            models.CheckConstraint(condition=Q(stance__in=["", *Stance.values]), name="reference_stance_known"),
            models.UniqueConstraint(fields=["response", "position"], name="reference_place_in_response"),
            models.UniqueConstraint(fields=["label", "position"], name="reference_place_in_label"),
            models.UniqueConstraint(fields=["gold", "position"], name="reference_place_in_gold"),
        ]

    def __str__(self) -> str:
        return self.url or (self.content or "")[:80]

    @property
    def owner(self) -> "Response | Label | GoldLabel":
        """The row that cites it."""
        owner = self.label or self.gold or self.response
        assert owner is not None  # noqa: S101 - a constraint: exactly one of the three
        return owner

    @property
    def location(self) -> str:
        """Where the reference is to be found: its link, else its document's, else the document's title."""
        if self.url or self.document is None:
            return self.url or ""
        return self.document.url or self.document.title
