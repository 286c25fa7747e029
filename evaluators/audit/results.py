"""What an audit has come to: how much of the candidates and of the controls the second look contradicts and changes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from annotate.models import GoldVersion, LookItem
from annotate.second_look.cases import LookCase, LookStatus, cases_of
from core.tables import Cell, Table
from evaluators.comparison.study import table_of
from evaluators.models import AuditItem, GoldAudit
from stats.arrays import Flags
from stats.bootstrap import Interval, Resampling
from stats.proportions import ClusteredShare, difference, shares_where


@dataclass(frozen=True)
class Audited:
    """A unit that was sent, with what became of it."""

    item: AuditItem
    case: LookCase


@dataclass(frozen=True)
class Part:
    """Candidates, or controls: how many were sent, have been looked at by all, and wait for an adjudicator; of those
    looked at the share that the second look contradicts, and the share at which gold was changed."""

    name: str
    sent: int
    answered: int
    open: int
    contradicted: ClusteredShare
    changed: ClusteredShare


@dataclass(frozen=True)
class Results:
    """`surplus`: the candidates' share less the controls', which is noise, contradicted and then changed; None: nothing
    of either has been looked at yet."""

    audited: tuple[Audited, ...]
    parts: tuple[Part, Part]
    surplus: tuple[tuple[float | None, Interval | None], tuple[float | None, Interval | None]]

    @property
    def is_complete(self) -> bool:
        """Everything was looked at and settled."""
        return all(part.answered == part.sent and not part.open for part in self.parts)


def results_of(audit: GoldAudit) -> Results:
    """Shares are of units that were looked at; whole prompts are resampled.

    See docs/statistics.md, Intervals and tests.
    """
    audited = _audited(audit)
    table = table_of(audit.dataset, None)
    row = dict(zip(table.responses.key.tolist(), table.responses.prompt.tolist(), strict=True))
    prompts = np.array([row[each.case.item.segment.response_id] for each in audited], dtype=np.int64)
    resampling = Resampling(table.strata)

    def flags(says: Callable[[Audited], bool]) -> Flags:
        return np.array([says(each) for each in audited], dtype=np.bool_)

    control = flags(lambda each: each.item.is_control)
    answered = flags(lambda each: each.case.is_answered)
    is_open = flags(lambda each: each.case.status is LookStatus.OPEN)
    contradicted = flags(lambda each: each.case.is_contradicted)
    changed = flags(lambda each: each.case.status is LookStatus.CHANGED)
    first, second = ~control & answered, control & answered
    hits = np.stack([contradicted, changed, contradicted, changed], axis=1)
    shares = shares_where(hits, np.stack([first, first, second, second], axis=1), prompts, resampling)
    candidates, controls = (
        Part(name, int(part.sum()), int((part & answered).sum()), int((part & is_open).sum()), *of_part)
        for name, part, of_part in (("Candidates", ~control, shares[:2]), ("Controls", control, shares[2:]))
    )
    surplus = [difference(hit, first, second, prompts, resampling) for hit in (contradicted, changed)]
    return Results(audited, (candidates, controls), (surplus[0], surplus[1]))


def _audited(audit: GoldAudit) -> tuple[Audited, ...]:
    items = {each.item_id: each for each in audit.items.all()}
    cases = cases_of(LookItem.objects.filter(sample=audit.second_look_id).order_by("position"))
    return tuple(Audited(items[case.item.pk], case) for case in cases)


def version_before(audit: GoldAudit) -> GoldVersion | None:
    """The latest frozen gold from before the audit: what its changes are measured from."""
    before = audit.dataset.gold_versions.filter(revision__lte=audit.second_look.revision)
    return audit.version or before.order_by("-revision", "-pk").first()


def version_after(audit: GoldAudit) -> GoldVersion | None:
    """The latest frozen gold from after the audit; None while there is none."""
    after = audit.dataset.gold_versions.filter(revision__gt=audit.second_look.revision)
    return after.order_by("-revision", "-pk").first()


def table_of_parts(audit: GoldAudit, parts: Sequence[Part]) -> Table:
    shares = [f"{each}{of}" for of in (" contradicted", " changed") for each in ("Number", "Share", "Low", "High")]
    columns = ("Units", "Sent", "Looked at", "To settle", *shares)
    rows = [
        (part.name, part.sent, part.answered, part.open, *_cells(part.contradicted), *_cells(part.changed))
        for part in parts
    ]
    return Table("audit", f"the audit of units that {audit.least} or more evaluators contradict", columns, rows)


def _cells(share: ClusteredShare) -> tuple[Cell, Cell, Cell, Cell]:
    ends = (None, None) if share.interval is None else (share.interval.low, share.interval.high)
    return (share.count, share.share, *ends)
