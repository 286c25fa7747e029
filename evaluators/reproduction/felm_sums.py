"""Sums in FELM's tables 2 and 12, and sentences of its text on them (Chen et al. 2023)."""

from collections.abc import Iterator
from fractions import Fraction

from evaluators.reproduction.printed import DOMAINS, SHORT_NAMES, Check, Contradiction, check, compare, printed, same
from evaluators.reproduction.rates import read_rates
from evaluators.reproduction.rounded import Range, add_up, exactly, in_words, read, read_percent

ALL = "all"
# Sentences of the text on a difference of F1 at segment level: words, model, and the two methods.
TEXT_OF_TABLE_4 = {
    "chatgpt doc over vanilla": ("ChatGPT with reference documents over vanilla", "ChatGPT", "doc", "vanilla"),
    "gpt-4 doc over vanilla": ("GPT-4 with reference documents over vanilla", "GPT-4", "doc", "vanilla"),
}


def check_table_2() -> Check:
    return check("Sums, quotients and means within table 2", [*_sums(), *_lengths(), *_means()])


def _sums() -> Iterator[Contradiction | None]:
    table = printed("felm")["table 2"]
    for row in ("samples", "segments", "positive", "negative"):
        total = exactly(sum(int(table[row][domain]) for domain in DOMAINS))
        yield _whole(f"All, {row}: the sum of the domains", table[row][ALL], total)
    for domain, words in SHORT_NAMES.items():
        parts = int(table["positive"][domain]) + int(table["negative"][domain])
        yield _whole(f"{words}, segments: positive and negative", table["segments"][domain], exactly(parts))
        samples = int(table["samples"][domain])
        share = read_percent(table["error rate"][domain])
        whole = (share * exactly(samples)).whole_numbers()
        nearest = exactly(Fraction(round((share.low + share.high) / 2 * samples), samples))
        yield None if whole else compare("2", f"{words}, error rate", table["error rate"][domain], share, nearest)


def _whole(words: str, text: str, follows: Range) -> Contradiction | None:
    return compare("2", words, text, exactly(int(text)), follows, scale=1, digits=0)


def _lengths() -> Iterator[Contradiction | None]:
    """A segment's length is that of the response, divided by its segments (docs/statistics.md, Sizes)."""
    table = printed("felm")["table 2"]
    for domain, words in SHORT_NAMES.items():
        samples, segments = (exactly(int(table[row][domain])) for row in ("samples", "segments"))
        follows = read(table["response length"][domain]) * samples / segments
        text = table["segment length"][domain]
        yield compare("2", f"{words}, segment length", text, read(text), follows, scale=1)


def _means() -> Iterator[Contradiction | None]:
    """The figure under All is a mean of the domains, weighted by its units."""
    table = printed("felm")["table 2"]
    for row, weights in (("response length", "samples"), ("segment length", "segments")):
        yield _mean(row, weights, table[row][ALL])
    text = table["agree rate"][ALL]
    contradictions = [_mean("agree rate", weights, text) for weights in ("samples", "segments")]
    follows = " or ".join(
        f"{in_words(_weighted('agree rate', weights), scale=1)} ({words})"
        for weights, words in (("segments", "by segments"), ("samples", "by responses"))
    )
    apart = min((each.apart or 0.0 for each in contradictions if each), default=0.0)
    yield (
        None
        if None in contradictions
        else Contradiction("2", "All, agree rate: the mean of the domains", text, follows, apart)
    )


def _mean(row: str, weights: str, text: str) -> Contradiction | None:
    return compare("2", f"All, {row}: the mean of the domains", text, read(text), _weighted(row, weights), scale=1)


def _weighted(row: str, weights: str) -> Range:
    table = printed("felm")["table 2"]
    total = exactly(sum(int(table[weights][domain]) for domain in DOMAINS))
    return add_up(read(table[row][domain]) * exactly(int(table[weights][domain])) for domain in DOMAINS) / total


def check_table_12() -> Check:
    return check("Table 12 repeats table 4 and subtracts rightly", [*_repeated(), *_risen()])


def _repeated() -> Iterator[Contradiction | None]:
    table_4 = printed("felm")["table 4"]["ChatGPT"]
    for level, domains in printed("felm")["table 12"]["base"].items():
        for domain, text in domains.items():
            there = table_4[level][domain]["segment cot"]
            same = _numbers(text) == _numbers(there)
            cell = f"ChatGPT, chain of thought, {SHORT_NAMES[domain]}, {level}"
            yield None if same else Contradiction("12", cell, text, f"{there} (table 4)")


def _numbers(cell: str) -> list[Fraction | None]:
    """The number, without regard to its printed digits: 100 is 100.0."""
    return [None if part == "-" else Fraction(part) for part in cell.split("/")]


def _risen() -> Iterator[Contradiction | None]:
    table = printed("felm")["table 12"]
    for level, domains in table["risen by"].items():
        for domain, text in domains.items():
            base, consistent = (read_rates(table[row][level][domain]).f1 for row in ("base", "consist"))
            rise = (consistent or exactly(0)) - (base or exactly(0))
            words = f"{SHORT_NAMES[domain]}, {level}: rise of F1"
            yield compare("12", words, text, _points(text), rise)


def check_text() -> Check:
    return check("The text says what the tables say", [*_said_of_table_2(), *_text_of_table_4(), *_text_of_table_12()])


def _said_of_table_2() -> Iterator[Contradiction | None]:
    table, text = printed("felm")["table 2"], printed("felm")["text"]
    for row in ("samples", "segments"):
        there = exactly(int(table[row][ALL]))
        yield compare("text", f"{row} (table 2)", text[row], exactly(int(text[row])), there, scale=1, digits=0)
    for row in ("response length", "error rate", "agree rate"):
        yield same("text", f"{row} (table 2)", text[row], table[row][ALL])


def _text_of_table_4() -> Iterator[Contradiction | None]:
    sentences, table = printed("felm")["text"], printed("felm")["table 4"]
    for key, (words, model, one, other) in TEXT_OF_TABLE_4.items():
        cells = table[model]["segment"][ALL]
        rises = [_f1(cells[f"{listed} {one}"]) - _f1(cells[f"{listed} {other}"]) for listed in ("segment", "claim")]
        yield _statement(f"{words} (table 4)", sentences[key], rises)
    cells = table["GPT-4"]["segment"][ALL]
    fall = _f1(cells["segment vanilla"]) - _f1(cells["claim vanilla"])
    yield _statement("GPT-4's fall from segments to claims (table 4)", sentences["gpt-4 segment over claim"], [fall])


def _text_of_table_12() -> Iterator[Contradiction | None]:
    sentences, table = printed("felm")["text"], printed("felm")["table 12"]
    for level in ("segment", "response"):
        rise = _f1(table["consist"][level][ALL]) - _f1(table["base"][level][ALL])
        yield _statement(
            f"rise by self-consistency, {level} (table 12)", sentences[f"self-consistency {level}"], [rise]
        )


def _statement(words: str, text: str, follows: list[Range]) -> Contradiction | None:
    """The first contradiction where no possible meaning fits; None where one does."""
    contradictions = [compare("text", words, text, _points(text), each) for each in follows]
    return None if None in contradictions else contradictions[0]


def _points(text: str) -> Range:
    """A printed difference of percentages."""
    points = read(text)
    return Range(points.low / 100, points.high / 100)


def _f1(cell: str) -> Range:
    f1 = read_rates(cell).f1
    if f1 is None:
        raise ValueError(f"no F1 is printed in {cell}")
    return f1
