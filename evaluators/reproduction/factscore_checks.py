"""Cells of FActScore's printed tables that contradict each other (Min et al. 2023, tables 2, 4, 5, 6, 12, 13, text)."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

from evaluators.reproduction.printed import Check, Contradiction, check, compare, printed, same
from evaluators.reproduction.rounded import Range, add_up, exactly, hull, in_words, read_percent

# By subject model, in the order of their scores by people.
Row = Mapping[str, str]
SHARES = ("supported", "not supported", "irrelevant", "abstained")
# The estimate is marked where it is further off than this.
NOTABLE = Fraction(5, 100)


def check_factscore() -> list[Check]:
    return [
        check("Table 2: the shares are of all 183 prompts and make 100 %", list(_check_table_2())),
        check("Table 6: an error rate is the distance to people's score", list(_check_error_rates())),
        check("Table 6: the marks + and − and the ranking follow from the scores", list(_check_marks())),
        check("Trivial rows of tables 4 and 12 follow from one share of errors", list(_check_trivial())),
        check("A row that two tables print is the same in both", list(_check_repeated())),
        check("The text says what the tables say", list(_check_text())),
    ]


def _check_table_2() -> Iterator[Contradiction | None]:
    table = {
        row: {name: read_percent(text) for name, text in of.items()}
        for row, of in _table("2").items()
        if row in (*SHARES, "responding", "factscore")
    }
    prompts = int(printed("factscore")["prompts"])
    for subject, text in _table("2")["responding"].items():
        responding = table["responding"][subject]
        total = add_up(table[row][subject] for row in SHARES)
        yield compare("2", f"{subject}: the four shares together", "100", exactly(1), total)
        rest = exactly(1) - table["abstained"][subject]
        yield compare("2", f"{subject}: % responding, from those that abstain", text, responding, rest)
        nearest = exactly(Fraction(round(responding.low * prompts), prompts))
        whole = (responding * exactly(prompts)).whole_numbers()
        yield None if whole else compare("2", f"{subject}: % responding", text, responding, nearest)
        score = table["supported"][subject] / responding
        words = f"{subject}: FActScore, from supported and % responding"
        yield compare("2", words, _table("2")["factscore"][subject], table["factscore"][subject], score)


def _check_error_rates() -> Iterator[Contradiction | None]:
    human = {subject: read_percent(text) for subject, text in _table("6")["human"].items()}
    for subject, text in _table("6")["human"].items():
        there = _table("2")["factscore"][subject]
        yield same("6", f"Human, {subject}: against table 2", text, there)
    for name, row in _table("6")["rows"].items():
        for subject, text in row["error rate"].items():
            score = read_percent(row["factscore"][subject].rstrip("+-"))
            yield compare(
                "6", f"{name}, {subject}: error rate", text, read_percent(text), _distance(score, human[subject])
            )


def _distance(one: Range, other: Range) -> Range:
    apart = one - other
    ends = [abs(apart.low), abs(apart.high)]
    return hull([*ends, Fraction(0)] if apart.low <= 0 <= apart.high else ends)


def _check_marks() -> Iterator[Contradiction | None]:
    human = {subject: read_percent(text) for subject, text in _table("6")["human"].items()}
    for name, row in _table("6")["rows"].items():
        for subject, text in row["factscore"].items():
            bias = read_percent(text.rstrip("+-")) - human[subject]
            possible = _marks(bias)
            mark = text[len(text.rstrip("+-")) :]
            cell = f"{name}, {subject}: mark"
            yield None if mark in possible else Contradiction("6", cell, mark or "none", " or ".join(possible))
        possible_orders = _keeps_order([read_percent(text.rstrip("+-")) for text in row["factscore"].values()])
        printed_order = row["ranking kept"]
        yield (
            None
            if printed_order in possible_orders
            else Contradiction("6", f"{name}: ranking", str(printed_order), str(not printed_order))
        )


def _marks(bias: Range) -> list[str]:
    """The marks that a bias in this range may have."""
    marks = [
        ("-", bias.low < -NOTABLE),
        ("", bias.low <= NOTABLE and bias.high >= -NOTABLE),
        ("+", bias.high > NOTABLE),
    ]
    return [mark for mark, possible in marks if possible]


def _keeps_order(scores: list[Range]) -> set[bool]:
    """Whether estimates in these ranges can rise from subject to subject as people's scores do, or can fail to."""
    can = all(one.low < other.high for one, other in pairwise(scores))
    must = all(one.high < other.low for one, other in pairwise(scores))
    return {can, must}


