"""Make evaluators and their runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Max

from annotate.grants.allowances import check_left
from annotate.models import Dataset, User
from annotate.models.corpus import ResponseQuerySet
from annotate.prompt_sets.guidelines import find_guidelines
from annotate.prompt_sets.sets import find_set
from evaluators.methods import EDITORS
from evaluators.methods.base import GUIDELINES, Method
from evaluators.methods.editing import OF_GOLD, OF_RUN
from evaluators.methods.factscore_facts import facts_of
from evaluators.methods.parameters import ParameterError, check_other_models, other_models, read_parameters
from evaluators.models import Evaluator, Run, RunBatch, RunItem
from evaluators.runs.asking import Model, find_model
from evaluators.runs.batch_api import KEY as BATCH_API
from evaluators.runs.batch_api import describe_batch_api
from evaluators.runs.build import RunError, build_judge, find_method
from evaluators.runs.cases import judgeable
from evaluators.runs.editing_cases import check_labels, editable
from evaluators.runs.manifest import describe, hash_content
from evaluators.runs.searching import find_search
from jobs.limits import NO_LIMITS, Limits
from llm.price import why_no_limit
from llm.templates import PromptError

BATCH = 2000
LONGEST_NAME = 200
ENDPOINTS = ("endpoint", "other_models")  # in a manifest, the addresses of the models that it asks


@dataclass(frozen=True)
class NewRun:
    """`created` is False where the same run is there already, finished or under way: `run` is that one."""

    run: Run
    created: bool


def create_run(
    dataset: Dataset,
    method: str,
    *,
    model: str = "",
    parameters: Mapping[str, str] | None = None,
    name: str = "",
    limit: int | None = None,
    limits: Limits = NO_LIMITS,
    force: bool = False,
    anew: bool = False,
    batch_api: bool = False,
    created_by: User | None = None,
    batch: RunBatch | None = None,
) -> NewRun:
    """A run of the method over the dataset's responses (the first `limit` of them), not yet queued: see `enqueue`.

    The evaluator is made if it is new; its name is "method · model" unless given. `parameters` are texts; those not
    named have their defaults. The same run is not made twice unless forced: same evaluator, same responses, same
    prompts, same weights, same endpoint, same code of the method. `anew`: forced, and the model is asked again where
    its answers are known. `batch_api`: the model is asked through its endpoint's Batch API. `batch`: the one that
    begins it, whose limits hold for it too.
    Raises RunError, or StartError where nothing is left to spend.
    """
    declared = fitting_method(method, dataset, model)
    checked = check_parameters(declared, parameters or {}, dataset)
    check_source(declared, checked, dataset)
    evaluator = Evaluator(method=method, model=model, parameters=checked)
    search = find_search(declared, checked, dataset)
    if batch_api and not declared.needs_model:
        raise RunError(f"{method} calls no model: the Batch API is not for it.")
    in_dollars = limits.cost_usd is not None or (batch is not None and batch.max_cost_usd is not None)
    others = other_models(checked)
    asked = find_model(evaluator, dataset) if declared.needs_model and (in_dollars or others or batch_api) else None
    if asked is not None:
        check_models(asked, in_dollars)
    if in_dollars and search is not None and search.web is not None and search.web.endpoint.search_usd is None:
        raise RunError(
            f"What a search with {search.web.endpoint} costs is not known, so no price can be kept to: enter its price "
            "on the page of endpoints, or limit tokens."
        )
    if declared.needs_model or (search is not None and search.web is not None):
        check_left(dataset, created_by)
    responses = responses_for(declared, dataset, checked)[:limit]
    spending = {"max_tokens": limits.tokens, "max_cost_usd": limits.cost_usd, "created_by": created_by, "batch": batch}
    asking = next_asking(dataset, model, alone=not others) if anew else 0
    name = name or default_name(method, model, checked)
    through = describe_batch_api([each.endpoint for each in asked.all.values()]) if asked and batch_api else None
    again = force or anew
    return make_run(
        dataset, declared, name, model, checked, responses, force=again, batch_api=through, asking=asking, **spending
    )


def make_run(
    dataset: Dataset,
    method: Method,
    name: str,
    model: str,
    parameters: dict[str, Any],
    responses: ResponseQuerySet,
    *,
    force: bool,
    batch_api: Mapping[str, Any] | None = None,
    **fields: Any,
) -> NewRun:
    """A run of what has been checked, with these fields of its own, or the same one that is there. batch_api: its entry
    in the manifest, None where the model is called. Raises RunError."""
    built = build_judge(method, parameters, dataset)
    with transaction.atomic():
        evaluator = find_or_make_evaluator(name, method.name, model, parameters)
        rows = list(responses.values_list("pk", "index", "content_hash"))
        if not rows:
            raise RunError(f"{dataset.name} has no response to evaluate.")
        content_hash = hash_content((index, content) for _, index, content in rows)
        manifest = describe(dataset, content_hash, len(rows), method, model, parameters, built.templates, built.weights)
        reading_of = fields.get("reading_of")
        if reading_of is not None:
            # whose answers are read
            manifest |= {key: reading_of.manifest[key] for key in ENDPOINTS if key in reading_of.manifest}
            manifest["search"] = reading_of.manifest.get("search")
        if batch_api is not None:
            manifest[BATCH_API] = batch_api
        same = None if force else _same_run(evaluator, dataset, manifest, reading_of)
        if same is not None:
            return NewRun(same, created=False)
        run = Run.objects.create(evaluator=evaluator, dataset=dataset, manifest=manifest, edits=method.edits, **fields)
        RunItem.objects.bulk_create(
            (RunItem(run=run, response_id=pk, position=place) for place, (pk, _, _) in enumerate(rows)),
            batch_size=BATCH,
        )
    return NewRun(run, created=True)


def check_models(model: Model, in_dollars: bool) -> None:
    """Raises RunError where there is a limit in dollars, and a price is not known by which it could be kept."""
    why = next(filter(None, (why_no_limit(each.name, each.price) for each in model.all.values())), "")
    if in_dollars and why:
        raise RunError(why)


def next_asking(dataset: Dataset, model: str, *, alone: bool = True) -> int:
    """The number under which the model is asked anew: no run over this dataset has asked it under that one yet. Where
    it is not alone, no run has asked any model."""
    runs = Run.objects.filter(dataset=dataset, **({"evaluator__model": model} if alone else {}))
    return (runs.aggregate(last=Max("asking"))["last"] or 0) + 1


def default_name(method: str, model: str, parameters: Mapping[str, Any]) -> str:
    """Names that tell apart the editors of FActScore's table 15, and versions of guidelines."""
    shown = " + facts" if parameters.get("facts") in (OF_GOLD, OF_RUN) else ""
    labels = f" by run {parameters['run']}" if parameters.get("run") else ""
    version = f", guidelines {parameters[GUIDELINES.name]}" if parameters.get(GUIDELINES.name) else ""
    return f"{method}{shown}{labels}{version} · {model}" if model else f"{method}{labels}{version}"


