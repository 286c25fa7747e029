"""What pages read of the database: not every label, however many there are."""

import pytest
from django.test import Client

from annotate.cases.addresses import open_cases
from annotate.cases.counts import count_cases
from annotate.models import Dataset, Role
from bench.pages import Cost, counted
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db

FEW, MANY = 4, 24
SEGMENTS = 10
# Steps of SQLite's virtual machine for each further task, by page; the overview lists its response too.
MOST_A_TASK = {"": 2500, "gold/": 900, "?q=number": 2500, "adjudicate/": 900}
PAGES = [*MOST_A_TASK, "oversight/work.csv"]


def make_labelled(tasks: int) -> Dataset:
    """Tasks whose ten segments two annotators judge alike, and one whose every segment has gold."""
    dataset = make_dataset(f"of {tasks}")
    people = [make_person(f"{name} of {tasks}", dataset) for name in ("ada", "ben")]
    for number in range(tasks):
        texts = [f"{number} and {place} make a number." for place in range(SEGMENTS)]
        response = make_response(dataset, texts, prompt=f"Prompt {number}")
        segments = list(response.segments.all())
        for person in people if number else ():
            task = make_task(response) if person is people[0] else response.__class__.objects.get(pk=response.pk).task
            judge(task, person, dict.fromkeys(segments, "supported"))
        if not number:
            add_gold(segments[0], "supported")
    return dataset


def cost_of(client: Client, address: str) -> Cost:
    """Of the second visit: the first counts what changed."""
    for _ in range(2):
        with counted(10) as cost:
            answer = client.get(address)
            assert answer.status_code == 200, address
            if answer.streaming:
                next(iter(answer.streaming_content))
    return cost


@pytest.fixture(scope="module")
def costs(module_db: None) -> dict[str, tuple[Cost, Cost]]:
    """By page, in the small dataset and in the large one."""
    dora = make_person("dora")
    client = Client()
    client.force_login(dora)
    datasets = [make_labelled(number) for number in (FEW, MANY)]
    for dataset in datasets:
        dataset.memberships.create(user=dora, role=Role.ADJUDICATOR)
    found = {}
    for page in PAGES:
        few, many = (cost_of(client, f"/datasets/{dataset.pk}/{page}") for dataset in datasets)
        found[page] = (few, many)
    return found


@pytest.mark.parametrize("page", PAGES)
def test_more_tasks_take_no_more_queries(costs: dict[str, tuple[Cost, Cost]], page: str) -> None:
    few, many = costs[page]
    assert many.queries <= few.queries


@pytest.mark.parametrize("page", MOST_A_TASK)
def test_a_further_task_is_read_in_few_steps(costs: dict[str, tuple[Cost, Cost]], page: str) -> None:
    few, many = costs[page]
    assert few.steps > 0
    assert (many.steps - few.steps) / (MANY - FEW) < MOST_A_TASK[page]


def test_cases_are_counted_without_reading_every_label(module_db: None) -> None:
    """Ten segments and twenty labels a task: who reads them takes at least ten times the steps."""
    steps: dict[str, list[int]] = {"kept": [], "read": []}
    for number in (FEW, MANY):
        dataset = make_labelled(number + 1)
        count_cases(dataset)
        for name, count in (("kept", count_cases), ("read", open_cases)):
            with counted(1) as cost:
                count(dataset)
            steps[name].append(cost.steps)
    kept, read = ((many - few) / (MANY - FEW) for few, many in steps.values())
    assert 0 < kept < read / 10
