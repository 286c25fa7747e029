"""The end of an outside person's work, and the code that says so."""

from dataclasses import dataclass
from urllib.parse import quote

from django.db import transaction
from django.utils import timezone

from annotate.labels.next_work import NextStep, next_work
from annotate.models import Assignment, OutsidePerson, RecruitmentLink, Task, WorkLimit
from annotate.qualification.status import QualificationStatus, qualification_status_of

COMPLETE = "https://app.prolific.com/submissions/complete?cc="


@dataclass(frozen=True)
class Finish:
    """outcome: "" while there is work left, or where there was none. code: "" where there is none for the outcome.
    address: where the person goes next, "" where they paste the code."""

    outcome: str
    submitted: int
    code: str
    address: str


def finish(known: OutsidePerson) -> Finish:
    """Write down that the person has finished, if they have: from then on no more work is served to them."""
    if not known.outcome:
        _note_end(known)
    link, submitted = known.link, count_submitted(known)
    code = code_of(known)
    return Finish(known.outcome, submitted, code, _address(link, code))


def code_of(known: OutsidePerson) -> str:
    """What the platform is told of the outcome: of MTurk a person's own code."""
    if known.outcome == OutsidePerson.Outcome.COMPLETED:
        return known.code or known.link.completion_code
    return known.link.screened_code if known.outcome else ""


def _address(link: RecruitmentLink, code: str) -> str:
    """Where the person goes with the code; "" where they paste it."""
    if code and link.platform == RecruitmentLink.Platform.PROLIFIC:
        return f"{COMPLETE}{quote(code, safe='')}"
    return link.return_address if code else ""


def count_submitted(known: OutsidePerson) -> int:
    """Tasks of work; a page that counted more would tell how many were controls."""
    own = Assignment.objects.of(known.link.dataset).filter(annotator=known.person, state=Assignment.State.SUBMITTED)
    return own.filter(task__kind=Task.Kind.WORK).count()


def did_not_pass(standing: QualificationStatus | None) -> bool:
    return standing is not None and standing.finished and standing.passed is None and not standing.reached


@transaction.atomic
def _note_end(known: OutsidePerson) -> None:
    dataset, person = known.link.dataset, known.person
    if did_not_pass(qualification_status_of(dataset, person)):
        known.outcome = OutsidePerson.Outcome.SCREENED
    elif next_work(dataset, person).step in (NextStep.NOTHING, NextStep.REBUTTAL) and count_submitted(known):
        known.outcome = OutsidePerson.Outcome.COMPLETED
        WorkLimit.objects.filter(dataset=dataset, annotator=person, domain="").update(quota=count_submitted(known))
    else:
        return
    known.finished_at = timezone.now()
    known.save(update_fields=["outcome", "finished_at"])
