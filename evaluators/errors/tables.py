"""The tables of a tagged sample to take away, and the shares of the causes as a chart."""

from collections.abc import Sequence

from annotate.statistics.caption import data_at, intervals_of
from core.tables import PrintedTable, Table, with_ends
from evaluators.charts import chart
from evaluators.charts.chart import Chart
from evaluators.charts.marks import Axis, bars
from evaluators.errors.results import AnalysisResults
from evaluators.models import ErrorAnalysis


def tables_of(analysis: ErrorAnalysis, results: AnalysisResults) -> list[Table]:
    """Shares, agreement, and every mistake with its tags."""
    return [_shares_table(analysis, results), _agreement_table(analysis, results), _mistakes_table(analysis, results)]


def chart_of(analysis: ErrorAnalysis, results: AnalysisResults) -> Chart:
    """A bar a cause, the largest first, with the interval of its share."""
    rows = [
        {
            "cause": row.name,
            **chart.with_ends("share", row.every.share, row.every.interval),
            "mistakes": row.every.count,
            "of": row.every.n,
        }
        for row in sorted(results.shares, key=lambda row: -row.every.count)
    ]
    counts = "; ".join(f"{row['cause']}: {row['mistakes']} of {row['of']}" for row in rows)
    return Chart(
        name="causes",
        title="Why it is wrong",
        description=f"Shares of the causes of {analysis.run.evaluator.name}'s mistakes, the largest first. {counts}.",
        spec=bars(rows, "cause", Axis("share", "Share of the sample", domain=(0, 1), format="%")),
        rows=rows,
    )


def _shares_table(analysis: ErrorAnalysis, results: AnalysisResults) -> Table:
    rows = [
        (
            row.name,
            row.every.count,
            row.every.n,
            *with_ends(row.every.share, row.every.interval),
            row.missed.count,
            row.alarms.count,
        )
        for row in results.shares
    ]
    columns = ("Cause", "Mistakes", "Of", "Share", "Low", "High", "Missed errors", "False alarms")
    caption = (
        f"Causes of {_sample(analysis)}, tagged by two people; shares of the "
        f"{len(results.tagged) - results.unsettled:,} settled ones with {intervals_of()}. Causes are not tested."
    )
    printed = _printed(("Cause", "Mistakes", "Share", "Missed errors", "False alarms"), caption, "Share")
    return Table("causes", f"the causes of the mistakes of {analysis.run.evaluator.name}", columns, rows, printed)


def _agreement_table(analysis: ErrorAnalysis, results: AnalysisResults) -> Table:
    rows = [(each.name, *with_ends(each.value, each.interval)) for each in results.agreement]
    caption = (
        f"Agreement of two people on the causes of {_sample(analysis)}, before differences are settled, with "
        f"{intervals_of()}."
    )
    columns, printed = ("Coefficient", "Value", "Low", "High"), _printed(("Coefficient", "Value"), caption, "Value")
    return Table("agreement", "how far the two taggers agree", columns, rows, printed)


def _mistakes_table(analysis: ErrorAnalysis, results: AnalysisResults) -> Table:
    columns = ("Place", "Response", "Unit", "Gold", "Said", "First tag", "Second tag", "Cause", "Why")
    rows = [
        (
            each.mistake.position + 1,
            each.mistake.segment.response.index,
            each.mistake.text,
            each.mistake.gold,
            each.mistake.predicted,
            *(tag.cause.name for tag in each.tags),
            each.cause.name if each.cause else None,
            each.settlement.why if each.settlement else "",
        )
        for each in results.tagged
    ]
    caption = f"Sample of {_sample(analysis)}, with the causes that two people found."
    printed = _printed(("Place", "Unit", "Gold", "Said", "Cause"), caption)
    return Table("mistakes", "every mistake of the sample with its tags", columns, rows, printed)


def _sample(analysis: ErrorAnalysis) -> str:
    """The drawn mistakes, for captions."""
    run = analysis.run
    data = data_at(run.dataset.name, analysis.version.name if analysis.version else None, analysis.revision)
    return (
        f"n = {analysis.size:,} mistakes of {run.evaluator.name} on {data}, drawn at random of "
        f"{analysis.population:,} (seed {analysis.seed})"
    )


def _printed(columns: Sequence[str], caption: str, figure: str = "") -> PrintedTable:
    """figure: the column whose interval has the ends Low and High."""
    return PrintedTable({name: name for name in columns}, caption, ends={figure: ("Low", "High")} if figure else {})
