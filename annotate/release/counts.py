"""Counts of a release: by domain, or by the subject model where facts are judged."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from annotate.gold.read import read_gold
from annotate.models import Response, Scheme, Value
from annotate.release.contents import Frozen, ReleasedUnit
from stats.arrays import number
from stats.bootstrap import Interval, Resampling
from stats.factscore import mean, response_shares, score_interval

ALL = "all"


class Counts:
    """`slices`: of everything and of each slice the numbers of `responses`, `abstained`, `units`, and of units by
    value; error_types: units by type of error, "none" where an error has none."""

    def __init__(self, scheme: str) -> None:
        self.by = "subject" if scheme == Scheme.FACTSCORE else "domain"
        self.slices: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.error_types: Counter[str] = Counter()

    def add(self, response: Response, units: Sequence[ReleasedUnit]) -> None:
        name = response.subject if self.by == "subject" else response.prompt.domain
        values = Counter(unit.gold.value for unit in units)
        counted = Counter({"responses": 1, "abstained": int(response.abstained), "units": len(units)}) + values
        for slice_ in (ALL, name) if name else (ALL,):
            self.slices[slice_] += counted
        errors = (unit.gold for unit in units if unit.gold.value != Value.SUPPORTED)
        self.error_types.update(gold.error_type or "none" for gold in errors)


def factscores_of(frozen: Frozen) -> dict[str, tuple[float, Interval | None]]:
    """By subject model its FActScore and the interval of that (docs/statistics.md, FActScore of a subject model); only
    prompts of responses that were there when the version was frozen, and had not been removed, are drawn. Empty in
    FELM's scheme, and without subjects that have a score."""
    table = read_gold(frozen.dataset, frozen.version.name)
    if not table.of_facts:
        return {}
    there = np.isin(table.responses.key, list(frozen.visible().values_list("pk", flat=True))) & ~table.responses.removed
    drawn, prompt = np.unique(table.responses.prompt[there], return_inverse=True)
    resampling = Resampling(table.strata[drawn])
    shares = replace(response_shares(table).of(there), prompt=prompt)
    subjects, subject = number(table.responses.subject[there])
    scores = {}
    for place, name in enumerate(subjects):
        of_subject = shares.of(subject == place)
        score = mean(of_subject.score[of_subject.responding])
        if score is not None:
            scores[name] = score, score_interval(of_subject, resampling)
    return scores