def responses_for(method: Method, dataset: Dataset, parameters: Mapping[str, Any]) -> ResponseQuerySet:
    """The responses that a run of the method would work on."""
    return editable(dataset, parameters) if method.edits else judgeable(dataset, facts_of(parameters))


def find_or_make_evaluator(name: str, method: str, model: str, parameters: dict[str, Any]) -> Evaluator:
    """The evaluator of that name, locked until the transaction ends. Raises RunError where it is another one.

    An evaluator whose runs were all cancelled or failed does not keep its name from another one: it is renamed.
    """
    check_evaluator_name(name)
    evaluator = _find_or_make(name, method, model, parameters)
    difference = _difference(evaluator, method, model, parameters)
    if difference and _is_given_up(evaluator):
        _give_up_name(evaluator)
        return _find_or_make(name, method, model, parameters)
    if difference:
        raise RunError(f"The evaluator {name!r} exists with {difference}: give this one a name of its own.")
    return evaluator


def check_evaluator_name(name: str) -> None:
    """Raises RunError."""
    if not name.strip() or len(name) > LONGEST_NAME:
        raise RunError(f"An evaluator's name has 1 to {LONGEST_NAME} characters.")


def _find_or_make(name: str, method: str, model: str, parameters: dict[str, Any]) -> Evaluator:
    Evaluator.objects.get_or_create(name=name, defaults={"method": method, "model": model, "parameters": parameters})
    return Evaluator.objects.select_for_update().get(name=name)


