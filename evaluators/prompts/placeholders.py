"""What can be filled in in each template of the project's methods (docs/methods.md, Templates)."""

from collections.abc import Mapping

DOMAINS = ("wk", "science", "writing_rec", "math", "reasoning")  # whose templates may differ, as felm_claims_science

SEGMENTS = frozenset({"question", "segments"})
CLAIMS = frozenset({"question", "claims"})
FACT = frozenset({"topic", "fact"})
PLACEHOLDERS: Mapping[str, frozenset[str]] = {
    "felm_segment": SEGMENTS,
    "felm_segment_cot": SEGMENTS,
    "felm_segment_link": SEGMENTS | {"links"},
    "felm_segment_doc": SEGMENTS | {"document"},
    "felm_claims": SEGMENTS,
    "felm_claim": CLAIMS,
    "felm_claim_cot": CLAIMS,
    "felm_claim_link": CLAIMS | {"links"},
    "felm_claim_doc": CLAIMS | {"document"},
    "factscore_no_context": FACT,
    "factscore_self_check": FACT | {"context"},
    "factscore_retrieve": FACT | {"context"},
    "factscore_question": FACT,
    "factscore_answer_no_context": frozenset({"question"}),
    "factscore_answer_self_check": frozenset({"question", "context"}),
    "factscore_answer_retrieve": frozenset({"question", "context"}),
    "factscore_compare": frozenset({"question", "expected", "given"}),
    "factscore_facts": frozenset({"sentence"}),
    "factscore_facts_pool": frozenset(),
}


def placeholders_of(name: str) -> frozenset[str] | None:
    """What can be filled in in the template of this name; None: it belongs to a method of another package."""
    general = next((name.removesuffix(f"_{domain}") for domain in DOMAINS if name.endswith(f"_{domain}")), name)
    return PLACEHOLDERS.get(name, PLACEHOLDERS.get(general))
