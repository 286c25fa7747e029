"""Random work in a dataset, and the numbers of its cases by the definition in words."""

from collections import Counter
from collections.abc import Callable
from copy import copy
from random import Random

from django.db import transaction
from django.utils import timezone

from annotate.adjudication.decide import DecisionError, decide
from annotate.adjudication.unanimous import accept_unanimous
from annotate.cases.addresses import OpenCase, last_decision, open_cases
from annotate.cases.counts import CaseCounts, cases_for_a_person, count_cases
from annotate.models import Assignment, Dataset, FactSet, GoldLabel, Import, Label, Segment, Task, User
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import add_correction, add_facts, make_dataset, make_person, make_response

VALUES = ("supported", "not_supported/knowledge", "not_supported/reasoning", "irrelevant")


def by_hand(cases: list[OpenCase]) -> CaseCounts:
    """The definition in words: unanimous are units that all judged alike, where nobody judged the sentence and another
    its facts; types count on errors only."""
    numbers: Counter[str] = Counter()
    for case in cases:
        judged = {(vote.value, "" if vote.value == "supported" else vote.error_type) for vote in case.votes}
        alike = len(judged) == 1 and not case.split
        numbers["unjudged" if not judged else "unanimous" if alike else "disputed"] += 1
    return CaseCounts(numbers["unanimous"], numbers["disputed"], numbers["unjudged"])


class Work:
    """Random work in a dataset: each step is one that people, files or commands do."""

    def __init__(self, scheme: str, seed: int) -> None:
        self.random = Random(seed)
        self.dataset = make_dataset(f"{scheme} {seed}", scheme=scheme)
        self.people = [make_person(f"{name}{seed}", self.dataset) for name in ("ada", "ben", "cleo")]
        self.dora = make_person(f"dora{seed}")
        for _ in range(4):
            self.add_task()

    def steps(self) -> list[Callable[[], object]]:
        return [
            *[self.add_task] * 3, *[self.submit] * 8, self.revise, self.take_back, self.submit_again,
            self.decide, self.decide, self.accept, self.change_wants, self.change_kind, self.hide, self.add_segment,
            self.forget_gold, self.rebuttal, self.write_facts, self.correct, self.delete_label, self.close,
        ]  # fmt: skip

    def any_step(self) -> None:
        self.random.choice(self.steps())()

    def with_seed(self, seed: int) -> "Work":
        """The same dataset for another who works in it at random."""
        other = copy(self)
        other.random = Random(seed)
        return other

    def one(self, rows) -> object:
        found = list(rows)
        return self.random.choice(found) if found else None

    def task(self) -> Task:
        return self.random.choice(list(self.dataset.tasks.all()))

    def units(self, task: Task) -> list:
        segments = Segment.objects.filter(response__task=task)
        if self.dataset.scheme == "felm":
            return list(segments)
        return [each for segment in segments for each in self.random.choice(([segment], list(segment.facts.all())))]

    def add_task(self) -> None:
        response = make_response(self.dataset, prompt=f"Prompt {self.random.random()}")
        if self.dataset.scheme != "felm":
            add_facts(response, [["A fact.", "Another."], ["A third."]])
        make_task(response, wants=self.random.choice((1, 2)))

    def submit(self) -> None:
        task = self.task()
        had = task.assignments.values("annotator")
        person = self.one(User.objects.filter(pk__in=[each.pk for each in self.people]).exclude(pk__in=had))
        if person is not None and task.assignments.count() < task.wants:
            judge(task, person, {unit: self.random.choice(VALUES) for unit in self.units(task)})

    def revise(self) -> None:
        label = self.one(Label.objects.of(self.dataset).filter(revision=0))
        if label is not None and not Label.objects.filter(
            assignment=label.assignment_id, segment=label.segment_id, fact=label.fact_id, revision=1
        ):
            value = self.random.choice(("supported", "not_supported"))
            row = {"segment_id": label.segment_id, "fact_id": label.fact_id, "value": value, "revision": 1}
            label.assignment.labels.create(**row, withdrawn=self.random.random() < 0.3)

    def take_back(self) -> None:
        place = self.one(Assignment.objects.of(self.dataset).filter(state="submitted"))
        if place is not None:
            Assignment.objects.filter(pk=place.pk).update(state="open", lease_until=timezone.now())

    def submit_again(self) -> None:
        Assignment.objects.of(self.dataset).filter(state="open").update(state="submitted")

    def decide(self) -> None:
        case = self.one(open_cases(self.dataset))
        if case is None:
            return
        last = last_decision(case.address)
        try:
            with transaction.atomic():
                decide(case.address, self.dora, "supported", why="Looked.", seen=last.pk if last else None)
        except DecisionError:
            return

    def accept(self) -> None:
        try:
            with transaction.atomic():
                accept_unanimous(self.dataset, self.dora, "Read.")
        except DecisionError:
            return

    def change_wants(self) -> None:
        Task.objects.filter(pk=self.task().pk).update(wants=self.random.choice((1, 2)))

    def change_kind(self) -> None:
        kind = self.random.choice(("work", "work", "qualification", "control"))
        Task.objects.filter(pk=self.task().pk).update(kind=kind, known_since=None if kind == "work" else timezone.now())

    def hide(self) -> None:
        imported = self.one(Import.objects.filter(dataset=self.dataset))
        shown = self.random.random() < 0.9
        Import.objects.filter(pk=imported.pk).update(finished_at=timezone.now() if shown else None)

    def add_segment(self) -> None:
        response = self.one(self.dataset.responses.all())
        Segment.objects.create(response=response, position=100 + self.random.randrange(10**6), text="More.")

    def forget_gold(self) -> None:
        gold = self.one(GoldLabel.objects.filter(segment__response__dataset=self.dataset).current())
        if gold is not None:
            GoldLabel.objects.filter(pk=gold.pk).update(superseded=gold.revision + 1)

    def rebuttal(self) -> None:
        Task.objects.filter(pk=self.task().pk).update(rebuttal_at=self.random.choice((None, timezone.now())))

    def write_facts(self) -> None:
        facts = self.one(FactSet.objects.filter(response__dataset=self.dataset))
        if facts is not None:
            FactSet.objects.filter(pk=facts.pk).update(draft=not facts.draft)

    def correct(self) -> None:
        segment = self.one(Segment.objects.filter(response__dataset=self.dataset, gold_edits=None))
        if segment is not None:
            add_correction(segment, "Corrected.")

    def delete_label(self) -> None:
        label = self.one(Label.objects.of(self.dataset))
        if label is not None:
            label.delete()

    def close(self) -> None:
        Task.objects.filter(pk=self.task().pk).update(closed_at=self.random.choice((None, timezone.now())))


def check(dataset: Dataset) -> CaseCounts:
    """Kept numbers against those of the cases read anew."""
    cases = open_cases(dataset)
    counted = count_cases(dataset)
    assert counted == by_hand(cases)
    assert cases_for_a_person(dataset) == [case for case in cases if case.standing.value != "unanimous"]
    return counted
