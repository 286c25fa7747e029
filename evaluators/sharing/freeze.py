"""The figures of a comparison, and the texts behind them, as they are now."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from django.conf import settings
from django.utils import timezone

from evaluators.comparison.compare_tables import tables_of
from evaluators.comparison.documents import ComparisonFigures
from evaluators.comparison.evaluator_rows import EvaluatorRow, evaluator_rows, figure_value
from evaluators.comparison.figures import level_in
from evaluators.comparison.judges import TRIVIAL
from evaluators.comparison.page_state import ComparisonRequest
from evaluators.comparison.question import FAMILIES
from evaluators.comparison.study import study_of
from evaluators.comparison.unit_details import UnitDetail, UnitPart, unit_details
from evaluators.comparison.verdict_text import pairs_of
from evaluators.methods import METHODS
from evaluators.methods.base import OTHER_MODELS
from evaluators.methods.parameters import other_models, split_model
from evaluators.models import Run
from evaluators.predictions.prices import prices_of
from evaluators.runs.manifest import describe_code
from evaluators.sharing.documents import (
    SharedEvaluator,
    SharedFigures,
    SharedPart,
    SharedUnit,
    SharedUnits,
    freeze_table,
)
from stats.detection import MISSING
from stats.paired_tests import PERMUTATIONS

# Of a manifest; its other entries have addresses, names of files, or free text.
SHOWN = ("prompts", "profile", "seed", "weights", "code", "method_code", "packages", "python")
# More texts than these make a page and its data too large for a link that anybody may open.
MOST_UNITS = 500


def freeze_figures(comparison: ComparisonRequest, document: ComparisonFigures) -> SharedFigures:
    state, dataset = comparison.state, comparison.dataset
    runs = [run for run in comparison.runs if run.evaluator.name in state.evaluators]
    lines = evaluator_rows(document, prices_of(runs))
    version, whole = comparison.version, lines[0].whole
    # Without people's agreement: it is of persons, and says nothing on evaluators.
    tables = tables_of(lines, pairs_of(document), {}, state, document)
    return {
        "dataset": dataset.name,
        "scheme": dataset.scheme,
        "gold": {
            "version": version.name if version else None,
            "revision": version.revision if version else dataset.find_gold_revision(),
        },
        "level": state.level,
        "level_title": state.level_title,
        "figure": state.figure,
        "figure_title": state.figure_title,
        "slices": list(state.slices),
        "n": whole["n"],
        "error_prompts": whole["pessimistic_error_prompts"],
        "test": f"Permutation test of whole prompts; tested together: {FAMILIES[state.question.family]}, step-down.",
        "seed": document["seed"],
        "resamples": document["resamples"],
        "permutations": PERMUTATIONS,
        "least_coverage": settings.LEAST_COVERAGE,
        "shared_on": timezone.now().date().isoformat(),
        "software": describe_code(),
        "evaluators": [_line(line, state.figure) for line in lines],
        "pairs": document["pairs"],
        "tables": [freeze_table(table) for table in tables],
        "manifest": {run.evaluator.name: _manifest(run) for run in runs},
    }


def _line(line: EvaluatorRow, figure: str) -> SharedEvaluator:
    value = figure_value(line.whole, figure)
    assert value is not None  # noqa: S101 - the row of all units is always there
    return {
        "evaluator": line.name,
        "method": line.method,
        "model": line.model,
        "baseline": line.baseline,
        "ranks": line.ranks,
        "together": line.together,
        "unranked": line.unranked,
        "value": value.value,
        "why": value.why,
        "interval": list(value.interval) if value.interval else None,
        "withheld": value.withheld,
        "coverage": value.coverage,
    }


def _manifest(run: Run) -> dict[str, Any]:
    """Of an evaluator that ran elsewhere without its parameters: they are the free text of whoever sent it. Of weights
    their hash and not their folder, of other models no endpoint."""
    evaluator, manifest = run.evaluator, run.manifest
    without = {"endpoint", "search", *manifest.get("weights", ())}
    own = {name: value for name, value in evaluator.parameters.items() if name not in without}
    if evaluator.method in METHODS and OTHER_MODELS.name in own:
        own[OTHER_MODELS.name] = ", ".join(split_model(name, "")[1] for name in other_models(own))
    return {
        "method": evaluator.method,
        "model": evaluator.model,
        "parameters": own if evaluator.method in METHODS else None,
        "content_hash": manifest.get("dataset", {}).get("content_hash"),
        "files": [each["hash"] for each in manifest.get("files", ())],
        "finished_on": run.finished_at.date().isoformat() if run.finished_at else None,
        **{name: manifest.get(name) for name in SHOWN},
    }


def freeze_units(comparison: ComparisonRequest) -> SharedUnits:
    """The first MOST_UNITS units with gold that count, in reading order."""
    state = comparison.state
    study = study_of(comparison.dataset, comparison.version, state.evaluators)
    level = level_in(study.table, state.question, state.by)
    counting = np.flatnonzero(level.gold != MISSING)
    judges = [judge for judge in study.judges if judge.method not in TRIVIAL]
    details = unit_details(study, state.level, counting[:MOST_UNITS], judges)
    return {"of": len(counting), "units": [_unit(each) for each in details]}


def _unit(unit: UnitDetail) -> SharedUnit:
    response = unit.response
    passages = [segment.text for segment in response.segments.all() if segment.pk in unit.marked]
    return {
        "index": response.index,
        "domain": response.prompt.domain,
        "subject": response.subject,
        "prompt": response.prompt.text,
        "response": response.text,
        "passage": " ".join(passages),
        "parts": _parts(unit.parts),
    }


def _parts(parts: Sequence[UnitPart]) -> list[SharedPart]:
    """Gold by its value alone: reasons and who decided are people's."""
    return [
        {
            "text": part.text,
            "gold": part.gold.value if part.gold else None,
            "error_type": part.gold.error_type if part.gold else "",
            "answers": [
                {
                    "evaluator": answer.evaluator,
                    "value": answer.prediction.value if answer.prediction else None,
                    "unparsed": bool(answer.prediction and answer.prediction.unparsed),
                    "score": answer.prediction.score if answer.prediction else None,
                    "rationale": answer.prediction.rationale if answer.prediction else "",
                }
                for answer in part.answers
            ],
        }
        for part in parts
    ]
