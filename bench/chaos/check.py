"""What the database holds after the kills: `python -m bench.chaos.check all`, in a process of its own; `run` prints the
state of the only run alone, `predictions` its predictions, `workers` the number of those that live.

Prints JSON: `saved`, by person and task the number of the last save that is kept; `submitted`, the labels of each
submission; `predictions` of the only run, each as a list; `double`, addresses with more than one; `tasks`, their
number; `unreachable`, what is wrong with each task that nobody can come to.
"""

import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator

import django

django.setup()

from django.db.models import Count, F, Q  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import reverse  # noqa: E402

from annotate.labels.next_work import next_work  # noqa: E402
from annotate.labels.skip import skip  # noqa: E402
from annotate.models import Assignment, Dataset, Label, Membership, Role, Task, User  # noqa: E402
from annotate.models.work import LIVE_STATES  # noqa: E402
from evaluators.models import Prediction, Run  # noqa: E402
from jobs.models import alive_workers  # noqa: E402

REASON = re.compile(r"(\w+) task (\d+) (?:save (\d+)|submitted)\.")


def main() -> None:
    if sys.argv[1] == "run":
        sys.stdout.write(Run.objects.values_list("state", flat=True)[0])
        return
    if sys.argv[1] == "workers":
        sys.stdout.write(str(alive_workers().values("name").distinct().count()))
        return
    predictions = [list(row) for row in Prediction.objects.order_by("segment", "fact").values_list(*COLUMNS)]
    if sys.argv[1] == "predictions":
        json.dump(predictions, sys.stdout)
        return
    saved: dict[str, dict[int, int]] = defaultdict(dict)
    for draft in Assignment.objects.exclude(draft={}).values_list("draft", flat=True):
        for name, task, number in REASON.findall(json.dumps(draft)):
            if number:
                saved[name][int(task)] = max(saved[name].get(int(task), 0), int(number))
    submitted: dict[str, Counter[int]] = defaultdict(Counter)
    for reason in Label.objects.values_list("reason", flat=True):
        for name, task, number in REASON.findall(reason):
            if not number:
                submitted[name][int(task)] += 1
    addresses = Counter((row[0], row[1], row[2]) for row in predictions)
    json.dump(
        {
            "saved": saved,
            "submitted": submitted,
            "predictions": predictions,
            "double": sum(count > 1 for count in addresses.values()),
            "tasks": Task.objects.count(),
            "unreachable": [*unopened(), *unserved()],
        },
        sys.stdout,
    )


def unopened() -> Iterator[str]:
    """Open assignments whose page its annotator does not get."""
    client = Client(SERVER_NAME="localhost")
    for own in Assignment.objects.filter(state=Assignment.State.OPEN).select_related("annotator"):
        client.force_login(own.annotator)
        status = client.get(reverse("assignment", args=[own.key])).status_code
        if status != 200:
            yield f"{own}: {status}"


def unserved() -> Iterator[str]:
    """Tasks with a free place that somebody new does not get."""
    dataset = Dataset.objects.get()
    live = Count("assignments", filter=Q(assignments__state__in=LIVE_STATES))
    free = set(dataset.tasks.annotate(live=live).filter(live__lt=F("wants")).values_list("pk", flat=True))
    newcomer = User.objects.create_user("newcomer")
    Membership.objects.create(user=newcomer, dataset=dataset, role=Role.ANNOTATOR)
    served = set()
    while (own := next_work(dataset, newcomer).assignment) is not None:
        served.add(own.task_id)
        skip(own, "to see the next")
    yield from (f"task {pk} is not served" for pk in free ^ served)


COLUMNS = ("segment__response__index", "segment__position", "fact__position", "value", "score", "rationale", "unparsed")

if __name__ == "__main__":
    main()
