"""Ada and Ben have both submitted a task of a dataset with a rebuttal; Ben cites something."""

from annotate.judgements.entries import Draft
from annotate.judgements.judgement import CitedReference, UnitJudgement
from annotate.judgements.units import readings_of
from annotate.labels.submit import submit
from annotate.models import Assignment, Dataset, Task, User
from annotate.tasks.create import create_tasks
from annotate.tasks.serving import open_next
from tests.factories import add_facts, make_dataset, make_person, make_response

PAGE = CitedReference("https://numbers.example", "Two is even.", "refutes")


def dataset_with_rebuttal() -> Dataset:
    """One task for two annotators, on "Two is odd."."""
    dataset = make_dataset()
    dataset.rebuttal = True
    dataset.save()
    make_response(dataset, ["Two is odd."])
    create_tasks(dataset)
    Task.objects.update(wants=2)
    return dataset


def disputed_task() -> tuple[Assignment, Assignment]:
    """Ada's and Ben's submitted work on "Two is odd.": she says supported, he cites why not."""
    dataset = dataset_with_rebuttal()
    ada = submit_all(dataset, "ada", UnitJudgement("supported", reason="I think so."))
    ben = submit_all(dataset, "benedict", UnitJudgement("not_supported", "knowledge", "Look there.", (PAGE,)))
    ada.refresh_from_db()
    return ada, ben


def biography_in_rebuttal() -> tuple[Assignment, Draft, Draft]:
    """Ada calls the one sentence irrelevant as a whole, Ben judges its one fact; and what Ada may say: whole, facts."""
    dataset = make_dataset(scheme="factscore")
    dataset.rebuttal = True
    dataset.save()
    (fact,) = add_facts(make_response(dataset, ["She sings."], subject="gpt"), [["She sings songs."]])
    create_tasks(dataset)
    Task.objects.update(wants=2)
    whole: Draft = {str(fact.segment_id): UnitJudgement("irrelevant")}
    facts: Draft = {f"{fact.segment_id}.{fact.pk}": UnitJudgement("supported")}
    ada = submit_draft(dataset, "ada", whole)
    submit_draft(dataset, "ben", facts)
    ada.refresh_from_db()
    return ada, whole, facts


def submit_all(dataset: Dataset, name: str, judgement: UnitJudgement) -> Assignment:
    """The person takes the next task, judges every unit that wants it so, and submits."""
    units = {unit.key for reading in readings_of(dataset.tasks.get()) for unit in reading.units() if unit.required}
    return submit_draft(dataset, name, dict.fromkeys(units, judgement))


def submit_draft(dataset: Dataset, name: str, draft: Draft) -> Assignment:
    return submit_next(dataset, make_person(name, dataset), draft)


def submit_next(dataset: Dataset, annotator: User, draft: Draft) -> Assignment:
    """The same by a member."""
    assignment = open_next(dataset, annotator)
    assert assignment is not None
    assignment.draft = {key: entry.stored() for key, entry in draft.items()}
    assignment.save()
    submit(assignment)
    assignment.refresh_from_db()
    return assignment


def all_as(assignment: Assignment, judgement: UnitJudgement) -> Draft:
    """Every unit of the task that wants a judgement has this one."""
    units = [unit for reading in readings_of(assignment.task) for unit in reading.units()]
    return {unit.key: judgement for unit in units if unit.required}
