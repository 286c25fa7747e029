"""Cells of FELM's printed tables that contradict each other (Chen et al. 2023, tables 2, 4, 10, 12 and the text)."""

from collections.abc import Iterator, Mapping
from itertools import chain

from evaluators.reproduction.felm_sums import check_table_2, check_table_12, check_text
from evaluators.reproduction.printed import DOMAINS, SHORT_NAMES, Check, Contradiction, check, compare, printed
from evaluators.reproduction.rates import (
    Alarms,
    PrintedRates,
    alarms_of,
    balanced_accuracy_of,
    f1_of,
    f1_of_alarms,
    fits_whole_counts,
    nearest_rates,
    read_rates,
)
from evaluators.reproduction.rounded import Range, add_up, exactly, read_percent

# By domain how many units are errors and how many correct.
Counts = Mapping[str, tuple[int, int]]
# A printed cell: its table, its row in words, its level, domain and text.
Cell = tuple[str, str, str, str, str]

ALL = "all"


def check_felm(counts_of_file: Counts) -> list[Check]:
    """counts_of_file: the published file's segments. The printed rates may be over those or over table 2's, which
    differ by a few: a cell contradicts only where neither fits."""
    segments = [_segments_of_table_2(), counts_of_file]
    counts = {"segment": segments, "response": [_responses_of_table_2()]}
    cells = list(chain(_cells_of_table_4(), _cells_of_table_12()))
    return [
        check_table_2(),
        check("F1 is the harmonic mean of precision and recall", [_check_f1(cell) for cell in cells]),
        check("Some whole numbers of units give F1/precision/recall", [_check_whole(cell, counts) for cell in cells]),
        check("Balanced accuracy (table 10) follows from precision and recall (table 4)", list(_check_10(counts))),
        check("What stands under All is the F1 of the domains taken together", list(_check_pooling(counts))),
        check_table_12(),
        check_text(),
    ]


def _segments_of_table_2() -> Counts:
    table = printed("felm")["table 2"]
    return {domain: (int(table["negative"][domain]), int(table["positive"][domain])) for domain in SHORT_NAMES}


def _responses_of_table_2() -> Counts:
    """The whole number of responses with an error that the printed error rate stands for."""
    table = printed("felm")["table 2"]
    counts = {}
    for domain in SHORT_NAMES:
        samples = int(table["samples"][domain])
        (errors,) = (read_percent(table["error rate"][domain]) * exactly(samples)).whole_numbers()
        counts[domain] = (errors, samples - errors)
    return counts


def _cells_of_table_4() -> Iterator[Cell]:
    for model, levels in printed("felm")["table 4"].items():
        for level, domains in levels.items():
            for domain, methods in domains.items():
                for method, text in methods.items():
                    yield "4", f"{model}, {method}, {SHORT_NAMES[domain]}, {level}", level, domain, text


def _cells_of_table_12() -> Iterator[Cell]:
    for level, domains in printed("felm")["table 12"]["consist"].items():
        for domain, text in domains.items():
            yield "12", f"ChatGPT, self-consistency, {SHORT_NAMES[domain]}, {level}", level, domain, text


def _check_f1(cell: Cell) -> Contradiction | None:
    table, words, _, _, text = cell
    rates = read_rates(text)
    if rates.f1 is None:
        return None
    return compare(table, f"{words}: F1", text, rates.f1, f1_of(rates.precision, rates.recall))


def _check_whole(cell: Cell, counts: Mapping[str, list[Counts]]) -> Contradiction | None:
    table, words, level, domain, text = cell
    rates = read_rates(text)
    known = [of[domain] for of in counts[level]]
    if any(fits_whole_counts(rates, *of) for of in known):
        return None
    return Contradiction(table, words, text, nearest_rates(rates, *known[0]))


def _check_10(counts: Mapping[str, list[Counts]]) -> Iterator[Contradiction | None]:
    """Nothing follows where no error was detected: the number of false alarms is open."""
    for model, levels in printed("felm")["table 10"].items():
        for level, domains in levels.items():
            for domain, methods in domains.items():
                for method, text in methods.items():
                    rates = read_rates(printed("felm")["table 4"][model][level][domain][method])
                    if rates.nothing_found:
                        continue
                    follows = [balanced_accuracy_of(rates.precision, rates.recall, *of[domain]) for of in counts[level]]
                    words = f"{model}, {method}, {SHORT_NAMES[domain]}, {level}"
                    yield _against_any("10", words, text, read_percent(text), follows)


def _check_pooling(counts: Mapping[str, list[Counts]]) -> Iterator[Contradiction | None]:
    for model, levels in printed("felm")["table 4"].items():
        for level, domains in levels.items():
            for method, text in domains[ALL].items():
                balanced = printed("felm")["table 10"][model][level]
                cells = {domain: _stands_in(domains[domain], method) for domain in DOMAINS}
                pooled = [
                    _pooled_f1(
                        {name: cell[1] for name, cell in cells.items()},
                        of,
                        {name: read_percent(balanced[name][cell[0]]) for name, cell in cells.items()},
                    )
                    for of in counts[level]
                ]
                yield _pooled("4", f"{model}, {method}, {level}", text, pooled)
    for level, cells_of in printed("felm")["table 12"]["consist"].items():
        rates = {domain: read_rates(cells_of[domain]) for domain in DOMAINS}
        pooled = [_pooled_f1(rates, of, {}) for of in counts[level]]
        yield _pooled("12", f"ChatGPT, self-consistency, {level}", cells_of[ALL], pooled)


def _stands_in(methods: Mapping[str, str], method: str) -> tuple[str, PrintedRates]:
    """The method, or its replacement in math and reasoning: segments and no references, with chain of
    thought where it had that (its caption; its pooled figures show it)."""
    name = method if method in methods else f"segment {'cot' if method.endswith('cot') else 'vanilla'}"
    return name, read_rates(methods[name])


def _pooled_f1(rates: Mapping[str, PrintedRates], counts: Counts, balanced: Mapping[str, Range]) -> Range:
    alarms = [alarms_of(rates[domain], *counts[domain], balanced.get(domain)) for domain in DOMAINS]
    total = Alarms(add_up(each.true for each in alarms), add_up(each.false for each in alarms))
    return f1_of_alarms(total, sum(counts[domain][0] for domain in DOMAINS))


def _pooled(table: str, words: str, text: str, follows: list[Range]) -> Contradiction | None:
    f1 = read_rates(text).f1
    return None if f1 is None else _against_any(table, words, text.split("/")[0], f1, follows)


def _against_any(table: str, words: str, text: str, stands_for: Range, follows: list[Range]) -> Contradiction | None:
    contradictions = [compare(table, words, text, stands_for, each) for each in follows]
    return None if None in contradictions else contradictions[0]
