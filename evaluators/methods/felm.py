"""FELM's evaluators, the rows of the paper's tables 4, 10 and 12: by segments or by claims, with four kinds of prompt,
and any of them by self-consistency."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from evaluators.methods.base import FACTS, SEGMENTS, SHARED, Case, Judge, Method, Parameter
from evaluators.methods.felm_answers import CHAT_READER, VICUNA
from evaluators.methods.felm_judge import DOCUMENT, LINK, THOUGHT, VANILLA, WITHOUT_REFERENCES, Variant, build_variant
from evaluators.methods.felm_references import TOKENIZERS

CONTEXT = Parameter(
    "context",
    8192,
    "Tokens that the model takes, prompt and answer together; a longer response is cut between segments.",
    minimum=256,
    label="Context, in tokens",
)
LOGPROBS = Parameter(
    "logprobs",
    False,
    "Whether log-probabilities are asked for: a single answer then has scores, where the endpoint gives them.",
    label="Log-probabilities",
)
READER = Parameter(
    "reader",
    CHAT_READER,
    "Under the profile released-code: whose answers the published code takes these for.",
    choices=(CHAT_READER, VICUNA),
    label="Published reader",
)
ENDING = Parameter(
    "ending", "", "Stands at the end of the prompt, for models that are not asked as a chat.", label="End of the prompt"
)
CLAIM_TOKENS = Parameter(
    "claim_tokens",
    1500,
    "Longest answer that lists claims, in tokens.",
    minimum=1,
    label="Longest list of claims, in tokens",
)
CHUNK_TOKENS = Parameter(
    "chunk_tokens",
    512,
    "Tokens of a reference document that are shown at most.",
    minimum=16,
    label="Tokens of a document",
)
TOKENIZER = Parameter(
    "tokenizer",
    "tokens",
    "What counts as a token of a document.",
    choices=tuple(TOKENIZERS),
    label="Tokens of documents are",
)

LISTED = {
    False: ("segments", "the numbered segments of the whole response"),
    True: ("claims", "the claims that it first extracted from the segments"),
}
PROMPTED = {
    VANILLA: ("", ""),
    THOUGHT: (", chain of thought", " after thinking aloud"),
    LINK: (", reference links", " beside the links of the response's references"),
    DOCUMENT: (", reference documents", " beside the best passage of each of the response's references"),
}


# Tokens of a usual answer: a list of numbers, and the same after a thought.
NUMBERS_TOKENS, THOUGHT_TOKENS = 15, 150


def make_method(name: str, variant: Variant) -> Method:
    listed, at_what = LISTED[variant.claims]
    prompted, how = PROMPTED[variant.prompting]
    return Method(
        name=name,
        title=f"FELM, {listed}{prompted}",
        description=f"Asks a model in one call which of {at_what} contain errors{how}.",
        build=partial(build_variant, variant),
        schemes=(SEGMENTS,) if variant.claims else (SEGMENTS, FACTS),
        needs_model=True,
        prompt=variant.prompt,
        own_parameters=own_parameters(variant),
        calls=partial(count_calls, variant) if variant.claims else None,
        answer_tokens=THOUGHT_TOKENS if variant.prompting == THOUGHT else NUMBERS_TOKENS,
    )


def own_parameters(variant: Variant) -> tuple[Parameter, ...]:
    claim = (CLAIM_TOKENS,) if variant.claims else ()
    chunk = (CHUNK_TOKENS, TOKENIZER) if variant.prompting == DOCUMENT else ()
    return (CONTEXT, LOGPROBS, READER, ENDING, *claim, *chunk)


def count_calls(variant: Variant, case: Case, parameters: Mapping[str, Any]) -> int:
    """The number of answers for a response that one list holds."""
    return int(parameters["samples"]) + (variant.claims and case.domain not in WITHOUT_REFERENCES)


ROWS = {
    variant.prompt.replace("_", "-"): variant
    for variant in (Variant(claims, prompting) for claims in (False, True) for prompting in PROMPTED)
}


def build_self_consistency(parameters: Mapping[str, Any]) -> Judge:
    """Raises PromptError where the prompt set lacks a template."""
    return build_variant(ROWS[parameters["over"]], parameters)


SELF_CONSISTENCY = Method(
    name="felm-self-consistency",
    title="FELM, self-consistency",
    description="Asks what another of FELM's methods asks several times over at a temperature; the majority decides, "
    "segment by segment.",
    build=build_self_consistency,
    schemes=(SEGMENTS,),
    needs_model=True,
    prompt=ROWS["felm-segment-cot"].prompt,
    answer_tokens=THOUGHT_TOKENS,
    own_parameters=(
        Parameter(
            "over",
            "felm-segment-cot",
            "The method that is asked several times.",
            choices=tuple(ROWS),
            label="Method asked",
        ),
        replace(SHARED["samples"], default=9),
        replace(SHARED["temperature"], default=0.9),
        CONTEXT,
        LOGPROBS,
        READER,
        ENDING,
        CLAIM_TOKENS,
        CHUNK_TOKENS,
        TOKENIZER,
    ),
    calls=lambda case, parameters: count_calls(ROWS[parameters["over"]], case, parameters),
)


def judges_claims(method: str, parameters: Mapping[str, Any]) -> bool:
    """Whether the method of this name, with these parameters, is one of FELM's by claims."""
    row = ROWS.get(str(parameters.get("over")) if method == SELF_CONSISTENCY.name else method)
    return row is not None and row.claims


METHODS = (*(make_method(name, variant) for name, variant in ROWS.items()), SELF_CONSISTENCY)
