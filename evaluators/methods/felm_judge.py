"""FELM's evaluators (§4.1): a judge is a choice of listed units, of prompting, and of references."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from evaluators.methods.base import Case, Judge, Judgement, Outcome, Tools
from evaluators.methods.felm_lists import build_list_judge
from evaluators.methods.felm_references import show_document, show_links

VANILLA, THOUGHT, LINK, DOCUMENT = "", "cot", "link", "doc"
# Domains whose responses have no references and no claims that stand by themselves.
WITHOUT_REFERENCES = ("math", "reasoning")
MISSING = {LINK: "no link", DOCUMENT: "no document"}


@dataclass(frozen=True)
class Variant:
    """A row of the paper's table 4. prompting: VANILLA, THOUGHT, LINK or DOCUMENT."""

    claims: bool
    prompting: str

    @property
    def prompt(self) -> str:
        """The name of its template."""
        return "_".join(filter(None, ("felm", "claim" if self.claims else "segment", self.prompting)))

    @property
    def fallback(self) -> "Variant":
        """The variant without claims and references (table 4): segments, prompted alike."""
        return Variant(False, THOUGHT if self.prompting == THOUGHT else VANILLA)

    def why_fall_back(self, case: Case, references: Mapping[str, str]) -> str:
        """Why the case cannot be judged as the variant says; "" where it can."""
        if self == self.fallback:
            return ""
        if case.domain in WITHOUT_REFERENCES:
            return case.domain
        return "" if any(references.values()) else MISSING.get(self.prompting, "")


def build_variant(variant: Variant, parameters: Mapping[str, Any]) -> Judge:
    """Raises PromptError where the prompt set lacks a template."""
    named, fallback = (
        build_list_judge(one.prompt, one.claims, one.prompting == THOUGHT, parameters)
        for one in (variant, variant.fallback)
    )

    async def judge(case: Case, tools: Tools) -> list[Outcome]:
        references = show_references(variant, case, parameters)
        reason = variant.why_fall_back(case, references)
        if not reason:
            return await named.judge(case, references, tools)
        return [_fallen_back(outcome, reason) for outcome in await fallback.judge(case, {}, tools)]

    return judge


def show_references(variant: Variant, case: Case, parameters: Mapping[str, Any]) -> dict[str, str]:
    """The fields of the template that show references."""
    if case.domain in WITHOUT_REFERENCES:
        return {}
    if variant.prompting == LINK:
        return {"links": show_links(case)}
    if variant.prompting == DOCUMENT:
        return {"document": show_document(case, parameters["chunk_tokens"], parameters["tokenizer"])}
    return {}


def _fallen_back(outcome: Outcome, reason: str) -> Outcome:
    return replace(outcome, fallback=reason) if isinstance(outcome, Judgement) else outcome
