"""Reads a run's counts of each response of the subject models into plain columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import Max

from annotate.gold.read import texts
from annotate.models import Scheme
from annotate.statistics.lone_claims import lone_claims
from evaluators.methods.abstention import NO_FACT, abstains
from evaluators.methods.factscore_facts import facts_of
from evaluators.models import Run
from evaluators.predictions.counts import JudgedCounts, count_claims, count_judged, judged_without_claims
from evaluators.runs.cases import judgeable
from stats.arrays import Flags, Ints, number
from stats.estimated_factscore import EstimatedResponses
from stats.f1_at_k import ClaimCounts


@dataclass(frozen=True)
class CoveredResponses:
    """The coverage of a run: its responses, their primary keys and claims, the names of their subjects, the stratum of
    each prompt, and its cell of frequency and nationality (FActScore A.1)."""

    keys: Ints
    responses: EstimatedResponses
    claims: ClaimCounts
    subjects: list[str]
    strata: Ints
    cells: Ints


def read_responses(run: Run) -> CoveredResponses:
    """All responses of the dataset up to the last that the run covers, abstentions included, in a few queries. A claim
    that stands alone is no response of a subject model."""
    counts = count_judged(run)
    rows = list(_covered(run))
    counts_of_responses = [counts.get(pk, JudgedCounts()) for pk, *_ in rows]
    parameters = run.evaluator.parameters
    declined = [
        _declined(text, abstained, of, parameters)
        for (*_, text, abstained), of in zip(rows, counts_of_responses, strict=True)
    ]
    unjudged = [not away and not of.done for away, of in zip(declined, counts_of_responses, strict=True)]
    subjects, subject = number(texts([name for _, name, *_ in rows]))
    prompts, prompt = number(texts([str(key) for _, _, key, *_ in rows]))
    domains, domain = number(texts([name for *_, name, _, _ in rows]))
    kinds = {str(key): (frequency, nationality) for _, _, key, frequency, nationality, *_ in rows}
    responding = np.array([not a and not b for a, b in zip(declined, unjudged, strict=True)], dtype=np.bool_)
    keys = [pk for pk, *_ in rows]
    supported, not_supported, known, left_out = _claims(run, keys, counts_of_responses)
    return CoveredResponses(
        np.array(keys, dtype=np.int64),
        EstimatedResponses(
            subject=subject,
            prompt=prompt,
            responding=responding,
            unjudged=np.array(unjudged, dtype=np.bool_),
            facts=np.array([of.facts for of in counts_of_responses], dtype=np.int64),
            judged=np.array([of.judged for of in counts_of_responses], dtype=np.int64),
            supported=np.array([of.supported for of in counts_of_responses], dtype=np.int64),
        ),
        ClaimCounts(
            supported=np.where(responding, supported, 0),
            not_supported=np.where(responding, not_supported, 0),
            counted=(np.array(declined, dtype=np.bool_) | (responding & known)) & ~left_out,
            left_out=left_out,
            prompt=prompt,
            subject=subject,
            domain=domain,
            domains=domains,
        ),
        subjects,
        number(texts([kinds[key][0] for key in prompts]))[1],
        number(texts([" · ".join(kinds[key]) for key in prompts]))[1],
    )


def _claims(run: Run, keys: Sequence[int], units: Sequence[JudgedCounts]) -> tuple[Ints, Ints, Flags, Flags]:
    """Of each response the supported and the other claims, and whether they are known: the run's own claims where it
    extracts some, none being none unless they could not be read; else the units that it judged. Last whether a run with
    claims of its own judged it without any, so that it counts nowhere, not even as an abstention."""
    own = count_claims(run)
    counts = units if own is None else [own.get(key, JudgedCounts()) for key in keys]
    known = [
        of.judged > 0 or (own is not None and not of.facts and not unit.unparsed)
        for of, unit in zip(counts, units, strict=True)
    ]
    without = set() if own is None else judged_without_claims(run)
    return (
        np.array([of.supported for of in counts], dtype=np.int64),
        np.array([of.judged - of.supported - of.irrelevant for of in counts], dtype=np.int64),
        np.array(known, dtype=np.bool_),
        np.array([key in without for key in keys], dtype=np.bool_),
    )


def _covered(run: Run) -> Any:
    """The responses up to the run's last where it was limited to the first ones; else the whole dataset."""
    responses = run.dataset.responses.visible().order_by("position")
    last = run.items.aggregate(last=Max("response__position"))["last"]
    judged = judgeable(run.dataset, facts_of(run.evaluator.parameters))
    if last is not None and judged.filter(position__gt=last).exists():
        responses = responses.filter(position__lte=last)
    if run.dataset.scheme == Scheme.CLAIMS:
        responses = responses.exclude(pk__in=lone_claims(run.dataset).values("response"))
    of_prompt = ("prompt__frequency", "prompt__nationality", "prompt__domain")
    return responses.values_list("pk", "subject", "prompt", *of_prompt, "text", "abstained")


def _declined(text: str, abstained: bool, of: JudgedCounts, parameters: Mapping[str, Any]) -> bool:
    """Whether the response abstains: by its file, by its text, or because it has been gone through without a fact."""
    without_fact = of.done and not of.facts and bool(parameters.get(NO_FACT, True))
    return abstained or without_fact or abstains(text, parameters)
