"""Time and memory of predictions over the API: `python -m bench.api_predictions [RESPONSES]`.

10,000 predictions go in with one POST (target: 3 s). Then a run with predictions of all segments (ten a response,
100,000 responses without an argument) goes out as Parquet (target: 60 s a million) and as JSON lines; memory is the
growth of the process's peak, after a tenth of the predictions was read the same way.
"""

import json
import os
import resource
import sys
import tempfile
import time
from datetime import timedelta

RESPONSES = 100_000
SEGMENTS = 10
SENT = 10_000
AT_ONCE = 5000


def main() -> None:
    responses = int(sys.argv[1]) if len(sys.argv) > 1 else RESPONSES
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(DATA_DIR=folder, DJANGO_SETTINGS_MODULE="config.settings", ALLOWED_HOSTS="testserver")
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        dataset, headers = make_dataset(responses)
        time_push(dataset, headers)
        few, many = (make_run(dataset, name, part) for name, part in (("few", responses // 10), ("many", responses)))
        for form in ("parquet", "jsonl"):
            read(few, form, headers)
            before = peak()
            began = time.perf_counter()
            size = read(many, form, headers)
            seconds = time.perf_counter() - began
            count = responses * SEGMENTS
            print(
                f"{count:,} predictions as {form}: {seconds:.1f} s, {size / 2**20:.0f} MiB; "
                f"memory grew by {peak() - before:.0f} MiB to {peak():.0f} MiB"
            )


def make_dataset(responses: int):
    """A dataset of that many responses, and the headers of a researcher's request."""
    from annotate.models import Dataset, Import, Membership, Prompt, Response, Role, Segment, User
    from api.models import Scope
    from api.tokens.create import create_token

    dataset = Dataset.objects.create(name="bench", scheme="felm", ready=True)
    rhea = User.objects.create_user("rhea")
    Membership.objects.create(user=rhea, dataset=dataset, role=Role.RESEARCHER)
    prompt = Prompt.objects.create(dataset=dataset, text="Which numbers are odd?", domain="math")
    imported = Import.objects.create(dataset=dataset, file_name="b", format="felm", finished_at="2026-01-01T00:00Z")
    for start in range(0, responses, AT_ONCE):
        made = Response.objects.bulk_create(
            Response(
                dataset=dataset,
                imported=imported,
                prompt=prompt,
                index=str(place),
                position=place,
                text="One is odd. " * SEGMENTS,
                content_hash=f"{place:064d}",
            )
            for place in range(start, min(start + AT_ONCE, responses))
        )
        Segment.objects.bulk_create(
            Segment(response=response, position=at, text="One is odd.", start=12 * at, end=12 * at + 11)
            for response in made
            for at in range(SEGMENTS)
        )
    _, token = create_token(rhea, "bench", [Scope.READ, Scope.EVALUATE], timedelta(days=1))
    return dataset, {"Authorization": f"Bearer {token}"}


def make_run(dataset, name: str, responses: int):
    """A finished run with a prediction of each segment of the first responses."""
    from annotate.models import Segment
    from evaluators.models import Evaluator, Prediction, Run

    evaluator = Evaluator.objects.create(name=name, method="imported")
    run = Run.objects.create(evaluator=evaluator, dataset=dataset, state="finished")
    keys = Segment.objects.filter(response__position__lt=responses).order_by("pk").values_list("pk", flat=True)
    for start in range(0, responses * SEGMENTS, 10 * AT_ONCE):
        Prediction.objects.bulk_create(
            Prediction(run=run, segment_id=key, value="supported", score=0.5, rationale="One is odd, as is known.")
            for key in keys[start : start + 10 * AT_ONCE]
        )
    return run


def time_push(dataset, headers: dict[str, str]) -> None:
    from django.test import Client

    rows = [
        {"index": str(place // SEGMENTS), "segment": place % SEGMENTS, "value": "supported", "score": 0.5}
        for place in range(SENT)
    ]
    body = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
    address = f"/api/v1/datasets/{dataset.pk}/predictions/?evaluator=theirs"
    client = Client()
    client.get("/api/v1/methods/", headers=headers)  # loads the code
    began = time.perf_counter()
    answer = client.generic("POST", address, body, content_type="application/x-ndjson", headers=headers)
    seconds = time.perf_counter() - began
    if answer.status_code != 201:
        sys.exit(answer.content.decode())
    print(f"{answer.json()['created']:,} predictions in one POST: {seconds:.2f} s")


def read(run, form: str, headers: dict[str, str]) -> int:
    """The bytes of the whole list, which are thrown away as they come."""
    from django.test import Client

    answer = Client().get(f"/api/v1/runs/{run.pk}/predictions/?format={form}", headers=headers)
    if answer.status_code != 200:
        sys.exit(f"{form}: status {answer.status_code}")
    return sum(len(piece) for piece in answer.streaming_content)


def peak() -> float:
    """Of this process so far, in MiB."""
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kilobytes / (2**20 if sys.platform == "darwin" else 2**10)


if __name__ == "__main__":
    main()
