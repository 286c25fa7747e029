"""The sentences of docs/reproduction.md that do not depend on a figure."""

from annotate.corpus.published import FELM_DOMAINS

TITLE = """# The papers' figures, reproduced

Made by `manage.py reproduce` from the published files, by the same import, statistics and report as every data set's;
a test makes it again and compares. Nothing here is typed by hand but the printed figures themselves.

"a → b" means that the paper prints a and the file gives b. A figure without an arrow is the printed one: what the file
gives rounds to it, a half either way. How each figure is defined: [Statistics](statistics.md).
"""
FELM_2 = """## FELM, table 2

The agree rate is not among the figures: the published file holds one judgement of each segment, not two. Lengths are
in words.
"""
FELM_TRIVIAL = """## FELM, what a judge without any knowledge gets

The paper prints no such rows, so they stand alone: F1 on errors of a judge that calls everything an error, with a 95 %
interval (whole prompts drawn again), and the F1 to expect of a coin. A judge that calls everything correct has F1 0
wherever there are errors.
"""
FACTSCORE_2 = """## FActScore, table 2

Of InstructGPT and ChatGPT; the third file, PerplexityAI's, was not at hand. Shares in percent of all 183 prompts. The
agreement of annotators is not among the figures: the published files hold one label of each fact.
"""
FIGURE_2 = """## FActScore, figure 2

The paper draws these shares and prints none of them. Supported facts by how often the person is mentioned, over all
prompts of the class (an abstained response counts 0) and over those responded to, and by the fact's place in the
response.
"""
FACTSCORE_TRIVIAL = """## FActScore, the trivial rows of tables 4, 6 and 12

Table 4 prints the F1 on errors over human facts of relevant sentences, irrelevant ones counted as errors. Table 12
calls its figures the same, but what it prints is the mean of the F1 on errors and the F1 on correct facts. Table 6
prints error rates. Of a random judge the expectation is given.
"""
CONTRADICTIONS = """## Printed cells that contradict each other

Every figure of a detector follows from four counts, so printed figures can be held against each other without any
prediction at hand. A printed 17.6 was anything from 17.55 to 17.65; a cell is listed only where no number that
rounds to it agrees with any numbers that round to the others. Where rates are turned into counts, either the numbers
of units that FELM's table 2 prints or those of the published file may have been meant: a cell is listed only where
neither fits. "Apart by" is how far the two still miss each other after all rounding, in the unit that is printed.

Cells that miss by a tenth or two may have been computed over slightly other numbers of units, as the text's older
counts (817 samples) suggest. Seven cells of FELM's table 10 miss by most of a point or more, and under "All" stand
F1s that are up to six points above what their domains give. Rates that no whole number of units gives mostly come from
rounding twice: an F1 of 5.1 from precision 100.0 and recall 2.6, where 1 of 39 gives 5.0. The cells of FActScore's
table 12 contradict its caption, and those of table 4, because they are macro-F1.
"""
DIFFERENCES = "Where they differ:\n\n"
NOT_EXPLAINED = "This difference is not explained."

NAMES = {
    **FELM_DOMAINS,
    "all": "All",
    "samples": "Responses",
    "error rate": "% of responses with an error",
    "positive": "Correct segments",
    "negative": "Segments with an error",
    "response length": "Mean length of a response",
    "segment length": "Mean length of a segment",
    "responding": "% responding",
    "factscore": "FActScore",
}


def name_of(row: str) -> str:
    """A row or a column as the page names it."""
    return NAMES.get(row, row[0].upper() + row[1:])
