"""Batches: one method with several models, or several methods with one model, started, followed, stopped and resumed
together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q

from annotate.models import Dataset, User
from evaluators.methods import EDITORS
from evaluators.models import Evaluator, Run, RunBatch
from evaluators.runs.build import RunError, find_method
from evaluators.runs.create import LONGEST_NAME, check_parameters, create_run, default_name
from evaluators.runs.listing import list_runs
from evaluators.runs.trial import RESPONSES
from jobs.limits import NO_LIMITS, Limits
from jobs.models import JobQuerySet

MOST_RUNS = 50


@dataclass(frozen=True)
class NewBatch:
    """begun: the runs that it made, not yet queued; known: those that were there already, finished or under way."""

    batch: RunBatch
    begun: tuple[Run, ...]
    known: tuple[Run, ...]


@transaction.atomic
def create_batch(
    dataset: Dataset,
    methods: Sequence[str],
    models: Sequence[str],
    *,
    parameters: Mapping[str, str] | None = None,
    search: str = "",
    name: str = "",
    limit: int | None = None,
    limits: Limits = NO_LIMITS,
    force: bool = False,
    batch_api: bool = False,
    created_by: User | None = None,
) -> NewBatch:
    """A run of each pair, over the dataset's responses (the first `limit` of them), under the limits together. Either
    nothing or all of it is made.

    A method that calls no model runs once, with its defaults: `parameters` are of those that call one, and `search`,
    the name of a search engine, of those that search the web. `batch_api`: the models are asked through that. A run
    takes its evaluator's usual name, or with the batch's name after it where another evaluator has that name. Raises
    RunError, ParameterError, ModelError and StartError as create_run does.
    """
    pairs = pairs_of(methods, models)
    given = given_to(pairs, parameters or {}, search)
    name = name.strip() or batch_name(pairs)
    if len(name) > LONGEST_NAME:
        raise RunError(f"The name of a batch has 1 to {LONGEST_NAME} characters.")
    batch = RunBatch.objects.create(
        dataset=dataset, name=name, max_tokens=limits.tokens, max_cost_usd=limits.cost_usd, created_by=created_by
    )
    begun: list[Run] = []
    known: list[Run] = []
    for (method, model), texts in zip(pairs, given, strict=True):
        new = create_run(
            dataset,
            method,
            model=model,
            parameters=texts,
            name=_free_name(dataset, method, model, texts, name),
            limit=limit,
            force=force,
            batch_api=batch_api and bool(model),
            created_by=created_by,
            batch=batch,
        )
        (begun if new.created else known).append(new.run)
    batch.known_runs.set(known)
    return NewBatch(batch, tuple(begun), tuple(known))


def create_trial(
    dataset: Dataset, method: str, model: str, parameters: Mapping[str, str], batch: str, limits: Limits
) -> Run:
    """The first three responses of a run of a batch of this name, as a run of its own. Raises as create_run does."""
    name = _free_name(dataset, method, model, parameters, batch)
    return create_run(
        dataset, method, model=model, parameters=parameters, name=name, limit=RESPONSES, limits=limits
    ).run


def pairs_of(methods: Sequence[str], models: Sequence[str]) -> list[tuple[str, str]]:
    """Method and model of each run; "" where the method calls none. Raises RunError where they are no batch."""
    methods, models = list(dict.fromkeys(methods)), list(dict.fromkeys(filter(None, map(str.strip, models))))
    if len(methods) > 1 and len(models) > 1:
        raise RunError("A batch has one method with several models, or several methods with one model.")
    pairs: list[tuple[str, str]] = []
    for method in methods:
        if method in EDITORS:
            raise RunError(f"{method} is an editor: a batch compares evaluators.")
        needs_model = find_method(method).needs_model
        if needs_model and not models:
            raise RunError(f"{method} needs a model.")
        pairs += [(method, model) for model in models] if needs_model else [(method, "")]
    if len(pairs) < 2:
        raise RunError("Choose at least two methods or two models; a single run has a form of its own.")
    if len(pairs) > MOST_RUNS:
        raise RunError(f"A batch has at most {MOST_RUNS} runs, and this one would have {len(pairs)}.")
    return pairs


def given_to(pairs: Sequence[tuple[str, str]], parameters: Mapping[str, str], search: str) -> list[dict[str, str]]:
    """The parameters of each run. Raises RunError where a search engine is named and none of the methods searches."""
    searching = [find_method(method).needs_search for method, _ in pairs]
    if search and not any(searching):
        raise RunError("None of the methods searches the web: a search engine is not to be named.")
    return [
        {**(parameters if model else {}), **({"search": search} if search and searches else {})}
        for (_, model), searches in zip(pairs, searching, strict=True)
    ]


def batch_name(pairs: Sequence[tuple[str, str]]) -> str:
    """Without a name of its own: what its runs share, and how many they are."""
    methods = list(dict.fromkeys(method for method, _ in pairs))
    models = list(dict.fromkeys(model for _, model in pairs if model))
    if len(methods) == 1:
        return f"{methods[0]} · {len(models)} models"
    return f"{len(methods)} methods · {models[0]}" if models else f"{len(methods)} methods"


def runs_of(batch: RunBatch) -> JobQuerySet[Run]:
    """All that it compares, as lists of runs show them, by the evaluator's name."""
    known = batch.known_runs.values("pk")
    return list_runs(batch.dataset, order="evaluator").filter(Q(batch=batch) | Q(pk__in=known))


def stop_batch(batch: RunBatch) -> int:
    """Stop its own runs that are active; how many there were. What they have is kept."""
    return sum(run.stop() for run in batch.runs.active())


def resume_batch(batch: RunBatch, limits: Limits = NO_LIMITS) -> list[Run]:
    """Put what is left of its own runs back to work, under other limits of the batch where they are given; the runs, to
    be queued. Raises StartError where nothing may be spent."""
    limits = batch.raised(limits)
    batch.check_limits(limits, batch.TITLE)
    with transaction.atomic():
        RunBatch.objects.filter(pk=batch.pk).update(max_tokens=limits.tokens, max_cost_usd=limits.cost_usd)
        ended = batch.runs.exclude(state__in=(*Run.ACTIVE, Run.State.FINISHED)).select_related("evaluator")
        return [run for run in ended if run.resume()]


def _free_name(dataset: Dataset, method: str, model: str, texts: Mapping[str, str], batch: str) -> str:
    """ "" for the evaluator's usual name; the batch's name is added where another evaluator has it already."""
    declared = find_method(method)
    parameters = check_parameters(declared, texts, dataset)
    usual = default_name(method, model, parameters)
    there = Evaluator.objects.filter(name=usual).first()
    if there is None or (there.method, there.model, there.parameters) == (method, model, parameters):
        return ""
    return f"{usual} ({batch})"[:LONGEST_NAME]
