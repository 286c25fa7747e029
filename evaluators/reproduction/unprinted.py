"""Figures that the papers do not print: FELM's trivial judges, and the shares that FActScore only draws."""

from itertools import chain

from core.tables import Cell, Table
from evaluators.reproduction.measure import SUBJECTS, MeasuredDataset, defined
from evaluators.reproduction.printed import SHORT_NAMES, printed
from evaluators.reproduction.rates import read_rates

ALWAYS_ERROR, RANDOM = "always-not-supported", "random"
LEVELS = ("segment", "response")
PLACES = ("first fifth", "second", "third", "fourth", "last fifth")


def felm_trivial(felm: MeasuredDataset) -> Table:
    """F1 with its interval, and the F1 to expect of a coin, by domain and level."""
    heads = ("all errors (95 % interval)", "coin")
    columns = ["domain", *(f"{level}: {head}" for level in LEVELS for head in heads)]
    rows: list[list[Cell]] = [
        [name, *chain.from_iterable(_trivial(felm, domain, level) for level in LEVELS)]
        for domain, name in SHORT_NAMES.items()
    ]
    return Table("trivial", "", columns, rows)


def _trivial(felm: MeasuredDataset, domain: str, level: str) -> tuple[str, str]:
    always, coin = (felm.result(evaluator, level, domain) for evaluator in (ALWAYS_ERROR, RANDOM))
    low, high = defined(always["f1_interval"])
    return f"{always['f1']:.4f} ({low:.3f}–{high:.3f})", f"{coin['expected']['f1']:.4f}"


def below_trivial(felm: MeasuredDataset) -> str:
    """The number of printed rows of table 4 that a judge without any knowledge beats, by level, over all domains."""
    beaten = []
    for level in LEVELS:
        trivial = defined(felm.result(ALWAYS_ERROR, level, "all")["f1"])
        cells = [
            read_rates(text).f1
            for levels in printed("felm")["table 4"].values()
            for text in levels[level]["all"].values()
        ]
        better = sum(f1 is not None and f1.high < trivial for f1 in cells)
        beaten.append(f"{better} of the {len(cells)} at {level} level")
    return f"Of the detectors of table 4, over all domains, calling everything an error beats {' and '.join(beaten)}.\n"


def by_frequency(lives: MeasuredDataset) -> Table:
    rows: list[list[Cell]] = []
    classes = list(lives.subject(SUBJECTS[0])["by_frequency"])
    for subject in SUBJECTS:
        for key, words in (("by_frequency", "all prompts"), ("by_frequency_responding", "responded to")):
            shares = lives.subject(subject)[key]
            rows.append([subject, words, *(f"{100 * shares[name]:.1f}" for name in classes)])
    return Table("frequency", "", ["% supported", "over", *classes], rows)


def by_position(lives: MeasuredDataset) -> Table:
    rows: list[list[Cell]] = [
        [subject, *(f"{100 * share:.1f}" for share in lives.subject(subject)["by_position"])] for subject in SUBJECTS
    ]
    return Table("position", "", ["% supported", *PLACES], rows)
