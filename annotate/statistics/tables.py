"""The tables of the statistics page, made from the document of `dataset_stats`. Plain functions over plain data."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from annotate.corpus.published import FELM_DOMAINS, Printed, printed_for_domains, printed_for_subjects
from annotate.models import Scheme

# The document of build_dataset_stats, and each part of it.
Document = dict[str, Any]
Show = Callable[[float], str]
SIZES, SCORE = "Sizes", "Score by gold"
INTERVAL = "95 % interval"


@dataclass(frozen=True)
class FigureCell:
    """A figure as text, "–" where it is undefined; the paper's beside it, "" where there is none.

    `share` is the length of its bar, from 0 to 1; None: it has none. `value` is the figure unrounded; None where it is
    undefined or no number.
    """

    text: str
    printed: str = ""
    share: float | None = None
    value: float | None = None

    @property
    def differs(self) -> bool:
        return self.printed not in ("", self.text)


@dataclass(frozen=True)
class Line:
    """section: of docs/statistics.md, where the name is that of a figure."""

    name: str
    cells: tuple[FigureCell, ...]
    section: str = ""


@dataclass(frozen=True)
class FigureTable:
    """section: of docs/statistics.md, where the heads are names of figures."""

    heads: tuple[str, ...]
    lines: tuple[Line, ...]
    section: str = ""

    @property
    def has_printed(self) -> bool:
        return any(cell.printed for line in self.lines for cell in line.cells)


def count(value: float) -> str:
    return f"{value:,.0f}"


def share(value: float) -> str:
    return f"{100 * value:.1f} %"


def length(value: float) -> str:
    return f"{value:.1f}"


@dataclass(frozen=True)
class Measure:
    """A figure of the document by its key, its name on the page, how it is written, and its section of
    docs/statistics.md."""

    key: str
    name: str
    show: Show
    section: str = SIZES

    def cell(self, figures: Mapping[str, Any], printed: Printed) -> FigureCell:
        value = figures[self.key]
        beside = self.show(printed[self.key]) if self.key in printed else ""
        return FigureCell("–" if value is None else self.show(value), beside, value=value)


OF_DOMAIN = (
    Measure("responses", "Responses", count),
    Measure("error_rate", "Responses with an error", share),
    Measure("segments", "Segments", count),
    Measure("correct", "Correct", count),
    Measure("error", "Error", count),
    Measure("unlabelled", "Without gold", count),
    Measure("avg_response_words", "Words a response", length),
    Measure("avg_segment_words", "Words a segment", length),
)
OF_SUBJECT = (
    Measure("prompts", "Prompts", count),
    Measure("responding", "Responding", share),
    Measure("tokens_per_response", "Tokens a response", length),
    Measure("sentences_per_response", "Sentences a response", length),
    Measure("facts_per_response", "Facts a response", length),
    Measure("facts_per_sentence", "Facts a sentence", length),
    Measure("mixed_sentences", "Sentences both supported and not", share),
    Measure("split", "Sentences with more human than model facts", share),
    Measure("merged", "Sentences with fewer human than model facts", share),
    Measure("supported", "Supported", share),
    Measure("not_supported", "Not supported", share),
    Measure("irrelevant", "Irrelevant", share),
    Measure("abstained", "Abstained", share),
    Measure("factscore", "FActScore", share, SCORE),
)


def domains_table(stats: Document) -> FigureTable:
    """FELM's table 2: a line a domain."""
    printed = printed_for_domains(stats["slices"])
    lines = []
    for figures in stats["slices"]:
        beside = printed.get(figures["domain"], {})
        name = FELM_DOMAINS.get(figures["domain"], figures["domain"])
        lines.append(Line(name, tuple(_of_domain(measure, figures, beside) for measure in OF_DOMAIN)))
    word = Scheme(stats["scheme"]).segments.removesuffix("s")
    names = (each.name.replace("segment", word).replace("Segment", word.capitalize()) for each in OF_DOMAIN)
    return FigureTable(tuple(names), tuple(lines), SIZES)


