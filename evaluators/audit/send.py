"""Send an audit: draw candidates and controls, and have them looked at without saying which is which."""

import random
from dataclasses import dataclass

import numpy as np
from django.db import transaction

from annotate.models import User
from annotate.second_look.send import send
from evaluators.audit.find import Candidate, Units, addresses_of
from evaluators.comparison.study import ComparisonStudy
from evaluators.models import AuditItem, GoldAudit
from ratings.errors import DrawError
from stats.arrays import Ints
from stats.gold_table import VALUES


@dataclass(frozen=True)
class Wish:
    """least: evaluators that contradict gold at a candidate. most: candidates to send, drawn at random where there are
    more. controls: units to mix among them. wants: who look at each. chosen: the evaluators were picked by hand."""

    least: int
    most: int
    controls: int
    wants: int
    seed: int
    chosen: bool = False


@transaction.atomic
def send_audit(study: ComparisonStudy, evaluators: list[Candidate], units: Units, wish: Wish, who: User) -> GoldAudit:
    """Raises DrawError: no candidate, or fewer controls than would hide them, or as `annotate.second_look.send`."""
    candidates = units.candidates(wish.least)
    if not len(candidates):
        raise DrawError("No unit is contradicted by so many evaluators.")
    drawn = random.Random(wish.seed)  # noqa: S311 - repeatable on purpose, no secret
    sent = np.sort(drawn.sample(candidates.tolist(), min(wish.most, len(candidates))))
    controls = _draw_controls(drawn, units, sent, units.controls(wish.least), wish.controls)
    if len(controls) < wish.controls:
        raise DrawError(f"There are {len(controls):,} units to mix among them as controls, not {wish.controls:,}.")
    places = np.concatenate([sent, controls])
    addresses = addresses_of(study.table, units.row[places].tolist())
    items = send(study.dataset, addresses, wish.wants, wish.seed, study.dataset.gold_revision, who)
    frozen = study.dataset.gold_versions.filter(revision=study.dataset.gold_revision)
    audit = GoldAudit.objects.create(
        dataset=study.dataset,
        second_look=items[0].sample,
        version=frozen.order_by("-pk").first(),
        chosen=wish.chosen,
        least=wish.least,
        candidates=len(candidates),
        seed=wish.seed,
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
        batch_size=500,
    )
    return audit


def _draw_controls(drawn: random.Random, units: Units, sent: Ints, controls: Ints, number: int) -> Ints:
    """Controls whose gold is correct and error in the same parts as the candidates', as far as there are such: the mix
    of what one looks at shall tell nothing."""
    wanted = [round(number * float((units.gold[sent] == side).mean())) for side in np.unique(units.gold[sent])]
    found: list[int] = []
    for side, count in zip(np.unique(units.gold[sent]), wanted, strict=True):
        of_side = controls[units.gold[controls] == side].tolist()
        found += drawn.sample(of_side, min(count, len(of_side), number - len(found)))
    rest = sorted(set(controls.tolist()) - set(found))
    found += drawn.sample(rest, min(number - len(found), len(rest)))
    return np.array(sorted(found), dtype=np.int64)
