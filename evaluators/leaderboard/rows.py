"""The leaderboard's table: the chosen figures of a report, in order. Plain functions over the report's document."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from core.tables import Cell, PrintedTable, Table, with_ends
from evaluators.comparison.documents import Report, ReportEntry
from evaluators.comparison.judges import ALWAYS_NOT_SUPPORTED, TRIVIAL, same_as_reason
from evaluators.comparison.levels import ESTIMATES, LEVELS, RECALL, level_title
from evaluators.comparison.report import slice_of
from evaluators.comparison.slices import ALL
from evaluators.comparison.verdict_text import Standing, is_top
from stats.detection import METRICS, DetectionRow
from stats.extraction import FIGURES, ExtractionFigure
from stats.f1_at_k import MEDIAN, NO_RESPONSE, AtK, KChoice, common_k
from stats.factscore_estimation import EstimationRow
from stats.pessimistic import why_unranked
from stats.reference_recall import ReferenceRecall, ReferenceRow

GROUPS = ("ranked", "unranked", "baseline")
AT_K = ("f1", "recall", "precision")
OF_RECALL = (*(f"{key}_at_k" for key in AT_K), "of_lists")
INTERVALS = ("f1", "balanced_accuracy", "estimated", *OF_RECALL, "bias", *FIGURES)


@dataclass(frozen=True)
class LeaderboardColumn:
    """A column of figures. section: of docs/statistics.md, where they are defined. rising: a first click asks for the
    smallest first."""

    key: str
    title: str
    help: str
    section: str
    rising: bool = False

    @property
    def first(self) -> str:
        return self.key if self.rising else f"-{self.key}"


# Sections of docs/statistics.md.
DETECTED, DECIDED, EXTRACTED, ESTIMATED, RECALLED, LISTED, WORK = (
    "Error detection",
    "Units without a decision",
    "Extracted claims",
    "Estimated score",
    "Recall: F1@K",
    "Recall: reference lists",
    "Work and prices",
)
# F1 stands first, with its interval drawn.
METRIC_KEYS = tuple(dict.fromkeys(("f1", *METRICS)))
# Of evaluators that extract claims by themselves; there only where the report has one.
EXTRACTION_COLUMNS = tuple(
    LeaderboardColumn(key, kind.title, kind.help, EXTRACTED, rising=key not in ("claim_precision", "unit_coverage"))
    for key, kind in FIGURES.items()
)
# Means over subject models, of the whole dataset; there only where the report has one.
RECALL_MEANS = (
    LeaderboardColumn("f1_at_k", "F1@K", "As the evaluator would have it, mean over subject models", RECALLED),
    LeaderboardColumn("of_lists", "Recall of lists", "Share of listed facts, mean over subject models", LISTED),
)
DETECTION_COLUMNS = (
    *(LeaderboardColumn(key, METRICS[key].title, METRICS[key].help, DETECTED) for key in METRIC_KEYS),
    LeaderboardColumn("coverage", "Coverage", "The share of the gold units that it decided", DECIDED),
    LeaderboardColumn("unparsed", "Unparsed", "Outputs that could not be read: never taken for correct", DECIDED, True),
    *EXTRACTION_COLUMNS,
    *RECALL_MEANS,
    LeaderboardColumn("tokens", "Tokens", "Tokens of the calls of its last run to a model", WORK, rising=True),
    LeaderboardColumn("cost_usd", "Cost", "Price of the calls of its last run to a model", WORK, rising=True),
    LeaderboardColumn("seconds", "Took", "From the run's start to its last prediction", WORK, rising=True),
)
ESTIMATE_COLUMNS = (
    LeaderboardColumn(
        "factscore", "Gold", "FActScore by gold: mean share of supported facts over responding prompts", "Score by gold"
    ),
    LeaderboardColumn("estimated", "Estimated", "FActScore as the evaluator would have it", ESTIMATED),
    LeaderboardColumn("f1_at_k", "F1@K", "As the evaluator would have it", RECALLED),
    LeaderboardColumn("bias", "Bias", "Estimated less gold: + over-estimates", ESTIMATED),
    LeaderboardColumn("error_rate", "Error rate", "Distance between estimated and gold", ESTIMATED, rising=True),
)
RECALL_COLUMNS = (
    LeaderboardColumn("f1_at_k", "F1@K", "As the evaluator would have it", RECALLED),
    LeaderboardColumn("recall_at_k", "Recall at K", "Supported claims over K, at most 1", RECALLED),
    LeaderboardColumn("precision_at_k", "Precision", "Share of supported claims in responses with a claim", RECALLED),
    LeaderboardColumn("of_lists", "Of lists", "Share of listed facts", LISTED),
)
OF_SUBJECTS = {ESTIMATES: ESTIMATE_COLUMNS, RECALL: RECALL_COLUMNS}
# The order unless the link names another.
DEFAULT_ORDER = {ESTIMATES: "error_rate", RECALL: "-f1_at_k"}

# Columns that the page shows unless its link names others: they fit a screen of 1280 pixels.
USUAL = ("f1", "precision", "recall", "balanced_accuracy", "coverage", "cost_usd")
USUAL_WITH_CLAIMS = ("f1", "coverage", "claim_precision", "unit_coverage", "f1_at_k", "cost_usd")
# Why a subject model has no figure.
NO_K = "no response counts, or the subject lacks a domain"
NO_LISTED = "no judged response to a prompt with a list"
WHOLE_ONLY = "of the whole dataset only"


@dataclass(frozen=True)
class LeaderboardState:
    """The page's state in its link. order: a column's key, after a minus descending; "name" orders by evaluator.
    shown: the keys of the columns on the page, F1 always among them. k: of F1@K."""

    level: str
    slice: str
    order: str
    name: str
    shown: tuple[str, ...] = USUAL
    k: KChoice = None
    scheme: str = ""

    @property
    def of_subjects(self) -> bool:
        """Whether rows are figures of subject models, not of error detection."""
        return self.level in OF_SUBJECTS

    @property
    def title(self) -> str:
        return level_title(self.level, self.scheme)

    @property
    def title_in_sentence(self) -> str:
        return self.title if self.level == RECALL else self.title.lower()

    @property
    def k_in_words(self) -> str:
        if self.k is None:
            return "K the median claims of each domain"
        return "K the median claims of all responses" if self.k == MEDIAN else f"K = {self.k:,}"

    @property
    def columns(self) -> tuple[LeaderboardColumn, ...]:
        """The columns on the page."""
        if self.of_subjects:
            return OF_SUBJECTS[self.level]
        return tuple(column for column in DETECTION_COLUMNS if column.key in self.shown)

    @property
    def has_k(self) -> bool:
        """Whether F1@K is on the page."""
        return any(column.key == "f1_at_k" for column in self.columns)

    @property
    def width(self) -> int:
        """The cells of a row: rank, evaluator, subject, the columns, and the drawn interval."""
        return len(self.columns) + 3


@dataclass(frozen=True)
class MetricCell:
    """A metric in a row, undecided units counted as wrong. judged: over the units that were decided; None also of a
    mean over subject models. interval: None where it has none; why: the reason where a figure is None; withheld: that
    where a known value has no interval."""

    key: str
    value: float | None
    judged: float | None
    interval: Sequence[float] | None
    why: str
    withheld: str


@dataclass(frozen=True)
class LeaderboardRow:
    """One evaluator's figures. baseline: one of the three trivial ones; unranked: why it is not ranked, None where it
    is. figures: a row of the report's `results` or of its `subjects`, with tokens, cost and seconds, by the keys of the
    columns."""

    entry: ReportEntry
    figures: Mapping[str, Any]
    baseline: bool
    unranked: str | None

    @property
    def name(self) -> str:
        return self.entry["evaluator"]

    @property
    def run(self) -> int | None:
        return self.entry["run"]

    @property
    def group(self) -> str:
        """Rows stand in groups: the ranked, those below the line, the baselines."""
        return "baseline" if self.baseline else "unranked" if self.unranked else "ranked"

    @property
    def by_run(self) -> list[tuple[int, float | None]]:
        """The runs, where there are several, with their F1 over all units of the level."""
        levels = [each for each in self.entry["run_noise"] if each["level"] == self.figures.get("level")]
        return [pair for each in levels for pair in zip(self.entry["runs"], each["figures"], strict=True)]

    @property
    def is_partial(self) -> bool:
        """Whether units were left undecided."""
        return bool(self.figures["unparsed"] or self.figures["missing"])

    def value(self, key: str) -> Any:
        """The figure of a column, metrics with undecided units counted as wrong."""
        return self.figures["pessimistic"][key] if key in METRICS else self.figures[key]

    @property
    def why(self) -> dict[str, str]:
        """The reason of each undefined figure, by column."""
        reasons: dict[str, str] = self.figures.get("undefined", {})
        return {column.key: reasons.get(column.key, "not known") for column in DETECTION_COLUMNS}

    @property
    def extraction(self) -> list[tuple[str, ExtractionFigure]]:
        """The figures of the claims that it extracted by itself, by column."""
        return [(key, self.figures["extraction"][key]) for key in FIGURES]

    @property
    def recall_means(self) -> list[MetricCell]:
        """The cells of the means over subject models, in the order of the columns."""
        means: list[MetricCell] = self.figures["recall_means"]
        return means

    @property
    def metrics(self) -> list[MetricCell]:
        """The cells of the metrics, in the order of the columns."""
        figures, why = self.figures, self.why
        intervals, withheld = figures["pessimistic_intervals"], figures["pessimistic_withheld"]
        return [
            MetricCell(key, self.value(key), figures[key], intervals.get(key), why[key], withheld.get(key, ""))
            for key in METRIC_KEYS
        ]


def columns_of(entries: Collection[ReportEntry]) -> list[LeaderboardColumn]:
    """The columns of detection that these entries have figures for."""
    kinds = (
        ((column.key for column in EXTRACTION_COLUMNS), any(entry.get("extraction") for entry in entries)),
        (("f1_at_k",), any(entry["at_k"] for entry in entries)),
        (("of_lists",), any(entry["reference"] for entry in entries)),
    )
    missing = {key for keys, found in kinds if not found for key in keys}
    return [column for column in DETECTION_COLUMNS if column.key not in missing]


def usual_columns(entries: Collection[ReportEntry]) -> tuple[str, ...]:
    """The keys of the columns on the page unless its link names others: beside F1 those of extracted claims, where an
    evaluator has some."""
    if not any(entry.get("extraction") for entry in entries):
        return USUAL
    known = {column.key for column in columns_of(entries)}
    return tuple(key for key in USUAL_WITH_CLAIMS if key in known)


def levels_of(report: Report) -> list[str]:
    """The levels that the report has figures of, those of subject models last."""
    with_results = dict.fromkeys(result["level"] for entry in report["evaluators"] for result in entry["results"])
    estimates = [ESTIMATES] if any(entry["subjects"] for entry in report["evaluators"]) else []
    recall = [RECALL] if any(_recalled(entry) for entry in report["evaluators"]) else []
    return [level for level in LEVELS if level in with_results] + estimates + recall


def slices_of(report: Report, level: str) -> list[str]:
    """The slices of a level, "all" first."""
    names: dict[str, None] = {ALL: None}
    for entry in report["evaluators"]:
        if level == ESTIMATES:
            names |= dict.fromkeys(subject["subject"] for subject in entry["subjects"])
        elif level == RECALL:
            names |= dict.fromkeys(_recalled(entry))
        else:
            names |= dict.fromkeys(slice_of(result) for result in entry["results"] if result["level"] == level)
    return list(names)


def read_leaderboard_state(
    query: Mapping[str, str], report: Report, shown: Collection[str] = (), k: KChoice = None
) -> LeaderboardState:
    """The state in the link, where the report has it; else the first level, everything, and the best first.

    shown: the columns that the link names, none for the usual ones. k: of the report's F1@K.
    """
    levels = levels_of(report)
    level = _one_of(levels, query.get("level"))
    slice_ = _one_of(slices_of(report, level), query.get("slice"))
    columns = OF_SUBJECTS.get(level) or columns_of(report["evaluators"])
    default = DEFAULT_ORDER.get(level, "-f1")
    order = query.get("sort", default)
    known = {"name", *(column.key for column in columns)}
    chosen = tuple(column.key for column in columns_of(report["evaluators"]) if column.key in {"f1", *shown})
    return LeaderboardState(
        level,
        slice_,
        order if order.removeprefix("-") in known else default,
        query.get("name", "").strip(),
        chosen if shown else usual_columns(report["evaluators"]),
        k,
        report["scheme"],
    )


def _one_of(known: list[str], wanted: str | None) -> str:
    return wanted if wanted in known else known[0]


def rows_of(report: Report, state: LeaderboardState) -> list[LeaderboardRow]:
    """The chosen figures in the chosen order, in groups: the ranked, those below the line, the trivial baselines, which
    stay also where the search for a name misses them. The order by name has no groups.

    Undefined figures come last in their group, whether rising or falling.
    """
    most = _most_responses(report)
    entries = [
        entry
        for entry in report["evaluators"]
        if is_baseline(entry) or state.name.casefold() in entry["evaluator"].casefold()
    ]
    rows = [
        LeaderboardRow(
            entry,
            {
                **figures,
                **_extraction(entry, state),
                "tokens": entry["tokens"],
                "cost_usd": entry["cost_usd"],
                "known_usd": entry["known_usd"],
                "unpriced": entry["unpriced"],
                "seconds": entry["seconds"],
            },
            is_baseline(entry),
            same_as_reason(entry["same_as"]) if entry["same_as"] else _why_unranked(figures, most),
        )
        for entry in entries
        for figures in _figures(entry, state)
    ]
    key, falling = state.order.removeprefix("-"), state.order.startswith("-")
    value: Callable[[LeaderboardRow], Any] = (
        (lambda row: row.entry["evaluator"].casefold()) if key == "name" else (lambda row: row.value(key))
    )
    known = sorted((row for row in rows if value(row) is not None), key=value, reverse=falling)
    in_order = known + [row for row in rows if value(row) is None]
    return in_order if key == "name" else sorted(in_order, key=lambda row: GROUPS.index(row.group))


def _extraction(entry: ReportEntry, state: LeaderboardState) -> dict[str, Any]:
    """The figures of the claims that it extracted by itself in the slice. judged_without: responses with gold that it
    judged without claims."""
    found = entry.get("extraction")
    part = found if not found or state.slice == ALL else found["slices"].get(state.slice)
    if part:
        figures = part["figures"]
    else:
        why = "no response of the slice" if found else "it extracts no claims"
        figures = {key: ExtractionFigure(count=0, n=0, share=None, interval=None, why=why) for key in FIGURES}
    shares = {key: figure["share"] for key, figure in figures.items()}
    intervals = {f"{key}_interval": figure["interval"] for key, figure in figures.items()}
    return {"extraction": figures, "judged_without": part["left_out"] if part else 0, **shares, **intervals}


def _most_responses(report: Report) -> dict[str, int]:
    """The largest number of responses that any evaluator has a score of, by subject: the baselines judge all."""
    most: dict[str, int] = {}
    for entry in report["evaluators"]:
        for row in entry["subjects"]:
            most[row["subject"]] = max(most.get(row["subject"], 0), row["responses"])
    return most


def _why_unranked(row: Mapping[str, Any], most: Mapping[str, int]) -> str | None:
    """The reason; of an estimate by the share of the responses whose score was estimated."""
    if "unranked" in row:
        reason: str | None = row["unranked"]
        return reason
    responses = most[row["subject"]]
    return why_unranked(row["responses"] / responses if responses else None, settings.LEAST_COVERAGE)


def _figures(entry: ReportEntry, state: LeaderboardState) -> Sequence[Mapping[str, Any]]:
    if state.level == ESTIMATES:
        return [_estimate(entry, subject) for subject in entry["subjects"] if state.slice in (ALL, subject["subject"])]
    if state.level == RECALL:
        return [_recall(entry, name) for name in _recalled(entry) or [""] if state.slice in (ALL, name) or not name]
    means = _recall_means(entry, state)
    shares = {mean.key: mean.value for mean in means}
    intervals = {f"{mean.key}_interval": mean.interval for mean in means}
    of_entry = {"recall_means": means, **shares, **intervals, "k": common_k(entry["at_k"])}
    return [{**row, **of_entry} for row in _detection(entry, state)]


def _estimate(entry: ReportEntry, subject: EstimationRow) -> dict[str, Any]:
    """The estimated scores of a subject; F1@K None where the evaluator covers none of its responses."""
    rows = at_k["subjects"] if (at_k := entry["at_k"]) else []
    own = next((row for row in rows if row["subject"] == subject["subject"]), None)
    return {
        **subject,
        "f1_at_k": own["f1"] if own else None,
        "f1_at_k_interval": own["f1_interval"] if own else None,
        "k": common_k(at_k),
    }


def _recalled(entry: ReportEntry) -> list[str]:
    """The subjects that it has an F1@K or a recall of lists of."""
    rows = [*(entry["at_k"]["subjects"] if entry["at_k"] else ()), *_listed(entry)]
    return list(dict.fromkeys(row["subject"] for row in rows))


def _listed(entry: ReportEntry) -> Sequence[ReferenceRow]:
    return entry["reference"]["subjects"] if entry["reference"] else ()


def _recall(entry: ReportEntry, subject: str) -> dict[str, Any]:
    """The recall of a subject; every figure None, and `why`, where the evaluator's answers give none."""
    of_k: Mapping[str, Any] = _row_of(entry["at_k"]["subjects"] if entry["at_k"] else (), subject)
    listed: Mapping[str, Any] = _row_of(_listed(entry), subject)
    return {
        "subject": subject,
        "n": of_k.get("n", listed.get("n", 0)),
        "left_out": of_k.get("left_out", 0),
        "k": common_k(entry["at_k"]),
        **{f"{key}_at_k": of_k.get(key) for key in AT_K},
        **{f"{key}_at_k_interval": of_k.get(f"{key}_interval") for key in AT_K},
        "of_lists": listed.get("recall"),
        "of_lists_interval": listed.get("recall_interval"),
        "unranked": None,
        "why": entry["at_k_undefined"] or NO_K,
    }


