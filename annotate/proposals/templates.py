"""The templates that ask a model for facts or segments."""

from collections.abc import Mapping
from dataclasses import dataclass

from annotate.models import Dataset, Proposal
from annotate.prompt_sets.templates import AGAIN, read_by_domain, read_template, reading_templates
from llm.templates import PromptTemplate

NAMES: Mapping[str, str] = {Proposal.Kind.FACTS: "propose_facts", Proposal.Kind.SEGMENTS: "propose_segments"}


@dataclass(frozen=True)
class ProposalTemplates:
    """by_domain: the request; under "" the general one, beside those of domains that have their own. again: what is
    sent after an answer that cannot be read."""

    by_domain: Mapping[str, PromptTemplate]
    again: PromptTemplate

    def request_for(self, domain: str) -> PromptTemplate:
        return self.by_domain.get(domain, self.by_domain[""])


def templates_of(dataset: Dataset, prompts: str, kind: str) -> ProposalTemplates:
    """From the prompt set of this name. Raises PromptError where a template is missing."""
    with reading_templates(dataset):
        return ProposalTemplates(read_by_domain(prompts, NAMES[kind]), read_template(prompts, AGAIN))