def _of_domain(measure: Measure, figures: Mapping[str, Any], printed: Printed) -> FigureCell:
    """A share of responses says of how many, where not all have gold."""
    cell = measure.cell(figures, printed)
    known = figures["responses_with_gold"]
    if measure.key != "error_rate" or cell.value is None or known == figures["responses"]:
        return cell
    return replace(cell, text=f"{cell.text} of {known:,}")


def subjects_table(stats: Document) -> FigureTable:
    """FActScore's table 2: a line a figure, a column a subject model."""
    printed = printed_for_subjects(stats["subjects"])
    columns = [
        (
            figures | {"responding": _ratio(figures["responding"], figures["prompts"])},
            printed.get(figures["subject"], {}),
        )
        for figures in stats["subjects"]
    ]
    lines = [
        Line(measure.name, tuple(measure.cell(figures, beside) for figures, beside in columns), measure.section)
        for measure in OF_SUBJECT
    ]
    return FigureTable(_subjects(stats), (*lines, _interval_line(stats), *_common_line(stats)))


def _interval_line(stats: Document) -> Line:
    ends = [figures["factscore_interval"] for figures in stats["subjects"]]
    cells = (FigureCell("–" if end is None else f"{100 * end[0]:.1f} to {100 * end[1]:.1f} %") for end in ends)
    return Line(INTERVAL, tuple(cells), SCORE)


def _common_line(stats: Document) -> list[Line]:
    """The score over the prompts that all responded to, where subjects are compared."""
    common = stats["common_prompts"]
    if len(stats["subjects"]) < 2 or not common["n"]:
        return []
    scores = [common["factscore"][figures["subject"]] for figures in stats["subjects"]]
    cells = tuple(FigureCell("–" if score is None else share(score), value=score) for score in scores)
    return [Line(f"FActScore over the {common['n']} prompts that all responded to", cells, SCORE)]


def classes_table(stats: Document, key: str) -> FigureTable:
    """Supported facts by class of the entity, a column a subject model."""
    names = dict.fromkeys(name for figures in stats["subjects"] for name in figures[key])
    lines = [_shares_line(name, [figures[key].get(name) for figures in stats["subjects"]]) for name in names]
    return FigureTable(_subjects(stats), tuple(lines))


def positions_table(stats: Document) -> FigureTable:
    """Supported facts by fifths of a response, a column a subject model."""
    columns = [figures["by_position"] for figures in stats["subjects"]]
    bins = max((len(column) for column in columns), default=0)
    lines = [
        _shares_line(f"{100 * place // bins} to {100 * (place + 1) // bins} %", [column[place] for column in columns])
        for place in range(bins)
    ]
    return FigureTable(_subjects(stats), tuple(lines))


def _shares_line(name: str, values: Iterable[float | None]) -> Line:
    return Line(
        name, tuple(FigureCell("–" if value is None else share(value), share=value, value=value) for value in values)
    )


def counts_table(stats: Document, key: str) -> FigureTable:
    """Counts by name (prompt sources, error types), the most frequent first; a column a domain."""
    columns = [figures[key] for figures in stats["slices"]]
    sums = [sum(column.values()) for column in columns]
    names = sorted(columns[0], key=lambda name: (-columns[0][name], name))
    lines = [
        Line(
            name or "not given",
            tuple(
                FigureCell(count(column[name]), share=column[name] / total, value=column[name])
                if name in column
                else FigureCell("")
                for column, total in zip(columns, sums, strict=True)
            ),
        )
        for name in names
    ]
    return FigureTable(
        tuple(FELM_DOMAINS.get(figures["domain"], figures["domain"]) for figures in stats["slices"]), tuple(lines)
    )


def _subjects(stats: Document) -> tuple[str, ...]:
    return tuple(figures["subject"] for figures in stats["subjects"])


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None