def _recall_means(entry: ReportEntry, state: LeaderboardState) -> list[MetricCell]:
    """The means over subject models, which are of the whole dataset; None where a subject lacks the figure."""
    if state.slice != ALL:
        return [MetricCell(column.key, None, None, None, WHOLE_ONLY, "") for column in RECALL_MEANS]
    undefined = entry["at_k_undefined"] or NO_RESPONSE
    return [
        _mean_cell("f1_at_k", entry["at_k"], "f1", undefined, NO_K),
        _mean_cell("of_lists", entry["reference"], "recall", undefined, NO_LISTED),
    ]


def _mean_cell(key: str, found: AtK | ReferenceRecall | None, figure: str, undefined: str, lacks: str) -> MetricCell:
    """undefined, lacks: why there is no figure at all, and why a subject has none."""
    if found is None:
        return MetricCell(key, None, None, None, undefined, "")
    mean: Mapping[str, Any] = found["mean"]
    rows: Sequence[Mapping[str, Any]] = found["subjects"]
    without = ", ".join(row["subject"] or "(no name)" for row in rows if row[figure] is None)
    why, withheld = f"none of {without}: {lacks}", mean["withheld"].get(figure, "")
    return MetricCell(key, mean[figure], None, mean[f"{figure}_interval"], why, withheld)


