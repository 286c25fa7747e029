"""Figures that the papers print of their datasets, for comparison with the files.

FELM: table 2 (Chen et al. 2023). FActScore: table 2 (Min et al. 2023). Facts of the papers, shares as fractions.
"""

from typing import Any

FELM_DOMAINS = {
    "all": "All domains",
    "wk": "World knowledge",
    "science": "Science and technology",
    "writing_rec": "Writing and recommendation",
    "math": "Math",
    "reasoning": "Reasoning",
}

Printed = dict[str, float]

# By domain; `error_rate` is the share of responses with an error.
FELM_TABLE_2: dict[str, Printed] = {
    domain: dict(
        zip(
            (
                "responses",
                "error_rate",
                "segments",
                "correct",
                "error",
                "avg_response_words",
                "avg_segment_words",
            ),
            figures,
            strict=True,
        )
    )
    for domain, figures in {
        "all": (847, 0.333, 4425, 3640, 785, 89.1, 17.1),
        "wk": (184, 0.462, 532, 385, 147, 50.6, 17.5),
        "reasoning": (208, 0.226, 1025, 877, 148, 75.1, 15.2),
        "math": (194, 0.330, 599, 477, 122, 44.9, 14.6),
        "science": (125, 0.312, 683, 582, 101, 104.8, 19.2),
        "writing_rec": (136, 0.346, 1586, 1319, 267, 210.9, 18.4),
    }.items()
}
FELM_NOTE = (
    "The published file differs from the printed table by at most three segments in a domain. Two responses are "
    "missing in the file and rebuilt from their segments here; counted as one word each they give the printed lengths."
)

FACTSCORE_PROMPTS = 183
# By subject model.
FACTSCORE_TABLE_2: dict[str, Printed] = {
    "InstructGPT": {
        "responding": 0.995,
        "tokens_per_response": 110.6,
        "sentences_per_response": 6.2,
        "facts_per_response": 26.3,
        "supported": 0.423,
        "not_supported": 0.432,
        "irrelevant": 0.140,
        "abstained": 0.005,
        "factscore": 0.425,
    },
    "ChatGPT": {
        "responding": 0.858,
        "tokens_per_response": 154.5,
        "sentences_per_response": 7.9,
        "facts_per_response": 34.7,
        "supported": 0.500,
        "not_supported": 0.275,
        "irrelevant": 0.083,
        "abstained": 0.142,
        "factscore": 0.583,
    },
}
FACTSCORE_NOTE = (
    "The paper prints 26.3 and 34.7 facts a response, 14.0 % irrelevant and 42.5 for InstructGPT; the published file "
    "gives 26.2, 34.6, 13.9 % and 42.58."
)


def printed_for_domains(slices: list[dict[str, Any]]) -> dict[str, Printed]:
    """FELM's table 2 by domain where the dataset is the published one, with as many responses in each; else empty."""
    sizes = {slice_["domain"]: slice_["responses"] for slice_ in slices}
    published = {domain: printed["responses"] for domain, printed in FELM_TABLE_2.items()}
    return FELM_TABLE_2 if sizes == published else {}


def printed_for_subjects(subjects: list[dict[str, Any]]) -> dict[str, Printed]:
    """FActScore's table 2 for those subject models that are the published ones, by name and number of prompts."""
    return {
        subject["subject"]: FACTSCORE_TABLE_2[subject["subject"]]
        for subject in subjects
        if subject["subject"] in FACTSCORE_TABLE_2 and subject["prompts"] == FACTSCORE_PROMPTS
    }
