"""What each model of a run took, where the run asks several."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, Sum
from django.db.models.functions import Coalesce

from evaluators.models import Run
from evaluators.runs.item_calls import answers_given
from llm.models import Call

MODEL = ("model", "endpoint__name")


@dataclass(frozen=True)
class ModelAsked:
    """A model at its endpoint. units: those that it judged. answers, tokens, cost_usd: of all answers that the run was
    given, known ones included; cost_usd is None where the price of any is unknown."""

    model: str
    endpoint: str
    units: int
    answers: int
    tokens: int
    cost_usd: float | None


def models_asked(run: Run) -> Sequence[ModelAsked]:
    """Those that judged most units first; () where the run has one model alone, or came with a bundle, which does not
    say who judged which unit."""
    if not run.manifest.get("other_models") or "bundle" in run.manifest:
        return ()
    used = Call.objects.filter(predictions__run=run).order_by()
    units = {tuple(row): count for *row, count in used.values_list(*MODEL).annotate(Count("predictions"))}
    totals = Call.objects.filter(pk__in=answers_given([run], "calls")).order_by().values(*MODEL)
    totals = totals.annotate(
        answers=Count("pk"),
        unpriced=Count("pk", filter=Q(cost_usd__isnull=True)),
        cost=Sum("cost_usd"),
        tokens=Sum(Coalesce("prompt_tokens", 0) + Coalesce("completion_tokens", 0)),
    )
    asked = [
        ModelAsked(
            model=row["model"],
            endpoint=row["endpoint__name"],
            units=units.get((row["model"], row["endpoint__name"]), 0),
            answers=row["answers"],
            tokens=row["tokens"] or 0,
            cost_usd=None if row["unpriced"] else float(row["cost"] or 0),
        )
        for row in totals
    ]
    return sorted(asked, key=lambda each: (-each.units, each.model, each.endpoint))
