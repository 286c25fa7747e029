"""The tables of a tagged sample to take away, and the shares of the causes as a chart."""

from core.tables import Table, with_ends
from evaluators.charts import chart
from evaluators.charts.chart import Chart
from evaluators.charts.marks import Axis, bars
from evaluators.errors.results import AnalysisResults
from evaluators.models import ErrorAnalysis


def tables_of(analysis: ErrorAnalysis, results: AnalysisResults) -> list[Table]:
    """Shares, agreement, and every mistake with its tags."""
    return [_shares_table(analysis, results), _agreement_table(results), _mistakes_table(results)]


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
    return Table("causes", f"the causes of the mistakes of {analysis.run.evaluator.name}", columns, rows)


def _agreement_table(results: AnalysisResults) -> Table:
    rows = [(each.name, *with_ends(each.value, each.interval)) for each in results.agreement]
    return Table("agreement", "how far the two taggers agree", ("Coefficient", "Value", "Low", "High"), rows)


def _mistakes_table(results: AnalysisResults) -> Table:
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
    return Table("mistakes", "every mistake of the sample with its tags", columns, rows)
