"""Measured figures beside the printed ones, each difference with its reason."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from annotate.corpus.published import FELM_DOMAINS
from evaluators.reproduction.explained import reason, rebuilt_as_one_word
from evaluators.reproduction.measure import SUBJECTS, MeasuredDataset, defined
from evaluators.reproduction.printed import printed
from evaluators.reproduction.rounded import read
from stats.detection import figure_of

# Of a row of FELM's table 2 the key in `dataset_stats`, and how often its unit goes into 1.
FELM_ROWS = {
    "samples": ("responses", 1),
    "segments": ("segments", 1),
    "positive": ("correct", 1),
    "negative": ("error", 1),
    "response length": ("avg_response_words", 1),
    "segment length": ("avg_segment_words", 1),
}
FACTSCORE_ROWS = {
    "tokens per response": ("tokens_per_response", 1),
    "sentences per response": ("sentences_per_response", 1),
    "facts per response": ("facts_per_response", 1),
    "supported": ("supported", 100),
    "not supported": ("not_supported", 100),
    "irrelevant": ("irrelevant", 100),
    "abstained": ("abstained", 100),
    "factscore": ("factscore", 100),
}
# The printed names of the baselines, in tables 4 and 12, and in table 6.
BASELINES = {
    "Always Supported": "always-supported",
    "Always Not-supported": "always-not-supported",
    "Random": "random",
}


@dataclass(frozen=True)
class ComparedFigure:
    """One figure. row, column: where the paper prints it. measured: in the unit of the printed one.

    why: of a difference, one sentence; "" where the figures are equal, None where it is not known.
    """

    table: str
    row: str
    column: str
    printed: str
    measured: float
    why: str | None

    @property
    def equal(self) -> bool:
        return agrees(self.printed, self.measured)


def agrees(text: str, measured: float) -> bool:
    """Whether the measured figure rounds to the printed one; a half may round either way."""
    stands_for = read(text)
    # A figure is a quotient of whole numbers, but comes as a float: the ends give way by less than any digit shown.
    slack = Fraction(1, 10**9)
    return stands_for.low - slack <= Fraction(measured) <= stands_for.high + slack


def _compare(table: str, row: str, column: str, text: str, measured: float) -> ComparedFigure:
    why = "" if agrees(text, measured) else reason(table, row, column)
    return ComparedFigure(table, row, column, text, measured, why)


def compare_felm(felm: MeasuredDataset) -> Iterator[ComparedFigure]:
    """Table 2, row by row. The agree rate is left out: the file holds no second opinion."""
    table = printed("felm")["table 2"]
    for domain in FELM_DOMAINS:
        rate = 100 * felm.domain(domain)["error_rate"]
        yield _compare("FELM 2", "error rate", domain, table["error rate"][domain], rate)
    for row, (key, scale) in FELM_ROWS.items():
        for domain in FELM_DOMAINS:
            text, measured = table[row][domain], scale * felm.domain(domain)[key]
            comparison = _compare("FELM 2", row, domain, text, measured)
            yield (
                comparison
                if comparison.equal
                else replace(comparison, why=rebuilt_as_one_word(felm, domain, key, text) or comparison.why)
            )


def compare_factscore_sizes(lives: MeasuredDataset) -> Iterator[ComparedFigure]:
    """Table 2 of the two subject models whose files are published."""
    table = printed("factscore")["table 2"]
    for subject in SUBJECTS:
        sizes = lives.subject(subject)
        share = 100 * sizes["responding"] / sizes["prompts"]
        yield _compare("FActScore 2", "responding", subject, table["responding"][subject], share)
    for row, (key, scale) in FACTSCORE_ROWS.items():
        for subject in SUBJECTS:
            yield _compare("FActScore 2", row, subject, table[row][subject], scale * lives.subject(subject)[key])


def compare_irrelevant(lives: MeasuredDataset) -> Iterator[ComparedFigure]:
    """Appendix A.4: the share of responses with a sentence that has nothing to do with the prompt, of those that do not
    abstain."""
    for subject in SUBJECTS:
        text = printed("factscore")["appendix A.4"]["irrelevant sentence"][subject]
        share = 100 * lives.with_irrelevant.get(subject, 0) / lives.subject(subject)["responding"]
        yield _compare("FActScore A.4", "irrelevant sentence", subject, text, share)


def compare_detection(lives: MeasuredDataset) -> Iterator[ComparedFigure]:
    """The trivial rows of tables 4 (F1micro) and 12 (macro-F1). For a random judge, the expected figures."""
    for table, figure in (("4", "f1"), ("12", "macro_f1")):
        for row, evaluator in BASELINES.items():
            for subject in SUBJECTS:
                result = lives.result(evaluator, "fact", subject)
                value = result["expected"][figure] if evaluator == "random" else figure_of(result, figure)
                text = printed("factscore")[f"table {table}"][row][subject]
                yield _compare(f"FActScore {table}", row, subject, text, 100 * defined(value))


def compare_error_rates(lives: MeasuredDataset) -> Iterator[ComparedFigure]:
    """The trivial rows of table 6. A random judge is expected to call half of the facts supported."""
    for name, row in printed("factscore")["table 6"]["rows"].items():
        if not name.startswith("Always"):
            continue
        for subject in SUBJECTS:
            gold = lives.subject(subject)["factscore"]
            estimated = 0.5 if name == "Always Random" else lives.estimate(BASELINES[name], subject)["estimated"]
            text = row["error rate"][subject]
            yield _compare("FActScore 6", name, subject, text, 100 * abs(gold - estimated))
