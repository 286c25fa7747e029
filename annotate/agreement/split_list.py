"""The list of units that split people: chosen, sorted, a page at a time."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotate.agreement.document import Findings
from annotate.agreement.splits import Kind, Split
from annotate.models import AtomicFact, Dataset, Segment, Task

PAGE_SIZE = 50
SORTS = {"text": "Reading order", "kind": "In what they differ", "people": "Judged by most first"}
_WEIGHT = {kind: weight for weight, kind in enumerate(Kind)}


@dataclass(frozen=True)
class SplitChoice:
    """The filters in an address; "" means all. `who` and `other` are annotators on different sides."""

    kind: str = ""
    slice: str = ""
    who: str = ""
    other: str = ""
    sort: str = "text"

    @classmethod
    def read(cls, query: Mapping[str, str]) -> "SplitChoice":
        kind, sort = query.get("kind", ""), query.get("sort", "")
        return cls(
            kind if kind in {each.value for each in Kind} else "",
            query.get("slice", ""),
            query.get("who", ""),
            query.get("other", ""),
            sort if sort in SORTS else "text",
        )

    def of(self, findings: Findings) -> tuple[list[Split], dict[Kind, int]]:
        """The splits in order, and how many there would be of each kind."""
        chosen = [
            split
            for split in findings.splits
            if self.slice in ("", findings.slices[split.segment]) and split.between(self.who, self.other)
        ]
        counts = Counter(split.kind for split in chosen)
        splits = [split for split in chosen if self.kind in ("", split.kind.value)]
        if self.sort == "kind":
            splits.sort(key=lambda split: _WEIGHT[split.kind])
        if self.sort == "people":
            splits.sort(key=lambda split: -len(split.sides))
        return splits, {kind: counts[kind] for kind in Kind if counts[kind]}


@dataclass(frozen=True)
class SplitRow:
    """A split with its texts; `settling`: its annotators are done, so an adjudicator may decide it."""

    split: Split
    segment: Segment
    fact: AtomicFact | None
    settling: bool


def with_texts(dataset: Dataset, splits: Sequence[Split]) -> list[SplitRow]:
    """In three queries."""
    segments = Segment.objects.select_related("response").in_bulk([split.segment for split in splits])
    facts = AtomicFact.objects.in_bulk([split.fact for split in splits if split.fact is not None])
    tasks = [segment.response.task_id for segment in segments.values() if segment.response.task_id is not None]
    settling = set(Task.objects.filter(dataset=dataset, pk__in=tasks).labelled().values_list("pk", flat=True))
    return [
        SplitRow(
            split,
            segments[split.segment],
            facts[split.fact] if split.fact is not None else None,
            segments[split.segment].response.task_id in settling,
        )
        for split in splits
        if split.segment in segments and (split.fact is None or split.fact in facts)
    ]


def tasks_of(rows: Sequence[SplitRow]) -> set[int]:
    """The tasks (primary keys) whose labels are on the page."""
    return {each.segment.response.task_id for each in rows if each.segment.response.task_id is not None}
