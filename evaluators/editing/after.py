"""Edited responses as a dataset of their own, and what an evaluator or people say of the facts before and after."""

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np

from annotate.models import Dataset, GoldLabel, Response, Value
from evaluators.editing.figures import as_document
from evaluators.models import Prediction, Run
from evaluators.predictions.read import latest_runs
from stats.bootstrap import Resampling
from stats.sentence_edits import mean_of

HUMAN = "gold"
NO_FACTS = "no response has labelled facts both before and after"

# Per response index: the texts of its facts, and whether each is supported.
Facts = dict[str, list[tuple[str, bool]]]


def edited_responses(run: Run) -> Iterator[str]:
    """The responses of the run with its edits in place, as JSON lines that import_dataset --format facts takes.

    A sentence that was taken out is missing; one whose edit could not be parsed stays. A response of which nothing is
    left is null, an abstention.
    """
    parsed = run.sentence_edits.filter(text__isnull=False)
    edits = {segment: text or "" for segment, text in parsed.values_list("segment", "text")}
    responses = Response.objects.filter(run_items__run=run).order_by("position").select_related("prompt")
    for response in responses.prefetch_related("segments"):
        sentences = [edits.get(segment.pk, segment.text) for segment in response.segments.all()]
        kept = [sentence for sentence in sentences if sentence.strip()]
        prompt = response.prompt
        row: dict[str, Any] = {
            "prompt": prompt.text,
            "response": " ".join(kept) or None,
            "topic": prompt.topic,
            "subject": response.subject,
        }
        row |= {"segments": kept} if kept else {}
        named = {name: getattr(prompt, name) for name in ("domain", "source", "frequency", "nationality")}
        yield json.dumps(row | {name: value for name, value in named.items() if value}, ensure_ascii=False)


def compare_support(before: Dataset, after: Dataset) -> list[dict[str, Any]]:
    """Per source of labels (gold of people, or an evaluator that ran over both datasets) the mean share of facts
    supported before and after, their difference, and the new errors of each response.

    Responses are paired by index. A new error: a fact after that is not supported, and that no such fact before states
    in the same words.
    """
    sources = [(HUMAN, _by_gold(before), _by_gold(after))]
    runs = {run.evaluator.name: run for run in latest_runs(after)}
    sources += [
        (run.evaluator.name, _by_run(run), _by_run(runs[run.evaluator.name]))
        for run in latest_runs(before)
        if run.evaluator.name in runs
    ]
    prompts = dict(before.responses.visible().values_list("index", "prompt"))
    return [_compare(name, one, other, prompts) for name, one, other in sources]


def _compare(name: str, before: Facts, after: Facts, prompts: dict[str, int]) -> dict[str, Any]:
    both = sorted(index for index in before.keys() & after.keys() if index in prompts)
    numbers = {prompt: place for place, prompt in enumerate(sorted({prompts[index] for index in both}))}
    cluster = np.array([numbers[prompts[index]] for index in both], dtype=np.int64)
    draws = Resampling(np.zeros(len(numbers), dtype=np.int64))
    one = np.array([_share(before[index]) for index in both], dtype=np.float64)
    other = np.array([_share(after[index]) for index in both], dtype=np.float64)
    new = np.array([_new_errors(before[index], after[index]) for index in both], dtype=np.float64)
    columns = {"before": one, "after": other, "difference": other - one, "new_errors": new}
    return {
        "labels": name,
        "responses": len(both),
        "total_new_errors": int(new.sum()),
        **{
            key: as_document(mean_of(column, cluster, draws, NO_FACTS, bounded=key in ("before", "after")))
            for key, column in columns.items()
        },
    }


def _share(facts: list[tuple[str, bool]]) -> float:
    return sum(supported for _, supported in facts) / len(facts)


def _new_errors(before: list[tuple[str, bool]], after: list[tuple[str, bool]]) -> int:
    known = {text.casefold() for text, supported in before if not supported}
    return sum(not supported and text.casefold() not in known for text, supported in after)


def _by_gold(dataset: Dataset) -> Facts:
    rows = GoldLabel.objects.current().of(dataset).filter(fact__isnull=False)
    return _by_index(rows.values_list("segment__response__index", "fact__text", "value"))


def _by_run(run: Run) -> Facts:
    rows = Prediction.objects.filter(run=run, fact__isnull=False, value__isnull=False)
    return _by_index(rows.values_list("segment__response__index", "fact__text", "value"))


def _by_index(rows: Any) -> Facts:
    facts: defaultdict[str, list[tuple[str, bool]]] = defaultdict(list)
    for index, text, value in rows:
        facts[index].append((text, value == Value.SUPPORTED))
    return facts
