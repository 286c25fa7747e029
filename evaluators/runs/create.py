"""Make evaluators and their runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Max

from annotate.grants.allowances import check_left
from annotate.models import Dataset, User
from annotate.models.corpus import ResponseQuerySet
from evaluators.fact_generation.run_facts import generates
from evaluators.methods.base import Method
from evaluators.methods.parameters import ParameterError, read_parameters
from evaluators.models import Evaluator, Run, RunItem
from evaluators.prompts.sets import find_set
from evaluators.runs.asking import find_model
from evaluators.runs.build import RunError, build_judge, find_method
from evaluators.runs.cases import judgeable
from evaluators.runs.manifest import describe, hash_content
from jobs.limits import NO_LIMITS, Limits
from llm.templates import PromptError

BATCH = 2000
LONGEST_NAME = 200


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
    created_by: User | None = None,
) -> NewRun:
    """A run of the method over the dataset's responses (the first `limit` of them), not yet queued: see `enqueue`.

    The evaluator is made if it is new; its name is "method · model" unless given. `parameters` are texts; those not
    named have their defaults. The same run is not made twice unless forced: same evaluator, same responses, same
    prompts, same weights, same endpoint, same code of the method. `anew`: forced, and the model is asked again where
    its answers are known.
    Raises RunError, or StartError where nothing is left to spend.
    """
    declared = fitting_method(method, dataset, model)
    checked = check_parameters(declared, parameters or {}, dataset)
    check_source(declared, checked, dataset)
    evaluator = Evaluator(method=method, model=model, parameters=checked)
    if limits.cost_usd is not None and declared.needs_model and find_model(evaluator, dataset).price is None:
        raise RunError(
            f"What {model} costs is not known, so no price can be kept to: enter its price, or limit tokens."
        )
    if declared.needs_model:
        check_left(dataset, created_by)
    responses = judgeable(dataset, generates(checked))[:limit]
    spending = {"max_tokens": limits.tokens, "max_cost_usd": limits.cost_usd, "created_by": created_by}
    asking = next_asking(dataset, model) if anew else 0
    name = name or default_name(method, model)
    return make_run(dataset, declared, name, model, checked, responses, force=force or anew, asking=asking, **spending)


def make_run(
    dataset: Dataset,
    method: Method,
    name: str,
    model: str,
    parameters: dict[str, Any],
    responses: ResponseQuerySet,
    *,
    force: bool,
    **fields: Any,
) -> NewRun:
    """A run of what has been checked, with these fields of its own, or the same one that is there. Raises RunError."""
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
            manifest["endpoint"] = reading_of.manifest["endpoint"]  # whose answers are read
        same = None if force else _same_run(evaluator, dataset, manifest, reading_of)
        if same is not None:
            return NewRun(same, created=False)
        run = Run.objects.create(evaluator=evaluator, dataset=dataset, manifest=manifest, **fields)
        RunItem.objects.bulk_create(
            (RunItem(run=run, response_id=pk, position=place) for place, (pk, _, _) in enumerate(rows)),
            batch_size=BATCH,
        )
    return NewRun(run, created=True)


def next_asking(dataset: Dataset, model: str) -> int:
    """The number under which the model is asked anew: no run over this dataset has asked it under that one yet."""
    last_asking = Run.objects.filter(dataset=dataset, evaluator__model=model).aggregate(last=Max("asking"))["last"]
    return (last_asking or 0) + 1


def default_name(method: str, model: str) -> str:
    return f"{method} · {model}" if model else method


def find_or_make_evaluator(name: str, method: str, model: str, parameters: dict[str, Any]) -> Evaluator:
    """The evaluator of that name, locked until the transaction ends. Raises RunError where it is another one."""
    if not name.strip() or len(name) > LONGEST_NAME:
        raise RunError(f"An evaluator's name has 1 to {LONGEST_NAME} characters.")
    Evaluator.objects.get_or_create(name=name, defaults={"method": method, "model": model, "parameters": parameters})
    evaluator = Evaluator.objects.select_for_update().get(name=name)
    for what, there, wanted in [
        ("another method", evaluator.method, method),
        ("another model", evaluator.model, model),
        ("other parameters", *_differing(evaluator.parameters, parameters)),
    ]:
        if there != wanted:
            raise RunError(
                f"The evaluator {name!r} exists with {what} ({there or 'none'}, not {wanted or 'none'}): "
                "give this one a name of its own."
            )
    return evaluator


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
    """Every parameter of the method with its value; the prompt set is named for good. Raises RunError."""
    try:
        parameters = read_parameters(method, texts)
        if "prompts" in parameters:
            parameters["prompts"] = find_set(dataset, parameters["prompts"]).name
    except (ParameterError, PromptError) as error:
        raise RunError(str(error)) from error
    return parameters


def _same_run(evaluator: Evaluator, dataset: Dataset, manifest: dict[str, Any], reading_of: Run | None) -> Run | None:
    """The newest run that asks for the same and has neither failed nor stopped before its end."""
    runs = evaluator.runs.filter(dataset=dataset, reading_of=reading_of, state__in=[*Run.ACTIVE, Run.State.FINISHED])
    own = (run for run in runs if "bundle" not in run.manifest)  # one that ran elsewhere stands for none here
    return next((run for run in own if _asks(run.manifest) == _asks(manifest)), None)


def _asks(manifest: dict[str, Any]) -> tuple[Any, ...]:
    same = (manifest[name] for name in ("prompts", "weights", "endpoint"))
    return manifest["dataset"]["content_hash"], *same, manifest.get("method_code")
