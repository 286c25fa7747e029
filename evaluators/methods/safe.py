"""SAFE (Wei et al. 2024, arXiv 2403.18802, section 3): facts of a response, each rewritten to stand alone, left out
where it does not bear on the prompt, searched for step by step, and rated by what was found.

The paper always makes five searches a fact; here the model may say earlier that what was found is enough. A given
fact goes through the same steps but the first.
"""

import asyncio
import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from annotate.prompt_sets.templates import read_template
from annotate.prompts.list_answers import read_list
from evaluators.methods.answer_forms import JSON_SCHEMA, TEXTS, in_form
from evaluators.methods.base import Case, Judge, Method, Outcome, Parameter, Tools, WebResult, with_claims
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
    one_line,
    results_parameter,
    show_results,
    show_sources,
)
from evaluators.methods.verdicts import IRRELEVANT, RELEVANCE, SUPPORT, opening, settle
from llm.answer import Answer
from llm.templates import PromptTemplate

TEMPLATES = ("split", "revise", "relevance", "query", "rate")
NOTHING_YET = "nothing yet"
LABEL = re.compile(r"^(?:statement|answer) *:\s*", flags=re.IGNORECASE)
QUERY = re.compile(r"^\W*query *: *(.*\w.*)$", flags=re.IGNORECASE | re.MULTILINE)
ENOUGH = re.compile(r"\W*enough\W*", flags=re.IGNORECASE)
VERDICT = re.compile(r"\bverdict\b", flags=re.IGNORECASE)
LONGEST_VERDICT = 200


def build(parameters: Mapping[str, Any]) -> Judge:
    """Raises PromptError where the prompt set lacks a template."""
    templates = {name: read_template(parameters["prompts"], f"safe_{name}") for name in TEMPLATES}
    check = partial(check_fact, templates, parameters)

    async def judge(case: Case, tools: Tools) -> list[Outcome]:
        if parameters["claims"] == GIVEN:
            return await judge_given(case, tools, check)
        places = [place for place, text in enumerate(case.segments) if text.strip()]
        form = in_form(parameters, "facts", facts=TEXTS)
        answers = await asyncio.gather(
            *(split(templates["split"], case.segments[place], tools, form) for place in places)
        )
        facts = {place: read_split(answer) for place, answer in zip(places, answers, strict=True)}
        calls = {place: (answer.call_id,) for place, answer in zip(places, answers, strict=True)}
        extracted = [(fact, place, calls[place]) for place, of_one in facts.items() for fact in of_one or ()]
        unread = {place: calls[place] for place, of_one in facts.items() if of_one is None}
        return with_claims(case, await check_claims(case, tools, check, extracted), unread)

    return judge


async def split(template: PromptTemplate, sentence: str, tools: Tools, form: Mapping[str, Any]) -> Answer:
    return await tools.ask(template.messages(sentence=" ".join(sentence.split())), **form)


def read_split(answer: Answer) -> tuple[str, ...] | None:
    """The facts of a sentence, each once; None where the answer cannot be read."""
    facts = None if answer.finish_reason in INCOMPLETE else read_list(answer.text, "fact")
    return None if facts is None else tuple(dict.fromkeys(facts))


