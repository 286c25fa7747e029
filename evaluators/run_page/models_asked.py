"""What each model of a run took, where the run asks several."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Count, F, Q, Sum
from django.db.models.functions import Coalesce

from evaluators.models import Run
from evaluators.runs.item_calls import answers_given
from llm.models import Call
from llm.price import in_order, unpriced_of

MODEL = ("model", "endpoint__name")


@dataclass(frozen=True)
class ModelAsked:
    """A model at its endpoint. units: those that it judged. answers, tokens, known_usd: of all answers that the run was
    given, known ones included. unpriced: the parts of a price that are not known, and are not in known_usd."""

    model: str
    endpoint: str
    units: int
    answers: int
    tokens: int
    known_usd: float
    unpriced: tuple[str, ...]

    @property
    def cost_usd(self) -> float | None:
        """None where the price of a part is unknown."""
        return None if self.unpriced else self.known_usd


def models_asked(run: Run) -> Sequence[ModelAsked]:
    """Those that judged most units first; () where the run has one model alone, or came with a bundle, which does not
    say who judged which unit."""
    if not run.manifest.get("other_models") or "bundle" in run.manifest:
        return ()
    used = Call.objects.filter(predictions__run=run).order_by()
    units = {tuple(row): count for *row, count in used.values_list(*MODEL).annotate(Count("predictions"))}
    of_model = Call.objects.filter(pk__in=answers_given([run], "calls")).order_by()
    totals = of_model.values(*MODEL, is_unpriced=Q(cost_usd__isnull=True), parts=F("unpriced"))
    totals = totals.annotate(
        answers=Count("pk"),
        known=Sum(Coalesce("cost_usd", "known_usd", Decimal(0))),
        tokens=Sum(Coalesce("prompt_tokens", 0) + Coalesce("completion_tokens", 0)),
    )
    groups: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in totals:
        groups[row["model"], row["endpoint__name"]].append(row)
    asked = [
        ModelAsked(
            *name,
            units=units.get(name, 0),
            answers=sum(row["answers"] for row in rows),
            tokens=sum(row["tokens"] for row in rows),
            known_usd=float(sum(row["known"] for row in rows)),
            unpriced=in_order(unpriced_of(row["parts"]) for row in rows if row["is_unpriced"]),
        )
        for name, rows in groups.items()
    ]
    return sorted(asked, key=lambda each: (-each.units, each.model, each.endpoint))
