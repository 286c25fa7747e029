"""Open corrections and removals of responses, in tasks whose annotators are done."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet

from annotate.models import Assignment, Edit, GoldEdit, Removal, Response, ResponseLabel, Task


@dataclass(frozen=True)
class OpenWhole:
    """A response with corrections that nobody settled, by how many sentences (`differing`: its annotators do not read
    them alike; `agreed`: they do), or `doubted`: somebody would remove it, and nobody has settled that."""

    response: Response
    differing: int
    agreed: int
    doubted: bool

    @property
    def needs_a_person(self) -> bool:
        return self.doubted or self.differing > 0

    @property
    def description(self) -> str:
        """The parts that need a person; "" where none does."""
        reasons = []
        if self.differing:
            reasons.append(f"{self.differing} corrected sentence{'s differ' if self.differing > 1 else ' differs'}")
        if self.doubted:
            reasons.append("somebody would remove the response")
        return ", ".join(reasons)


def open_wholes(tasks: QuerySet[Task]) -> list[OpenWhole]:
    """The tasks' visible responses with an open part, in order; in five queries."""
    done = Assignment.objects.real().filter(task__in=tasks.values("pk"), state=Assignment.State.SUBMITTED)
    edits = _edits(done)
    doubted = _doubted(done)
    responses = Response.objects.visible().filter(pk__in={*edits, *doubted}).select_related("prompt")
    wholes = []
    for response in responses.order_by("position"):
        agreements = edits.get(response.pk, [])
        wholes.append(
            OpenWhole(response, agreements.count(False), agreements.count(True), doubted=response.pk in doubted)
        )
    return wholes


def _edits(done: QuerySet[Assignment]) -> dict[int, list[bool]]:
    """Per response (primary key), for each corrected sentence without settled text: do its annotators agree on it?"""
    settled = GoldEdit.objects.current().filter(segment=OuterRef("segment"))
    edits = Edit.objects.filter(~Exists(settled), assignment__in=done.values("pk")).order_by("revision")
    texts: dict[int, tuple[str, int, int]] = {}
    versions: defaultdict[int, dict[int, str]] = defaultdict(dict)
    for edit in edits.values_list(
        "segment_id", "segment__text", "segment__response_id", "assignment__task_id", "assignment_id", "text"
    ):
        segment, text, response, task, assignment, corrected = edit
        texts[segment] = (text, response, task)
        versions[segment][assignment] = corrected
    places = _places(done, {task for _, _, task in texts.values()})
    agreements: dict[int, list[bool]] = {}
    for segment, (text, response, task) in texts.items():
        read = {versions[segment].get(place, text) for place in places[task]}
        if read != {text}:
            agreements.setdefault(response, []).append(len(read) == 1)
    return agreements


def _places(done: QuerySet[Assignment], tasks: Iterable[int]) -> dict[int, list[int]]:
    """Annotators who have submitted, by task (primary keys)."""
    places: defaultdict[int, list[int]] = defaultdict(list)
    for task, assignment in done.filter(task__in=tasks).values_list("task_id", "pk"):
        places[task].append(assignment)
    return places


def _doubted(done: QuerySet[Assignment]) -> set[int]:
    """Primary keys of responses without a settled verdict that some annotator's last verdict removes."""
    settled = Removal.objects.filter(response=OuterRef("response"), superseded__isnull=True)
    verdicts = ResponseLabel.objects.filter(~Exists(settled), assignment__in=done.values("pk")).order_by("revision")
    last = {
        (response, assignment): keep
        for response, assignment, keep in verdicts.values_list("response", "assignment", "keep")
    }
    return {response for (response, _), keep in last.items() if not keep}
