"""The retrieving editor (FActScore appendix C.1): a sentence beside passages of its topic's page."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from evaluators.methods.base import FACTS as FACTS_SCHEME
from evaluators.methods.base import Case, Judge, Method, Outcome, Skip, Tools, Unit
from evaluators.methods.editing import FACTS, SELECTION, Prompt, count_calls
from evaluators.methods.factscore_passages import (
    BM25,
    DENSE,
    DENSE_LOCAL,
    NO_PAGE,
    RETRIEVAL,
    Passages,
    build_retrieval,
    show,
)
from evaluators.methods.parameters import layout_of

PASSAGES = 3  # of the paper, whose prompts had no room for five
RETRIEVING = tuple(
    replace(each, default=PASSAGES, help="Passages of the topic's page shown with each sentence.")
    if each.name == "passages"
    else replace(each, help="How they are chosen.", choices=(BM25, DENSE, DENSE_LOCAL))
    if each.name == "retrieval"
    else each
    for each in RETRIEVAL
)


def build(parameters: Mapping[str, Any]) -> Judge:
    """Raises PromptError where the prompt set lacks the template, NotReadyError where a local model is to embed, and is
    not there."""
    prompt, find = Prompt(parameters, "edit_retrieve"), build_retrieval(parameters)
    layout = layout_of(parameters)

    async def edit(case: Case, tools: Tools) -> list[Outcome]:
        found = await find(tools, case)
        pairs = zip(case.units, found, strict=True)
        return list(await asyncio.gather(*(edit_sentence(tools, case, unit, passages) for unit, passages in pairs)))

    async def edit_sentence(tools: Tools, case: Case, unit: Unit, passages: Passages) -> Outcome:
        if not passages:
            return Skip(unit, NO_PAGE)
        return await prompt.ask(tools, case, unit, show(passages, layout))

    return edit


def rehearse(parameters: Mapping[str, Any]) -> Judge:
    """For estimates: as factscore-retrieve's."""
    local = parameters["retrieval"] == DENSE_LOCAL
    return build({**parameters, "retrieval": BM25} if local else parameters)


METHOD = Method(
    name="edit-retrieve",
    title="Editor, retrieve→LM",
    description="Asks a model to correct each sentence by the best passages of the topic's page in the knowledge "
    "source, with or without its labelled facts. Leaves out topics without a page.",
    build=build,
    schemes=(FACTS_SCHEME,),
    edits=True,
    needs_model=True,
    answer_tokens=60,
    needs_source=True,
    prompt="edit_retrieve",
    own_parameters=(FACTS, *RETRIEVING, *SELECTION),
    calls=count_calls,
    rehearsal=rehearse,
)