def _row_of(rows: Iterable[Mapping[str, Any]], subject: str) -> Mapping[str, Any]:
    return next((row for row in rows if row["subject"] == subject), {})


def _detection(entry: ReportEntry, state: LeaderboardState) -> list[DetectionRow]:
    return [result for result in entry["results"] if result["level"] == state.level and slice_of(result) == state.slice]


def is_baseline(entry: ReportEntry) -> bool:
    return entry["method"] in TRIVIAL


def reference_of(report: Report, state: LeaderboardState) -> float | None:
    """The F1 of calling everything an error, which any evaluator has to beat; None where it is undefined."""
    for entry in report["evaluators"]:
        if entry["method"] == ALWAYS_NOT_SUPPORTED and not state.of_subjects:
            return next((row["pessimistic"]["f1"] for row in _detection(entry, state)), None)
    return None


def reach_of(rows: Iterable[LeaderboardRow]) -> float:
    """The reach of the axis of biases to both sides, at least a tenth."""
    ends: list[float] = [
        abs(end) for row in rows for end in row.figures["bias_interval"] or [row.figures["bias"] or 0.0]
    ]
    return max([0.1, *ends])


def leaderboard_table(
    rows: Sequence[LeaderboardRow], state: LeaderboardState, standings: Mapping[str, Standing], caption: str
) -> Table:
    """Every column of the level, with the ends of the intervals in columns of their own; printed are those of the page.

    caption: of the printed table.
    """
    every = OF_SUBJECTS.get(state.level) or columns_of([row.entry for row in rows])
    columns = [column for column in every if column.key not in INTERVALS]
    with_interval = [column for column in every if column.key in INTERVALS]
    ranks = [] if state.of_subjects else ["Rank"]
    heads = [*ranks, "Evaluator", "Method", "Model", *(["Subject"] if state.of_subjects else [])]
    for column in with_interval:
        heads += [column.title, f"{column.title} low", f"{column.title} high"]
    with_k = any(column.key == "f1_at_k" for column in every)
    heads += ["K"] if with_k else []
    metrics = [column.key for column in every if column.key in METRICS]
    lines: list[list[Cell]] = []
    for row in rows:
        standing = standings.get(row.name)
        line: list[Cell] = [] if state.of_subjects else [(standing and standing.ranks) or None]
        line += [row.entry["evaluator"], row.entry["method"], row.entry["model"]]
        line += [row.figures["subject"]] if state.of_subjects else []
        for column in with_interval:
            line += with_ends(row.figures[column.key], row.figures[f"{column.key}_interval"])
        line += [row.figures["k"]] if with_k else []
        line += [row.figures[column.key] for column in columns]
        if not state.of_subjects:
            for key in metrics:
                ends = with_ends(row.value(key), row.figures["pessimistic_intervals"].get(key))
                line += ends if key in INTERVALS else ends[:1]
            line.append(None if row.baseline else row.unranked)
        lines.append(line)
    more = [] if state.of_subjects else [*_pessimistic_heads(metrics), "Not ranked because"]
    return Table(
        "leaderboard",
        f"the leaderboard of {state.title_in_sentence}",
        [*heads, *(column.title for column in columns), *more],
        lines,
        _printed(rows, state, standings, caption),
    )


def _printed(
    rows: Sequence[LeaderboardRow], state: LeaderboardState, standings: Mapping[str, Standing], caption: str
) -> PrintedTable:
    """The columns of the page, with the F1 that counts undecided units as wrong."""
    if state.of_subjects:
        kept = ("Evaluator", "Subject", *(column.title for column in state.columns))
        return PrintedTable({title: title for title in kept}, caption)
    titles = {"Rank": "Rank", "Evaluator": "Evaluator"}
    for column in state.columns:
        titles[_pessimistic(column.key) if column.key in METRICS else column.title] = column.title
    top = frozenset(place for place, row in enumerate(rows) if is_top(standings.get(row.name)))
    return PrintedTable(titles, caption, top, _pessimistic("f1"))


def _pessimistic(key: str) -> str:
    return f"{METRICS[key].title}, undecided wrong"


def _pessimistic_heads(keys: Iterable[str]) -> list[str]:
    heads = []
    for key in keys:
        title = _pessimistic(key)
        heads += [title, f"{title}, low", f"{title}, high"] if key in INTERVALS else [title]
    return heads
