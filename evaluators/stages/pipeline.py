"""An evaluator as a pipeline, and the same one with gold swapped in at a stage: which method and parameters that is."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from evaluators.methods import METHODS
from evaluators.methods.factscore_facts import JUDGED, facts_of
from evaluators.methods.factscore_passages import GOLD
from evaluators.methods.felm import ROWS
from evaluators.methods.felm_judge import DOCUMENT, Variant
from evaluators.methods.parameters import read_parameters
from evaluators.runs.forms import PREFIX
from evaluators.stages.settings import (
    FACTS,
    NO_CONTEXT,
    PASSAGES,
    RETRIEVE,
    RETRIEVE_NP,
    SELF_CHECK,
    SELF_CONSISTENCY,
    StageSettings,
    settings_of,
)


@dataclass(frozen=True)
class Pipeline:
    """The method, model and parameters that declare an evaluator."""

    method: str
    model: str
    parameters: Mapping[str, Any]

    @cached_property
    def settings(self) -> StageSettings | None:
        return settings_of(self.method, self.model, self.parameters)

    def with_gold(self, stage: str) -> "Pipeline | None":
        """The same with gold at this stage; None where no method does that, or it is there already."""
        swapped = _swap(self, stage)
        if swapped is None or self.settings is None or swapped.settings is None:
            return None
        return swapped if swapped.settings.beats(self.settings, stage) else None

    def name(self) -> str:
        """Its differences from others: its method, its model, and every parameter that is not the default."""
        return " · ".join(filter(None, (self.method, self.model, *self._unusual())))

    def command(self, dataset: str) -> str:
        """The command that runs it over the dataset."""
        words = ["python", "manage.py", "evaluate", dataset, self.method]
        words += ["--model", self.model] if self.model else []
        words += ["--param", *self._unusual()] if self._unusual() else []
        return shlex.join([*words, "--name", self.name()])

    def query(self) -> str:
        """The query string with which the page of a new run is filled in."""
        chosen = {f"{PREFIX}{name}": str(self.parameters[name]) for name in self._names()}
        return urlencode({"method": self.method, "model": self.model, "name": self.name(), **chosen})

    def _names(self) -> list[str]:
        known = METHODS[self.method].parameters
        return [each.name for each in known if self.parameters.get(each.name, each.default) != each.default]

    def _unusual(self) -> list[str]:
        return [f"{name}={self.parameters[name]}" for name in self._names()]


def _swap(pipeline: Pipeline, stage: str) -> Pipeline | None:
    if pipeline.method in (NO_CONTEXT, SELF_CHECK, RETRIEVE, RETRIEVE_NP):
        if stage == FACTS and facts_of(pipeline.parameters) != JUDGED:
            return _declare(pipeline, pipeline.method, facts=JUDGED)
        if stage == PASSAGES:
            method = RETRIEVE_NP if pipeline.method == RETRIEVE_NP else RETRIEVE
            return _declare(pipeline, method, retrieval=GOLD)
    variant = _variant(pipeline)
    if variant is None or stage not in (FACTS, PASSAGES):
        return None
    wanted = replace(variant, claims=False) if stage == FACTS else replace(variant, prompting=DOCUMENT)
    name = next(name for name, row in ROWS.items() if row == wanted)
    if pipeline.method == SELF_CONSISTENCY:
        return _declare(pipeline, SELF_CONSISTENCY, over=name)
    return _declare(pipeline, name)


def _variant(pipeline: Pipeline) -> Variant | None:
    """The row of FELM's table that it is, by itself or asked several times over."""
    name = pipeline.parameters.get("over", "") if pipeline.method == SELF_CONSISTENCY else pipeline.method
    return ROWS.get(name)


def _declare(pipeline: Pipeline, method: str, **changed: str) -> Pipeline:
    """The method with the parameters that it shares with the pipeline's, and these."""
    takes = {parameter.name for parameter in METHODS[method].parameters}
    parameters = {name: value for name, value in pipeline.parameters.items() if name in takes}
    return Pipeline(method, pipeline.model, read_parameters(METHODS[method], {**parameters, **changed}))
