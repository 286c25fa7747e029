"""Old answers, pages and files of one's own data go by age and by size; what is cited stays. A worker does it once a
day."""

import io
import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.management import call_command
from django.utils import timezone

from annotate.models import Label, PersonalExport, Pruning, ReferenceLink, Response
from annotate.retention.prune import plan
from audit.models import Action, AuditEntry
from core.uncited import delete_uncited
from evaluators.models import Evaluator, Prediction, Run
from knowledge.models import Snapshot
from llm.models import Call, Embedding, Endpoint
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db
TEXT = "x" * 1024


def prune(*words: str) -> dict[str, Any]:
    out = io.StringIO()
    call_command("prune", "--json", *words, stdout=out)
    document: dict[str, Any] = json.loads(out.getvalue())
    return document


def aged(row: Any, days: int) -> Any:
    type(row).objects.filter(pk=row.pk).update(created_at=timezone.now() - timedelta(days=days))
    return row


def answer(name: str, days: int) -> Call:
    endpoint, _ = Endpoint.objects.get_or_create(name="lab", base_url="http://lab/v1")
    return aged(
        Call.objects.create(endpoint=endpoint, request_hash=name, model="m", request={}, answer=TEXT, seconds=1), days
    )


def page(name: str, days: int, state: str = "done") -> Snapshot:
    frozen = {"settled_at": timezone.now(), "text": TEXT, "text_hash": name} if state == "done" else {}
    return aged(Snapshot.objects.create(url=f"https://example.org/{name}", state=state, **frozen), days)


def make_label(response: Response) -> Label:
    work = judge(make_task(response), "ada", {response.segments.all()[0]: "supported"})
    return work.labels.get()


def make_prediction() -> Prediction:
    response = make_response(make_dataset("judged"))
    evaluator = Evaluator.objects.create(name="e", method="lexical")
    run = Run.objects.create(dataset=response.dataset, evaluator=evaluator)
    return Prediction.objects.create(run=run, segment=response.segments.all()[0], value="supported")


def test_old_answers_go_and_cited_ones_stay(settings: Any) -> None:
    settings.ANSWERS_DAYS = 30
    old, new, cited = answer("old", 31), answer("new", 29), answer("cited", 90)
    aged(Embedding.objects.create(endpoint=old.endpoint, request_hash="v", model="m", vector=b"1234"), 31)
    Prediction.calls.through.objects.create(prediction=make_prediction(), call=cited)

    assert prune("--dry-run") == {"answers": 1, "vectors": 1, "pages": 0, "exports": 0}
    assert Call.objects.count() == 3
    assert prune() == {"answers": 1, "vectors": 1, "pages": 0, "exports": 0}
    assert set(Call.objects.all()) == {new, cited}
    assert AuditEntry.objects.get(action=Action.PRUNED).detail == "1 answers, 1 vectors, 0 pages, 0 exports"


def test_the_oldest_go_until_the_rest_is_small_enough(settings: Any) -> None:
    # Each answer has 1,024 characters, and 2 of each of its three empty JSON columns: 1,030. 3 KiB hold two, not three.
    settings.ANSWERS_MB = 3 / 1024
    _, second, third = answer("1", 3), answer("2", 2), answer("3", 1)
    assert prune()["answers"] == 1
    assert set(Call.objects.all()) == {second, third}


def test_pages_that_labels_and_responses_cite_stay_and_those_under_way(settings: Any) -> None:
    settings.SNAPSHOTS_DAYS = 30
    names = ("old", "of-label", "of-response", "new")
    old, of_label, of_response, new = (page(name, 10 if name == "new" else 40) for name in names)
    waiting, failed = page("waiting", 40, "waiting"), page("failed", 40)
    response = make_response(make_dataset("poems"))
    ReferenceLink.objects.create(response=response, position=0, url=of_response.url)
    ReferenceLink.objects.create(label=make_label(response), position=0, url=of_label.url, snapshot=of_label)

    assert prune() == {"answers": 0, "vectors": 0, "pages": 2, "exports": 0}
    assert set(Snapshot.objects.all()) == {of_label, of_response, new, waiting}
    assert not Snapshot.objects.filter(pk__in=[old.pk, failed.pk]).exists()


def test_what_is_cited_after_it_was_found_is_not_deleted() -> None:
    found = Call.objects.filter(pk=answer("cited", 90).pk)
    Prediction.calls.through.objects.create(prediction=make_prediction(), call=found.get())
    assert delete_uncited(found) == 0
    assert Prediction.calls.through.objects.count() == 1


def export_of(name: str, days: int, **columns: Any) -> PersonalExport:
    """A file of somebody's own data that was made so many days ago."""
    settled = {"state": "done", "settled_at": timezone.now() - timedelta(days=days), **columns}
    export: PersonalExport = PersonalExport.objects.create(person=make_person(name), **settled)
    export.file.save("own.zip", ContentFile(b"all of it"))
    return export


def test_files_of_ones_own_data_go_after_a_week_and_those_under_way_stay() -> None:
    old, new, under_way = export_of("ada", 8), export_of("ben", 6), export_of("cleo", 8, state="waiting")
    folder = Path(old.file.path).parent
    assert prune("--dry-run")["exports"] == 1
    assert prune() == {"answers": 0, "vectors": 0, "pages": 0, "exports": 1}
    assert set(PersonalExport.objects.all()) == {new, under_way}
    assert {path.name for path in folder.iterdir()} >= {Path(each.file.name).name for each in (new, under_way)}
    assert not Path(old.file.path).exists()
    assert AuditEntry.objects.get(action=Action.PRUNED).detail == "0 answers, 0 vectors, 0 pages, 1 exports"


def test_without_a_limit_answers_and_pages_stay_and_nothing_is_recorded() -> None:
    answer("old", 1000)
    page("old", 1000)
    assert prune() == {"answers": 0, "vectors": 0, "pages": 0, "exports": 0}
    assert not AuditEntry.objects.exists()


def test_a_day_has_one_deletion_and_none_where_there_is_nothing_to_limit(settings: Any) -> None:
    first, second = date(2026, 5, 4), date(2026, 5, 5)
    plan(first)
    assert not Pruning.objects.exists()
    settings.ANSWERS_MB = 100
    for day in (first, first, second):
        plan(day)
    assert list(Pruning.objects.order_by("day").values_list("day", flat=True)) == [first, second]


def test_a_file_that_is_too_old_is_deleted_without_any_limit() -> None:
    export_of("ada", 6)
    plan(date(2026, 5, 4))
    assert not Pruning.objects.exists()
    export_of("ben", 8)
    plan(date(2026, 5, 4))
    assert Pruning.objects.get().state == "waiting"
