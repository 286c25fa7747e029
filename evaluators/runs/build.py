"""A declared method made ready to judge."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotate.models import Dataset
from annotate.prompt_sets.templates import reading_templates
from core.plug_ins import ANY_FAULT, said_by
from evaluators.fact_generation.run_facts import fact_writer
from evaluators.methods import EDITORS, FAULTS, METHODS
from evaluators.methods.base import Judge, Method
from evaluators.methods.code import called
from evaluators.methods.parameters import hash_named_weights
from jobs.errors import JobError, StartError
from llm.templates import PromptError
from llm.weights import NotReadyError


class RunError(StartError, JobError):
    """Why there can be no such run, or why it cannot go on, in a sentence."""


@dataclass(frozen=True)
class Built:
    """templates: the hash of each prompt template that the judge will use, by name. weights: that of each folder of
    weights, by the parameter that names it."""

    judge: Judge
    templates: dict[str, str]
    weights: dict[str, str]


def find_method(name: str) -> Method:
    """The registered evaluator or editor. Raises RunError."""
    if name in EDITORS:
        return EDITORS[name]
    if name in FAULTS and name not in METHODS:
        raise RunError(FAULTS[name])
    if name not in METHODS:
        raise RunError(f"There is no method {name!r}; there are {', '.join(sorted(METHODS))}.")
    return METHODS[name]


def find_editor(name: str) -> Method:
    """The registered editor. Raises RunError."""
    if name not in EDITORS:
        raise RunError(f"There is no editor {name!r}; there are {', '.join(sorted(EDITORS))}.")
    return EDITORS[name]


def build_judge(method: Method, parameters: Mapping[str, Any], dataset: Dataset) -> Built:
    """The method for a run over the dataset.

    Raises RunError where a prompt template is missing or cannot be read, or the method is not ready here.
    """
    try:
        with reading_templates(dataset) as templates:
            judge = method.build(parameters)
            fact_writer(parameters)
        weights = hash_named_weights(parameters)
    except (PromptError, NotReadyError) as error:
        raise RunError(str(error)) from error
    except ANY_FAULT as error:
        raise RunError(f"{called(method)} cannot be made ready: {said_by(error)}") from error
    return Built(judge, dict(templates), weights)


def build_as_begun(
    method: Method, parameters: Mapping[str, Any], dataset: Dataset, manifest: Mapping[str, Any]
) -> Judge:
    """The judge of a run over the dataset with this manifest.

    Raises RunError where a template or weights differ from those when the run began: half of a run with one prompt and
    half with another is no run.
    """
    built = build_judge(method, parameters, dataset)
    begun = (manifest.get("prompts") or {}).get("templates", {})
    changed = [name for name, content_hash in built.templates.items() if begun.get(name) != content_hash]
    if changed:
        raise RunError(
            f"The prompt template {changed[0]} of the set {parameters['prompts']} has changed since the run was made: "
            "start a new one."
        )
    if built.weights != manifest.get("weights", {}):
        raise RunError("The weights have changed since the run was made: start a new one.")
    return built.judge
