"""Repeats: runs of one evaluator that put the same questions to its model anew (docs/statistics.md, Repeated runs)."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from annotate.models import Dataset
from evaluators.methods import METHODS
from evaluators.methods.factscore_facts import facts_of
from evaluators.models import Evaluator, Run
from evaluators.runs.batch_api import KEY as BATCH_API
from evaluators.runs.cases import judgeable
from evaluators.runs.forms import PREFIX, SEARCH

ASKED_ONCE = "Run-to-run noise is not measured: the model was asked once."
CAME_ONCE = "Run-to-run noise is not measured: its predictions came from elsewhere, as one run."


@dataclass(frozen=True)
class RunSet:
    """The last finished run of an evaluator, and the runs that are repeats of it.

    runs: one of each asking, itself among them, by asking. same_as: the name of the evaluator, made before, that this
    one is under another name: its runs are repeats of that one's. "" where it is none.
    """

    latest: Run
    runs: tuple[Run, ...]
    same_as: str

    @property
    def unmeasured(self) -> str:
        """Why the noise between runs is not known; "" where it is, and where there is none."""
        if len(self.runs) > 1 or self.same_as:
            return ""
        if self.latest.evaluator.method == Evaluator.IMPORTED:
            return CAME_ONCE
        return ASKED_ONCE if asks_model(self.latest) else ""


def asks_model(run: Run) -> bool:
    """Whether another run could answer otherwise: it asked a model."""
    return bool(run.evaluator.model)


def run_sets(dataset: Dataset) -> list[RunSet]:
    """The finished runs of each evaluator, by name."""
    finished = Run.compared(dataset).select_related("evaluator").order_by("pk")
    latest: dict[int, Run] = {}
    askings: dict[str, dict[int, Run]] = defaultdict(dict)
    for run in finished:
        latest[run.evaluator_id] = run
        askings[_question_of(run)][run.asking] = run
    first: dict[str, Run] = {}
    for evaluator in sorted(latest):
        first.setdefault(_question_of(latest[evaluator]), latest[evaluator])
    return sorted(
        (_run_set(run, first, askings) for run in latest.values()), key=lambda each: each.latest.evaluator.name
    )


def _run_set(run: Run, first: Mapping[str, Run], askings: Mapping[str, Mapping[int, Run]]) -> RunSet:
    question = _question_of(run)
    if not question:
        return RunSet(run, (run,), "")
    if first[question] != run:
        return RunSet(run, (run,), first[question].evaluator.name)
    repeats = {**askings[question], run.asking: run}
    return RunSet(run, tuple(repeats[asking] for asking in sorted(repeats)), "")


def _question_of(run: Run) -> str:
    """All that is put to the model, equal for repeats; "" where none was asked.

    A reading puts nothing: it repeats those that read another asking by the same profile. Runs of a results bundle
    repeat each other alone.
    """
    manifest, evaluator = run.manifest, run.evaluator
    content = manifest.get("dataset", {}).get("content_hash")
    if not asks_model(run) or not content:
        return ""
    bundle = manifest.get("bundle", {})
    origin = [bundle.get("file"), bundle.get("suffix")]
    keys = ("prompts", "weights", "endpoint", "other_models", "search")
    asked = [content, *(manifest.get(key) for key in keys)]
    return json.dumps([evaluator.method, evaluator.model, evaluator.parameters, asked, origin], sort_keys=True)


def ask_anew_query(run: Run) -> str:
    """The query string that fills in the form of a new run so that it repeats this one; "" where it cannot be.

    A reading is repeated by asking anew for the run that it reads.
    """
    if not asks_model(run) or not _is_from_here(run):
        return ""
    return urlencode(_form_fields(run, name=run.evaluator.name, anew="on"))


def copy_query(run: Run) -> str:
    """The query string that fills in the form of a new run with all that this one was made of, under a name of its own;
    "" where it reads the answers of another, or came with a results bundle without searches of the web.

    The copy of one that came with them is given these.
    """
    fields = _form_fields(run, name=f"{run.evaluator.name} 2")
    if _is_from_here(run):
        return urlencode(fields)
    if run.evaluator.method in METHODS and "bundle" in run.manifest and run.searches.exists():
        return urlencode(fields | {f"{PREFIX}{SEARCH}": f"run:{run.pk}"})
    return ""


def _is_from_here(run: Run) -> bool:
    return run.evaluator.method in METHODS and "bundle" not in run.manifest and run.reading_of_id is None


def _form_fields(run: Run, **named: str) -> dict[str, str]:
    evaluator, responses = run.evaluator, run.items.count()
    fields = {"method": evaluator.method, "model": evaluator.model, **named}
    fields |= {f"{PREFIX}{name}": str(value) for name, value in evaluator.parameters.items()}
    if BATCH_API in run.manifest:
        fields["batch_api"] = "on"
    if responses < judgeable(run.dataset, facts_of(evaluator.parameters)).count():
        fields["limit"] = str(responses)
    return fields


def repeated(dataset: Dataset) -> list[RunSet]:
    """The evaluators with several runs, for pages whose figures are of the last run alone."""
    return [each for each in run_sets(dataset) if len(each.runs) > 1]


def all_runs(sets: Sequence[RunSet]) -> list[Run]:
    return [run for each in sets for run in each.runs]
