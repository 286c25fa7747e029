"""Draw a sample of a run's edits: simple random, without replacement, repeatable by its seed."""

from django.db import transaction
from django.db.models import F

from annotate.models import User
from evaluators.models import EditSample, Run, SentenceEdit
from ratings.draw import add_items, check_draw, draw


@transaction.atomic
def draw_sample(run: Run, size: int, raters: int, seed: int, created_by: User | None) -> EditSample:
    """Draw `size` of the edits that changed their sentence; each is rated by `raters` people. The same seed over the
    same edits draws the same. Raises DrawError."""
    changed = SentenceEdit.objects.filter(run=run, text__isnull=False).exclude(text=F("segment__text"))
    keys = list(changed.order_by("segment__response__position", "segment__position").values_list("pk", flat=True))
    check_draw(size, len(keys), "its changed sentences", f"{run.evaluator.name} changed no sentence", raters)
    sample = EditSample.objects.create(
        run=run, size=size, population=len(keys), raters=raters, seed=seed, created_by=created_by
    )
    add_items(sample, [{"edit_id": key} for key in draw(keys, size, seed)])
    return sample
