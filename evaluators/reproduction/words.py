"""The sentences of docs/reproduction.md that do not depend on a figure."""

from evaluators.reproduction.printed import SHORT_NAMES

TITLE = """# The papers' figures, reproduced

`manage.py reproduce` makes this page from the published files. "a → b": the paper prints a, the file gives b. No arrow:
what the file gives rounds to the printed figure, a half either way. [Statistics](statistics.md) defines the figures.
"""
FELM_2 = """## FELM, table 2

The file has one judgement of each segment, so no agree rate. Responses that it lacks are rebuilt from their segments.
"""
FELM_TRIVIAL = """## FELM, trivial judges

The paper prints none. F1 on errors of calling everything an error, and the expected F1 of a coin.
"""
FACTSCORE_2 = """## FActScore, table 2

Without PerplexityAI's file. Shares are of all 183 prompts. The files have one label of each fact, so no agreement.
"""
FACTSCORE_A4 = """## FActScore, appendix A.4

Responses with a sentence that is irrelevant as a whole, of those that do not abstain. PerplexityAI's 24.7 % needs its
file, which is not at hand.
"""
FIGURE_2 = """## FActScore, figure 2

The paper draws these shares of supported facts and prints none: by how often the person is mentioned (an abstention
counts 0 in all prompts), and by place in the response.
"""
FACTSCORE_TRIVIAL = """## FActScore, the trivial rows of tables 4, 6 and 12

Table 4: F1 on errors over human facts of relevant sentences, irrelevant ones counted as errors. Table 12: macro-F1,
under the name of table 4's figure. Table 6: error rates. Random: the expectation.
"""
CONTRADICTIONS = """## Printed cells that contradict each other

A cell is listed only where no numbers that round to the printed ones agree, neither with the numbers of units of FELM's
table 2 nor with those of the file; the farthest apart, after all rounding, come first. A tenth or two may come from
slightly other numbers of units; rates that no whole numbers (in brackets TP, FP) give mostly come from rounding twice.
FActScore's table 12 prints macro-F1. Self-consistency stands in FELM's table 12.
"""
DIFFERENCES = "Differences:\n\n"
NOT_EXPLAINED = "This difference is not explained."

NAMES = {
    **SHORT_NAMES,
    "all": "All",
    "samples": "Responses",
    "error rate": "Error rate, %",
    "positive": "Correct segments",
    "negative": "Wrong segments",
    "response length": "Words per response",
    "segment length": "Words per segment",
    "responding": "% responding",
    "factscore": "FActScore",
    "irrelevant sentence": "% with an irrelevant sentence",
}


def name_of(row: str) -> str:
    """A row or a column as the page names it."""
    return NAMES.get(row, row[0].upper() + row[1:])
