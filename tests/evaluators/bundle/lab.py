"""A dataset with runs, as two laboratories may have it."""

import json
from datetime import timedelta
from pathlib import Path

from django.utils import timezone

from annotate.corpus.importing import import_file
from annotate.gold.freeze import freeze_gold
from annotate.models import Dataset
from evaluators.models import Evaluator, Prediction, Run
from evaluators.predictions.import_file import import_predictions
from llm.models import Call, Endpoint

NAME = "numbers"


def felm_rows(texts: tuple[str, ...] = ("One is odd.", "Two is odd.")) -> list[dict]:
    """Six responses over three domains; the second segment of every other one is an error."""
    return [
        {
            "index": f"r{place}",
            "domain": ("wk", "math", "science")[place % 3],
            "source": "made",
            "prompt": f"Which of {place} are odd?",
            "response": " ".join(texts),
            "segmented_response": list(texts),
            "labels": [True, place % 2 == 0],
            "comment": ["", ""],
            "type": [None, None if place % 2 == 0 else "knowledge_error"],
            "ref": [],
            "ref_contents": [],
        }
        for place in range(6)
    ]


def make_lab(folder: Path, rows: list[dict] | None = None) -> Dataset:
    """The dataset with its gold frozen as v1, no run yet."""
    path = folder / "numbers.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows or felm_rows()), encoding="utf-8")
    import_file(path, NAME, "felm")
    dataset = Dataset.objects.get(name=NAME)
    freeze_gold(dataset, "v1")
    return dataset


def add_outside_run(dataset: Dataset, folder: Path) -> Run:
    """Predictions of an evaluator that ran elsewhere, one of them unparsed, one missing."""
    path = folder / "said.jsonl"
    said = [
        {"index": f"r{place}", "segment": segment, "value": value, "score": score, "rationale": "Counted: ½ …"}
        for place in range(6)
        for segment, value, score in ((0, "supported", 0.1 + place / 7), (1, ("not_supported", None)[place == 3], None))
        if (place, segment) != (5, 0)
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in said), encoding="utf-8")
    return import_predictions(dataset, path, "counter").run


def add_own_run(dataset: Dataset) -> Run:
    """A run with a model behind it: tokens, a price, a fallback, units left out, a response that failed."""
    evaluator = Evaluator.objects.create(
        name="judge · tiny", method="felm-segment", model="tiny", parameters={"profile": "repaired"}
    )
    now = timezone.now()
    times = {"started_at": now, "last_prediction_at": now + timedelta(seconds=12.345), "finished_at": now}
    run = Run.objects.create(evaluator=evaluator, dataset=dataset, state="finished", manifest={"seed": 7}, **times)
    endpoint = Endpoint.objects.create(shared=True, name="e", base_url="http://127.0.0.1:1")
    for place, response in enumerate(dataset.responses.all()):
        state = "failed" if place == 5 else "done"
        run.items.create(response=response, position=place, state=state, skipped={"too long": 1} if place == 4 else {})
        if place > 3:
            continue
        call = Call.objects.create(
            endpoint=endpoint,
            request_hash=f"{place:064d}",
            model="tiny",
            request={"secret": "prompt"},
            answer=f"Answer: {place}",
            seconds=1,
            prompt_tokens=10,
            completion_tokens=place,
            cost_usd="0.1",
        )
        for segment in response.segments.all():
            prediction = Prediction.objects.create(
                run=run,
                segment=segment,
                value="not_supported" if place % 2 else "supported",
                fallback="no document" if place == 1 else "",
            )
            prediction.calls.add(call)
    return run