async def check_fact(
    templates: Mapping[str, PromptTemplate], parameters: Mapping[str, Any], case: Case, fact: str, tools: Tools
) -> ClaimVerdict:
    """The verdict on one fact; unparsed from the first answer on that cannot be read."""
    answer = await tools.ask(templates["revise"].messages(response=case.response, fact=fact))
    calls = [answer.call_id]
    statement = LABEL.sub("", one_line(answer), count=1)
    if not statement:
        return ClaimVerdict(None, None, answer.text, tuple(calls))
    if parameters["relevance"]:
        fields = {"question": case.prompt, "response": case.response, "fact": statement}
        answer = await tools.ask(templates["relevance"].messages(**fields))
        calls.append(answer.call_id)
        relevant = read_relevance(answer)
        if not relevant:
            value = None if relevant is None else IRRELEVANT
            return ClaimVerdict(value, None, f"{statement} – {answer.text}", tuple(calls))
    queries, found, asked = await look_up(templates["query"], parameters, statement, tools)
    calls += asked
    sources = f"{statement}\n{show_sources(queries, found)}"
    if not queries:
        return ClaimVerdict(None, None, sources, tuple(calls))
    messages = templates["rate"].messages(fact=statement, found=show_results(found))
    answers = await asyncio.gather(*(tools.ask(messages, sample) for sample in range(parameters["samples"])))
    value, score = majority([read_verdict(answer) for answer in answers])
    calls += [answer.call_id for answer in answers]
    return ClaimVerdict(value, score, f"{sources}\n{answers[0].text}", tuple(calls))


async def look_up(
    template: PromptTemplate, parameters: Mapping[str, Any], statement: str, tools: Tools
) -> tuple[list[str], list[WebResult], list[int]]:
    """The queries made, the results found and the calls for the queries. The search ends early where the model has
    enough, asks the same again, or writes no query."""
    queries: list[str] = []
    found: list[WebResult] = []
    calls: list[int] = []
    for _ in range(parameters["queries"]):
        shown = show_results(found) if queries else NOTHING_YET
        answer = await tools.ask(template.messages(fact=statement, found=shown))
        calls.append(answer.call_id)
        query = read_query(answer)
        if query is None or query in queries:
            break
        queries.append(query)
        found += await tools.web_search(query, parameters["results"])
    return queries, found, calls


def read_relevance(answer: Answer) -> bool | None:
    """None where the answer does not settle on one of the two words."""
    settled = None if answer.finish_reason in INCOMPLETE else settle(answer.text, RELEVANCE)
    return None if settled is None else settled.value


def read_query(answer: Answer) -> str | None:
    """The last query that is called so, or the only line; None where there is none, or the model has enough."""
    named = [] if answer.finish_reason in INCOMPLETE else QUERY.findall(answer.text)
    query = " ".join((named[-1] if named else one_line(answer)).split()).strip("\"'` ")
    return None if not query or ENOUGH.fullmatch(query) else query


def read_verdict(answer: Answer) -> str | None:
    """The last verdict that is called so; None where there is none, or half of one."""
    if answer.finish_reason in INCOMPLETE:
        return None
    behind = (answer.text[word.end() :][:LONGEST_VERDICT] for word in VERDICT.finditer(answer.text))
    verdicts = [verdict for text in behind if (verdict := opening(text, SUPPORT))]
    value = verdicts[-1].value if verdicts else None
    return None if value == IRRELEVANT else value


def count_calls(case: Case, parameters: Mapping[str, Any]) -> int:
    splits = 0 if parameters["claims"] == GIVEN else sum(bool(segment.strip()) for segment in case.segments)
    each = 1 + parameters["relevance"] + parameters["queries"] + parameters["samples"]
    return splits + count_claims(case, parameters) * int(each)


METHOD = Method(
    name="safe",
    title="SAFE",
    description="Extracts facts, rewrites each to stand alone, omits what does not bear on the prompt, searches the "
    "web for it step by step and rates it by what was found. Needs a search engine.",
    build=build,
    needs_model=True,
    needs_search=True,
    prompt="safe_rate",
    own_parameters=(
        CLAIMS,
        Parameter(
            "relevance",
            True,
            "Whether facts that do not bear on the prompt are called irrelevant, and not searched for.",
            label="Relevance to the prompt",
        ),
        Parameter("queries", 5, "Searches for each fact at most.", minimum=1, maximum=20, label="Searches for a fact"),
        results_parameter(3),
        JSON_SCHEMA,
    ),
    calls=count_calls,
    searches=count_searches,
    answer_tokens=40,
)
