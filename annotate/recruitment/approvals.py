"""Whom to approve: the people who came by a link, with their work, their controls and a suggestion."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, Sum

from annotate.models import Assignment, OutsidePerson, RecruitmentLink, Task
from annotate.oversight.quality import controls_of
from annotate.recruitment.finish import code_of
from core.csv import csv_line
from stats.proportions import ControlShare, control_share

# The share of controls that is expected where the dataset has no pass mark of its own.
EXPECTED = 0.7
COLUMNS = (
    *("outside_id", "submission_id", "study_id", "user_name", "state", "tasks_submitted", "seconds_worked"),
    *("undercounted", "controls", "controls_agreement", "code", "suggestion"),
)


@dataclass(frozen=True)
class Approval:
    """One person. `submitted`: tasks of work; `seconds`: of all their tasks; `controls`: with a share of None where
    they judged none; `suggestion`: "" before they have completed."""

    known: OutsidePerson
    submitted: int
    seconds: int
    undercounted: bool
    controls: ControlShare
    code: str
    suggestion: str

    @property
    def state(self) -> str:
        return self.known.outcome or "working"


SORTS: dict[str, Callable[[Approval], object]] = {
    "began": lambda each: each.known.began_at,
    "state": lambda each: each.state,
    "tasks": lambda each: -each.submitted,
    "time": lambda each: -each.seconds,
    "controls": lambda each: (each.controls.share is None, each.controls.share),
}


def approvals_of(link: RecruitmentLink, sort: str = "began") -> list[Approval]:
    """Everybody who came by the link; a bounded number of queries. sort: a key of SORTS, else by arrival."""
    work = _work_of(link)
    controls, nothing = controls_of(link.dataset), control_share([], [])
    rows = []
    for known in link.people.select_related("person"):
        known.link = link
        done = work.get(known.person_id, {})
        share = controls.get(known.person.get_username(), nothing)
        rows.append(
            Approval(
                known=known,
                submitted=done.get("submitted", 0),
                seconds=done.get("seconds") or 0,
                undercounted=done.get("undercounted", 0) > 0,
                controls=share,
                code=code_of(known),
                suggestion=_suggest(known, share),
            )
        )
    order = SORTS.get(sort, SORTS["began"])
    return sorted(rows, key=lambda each: order(each))  # type: ignore[arg-type, return-value]


def approval_lines(link: RecruitmentLink) -> Iterator[str]:
    """CSV, a line for each person."""
    yield csv_line(COLUMNS)
    for each in approvals_of(link):
        known, share = each.known, each.controls.share
        yield csv_line(
            (
                *(known.outside_id, known.submission_id, known.study_id, known.person.get_username()),
                *(each.state, each.submitted, each.seconds, "yes" if each.undercounted else "no"),
                *(each.controls.n, "" if share is None else round(share, 4), each.code, each.suggestion),
            )
        )


def _suggest(known: OutsidePerson, controls: ControlShare) -> str:
    """Reject only where the whole interval lies below what is expected: a few controls prove nothing."""
    if known.outcome != OutsidePerson.Outcome.COMPLETED:
        return ""
    mark = known.link.dataset.qualification_pass
    expected = EXPECTED if mark is None else mark
    if controls.share is None or controls.interval is None or controls.share >= expected:
        return "approve"
    return "reject" if controls.interval[1] < expected else "review"


def _work_of(link: RecruitmentLink) -> dict[int, Mapping[str, Any]]:
    places = Assignment.objects.of(link.dataset).filter(annotator__outside__link=link).order_by().values("annotator")
    submitted = Q(state=Assignment.State.SUBMITTED, task__kind=Task.Kind.WORK)
    counted = places.annotate(
        submitted=Count("pk", filter=submitted),
        seconds=Sum("active_seconds"),
        undercounted=Count("pk", filter=Q(undercounted=True)),
    )
    return {row["annotator"]: row for row in counted}
