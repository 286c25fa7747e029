"""The figures of editors: means over sentences with intervals by prompts, and pairs of editors (docs/editing.md)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import combinations
from typing import Any

import numpy as np

from annotate.models import Dataset
from evaluators.editing.read import EditedSentence, editing_runs, read_edits
from evaluators.editing.similarity import Pair, Similarity, by_characters
from evaluators.models import Run
from evaluators.runs.progress import progress_of
from knowledge.words import content_words
from stats.arrays import Floats
from stats.bootstrap import Interval, Resampling
from stats.sentence_edits import (
    EditMean,
    EditorDifference,
    compare_editors,
    edit_correctness,
    error_localization,
    mean_of,
    newly_wrong,
    similarity_alignment,
)

ALL = ""
NO_CORRECTION = "no edited sentence has people's correction"
UNDEFINED = {
    "errloc": NO_CORRECTION,
    "editcorr": "no edited sentence has a correction that adds a word",
    "simal": "no sentence-embedding model is named: --similarity-weights",
    "simal_chrf": NO_CORRECTION,
    "newly_wrong": NO_CORRECTION,
    "length_kept": "no sentence was edited",
    "copied": "no sentence was edited",
    "taken_out": "no sentence was edited",
}
PAIRED = ("errloc", "editcorr", "simal", "simal_chrf", "newly_wrong")  # figures in which editors are compared
UNBOUNDED = ("length_kept",)

Values = dict[str, float | None]


def report_on(
    dataset: Dataset, names: Sequence[str] | None = None, similarity: Similarity | None = None
) -> dict[str, Any]:
    """The document that `report_edits --json` prints: each editor's last finished run, and pairs of them.

    similarity: of sentences, for SimAl; None: it stays undefined. DataError: one of the names has no finished run.
    """
    runs = editing_runs(dataset, names)
    edits = {run: read_edits(run) for run in runs}
    prompts, resampling = _resampling([each for sentences in edits.values() for each in sentences])
    values = {run: measure(sentences, similarity) for run, sentences in edits.items()}
    return {
        "dataset": dataset.name,
        "gold_revision": dataset.gold_revision,
        "resamples": resampling.resamples,
        "seed": resampling.seed,
        "editors": [_editor(run, edits[run], values[run], prompts, resampling) for run in runs],
        "pairs": _pairs(runs, edits, values, prompts, resampling),
    }


def measure(sentences: Sequence[EditedSentence], similarity: Similarity | None = None) -> list[Values]:
    """The figures of each sentence; all are None of an edit that could not be parsed."""
    corrected = [each for each in sentences if each.edit is not None and each.correction is not None]
    aligned = {
        "simal": _align(corrected, similarity) if similarity else {},
        "simal_chrf": _align(corrected, by_characters),
    }
    return [
        {
            **_of_tokens(each),
            **{name: found.get(each.edit_id) for name, found in aligned.items()},
            **_of_text(each),
        }
        for each in sentences
    ]


def _of_tokens(sentence: EditedSentence) -> Values:
    if sentence.edit is None or sentence.correction is None:
        return dict.fromkeys(("errloc", "editcorr", "newly_wrong"))
    tokens = [content_words(text) for text in (sentence.text, sentence.correction, sentence.edit)]
    return {
        "errloc": error_localization(*tokens),
        "editcorr": edit_correctness(*tokens),
        "newly_wrong": newly_wrong(*tokens),
    }


def _of_text(sentence: EditedSentence) -> Values:
    words = len(sentence.text.split())
    if sentence.edit is None or not words:
        return dict.fromkeys(("length_kept", "copied", "taken_out"))
    return {
        "length_kept": len(sentence.edit.split()) / words,
        "copied": float(sentence.edit.split() == sentence.text.split()),
        "taken_out": float(not sentence.edit.strip()),
    }


def _align(sentences: Sequence[EditedSentence], similarity: Similarity) -> dict[int, float | None]:
    """SimAl by the edit's key. A sentence that is taken out is like no other text: similarity 0 to all of them."""
    pairs: list[Pair] = [(each.correction or "", other or "") for each in sentences for other in (each.edit, each.text)]
    found = [0.0 if np.isnan(each) else each for each in similarity(pairs)]
    return {
        each.edit_id: similarity_alignment(found[2 * place], found[2 * place + 1]) if each.correction else None
        for place, each in enumerate(sentences)
    }


