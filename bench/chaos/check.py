"""What the database holds after the kills: `python -m bench.chaos.check NAME...`, in a process of its own.

Prints JSON: `saved`, by person and task the number of the last save that is kept; `submitted`, the labels of each
submission; `predictions` of the only run, each as a list; `double`, addresses with more than one.
"""

import json
import re
import sys
from collections import Counter, defaultdict

import django

django.setup()

from annotate.models import Assignment, Label  # noqa: E402
from evaluators.models import Prediction, Run  # noqa: E402

REASON = re.compile(r"(\w+) task (\d+) (?:save (\d+)|submitted)\.")


def main() -> None:
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
    predictions = [list(row) for row in Prediction.objects.order_by("segment", "fact").values_list(*COLUMNS)]
    addresses = Counter((row[0], row[1], row[2]) for row in predictions)
    json.dump(
        {
            "saved": saved,
            "submitted": submitted,
            "predictions": predictions,
            "double": sum(count > 1 for count in addresses.values()),
            "run": Run.objects.values_list("state", flat=True).first(),
        },
        sys.stdout,
    )


COLUMNS = ("segment__response__index", "segment__position", "fact__position", "value", "score", "rationale", "unparsed")

if __name__ == "__main__":
    main()
