"""Send an audit: candidates and controls are drawn, and go to a second look that does not reveal which is which."""

import random
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from django.db import transaction

from annotate.models import User
from annotate.second_look.send import MOST_LOOKERS, send
from core.form_fields import NumberField
from evaluators.audit.find import AuditEvaluator, AuditUnits, addresses_of
from evaluators.comparison.study import ComparisonStudy
from evaluators.models import AuditItem, GoldAudit
from ratings.draw import BATCH, seeded
from ratings.errors import DrawError
from ratings.forms import DrawForm
from stats.arrays import Ints
from stats.gold_table import VALUES


class SendForm(DrawForm):
    """The size of an audit."""

    REFUSED: ClassVar[str] = "Nothing was sent. {}"

    size = None  # type: ignore[assignment] # Django's way to remove a field
    most = NumberField(
        label="Candidates at most",
        min_value=1,
        max_value=1_000,
        initial=100,
        help_text="Random, if there are more.",
    )
    controls = NumberField(label="Controls", min_value=1, max_value=1_000, help_text="Best: as many as candidates.")
    wants = NumberField(label="People each", min_value=1, max_value=MOST_LOOKERS, initial=1)
    field_order = ("most", "controls", "wants", "seed")


@dataclass(frozen=True)
class AuditDesign:
    """least: evaluators that contradict gold at a candidate. most: candidates to send, drawn at random where there are
    more. controls: units to mix among them. wants: people who look at each. chosen: evaluators were picked by hand."""

    least: int
    most: int
    controls: int
    wants: int
    seed: int
    chosen: bool = False


@transaction.atomic
def send_audit(
    study: ComparisonStudy, evaluators: list[AuditEvaluator], units: AuditUnits, design: AuditDesign, who: User
) -> GoldAudit:
    """Raises DrawError: no candidate, or fewer controls than would hide them, or as `annotate.second_look.send`."""
    candidates = units.candidates(design.least)
    if not len(candidates):
        raise DrawError("No unit that can be sent has so many contradictions.")
    chance = seeded(design.seed)
    drawn = np.sort(chance.sample(candidates.tolist(), min(design.most, len(candidates))))
    controls = _draw_controls(chance, units, drawn, units.controls(design.least), design.controls)
    if len(controls) < design.controls:
        raise DrawError(f"Only {len(controls):,} units can be controls, not {design.controls:,}.")
    places = np.concatenate([drawn, controls])
    addresses = addresses_of(study.table, units.row[places].tolist())
    items = send(study.dataset, addresses, design.wants, design.seed, study.dataset.gold_revision, who)
    frozen = study.dataset.gold_versions.filter(revision=study.dataset.gold_revision)
    audit = GoldAudit.objects.create(
        dataset=study.dataset,
        second_look=items[0].sample,
        version=frozen.order_by("-pk").first(),
        chosen=design.chosen,
        least=design.least,
        candidates=len(candidates),
        seed=design.seed,
        made_by=who,
    )
    audit.runs.set([each.judge.run for each in evaluators if each.judge.run is not None])
    AuditItem.objects.bulk_create(
        [
            AuditItem(
                audit=audit,
                item=item,
                gold=VALUES[study.table.units.value[units.row[place]]],
                against=int(units.against[place]),
                judged=int(units.judged[place]),
            )
            for item, place in zip(items, places.tolist(), strict=True)
        ],
        batch_size=BATCH,
    )
    return audit


def _draw_controls(chance: random.Random, units: AuditUnits, sent: Ints, controls: Ints, number: int) -> Ints:
    """Controls with gold correct and error in the candidates' proportions, as far as there are enough: the mix does not
    reveal the candidates."""
    sides = np.unique(units.gold[sent])
    drawn: list[int] = []
    for side in sides:
        wanted = round(number * float((units.gold[sent] == side).mean()))
        of_side = controls[units.gold[controls] == side].tolist()
        drawn += chance.sample(of_side, min(wanted, len(of_side), number - len(drawn)))
    rest = sorted(set(controls.tolist()) - set(drawn))
    drawn += chance.sample(rest, min(number - len(drawn), len(rest)))
    return np.array(sorted(drawn), dtype=np.int64)
