"""Work at hand for the tests of labels: Ada on a response of two segments, or on a biography with facts."""

from collections.abc import Mapping

from django.test import Client
from django.urls import reverse

from annotate.judgements.judgement import UnitJudgement
from annotate.judgements.page_keys import PageKeys
from annotate.judgements.units import readings_of
from annotate.labels.draft import check_draft, save_draft
from annotate.models import Assignment, Dataset, User
from annotate.tasks.create import create_tasks
from annotate.tasks.serving import open_next
from tests.factories import add_facts, make_dataset, make_person, make_response


def felm_work() -> Assignment:
    dataset = make_dataset()
    make_response(dataset)
    return open_for(make_person("ada", dataset), dataset)


def factscore_work() -> Assignment:
    """Two sentences: one with two facts, one with one."""
    dataset = make_dataset(scheme="factscore")
    response = make_response(dataset, ("Ada sings and dances.", "She is old."), prompt="Ada", subject="gpt")
    add_facts(response, [["Ada sings.", "Ada dances."], ["Ada is old."]])
    return open_for(make_person("ada", dataset), dataset)


def client_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def page_of(work: Assignment) -> str:
    return reverse("assignment", args=[work.key])


def open_for(person: User, dataset: Dataset) -> Assignment:
    create_tasks(dataset)
    assignment = open_next(dataset, person)
    assert assignment is not None
    return assignment


def keys(assignment: Assignment) -> list[str]:
    """Every address of the task, in reading order."""
    return [unit.key for reading in readings_of(assignment.task) for unit in reading.units()]


def on_page(assignment: Assignment, key: str) -> str:
    """The page's key for a draft's."""
    return PageKeys(assignment).of(key)


def page_keys(assignment: Assignment) -> list[str]:
    """Every address of the task as its pages know it, in reading order."""
    return [on_page(assignment, key) for key in keys(assignment)]


def named(assignment: Assignment, form: Mapping[str, str]) -> dict[str, str]:
    """The plain form as a page sends it: "value-16" and "keep.3" with the page's keys."""
    of = PageKeys(assignment).of
    heads = ("value", "type", "irrelevance", "reason", "references", "flagged", "edit")
    fields = {}
    for name, value in form.items():
        head, _, key = name.partition("-")
        fields[f"{head}-{of(key)}" if head in heads else of(name) if name.startswith("keep.") else name] = value
    return fields


def save(assignment: Assignment, **judged: UnitJudgement):
    """Save {"u0": ...} for the first address, "u1" for the second and so on, over the version last seen."""
    addresses = keys(assignment)
    entries = {addresses[int(name[1:])]: judgement for name, judgement in judged.items()}
    draft = check_draft(assignment.task.dataset, readings_of(assignment.task), entries)
    return save_draft(assignment, draft, assignment.draft_version)
