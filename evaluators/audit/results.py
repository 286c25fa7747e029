"""The results of an audit: the shares of candidates and of controls that the second look contradicts and changes."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from annotate.models import GoldVersion, SecondLookItem
from annotate.second_look.cases import LookCase, LookStatus, cases_of
from annotate.statistics.caption import data_at, intervals_of
from core.tables import PrintedTable, Table, with_ends
from evaluators.charts import chart
from evaluators.charts.chart import Chart
from evaluators.charts.marks import Axis, dots
from evaluators.comparison.study import table_of
from evaluators.models import AuditItem, GoldAudit
from stats.arrays import Flags
from stats.bootstrap import Interval, Resampling
from stats.proportions import ClusteredShare, difference, shares_where

# The printed columns, with their titles.
KEPT = {
    "Units": "Units",
    "Looked at": "Looked at",
    "Share contradicted": "Contradicted",
    "Share changed": "Gold changed",
    "To settle": "To settle",
}
ENDS = {f"Share {of}": (f"Low {of}", f"High {of}") for of in ("contradicted", "changed")}


@dataclass(frozen=True)
class AuditedUnit:
    """A unit that was sent, with its second look."""

    item: AuditItem
    case: LookCase


@dataclass(frozen=True)
class AuditPart:
    """Candidates, or controls: the numbers of units sent, answered by all who look, and open for an adjudicator; of the
    answered ones the share that the second look contradicts, and the share at which gold was changed."""

    name: str
    sent: int
    answered: int
    open: int
    contradicted: ClusteredShare
    changed: ClusteredShare


@dataclass(frozen=True)
class AuditResults:
    """`surplus`: the share of candidates less that of controls, contradicted and then changed; the controls' share is
    noise. None: no candidate or no control is answered yet."""

    units: tuple[AuditedUnit, ...]
    parts: tuple[AuditPart, AuditPart]
    surplus: tuple[tuple[float | None, Interval | None], tuple[float | None, Interval | None]]

    @property
    def is_complete(self) -> bool:
        """Everything was looked at and settled."""
        return all(part.answered == part.sent and not part.open for part in self.parts)

    @property
    def changed(self) -> int:
        """The number of units at which gold was changed."""
        return sum(each.case.status is LookStatus.CHANGED for each in self.units)


def results_of(audit: GoldAudit) -> AuditResults:
    """Shares are of units looked at; whole prompts are resampled (docs/statistics.md, Intervals and tests)."""
    units = _units(audit)
    table = table_of(audit.dataset, None)
    row = dict(zip(table.responses.key.tolist(), table.responses.prompt.tolist(), strict=True))
    prompts = np.array([row[each.case.item.segment.response_id] for each in units], dtype=np.int64)
    resampling = Resampling(table.strata)

    def flags(is_so: Callable[[AuditedUnit], bool]) -> Flags:
        return np.array([is_so(each) for each in units], dtype=np.bool_)

    control = flags(lambda each: each.item.is_control)
    answered = flags(lambda each: each.case.is_answered)
    is_open = flags(lambda each: each.case.status is LookStatus.OPEN)
    contradicted = flags(lambda each: each.case.is_contradicted)
    changed = flags(lambda each: each.case.status is LookStatus.CHANGED)
    first, second = ~control & answered, control & answered
    hits = np.stack([contradicted, changed, contradicted, changed], axis=1)
    shares = shares_where(hits, np.stack([first, first, second, second], axis=1), prompts, resampling)
    candidates, controls = (
        AuditPart(name, int(part.sum()), int((part & answered).sum()), int((part & is_open).sum()), *of_part)
        for name, part, of_part in (("Candidates", ~control, shares[:2]), ("Controls", control, shares[2:]))
    )
    surplus = [difference(hit, first, second, prompts, resampling) for hit in (contradicted, changed)]
    return AuditResults(units, (candidates, controls), (surplus[0], surplus[1]))


def _units(audit: GoldAudit) -> tuple[AuditedUnit, ...]:
    items = {each.item_id: each for each in audit.items.all()}
    cases = cases_of(SecondLookItem.objects.filter(sample=audit.second_look_id).order_by("position"))
    return tuple(AuditedUnit(items[case.item.pk], case) for case in cases)


def version_before(audit: GoldAudit) -> GoldVersion | None:
    """The latest frozen gold from before the audit, from which its changes are measured."""
    before = audit.dataset.gold_versions.filter(revision__lte=audit.second_look.revision)
    return audit.version or before.order_by("-revision", "-pk").first()


def version_after(audit: GoldAudit) -> GoldVersion | None:
    """The latest frozen gold from after the audit; None while there is none."""
    after = audit.dataset.gold_versions.filter(revision__gt=audit.second_look.revision)
    return after.order_by("-revision", "-pk").first()


def table_of_parts(audit: GoldAudit, results: AuditResults) -> Table:
    shares = [f"{each}{of}" for of in (" contradicted", " changed") for each in ("Number", "Share", "Low", "High")]
    rows = [
        (
            *(part.name, part.sent, part.answered, part.open),
            *(part.contradicted.count, *with_ends(part.contradicted.share, part.contradicted.interval)),
            *(part.changed.count, *with_ends(part.changed.share, part.changed.interval)),
        )
        for part in results.parts
    ]
    columns = ("Units", "Sent", "Looked at", "To settle", *shares)
    title = f"the audit of units that {audit.least} or more evaluators contradict"
    return Table("audit", title, columns, rows, PrintedTable(KEPT, _caption(audit, results), ends=ENDS))


def _caption(audit: GoldAudit, results: AuditResults) -> str:
    version = audit.version.name if audit.version else None
    data = data_at(audit.dataset.name, version, audit.second_look.revision)
    return (
        f"Second look at units of {data}: candidates, which {audit.least} or more evaluators contradict, beside "
        f"controls, which none contradicts (n = {sum(part.answered for part in results.parts):,} units looked at; "
        f"seed of the draw {audit.seed}), with {intervals_of()}. The difference is not tested."
    )


def chart_of(results: AuditResults) -> Chart:
    """The shares contradicted and changed, candidates beside controls."""
    rows = [
        {
            "what": title,
            "units": part.name,
            **chart.with_ends("share", share.share, share.interval),
            "count": share.count,
            "of": share.n,
        }
        for title, name in (("Contradicted", "contradicted"), ("Gold changed", "changed"))
        for part in results.parts
        for share in (getattr(part, name),)
    ]
    counts = "; ".join(f"{row['what']}, {row['units']}: {row['count']} of {row['of']}" for row in rows)
    return Chart(
        name="audit",
        title="Candidates beside controls",
        description=f"Shares of the units looked at, candidates beside controls, with 95 % intervals. {counts}.",
        spec=dots(rows, "what", Axis("share", "Share of the units looked at", (0, 1), format="%"), series="units"),
        rows=rows,
    )
