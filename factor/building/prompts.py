"""The templates that a build sends: one for each type of error, and those of judges among its filters."""

from collections.abc import Mapping

from annotate.models import Dataset
from annotate.prompt_sets.templates import read_template, reading_templates
from factor.filtering.judge import CONTRADICTION, FLUENCY
from factor.filtering.settings import JUDGE, FilterSettings
from factor.generating.say import template_name
from factor.models import BenchmarkBuild, FactorErrorType
from jobs.errors import JobError
from llm.templates import PromptError, PromptTemplate

Templates = Mapping[str, PromptTemplate]


class BuildPromptsError(JobError):
    """The templates of the build are there no more, or have changed."""


def templates_for(dataset: Dataset, prompts: str, filters: FilterSettings) -> dict[str, PromptTemplate]:
    """The templates by name, from the prompt set of this name. Raises PromptError where one is missing."""
    names = [template_name(error_type) for error_type in FactorErrorType.values]
    names += [CONTRADICTION] * (filters.contradiction.by == JUDGE) + [FLUENCY] * (filters.fluency.by == JUDGE)
    with reading_templates(dataset):
        return {name: read_template(prompts, name) for name in names}


def hashes_of(templates: Templates) -> dict[str, str]:
    return {name: template.hash for name, template in templates.items()}


def templates_as_begun(build: BenchmarkBuild, filters: FilterSettings) -> dict[str, PromptTemplate]:
    """Raises BuildPromptsError where a template differs from that when the build began: half of a benchmark with one
    prompt and half with another is none."""
    try:
        templates = templates_for(build.benchmark.dataset, build.prompts, filters)
    except PromptError as error:
        raise BuildPromptsError(str(error)) from error
    for name, content_hash in hashes_of(templates).items():
        if build.templates and build.templates.get(name) != content_hash:
            raise BuildPromptsError(
                f"The prompt template {name} of the set {build.prompts} has changed since the benchmark was begun: "
                "create another one."
            )
    return templates
