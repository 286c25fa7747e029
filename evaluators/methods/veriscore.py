"""VeriScore (Song et al. 2024, arXiv 2406.19276, section 2): the verifiable claims of each sentence, which is read
among its neighbours, searched for as they are and held against what was found.

A claim that several sentences make is searched for and verified once. The paper verifies one claim a call; here a call
verifies several, each by results of its own.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from annotate.prompt_sets.templates import read_template
from evaluators.methods.answer_forms import JSON_SCHEMA, TEXTS, in_form
from evaluators.methods.base import Case, Claim, Judge, Method, Outcome, Parameter, Tools, WebResult, with_claims
from evaluators.methods.safe import read_split
from evaluators.methods.searching import (
    ClaimVerdict,
    count_extracted,
    majority,
    results_parameter,
    show_results,
    show_sources,
)
from evaluators.methods.verdicts import IRRELEVANT, SUPPORT, read_numbered
from llm.answer import Answer
from llm.templates import PromptTemplate


def build(parameters: Mapping[str, Any]) -> Judge:
    """Raises PromptError where the prompt set lacks a template."""
    extracting = read_template(parameters["prompts"], "veriscore_claims")
    verifying = read_template(parameters["prompts"], "veriscore_verify")

    async def judge(case: Case, tools: Tools) -> list[Outcome]:
        places = [place for place, text in enumerate(case.segments) if text.strip()]
        windows = [show_window(case.segments, place, parameters["before"], parameters["after"]) for place in places]
        requests = [
            extracting.messages(question=case.prompt, passage=window, sentence=squeeze(case.segments[place]))
            for place, window in zip(places, windows, strict=True)
        ]
        form = in_form(parameters, "claims", claims=TEXTS)
        extracted = await asyncio.gather(*(tools.ask(request, **form) for request in requests))
        answers = dict(zip(places, extracted, strict=True))
        read = {place: read_split(answer) for place, answer in answers.items()}
        texts = list(dict.fromkeys(claim for claims in read.values() for claim in claims or ()))
        verdicts = await verify(texts, verifying, parameters, tools)
        claims = [
            as_claim(text, verdicts[text], answers[place].call_id, place)
            for place, of_sentence in read.items()
            for text in of_sentence or ()
        ]
        unread = {place: (answers[place].call_id,) for place, of_sentence in read.items() if of_sentence is None}
        return with_claims(case, claims, unread)

    return judge


def show_window(sentences: Sequence[str], place: int, before: int, after: int) -> str:
    """The sentence with those before and after it, as one text."""
    return " ".join(squeeze(text) for text in sentences[max(0, place - before) : place + 1 + after] if text.strip())


def squeeze(text: str) -> str:
    return " ".join(text.split())


async def verify(
    claims: Sequence[str], template: PromptTemplate, parameters: Mapping[str, Any], tools: Tools
) -> dict[str, ClaimVerdict]:
    """The verdict on each claim."""
    found = await asyncio.gather(*(tools.web_search(claim, parameters["results"]) for claim in claims))
    results = dict(zip(claims, found, strict=True))
    batches = [claims[start : start + parameters["batch"]] for start in range(0, len(claims), parameters["batch"])]
    verified = await asyncio.gather(
        *(verify_batch({claim: results[claim] for claim in batch}, template, parameters, tools) for batch in batches)
    )
    return {claim: verdict for batch in verified for claim, verdict in batch.items()}


async def verify_batch(
    results: Mapping[str, Sequence[WebResult]], template: PromptTemplate, parameters: Mapping[str, Any], tools: Tools
) -> dict[str, ClaimVerdict]:
    messages = template.messages(claims=show_claims(results))
    answers = await asyncio.gather(*(tools.ask(messages, sample) for sample in range(parameters["samples"])))
    calls = tuple(answer.call_id for answer in answers)
    read = [read_verdicts(answer, len(results)) for answer in answers]
    verdicts = {}
    for number, claim in enumerate(results, start=1):
        value, score = majority([of_answer.get(number) for of_answer in read])
        reason = show_sources([claim], results[claim])
        verdicts[claim] = ClaimVerdict(value, score, reason if value else f"{reason}\n{answers[0].text}", calls)
    return verdicts


def show_claims(results: Mapping[str, Sequence[WebResult]]) -> str:
    """The claims, numbered from 1, each with what was found for it."""
    return "\n\n".join(
        f"Claim {number}: {claim}\nFound for claim {number}:\n{show_results(found)}"
        for number, (claim, found) in enumerate(results.items(), start=1)
    )


def read_verdicts(answer: Answer, claims: int) -> dict[int, str]:
    """The verdicts by the number of the claim, from 1; none of one that the answer does not judge, judges in two ways,
    or by half."""
    said: dict[int, set[str | None]] = {}
    for number, mention in read_numbered(answer.text, SUPPORT):
        if mention is not None:
            said.setdefault(number, set()).add(None if mention.value == IRRELEVANT else mention.value)
    one = {number: next(iter(values)) for number, values in said.items() if len(values) == 1 and 1 <= number <= claims}
    return {number: value for number, value in one.items() if value is not None}


def as_claim(text: str, verdict: ClaimVerdict, extracted: int, place: int) -> Claim:
    """extracted: the answer it was read from."""
    return Claim(text, verdict.value, verdict.score, verdict.rationale, (extracted, *verdict.calls), place)


def count_calls(case: Case, parameters: Mapping[str, Any]) -> int:
    sentences, batches = (
        sum(bool(text.strip()) for text in case.segments),
        -(-count_extracted(case) // parameters["batch"]),
    )
    return sentences + int(batches * parameters["samples"])


def count_searches(case: Case, parameters: Mapping[str, Any]) -> int:
    return count_extracted(case)


METHOD = Method(
    name="veriscore",
    title="VeriScore",
    description="Extracts the claims of each sentence that can be verified, searches the web for each and asks a model "
    "whether the results support it. Needs a search engine.",
    build=build,
    needs_model=True,
    needs_search=True,
    prompt="veriscore_claims",
    own_parameters=(
        Parameter(
            "before",
            3,
            "Sentences before each that are shown with it.",
            minimum=0,
            maximum=50,
            label="Sentences before",
        ),
        Parameter(
            "after", 1, "Sentences after each that are shown with it.", minimum=0, maximum=50, label="Sentences after"
        ),
        results_parameter(10),
        Parameter(
            "batch",
            5,
            "Claims that one call verifies, each by results of its own; the paper has 1.",
            minimum=1,
            maximum=50,
            label="Claims verified at once",
        ),
        JSON_SCHEMA,
    ),
    calls=count_calls,
    searches=count_searches,
    answer_tokens=60,
)
