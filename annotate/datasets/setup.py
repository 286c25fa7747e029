"""The steps from an empty dataset to the first label, each read from the database."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.http import urlencode

from annotate.models import Assignment, Dataset, GoldLabel, Guideline, Membership, Response, Role, Task

ANNOTATORS = 2


@dataclass(frozen=True)
class SetupStep:
    title: str
    about: str
    address: str
    is_done: bool
    is_optional: bool = False


def setup_steps(dataset: Dataset) -> list[SetupStep]:
    """The steps for the dataset's adjudicators; none once they are done or dismissed, and none where gold came with the
    data."""
    if dataset.setup_dismissed or dataset.archived_at is not None:
        return []
    done = _what_is_there(dataset)
    if done["has_gold"] and not done["has_tasks"]:
        return []
    people = done["people"]
    steps = [
        SetupStep(
            "Data",
            "Import prompts and responses.",
            f"{reverse('import')}?{urlencode({'into': dataset.name})}",
            done["has_responses"],
        ),
        SetupStep(
            "Guidelines",
            "Write the rules for annotators.",
            f"{reverse('people', args=[dataset.pk])}#guidelines",
            done["has_guidelines"],
        ),
        SetupStep(
            "People",
            f"Invite annotators: {people} of {ANNOTATORS} so far.",
            reverse("invite", args=[dataset.pk]),
            people >= ANNOTATORS,
        ),
        SetupStep(
            "Qualification",
            "Optional: a test with known answers before real work.",
            reverse("qualification-tasks", args=[dataset.pk]),
            dataset.qualification_pass is not None,
            is_optional=True,
        ),
        SetupStep("Assign", "Assign tasks to annotators.", reverse("assign", args=[dataset.pk]), done["has_tasks"]),
        SetupStep(
            "Label",
            "Submit the first task.",
            reverse("oversight", args=[dataset.pk]),
            done["has_submitted"],
        ),
    ]
    if dataset.sandbox:  # nobody else works in it
        steps = steps[:1]
    return [] if all(step.is_done or step.is_optional for step in steps) else steps


def _what_is_there(dataset: Dataset) -> dict[str, Any]:
    """In one query: the number of annotators, and whether there is anything of the other steps."""
    of_dataset = {"dataset": OuterRef("pk")}
    annotators = Membership.objects.filter(**of_dataset, role=Role.ANNOTATOR).order_by().values("dataset")
    gold = GoldLabel.objects.current().filter(segment__response__dataset=OuterRef("pk"))
    work = Assignment.objects.filter(task__dataset=OuterRef("pk"), task__kind=Task.Kind.WORK)
    there: QuerySet[Dataset, Any] = Dataset.objects.filter(pk=dataset.pk).values(
        people=Coalesce(Subquery(annotators.annotate(number=Count("pk")).values("number")), 0),
        has_responses=Exists(Response.objects.visible().filter(**of_dataset)),
        has_guidelines=Exists(Guideline.objects.filter(**of_dataset)),
        has_gold=Exists(gold),
        has_tasks=Exists(Task.objects.filter(**of_dataset).real()),
        has_submitted=Exists(work.filter(state=Assignment.State.SUBMITTED)),
    )
    found: dict[str, Any] = there.get()
    return found
