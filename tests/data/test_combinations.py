"""Combinations over the published FELM file: drawn predictions, with scikit-learn and plain loops as witnesses."""

import csv
import io
from collections import Counter

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from annotate.corpus.importing import import_file
from annotate.models import Dataset, GoldLabel, Segment
from core.caching import memory
from evaluators.models import Evaluator, Prediction, Run
from llm.models import Call, Endpoint
from tests.factories import make_person

pytestmark = [pytest.mark.data, pytest.mark.django_db]

# How often each calls an error and a correct segment an error, and what its answer about a response costs.
DRAWN = {"amber": (0.5, 0.2, 0.001), "basalt": (0.6, 0.1, 0.02), "chert": (0.4, 0.1, 0.004)}
SURE = 0.7


def test_combinations_equal_what_other_libraries_make_of_the_same_predictions(published):
    from sklearn.metrics import balanced_accuracy_score, f1_score

    memory.clear()
    import_file(published / "felm" / "all.jsonl", "felm", "felm")
    dataset = Dataset.objects.get()
    segments = list(Segment.objects.order_by("response__position", "position").values_list("pk", "response"))
    values = dict(GoldLabel.objects.current().values_list("segment", "value"))
    gold = np.array([values[segment] != "supported" for segment, _ in segments])
    alarms, scores = draw(dataset, segments, gold)

    client = Client()
    client.force_login(make_person("rhea", dataset, "researcher"))
    query = (
        f"?table=combinations&as=csv&chosen=1&rule=either&rule=both&rule=majority&rule=cascade&ask=unsure&sure={SURE}"
    )
    answer = client.get(reverse("combinations", args=[dataset.pk]) + query)
    rows = {
        (row["combination"], row["rule"]): row
        for row in csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")))
    }

    amber, basalt, chert = (alarms[name] for name in DRAWN)
    unsure = np.maximum(scores["amber"], 1 - scores["amber"]) < SURE
    expected = {
        ("always-not-supported", "trivial baseline"): np.ones_like(gold),
        ("basalt", "by itself"): basalt,
        ("amber + basalt", "supported if both say so"): amber | basalt,
        ("amber + basalt", "error if both say so"): amber & basalt,
        ("amber + basalt + chert", "majority"): amber.astype(int) + basalt + chert >= 2,
        ("amber → basalt", "cascade"): np.where(unsure, basalt, amber),
    }
    for key, said in expected.items():
        assert float(rows[key]["f1"]) == pytest.approx(f1_score(gold, said))
        assert float(rows[key]["balanced_accuracy"]) == pytest.approx(balanced_accuracy_score(gold, said))
        assert rows[key]["n"] == str(len(segments))
    assert float(rows["always-not-supported", "trivial baseline"]["f1"]) == pytest.approx(0.302, abs=5e-4)

    # One answer a response: the second is paid for the responses with a segment that the first is unsure of.
    responses = Counter(response for _, response in segments)
    asked = {response for (_, response), is_unsure in zip(segments, unsure, strict=True) if is_unsure}
    price = 1000 * (len(responses) * 0.001 + len(asked) * 0.02) / len(segments)
    assert float(rows["amber → basalt", "cascade"]["price"]) == pytest.approx(price)
    assert float(rows["amber → basalt", "cascade"]["asked"]) == pytest.approx(unsure.mean())


def draw(dataset, segments, gold):
    """Stores a run of each evaluator; the alarms and scores of each, by name."""
    generator = np.random.default_rng(7)
    endpoint = Endpoint.objects.create(shared=True, name="e", base_url="http://127.0.0.1:1")
    alarms, scores = {}, {}
    for name, (found, false, cost) in DRAWN.items():
        alarms[name] = generator.random(len(gold)) < np.where(gold, found, false)
        confidence = generator.uniform(0.5, 1, len(gold))
        scores[name] = np.where(alarms[name], 1 - confidence, confidence)
        run = Run.objects.create(
            evaluator=Evaluator.objects.create(name=name, method="felm-segment", model=name),
            dataset=dataset,
            state="finished",
        )
        calls = {
            response: Call(
                endpoint=endpoint, request_hash=f"{name} {response}", model=name, request={}, seconds=1, cost_usd=cost
            )
            for _, response in segments
        }
        Call.objects.bulk_create(calls.values())
        Prediction.objects.bulk_create(
            Prediction(run=run, segment_id=segment, value="not_supported" if alarm else "supported", score=float(score))
            for (segment, _), alarm, score in zip(segments, alarms[name], scores[name], strict=True)
        )
        response_of = dict(segments)
        through = Prediction.calls.through
        through.objects.bulk_create(
            through(prediction_id=prediction, call_id=calls[response_of[segment]].pk)
            for prediction, segment in run.predictions.values_list("pk", "segment")
        )
    return alarms, scores
