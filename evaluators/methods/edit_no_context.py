"""The no-context editor (FActScore appendix C.1): a sentence is corrected by what the model knows."""

from collections.abc import Mapping
from typing import Any

from evaluators.methods.base import FACTS as FACTS_SCHEME
from evaluators.methods.base import Case, Judge, Method, Outcome, Tools, Unit
from evaluators.methods.editing import FACTS, SELECTION, Prompt, count_calls, each_sentence


def build(parameters: Mapping[str, Any]) -> Judge:
    """Raises PromptError where the prompt set lacks the template."""
    prompt = Prompt(parameters, "edit_no_context")

    async def edit(tools: Tools, case: Case, unit: Unit) -> Outcome:
        return await prompt.ask(tools, case, unit)

    return each_sentence(edit)


METHOD = Method(
    name="edit-no-context",
    title="Editor, no context",
    description="Asks a model to correct each sentence by what it knows, with or without its labelled facts.",
    build=build,
    schemes=(FACTS_SCHEME,),
    edits=True,
    needs_model=True,
    answer_tokens=60,
    prompt="edit_no_context",
    own_parameters=(FACTS, *SELECTION),
    calls=count_calls,
)
