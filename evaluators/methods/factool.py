"""FacTool for knowledge (Chern et al. 2023, arXiv 2307.13528, section 4): claims of a response, queries for each, and a
verdict by the sources found, with its reasons."""

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Any

from annotate.prompt_sets.templates import read_template
from annotate.prompts.json_answers import read_json
from annotate.prompts.list_answers import read_list
from evaluators.methods.answer_forms import JSON_SCHEMA, TEXT, TEXT_OR_NONE, TEXTS, TRUTH, in_form
from evaluators.methods.base import Case, Judge, Method, Outcome, Parameter, Tools, with_claims
from evaluators.methods.felm_answers import INCOMPLETE
from evaluators.methods.searching import (
    CLAIMS,
    GIVEN,
    ClaimVerdict,
    check_claims,
    count_claims,
    count_searches,
    judge_given,
    majority,
    results_parameter,
    show_results,
    show_sources,
)
from evaluators.methods.verdicts import TRUTH as TRUE_OR_FALSE
from evaluators.methods.verdicts import settle
from llm.answer import Answer
from llm.completion import storable
from llm.templates import PromptTemplate
from stats.baselines import NOT_SUPPORTED, SUPPORTED

TEMPLATES = ("claims", "queries", "verify")


def build(parameters: Mapping[str, Any]) -> Judge:
    """Raises PromptError where the prompt set lacks a template."""
    templates = {name: read_template(parameters["prompts"], f"factool_{name}") for name in TEMPLATES}
    check = partial(check_claim, templates, parameters)

    async def judge(case: Case, tools: Tools) -> list[Outcome]:
        if parameters["claims"] == GIVEN:
            return await judge_given(case, tools, check)
        form = in_form(parameters, "claims", claims=TEXTS)
        answer = await tools.ask(templates["claims"].messages(question=case.prompt, response=case.response), **form)
        calls = (answer.call_id,)
        claims = read_texts(answer, "claim")
        if claims is None:
            return with_claims(case, (), dict.fromkeys(range(len(case.segments)), calls))
        return with_claims(case, await check_claims(case, tools, check, [(claim, None, calls) for claim in claims]))

    return judge


async def check_claim(
    templates: Mapping[str, PromptTemplate], parameters: Mapping[str, Any], case: Case, claim: str, tools: Tools
) -> ClaimVerdict:
    """The verdict on one claim, which stands for itself: the rest of the case is not looked at."""
    wanted: int = parameters["queries"]
    messages = templates["queries"].messages(fact=claim, wanted=str(wanted))
    asked = await tools.ask(messages, **in_form(parameters, "queries", queries=TEXTS))
    queries = (read_texts(asked, "query") or [])[:wanted]
    if not queries:
        return ClaimVerdict(None, None, asked.text, (asked.call_id,))
    searches = await asyncio.gather(*(tools.web_search(query, parameters["results"]) for query in queries))
    found = [result for results in searches for result in results]
    messages = templates["verify"].messages(fact=claim, found=show_results(found))
    form = in_form(parameters, "verdict", reasoning=TEXT, error=TEXT_OR_NONE, correction=TEXT_OR_NONE, factuality=TRUTH)
    answers = await asyncio.gather(*(tools.ask(messages, sample, **form) for sample in range(parameters["samples"])))
    value, score = majority([read_factuality(answer) for answer in answers])
    calls = (asked.call_id, *(answer.call_id for answer in answers))
    return ClaimVerdict(value, score, f"{show_sources(queries, found)}\n{show_reasons(answers[0])}", calls)


def read_texts(answer: Answer, part: str) -> list[str] | None:
    """The texts that the answer lists, each once; None where it cannot be read."""
    texts = None if answer.finish_reason in INCOMPLETE else read_list(answer.text, part)
    return None if texts is None else list(dict.fromkeys(texts))


def read_factuality(answer: Answer) -> str | None:
    """None where the answer has no truth value of that name, nor True or False in words."""
    found = None if answer.finish_reason in INCOMPLETE else read_json(answer.text)
    factual = found.get("factuality") if isinstance(found, dict) else None
    if isinstance(factual, str):
        said = settle(factual, TRUE_OR_FALSE)
        factual = said.value if said else None
    if not isinstance(factual, bool):
        return None
    return SUPPORTED if factual else NOT_SUPPORTED


def show_reasons(answer: Answer) -> str:
    """Reasoning, error and correction, a line each; the answer as it is where it cannot be read."""
    found = read_json(answer.text)
    if not isinstance(found, dict):
        return answer.text
    parts = [(name, found.get(name)) for name in ("reasoning", "error", "correction")]
    said = [f"{name.capitalize()}: {text}" for name, text in parts if isinstance(text, str) and text.strip()]
    return storable("\n".join(said))


def count_calls(case: Case, parameters: Mapping[str, Any]) -> int:
    extraction = int(parameters["claims"] != GIVEN)
    return extraction + count_claims(case, parameters) * (1 + int(parameters["samples"]))


METHOD = Method(
    name="factool",
    title="FacTool",
    description="Extracts claims, writes queries for each, and checks it against the sources that a search of the web "
    "finds, with reasons and a correction. Needs a search engine.",
    build=build,
    needs_model=True,
    needs_search=True,
    prompt="factool_verify",
    own_parameters=(
        CLAIMS,
        Parameter("queries", 2, "Searches for each claim.", minimum=1, maximum=20, label="Searches for a claim"),
        results_parameter(5),
        JSON_SCHEMA,
    ),
    calls=count_calls,
    searches=count_searches,
    answer_tokens=80,
)