def _resampling(sentences: Sequence[EditedSentence]) -> tuple[dict[int, int], Resampling]:
    """The number of each prompt, and the draws of prompts within their strata that all editors share."""
    strata = {each.prompt: each.stratum for each in sentences}
    prompts = {prompt: place for place, prompt in enumerate(sorted(strata))}
    numbers = {stratum: place for place, stratum in enumerate(sorted(set(strata.values())))}
    return prompts, Resampling(np.array([numbers[strata[prompt]] for prompt in prompts], dtype=np.int64))


def _editor(
    run: Run,
    sentences: Sequence[EditedSentence],
    values: Sequence[Values],
    prompts: Mapping[int, int],
    draws: Resampling,
) -> dict[str, Any]:
    parameters, spent = run.evaluator.parameters, progress_of(run)
    subjects = sorted({each.subject for each in sentences})
    slices = [ALL, *subjects] if len(subjects) > 1 else [ALL]
    return {
        "editor": run.evaluator.name,
        "run": run.pk,
        "method": run.evaluator.method,
        "model": run.evaluator.model or None,
        "facts": parameters.get("facts", "none"),
        "labels": f"run {parameters['run']}" if parameters["run"] else "gold",
        "sentences": parameters["sentences"],
        "edited": spent.predicted,
        "unparsed": spent.unparsed,
        "skipped": spent.skipped,
        "cost": {
            "answers": spent.paid + spent.cached,
            "tokens": spent.tokens,
            "cost_usd": spent.cost_usd,
            "known_usd": spent.known_usd,
            "unpriced": list(spent.unpriced),
            "seconds": spent.seconds,
        },
        "slices": [_slice(subject, sentences, values, prompts, draws) for subject in slices],
    }


def _slice(
    subject: str,
    sentences: Sequence[EditedSentence],
    values: Sequence[Values],
    prompts: Mapping[int, int],
    draws: Resampling,
) -> dict[str, Any]:
    inside = [place for place, each in enumerate(sentences) if subject in (ALL, each.subject)]
    cluster = np.array([prompts[sentences[place].prompt] for place in inside], dtype=np.int64)
    return {
        "subject": subject or None,
        "sentences": len(inside),
        "corrected": sum(sentences[place].correction is not None for place in inside),
        "figures": {
            name: as_document(
                mean_of(
                    _column([values[place] for place in inside], name),
                    cluster,
                    draws,
                    undefined,
                    bounded=name not in UNBOUNDED,
                )
            )
            for name, undefined in UNDEFINED.items()
        },
    }


def _pairs(
    runs: Sequence[Run],
    edits: Mapping[Run, Sequence[EditedSentence]],
    values: Mapping[Run, Sequence[Values]],
    prompts: Mapping[int, int],
    draws: Resampling,
) -> list[dict[str, Any]]:
    """Every pair of editors in each of the PAIRED figures, at the sentences that both edited."""
    rows = {each.segment_id: each.prompt for run in runs for each in edits[run]}
    place_of = {segment: place for place, segment in enumerate(rows)}
    cluster = np.array([prompts[prompt] for prompt in rows.values()], dtype=np.int64)
    pairs = list(combinations(range(len(runs)), 2))
    documents = []
    for name in PAIRED if pairs else ():
        table = np.full((len(rows), len(runs)), np.nan)
        for column, run in enumerate(runs):
            places = [place_of[each.segment_id] for each in edits[run]]
            table[places, column] = _column(values[run], name)
        compared = compare_editors(table, cluster, pairs, draws)
        documents += [_pair(name, each, runs) for each in compared]
    return documents


def _pair(name: str, compared: EditorDifference, runs: Sequence[Run]) -> dict[str, Any]:
    return {
        "figure": name,
        **asdict(compared),
        "one": runs[compared.one].evaluator.name,
        "other": runs[compared.other].evaluator.name,
        "interval": _ends(compared.interval),
    }


def as_document(mean: EditMean) -> dict[str, Any]:
    return {**asdict(mean), "interval": _ends(mean.interval)}


def _ends(interval: Interval | None) -> list[float] | None:
    return None if interval is None else interval.ends()


def _column(values: Sequence[Values], name: str) -> Floats:
    return np.array([np.nan if each[name] is None else each[name] for each in values], dtype=np.float64)