def _check_trivial() -> Iterator[Contradiction | None]:
    """Calling everything an error has recall 1 and as precision the share of errors p: F1 = 2p/(1 + p), and the F1 of
    correct facts is 0; calling everything supported has F1 0, and 2s/(1 + s) for the correct share s = 1 − p."""
    for subject, text in _table("4")["Always Not-supported"].items():
        f1 = read_percent(text)
        half = exactly(Fraction(1, 2))
        errors = hull(end / (2 - end) for end in (f1.low, f1.high))
        correct = exactly(1) - errors
        cells = {
            "Always Not-supported": f1 * half,
            "Always Supported": hull(end / (1 + end) for end in (correct.low, correct.high)),
        }
        for name, follows in cells.items():
            macro = _table("12")[name][subject]
            words = f"{name}, {subject}: as macro-F1, from table 4's {text}"
            yield compare("12", words, macro, read_percent(macro), follows)
            if name == "Always Not-supported":
                yield compare("12", f"{name}, {subject}: as F1micro (caption)", macro, read_percent(macro), f1)


def _check_repeated() -> Iterator[Contradiction | None]:
    """Tables 12 and 13 say F1micro in their captions, as tables 4 and 5 do, of the same evaluators."""
    for name, row in _table("5")["Inst-LLAMA 7B"].items():
        yield from _same("5", f"Inst-LLAMA 7B {name}", row, "4", _table("4")[name])
    yield from _same("13", "GTR Large", _table("13")["GTR Large"], "12", _table("12")["TF Retrieve→LM"])
    for name in ("No-context LM", "Self-check LM", "Retrieve→LM"):
        yield from _same("12", f"TF {name}", _table("12")[f"TF {name}"], "4", _table("4")[name])


def _same(table: str, name: str, row: Row, other: str, there: Row) -> Iterator[Contradiction | None]:
    for subject, text in row.items():
        words = f"{name}, {subject} (table {other})"
        yield same(table, words, text, there[subject])


def _check_text() -> Iterator[Contradiction | None]:
    sentences = printed("factscore")["text"]
    for subject, text in sentences["llama+np error rate"].items():
        there = _table("6")["rows"]["Inst-LLAMA Retrieve→LM + NP"]["error rate"][subject]
        yield same("text", f"error rate of LLAMA + NP, {subject}: against table 6", text, there)
    gains = (
        ("self-check over no-context", "Self-check over no-context LM", "Self-check LM", "No-context LM"),
        ("np over retrieve", "adding NP to Retrieve→LM", "Retrieve→LM + NP", "Retrieve→LM"),
    )
    for key, words, one, other in gains:
        yield _gain(words, sentences[key], _table("4")[one], _table("4")[other])


def _gain(words: str, ends: list[str], one: Row, other: Row) -> Contradiction | None:
    """Whether the smallest and the largest gain over the subjects are those that the text gives, to a whole point."""
    gains = [read_percent(one[subject]) - read_percent(other[subject]) for subject in one]
    extremes = [min(gains, key=lambda gain: gain.low), max(gains, key=lambda gain: gain.high)]
    whole_point = Range(Fraction(-1, 100), Fraction(1, 100))
    if all(exactly(Fraction(end) / 100).meets(gain + whole_point) for end, gain in zip(ends, extremes, strict=True)):
        return None
    follows = " and ".join(in_words(gain).replace("-", "−") for gain in extremes)
    return Contradiction("text", f"{words}, smallest and largest gain (table 4)", " and ".join(ends), follows)


def _table(number: str) -> Any:
    return printed("factscore")[f"table {number}"]
