"""How well each annotator judges: against known answers, and against the gold that came of their own work."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from annotate.gold.read import texts
from annotate.gold.table import number
from annotate.models import (
    Assignment,
    Dataset,
    GoldLabel,
    Label,
    Membership,
    Qualification,
    Role,
    Scheme,
    Segment,
    Task,
)
from annotate.oversight.effort import Effort, efforts_of
from annotate.oversight.shares import Share, clustered_share
from annotate.qualification.compare import Compared, compare, gold_of_tasks
from annotate.qualification.standing import known_labels

Kind = Task.Kind
CHUNK = 5_000


@dataclass(frozen=True)
class Quality:
    """One annotator. `outcome` is inflated: the gold there came from their own labels and others' (definitions.md §5).

    `member` is None for somebody who has left, `qualified` for who may not do real work yet.
    """

    annotator: str
    member: Membership | None
    qualified: Qualification | None
    qualification: Share
    control: Share
    outcome: Share
    effort: Effort | None


def quality_of(dataset: Dataset) -> list[Quality]:
    """Of every annotator of the dataset and everybody who ever held a place, by name; a bounded number of queries."""
    efforts = {effort.annotator: effort for effort in efforts_of(dataset)}
    members = dataset.memberships.filter(role=Role.ANNOTATOR).select_related("user", "dataset")
    of_name = {member.user.get_username(): member for member in members}
    passes = {each.annotator.get_username(): each for each in dataset.qualifications.select_related("annotator")}
    qualification = _shares(dataset, _against_known(dataset, Kind.QUALIFICATION))
    control = _shares(dataset, _against_known(dataset, Kind.CONTROL))
    outcome = _shares(dataset, _against_outcome(dataset))
    nothing = _share_of([], {})
    return [
        Quality(
            annotator=name,
            member=of_name.get(name),
            qualified=passes.get(name),
            qualification=qualification.get(name, nothing),
            control=control.get(name, nothing),
            outcome=outcome.get(name, nothing),
            effort=efforts.get(name),
        )
        for name in sorted({*efforts, *of_name})
    ]


def _against_known(dataset: Dataset, kind: str) -> Iterable[Compared]:
    return compare(dataset, known_labels(dataset, kind), gold_of_tasks(dataset, kind))


def _against_outcome(dataset: Dataset) -> Iterable[Compared]:
    """Real labels beside the gold that was made here; what came with a file is nobody's outcome."""
    labels = Label.objects.of(dataset).real().filter(assignment__state=Assignment.State.SUBMITTED)
    made_here = GoldLabel.objects.of(dataset).current().exclude(source=GoldLabel.Source.IMPORT)
    return compare(dataset, labels, made_here)


Place = tuple[int, str]


def _shares(dataset: Dataset, compared: Iterable[Compared]) -> dict[str, Share]:
    by_annotator: defaultdict[str, list[Compared]] = defaultdict(list)
    for each in compared:
        by_annotator[each.annotator].append(each)
    place_of = _places(dataset) if by_annotator else {}
    return {name: _share_of(units, place_of) for name, units in by_annotator.items()}


def _places(dataset: Dataset) -> dict[int, Place]:
    """Each segment's prompt, and that prompt's stratum: its domain, for FActScore its class of frequency."""
    stratum = "frequency" if dataset.scheme == Scheme.FACTSCORE else "domain"
    rows = Segment.objects.filter(response__dataset=dataset, response__task__isnull=False).order_by("pk")
    columns = rows.values_list("pk", "response__prompt_id", f"response__prompt__{stratum}")
    return {segment: (prompt, of_prompt) for segment, prompt, of_prompt in columns.iterator(CHUNK)}


def _share_of(units: Sequence[Compared], place_of: dict[int, Place]) -> Share:
    ordered = sorted(units, key=lambda each: (each.segment, each.fact or 0))
    places = [place_of[each.segment] for each in ordered]
    return clustered_share(
        np.array([each.right for each in ordered], dtype=np.bool_),
        np.array([prompt for prompt, _ in places], dtype=np.int64),
        number(texts([stratum for _, stratum in places]))[1],
    )
