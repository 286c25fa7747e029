"""Prompts that a model writes after drafted ones: what there is to begin with, and the start."""

from django.db.models import Count

from annotate.grants.allowances import check_left
from annotate.grants.endpoints import check_granted
from annotate.models import CollectedPrompt, Dataset, PromptWriting, Scheme, User
from annotate.models.prompt_set import PROJECT_SET
from annotate.prompt_sets.sets import find_set
from annotate.prompt_sets.templates import AGAIN, read_template, reading_templates
from annotate.prompts.write import WritingTemplates
from jobs.errors import StartError
from llm.models import Endpoint
from llm.templates import PromptError

TEMPLATE = "write_prompts"


def drafted_in(dataset: Dataset, domain: str) -> list[str]:
    """The dataset's prompts of the domain that people drafted, in order."""
    drafted = dataset.collected_prompts.filter(domain=domain, origin=CollectedPrompt.Origin.FILE)
    return list(drafted.order_by("position").values_list("text", flat=True))


def domains_drafted(dataset: Dataset) -> dict[str, int]:
    """The domains of the prompts that people drafted, each with their number; "": without one."""
    drafted = dataset.collected_prompts.filter(origin=CollectedPrompt.Origin.FILE)
    return dict(drafted.order_by("domain").values_list("domain").annotate(Count("pk")))


def start_writing(
    dataset: Dataset,
    endpoint: Endpoint,
    model: str,
    wanted: int,
    seed: int,
    domain: str = "",
    by: User | None = None,
    prompt_set: str = PROJECT_SET,
) -> PromptWriting:
    """Let the model write `wanted` more prompts of the domain after those that were drafted, asked in the words of the
    prompt set. Raises StartError."""
    if dataset.scheme == Scheme.CLAIMS:
        raise StartError(f"{dataset} holds claims: no model is asked.")
    if dataset.scheme != Scheme.FELM:
        raise StartError(f"{dataset} asks for lives: draw its entities instead.")
    if not drafted_in(dataset, domain):
        of = f" of the domain {domain}" if domain else ""
        raise StartError(f"There is no drafted prompt{of} to begin with: import a few.")
    check_granted(dataset, endpoint)
    check_left(dataset, by)
    try:
        prompt_set = find_set(dataset, prompt_set).name
        templates_of(dataset, prompt_set)
    except PromptError as error:
        raise StartError(str(error)) from None
    return PromptWriting.objects.create(
        dataset=dataset,
        endpoint=endpoint,
        model=model,
        wanted=wanted,
        seed=seed,
        domain=domain,
        prompt_set=prompt_set,
        created_by=by,
    )


def templates_of(dataset: Dataset, prompt_set: str) -> WritingTemplates:
    """Raises PromptError where one is missing."""
    with reading_templates(dataset):
        return WritingTemplates(read_template(prompt_set, TEMPLATE), read_template(prompt_set, AGAIN))
