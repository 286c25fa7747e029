"""Sentences that editors corrected, and what people say of them (FActScore appendix C)."""

from django.db import models

from annotate.models import Segment
from evaluators.models.run import Run
from llm.models import Call
from ratings.errors import RatingError
from ratings.models import Rating, RatingItem, RatingItemQuerySet, RatingSample, Settlement


class SentenceEdit(models.Model):
    """A sentence as an editor's run corrected it, once a run.

    `text` is "" where the editor takes the sentence out, and null where its output could not be parsed; `calls` are the
    model's answers it was read from.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="sentence_edits")
    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="sentence_edits")
    text = models.TextField(null=True, blank=True)  # noqa: DJ001 - null is "unparsed"
    calls = models.ManyToManyField(Call, related_name="sentence_edits", blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "segment"], name="sentence_edit_once")]

    def __str__(self) -> str:
        return f"{self.run}: {'unparsed' if self.text is None else self.text[:80]}"


class EditSample(RatingSample):
    """Edits of a run, drawn once and for all; each is accepted or rejected by `raters` people."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="edit_samples")

    class Meta(RatingSample.Meta):
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.size} edits of {self.run}"


class EditItem(RatingItem):
    """One drawn edit."""

    ON_PAGE = ("sample__run__dataset", "edit__segment__response__prompt")

    sample = models.ForeignKey(EditSample, on_delete=models.CASCADE, related_name="items")
    edit = models.ForeignKey(SentenceEdit, on_delete=models.CASCADE, related_name="items")

    objects = RatingItemQuerySet["EditItem"].as_manager()

    class Meta(RatingItem.Meta):
        constraints = [
            *RatingItem.Meta.constraints,
            models.UniqueConstraint(fields=["sample", "edit"], name="edit_item_once"),
        ]


class EditRating(Rating):
    """Answers: the edit is accepted; it brings in a new error."""

    ANSWERS = ("accepted", "new_error")

    item = models.ForeignKey(EditItem, on_delete=models.CASCADE, related_name="ratings")
    accepted = models.BooleanField()
    new_error = models.BooleanField()

    class Meta(Rating.Meta):
        pass

    def check_answers(self, item: EditItem) -> None:
        super().check_answers(item)
        if self.accepted is None or self.new_error is None:
            raise RatingError("Answer both questions.")


class EditSettlement(Settlement):
    """Whether an edit is accepted on which its raters differ."""

    item = models.OneToOneField(EditItem, on_delete=models.CASCADE, related_name="settlement")
    accepted = models.BooleanField()