def _difference(evaluator: Evaluator, method: str, model: str, parameters: dict[str, Any]) -> str:
    """What the evaluator has in place of what is wanted; "" where they are the same."""
    for what, there, wanted in [
        ("another method", evaluator.method, method),
        ("another model", evaluator.model, model),
        ("other parameters", *_differing(evaluator.parameters, parameters)),
    ]:
        if there != wanted:
            return f"{what} ({there or 'none'}, not {wanted or 'none'})"
    return ""


def _is_given_up(evaluator: Evaluator) -> bool:
    """Whether it has runs, and all of them were cancelled or failed."""
    states = set(evaluator.runs.values_list("state", flat=True))
    return bool(states) and states <= {*Run.GIVEN_UP}


def _give_up_name(evaluator: Evaluator) -> None:
    last = evaluator.runs.latest("pk")
    ending = f" ({last.get_state_display().lower()} run {last.pk})"
    name = evaluator.name[: LONGEST_NAME - len(ending)] + ending
    if Evaluator.objects.filter(name=name).exists():
        raise RunError(f"The evaluator {evaluator.name!r} exists, and {name!r} too: give this one a name of its own.")
    evaluator.name = name
    evaluator.save(update_fields=["name"])


def _differing(one: dict[str, Any], other: dict[str, Any]) -> tuple[str, str]:
    """The parameters in which the two differ, as "k=v" texts."""
    names = [name for name in {**one, **other} if one.get(name) != other.get(name)]
    words = [" ".join(f"{name}={each[name]}" for name in names if name in each) for each in (one, other)]
    return words[0], words[1]


def fitting_method(name: str, dataset: Dataset, model: str) -> Method:
    method = find_method(name)
    if dataset.scheme not in method.schemes:
        raise RunError(f"{name} does not judge datasets of the {dataset.scheme} scheme, and {dataset.name} is one.")
    if method.needs_model and not model:
        raise RunError(f"{name} needs a model.")
    if model and not method.needs_model:
        raise RunError(f"{name} calls no model: remove {model!r}.")
    return method


def check_source(method: Method, parameters: Mapping[str, Any], dataset: Dataset) -> None:
    """RunError: it searches a knowledge source, and the dataset has none."""
    if method.sourceless is not None and parameters[method.sourceless[0]] == method.sourceless[1]:
        return
    if method.needs_source and dataset.knowledge_source_id is None:
        raise RunError(f"{method.name} needs a knowledge source, and {dataset.name} has none.")


def check_parameters(method: Method, texts: Mapping[str, str], dataset: Dataset) -> dict[str, Any]:
    """Every parameter of the method with its value; prompt set and guidelines are named for good. Raises RunError."""
    try:
        parameters = read_parameters(method, texts)
        if method.edits:
            check_labels(parameters, dataset)
        check_other_models(method, parameters)
        if "prompts" in parameters:
            parameters["prompts"] = find_set(dataset, parameters["prompts"]).name
        if GUIDELINES in method.parameters:
            parameters[GUIDELINES.name] = find_guidelines(dataset, parameters[GUIDELINES.name]).version
    except (ParameterError, PromptError) as error:
        raise RunError(str(error)) from error
    return parameters


def _same_run(evaluator: Evaluator, dataset: Dataset, manifest: dict[str, Any], reading_of: Run | None) -> Run | None:
    """The newest run that asks for the same and has neither failed nor stopped before its end."""
    runs = evaluator.runs.filter(dataset=dataset, reading_of=reading_of, state__in=[*Run.ACTIVE, Run.State.FINISHED])
    own = (run for run in runs if "bundle" not in run.manifest)  # one that ran elsewhere stands for none here
    return next((run for run in own if _asks(run.manifest) == _asks(manifest)), None)


def _asks(manifest: dict[str, Any]) -> tuple[Any, ...]:
    """All that a run's results follow from; an editor's also from gold, which chooses its sentences."""
    same = (*(manifest[name] for name in ("prompts", "weights", "endpoint")), manifest.get("other_models"))
    gold = manifest["gold"]["revision"] if manifest["method"] in EDITORS else None
    return manifest["dataset"]["content_hash"], *same, manifest.get("search"), manifest.get("method_code"), gold
