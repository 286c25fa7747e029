"""What the second look contradicts and changes, candidates beside controls, as a chart."""

from evaluators.audit.results import Results
from evaluators.charts.chart import Chart, Row
from evaluators.charts.marks import Axis, dots
from stats.proportions import ClusteredShare

CONTRADICTED, CHANGED = "Contradicted", "Gold changed"


def chart_of(results: Results) -> Chart:
    rows = [
        _row(words, part.name, share)
        for words, name in ((CONTRADICTED, "contradicted"), (CHANGED, "changed"))
        for part in results.parts
        for share in (getattr(part, name),)
    ]
    said = "; ".join(f"{row['what']}, {row['units']}: {row['count']} of {row['of']}" for row in rows)
    return Chart(
        name="audit",
        title="Candidates beside controls",
        description=f"Shares of the units looked at, candidates beside controls, with 95 % intervals. {said}.",
        spec=dots(rows, "what", Axis("share", "Share of the units looked at", (0, 1), format="%"), series="units"),
        rows=rows,
    )


def _row(words: str, part: str, share: ClusteredShare) -> Row:
    return {
        "what": words,
        "units": part,
        "share": share.share,
        "low": share.interval.low if share.interval else None,
        "high": share.interval.high if share.interval else None,
        "count": share.count,
        "of": share.n,
    }
