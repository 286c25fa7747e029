"""What can be filled in in each template of the project (docs/prompts.md, Prompt sets)."""

from collections.abc import Mapping

DOMAINS = ("wk", "science", "writing_rec", "math", "reasoning")  # whose templates may differ, as felm_claims_science
ERROR_TYPES = ("predicate", "entity", "circumstance", "coreference", "link")  # FACTOR's, table 1

SEGMENTS = frozenset({"question", "segments"})
CLAIMS = frozenset({"question", "claims"})
FACT = frozenset({"topic", "fact"})
FOUND = frozenset({"fact", "found"})
CONTRADICTIONS = frozenset({"context", "sentence", "wanted"})
SENTENCE = frozenset({"topic", "sentence"})
RUBRIC = frozenset({"guidelines", "labels", "question", "response"})
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
    "safe_split": frozenset({"sentence"}),
    "safe_revise": frozenset({"response", "fact"}),
    "safe_relevance": frozenset({"question", "response", "fact"}),
    "safe_query": FOUND,
    "safe_rate": FOUND,
    "factool_claims": frozenset({"question", "response"}),
    "factool_queries": frozenset({"fact", "wanted"}),
    "factool_verify": FOUND,
    "veriscore_claims": frozenset({"question", "passage", "sentence"}),
    "veriscore_verify": frozenset({"claims"}),
    "fastfact_claims": SEGMENTS,
    "fastfact_verify": FOUND,
    "edit_no_context": SENTENCE,
    "edit_no_context_facts": SENTENCE | {"facts"},
    "edit_retrieve": SENTENCE | {"context"},
    "edit_retrieve_facts": SENTENCE | {"facts", "context"},
    "factscore_facts": frozenset({"sentence"}),
    "factscore_facts_pool": frozenset(),
    "selfcheck_prompt": frozenset({"context", "statement"}),
    "panel": frozenset({"question", "response", "statement"}),
    "rubric_response": RUBRIC | {"statements"},
    "rubric_unit": RUBRIC | {"statement"},
    "ask_again": frozenset({"answer", "fault"}),
    "propose_facts": frozenset({"sentence"}),
    "propose_segments": frozenset({"separator", "text"}),
    "write_prompts": frozenset({"shown", "about", "examples", "wanted"}),
    **{f"factor_{error_type}": CONTRADICTIONS for error_type in ERROR_TYPES},
    "factor_judge_contradiction": frozenset({"premise", "hypothesis"}),
    "factor_judge_fluency": frozenset({"near", "sentence"}),
}


def placeholders_of(name: str) -> frozenset[str] | None:
    """What can be filled in in the template of this name; None: it belongs to a method of another package."""
    general = next((name.removesuffix(f"_{domain}") for domain in DOMAINS if name.endswith(f"_{domain}")), name)
    return PLACEHOLDERS.get(name, PLACEHOLDERS.get(general))
