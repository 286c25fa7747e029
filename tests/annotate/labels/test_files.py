"""Labels as files: in, out, and back again."""

import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotate.adjudication.decide import decide
from annotate.adjudication.sign import sign
from annotate.agreement.read import labels_of_rebuttals
from annotate.export.labels import export_labels
from annotate.judgements.judgement import UnitJudgement
from annotate.judgements.units import readings_of
from annotate.labels.draft import save_draft
from annotate.labels.import_file import import_labels
from annotate.labels.skip import skip
from annotate.models import Assignment, Dataset, Label, Membership, Segment, Task, User
from annotate.rebuttal.answer import let_stand, revise
from annotate.rebuttal.page import revision_at_hand
from annotate.tasks.assign import assign
from annotate.tasks.create import create_tasks
from annotate.tasks.places import give_back
from annotate.tasks.serving import open_next
from core.errors import DataError
from tests.annotate.links.pages import cite, dead, frozen
from tests.annotate.rebuttal.work import biography_in_rebuttal, disputed_task
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset() -> Dataset:
    dataset = make_dataset()
    make_response(dataset)
    make_response(dataset)
    return dataset


def row(index: str = "0", segment: int = 0, annotator: str = "ada", value: str = "supported", **others) -> dict:
    full = {"index": index, "segment": segment, "fact": None, "annotator": annotator, "value": value}
    return {**full, "error_type": None, "reason": None, "references": [], **others}


def write(folder: Path, *rows: dict) -> Path:
    path = folder / "labels.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in rows), encoding="utf-8")
    return path


def test_people_places_and_labels_are_made(dataset, tmp_path):
    wrong = row(
        segment=1, value="not_supported", error_type="knowledge", reason="Even.", references=["https://a.example"]
    )
    imported = import_labels(dataset, write(tmp_path, row(), wrong))
    assert (imported.created, imported.unchanged) == (2, 0)
    ada = User.objects.get(username="ada")
    assert not ada.has_usable_password()
    assert Membership.objects.get(user=ada).role == "annotator"
    assert Assignment.objects.get().state == "submitted"
    assert Task.objects.count() == 1  # the other response waits until somebody asks for it
    label = Label.objects.get(value="not_supported")
    assert (label.error_type, label.reason, label.references.get().url) == ("knowledge", "Even.", "https://a.example")


def test_the_same_file_again_is_unchanged(dataset, tmp_path):
    path = write(tmp_path, row(), row(segment=1, value="irrelevant"))
    import_labels(dataset, path)
    again = import_labels(dataset, path)
    assert (again.created, again.unchanged, Label.objects.count()) == (0, 2, 2)


def test_the_export_is_the_import(dataset, tmp_path):
    rows = [
        row(value="not_supported", error_type="reasoning", reason="“Odd” – é", references=["b", "a"]),
        row(annotator="ben"),
        row(segment=1),
        row(index="1"),
    ]
    import_labels(dataset, write(tmp_path, *rows))
    assert [json.loads(line) for line in export_labels(dataset)] == rows
    path = tmp_path / "back.jsonl"
    path.write_text("\n".join(export_labels(dataset)), encoding="utf-8")
    assert import_labels(dataset, path).created == 0


def test_an_export_tells_what_was_frozen_and_is_taken_in_again(dataset, tmp_path):
    import_labels(dataset, write(tmp_path, row(reason="Looked up.")))
    page = frozen("https://ada.example/")
    cite(Label.objects.get(), page)
    cite(Label.objects.get(), dead())
    (exported,) = [json.loads(line) for line in export_labels(dataset)]
    assert exported["references"] == ["https://ada.example/", "https://gone.example/"]
    assert exported["snapshots"] == [
        {"url": "https://ada.example/", "hash": page.text_hash, "fetched_at": page.settled_at.isoformat()}
    ]
    assert import_labels(dataset, write(tmp_path, exported)).unchanged == 1


def test_more_annotators_than_wanted_raise_what_the_task_wants(dataset, tmp_path):
    import_labels(dataset, write(tmp_path, *(row(annotator=name) for name in ("ada", "ben", "cleo"))))
    assert Task.objects.get().wants == 3
    assert sorted(Assignment.objects.values_list("place", flat=True)) == [0, 1, 2]


def test_a_later_file_extends(dataset, tmp_path):
    import_labels(dataset, write(tmp_path, row()))
    assert import_labels(dataset, write(tmp_path, row(), row(segment=1))).created == 1
    assert Assignment.objects.count() == 1


def test_a_reserved_place_becomes_the_submitted_one(dataset, tmp_path):
    make_person("ada", dataset)
    assign(dataset, ["ada"], overlap=0, seed=7)
    import_labels(dataset, write(tmp_path, row()))
    assert Assignment.objects.filter(task__responses__index="0").get().state == "submitted"


def test_work_in_progress_here_is_not_run_over(dataset, tmp_path):
    ada = make_person("ada", dataset)
    assign(dataset, ["ada"], overlap=0, seed=7)
    opened = open_next(dataset, ada)
    index = opened.task.responses.get().index
    with pytest.raises(DataError, match="line 1: ada has this in work here"):
        import_labels(dataset, write(tmp_path, row(index=index)))


@pytest.mark.parametrize("leave", [give_back, lambda assignment: skip(assignment, "Not my field.")])
def test_who_left_a_place_that_somebody_took_gets_another(dataset, tmp_path, leave):
    create_tasks(dataset)
    left = open_next(dataset, make_person("ada", dataset))
    leave(left)
    taken = open_next(dataset, make_person("ben", dataset))
    assert (taken.task, taken.place) == (left.task, left.place)
    import_labels(dataset, write(tmp_path, row(index=left.task.responses.get().index)))
    left.refresh_from_db()
    assert (left.state, left.place, left.skip_reason, left.task.wants) == ("submitted", 1, "", 2)


def test_a_name_written_with_a_ligature_is_the_same_person_again(dataset, tmp_path):
    path = write(tmp_path, row(annotator="\ufb01ona"))
    import_labels(dataset, path)
    assert import_labels(dataset, path).unchanged == 1
    assert import_labels(dataset, write(tmp_path, row(annotator="fiona"))).unchanged == 1
    assert Assignment.objects.get().annotator.username == "fiona"


def test_what_was_begun_here_is_no_revision_of_what_came(dataset, tmp_path):
    create_tasks(dataset)
    left = open_next(dataset, make_person("ada", dataset))
    first = left.task.responses.get().segments.first()
    save_draft(left, {str(first.pk): UnitJudgement("not_supported", reason="Half a thought")}, 0)
    skip(Assignment.objects.get(), "Not my field.")
    import_labels(dataset, write(tmp_path, row(index=left.task.responses.get().index)))
    came = Assignment.objects.get()
    assert (came.state, came.draft, came.draft_version) == ("submitted", {}, 2)
    revision = revision_at_hand(came, readings_of(came.task))
    assert [judgement.value for judgement in revision.whole.values()] == ["supported"]


def test_tasks_in_which_gold_leaves_nothing_to_settle_are_closed(dataset, tmp_path):
    for segment in Segment.objects.filter(response__index="0"):
        add_gold(segment, "supported")
    import_labels(dataset, write(tmp_path, *(row(index=index, segment=place) for index in "01" for place in (0, 1))))
    assert [task.responses.get().index for task in Task.objects.filter(closed_at__isnull=False)] == ["0"]
    assert Task.objects.count() == 2


def test_tasks_that_are_to_be_signed_or_done_by_others_too_stay_open(dataset, tmp_path):
    for segment in Segment.objects.all():
        add_gold(segment, "supported")
    import_labels(dataset, write(tmp_path, row(segment=0), row(segment=1)))
    assert Task.objects.filter(closed_at__isnull=False).count() == 1
    dataset.review = "reviewer"
    dataset.save()
    import_labels(dataset, write(tmp_path, row(index="1"), row(index="1", segment=1)))
    assert Task.objects.filter(closed_at__isnull=False).count() == 1


def test_closing_takes_no_more_queries_for_more_tasks(dataset, tmp_path, django_assert_max_num_queries):
    for _ in range(20):
        make_response(dataset)
    for segment in Segment.objects.all():
        add_gold(segment, "supported")
    path = write(tmp_path, *(row(index=str(index), segment=place) for index in range(22) for place in (0, 1)))
    with django_assert_max_num_queries(35):
        import_labels(dataset, path)
    assert Task.objects.filter(closed_at__isnull=False).count() == 22


def test_felms_spelling_of_the_types_is_understood(dataset, tmp_path):
    import_labels(dataset, write(tmp_path, row(value="not_supported", error_type="irrelevant_with_qst")))
    assert (Label.objects.get().value, Label.objects.get().error_type) == ("irrelevant", "irrelevant")


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (row(index="7"), "no segment 0 in a response '7'"),
        (row(segment=2), "no segment 2 in a response '0'"),
        (row(fact=0), "no fact 0 of segment 0"),
        (row(segment=-1), "segment counts from 0"),
        (row(segment=True), "segment counts from 0"),
        (row(value="true"), "unknown value 'true'"),
        (row(value=None), "value must be text, not null"),
        (row(error_type="typo"), "unknown error type 'typo'"),
        (row(annotator=" "), "annotator is empty"),
        (row(annotator="dora"), "dora is adjudicator"),
        (row(annotator="\ufb01" * 80), "annotator has 160 characters; at most 150 fit"),
        (row(segment=1, annotator="\uff42en"), "ben judges this address in line 1 already"),
        (row(references="https://a.example"), "references must be a list"),
        (row(reason="a\0b"), "reason holds a NUL"),
        (row(colour="red"), "unknown key 'colour'"),
        ({"index": "0", "segment": 0, "annotator": "ada"}, "the key 'value' is missing"),
        (row(segment=1, annotator="ben"), "ben judges this address in line 1 already"),
    ],
)
def test_bad_lines_are_named_and_nothing_is_written(dataset, tmp_path, bad, message):
    make_person("dora", dataset, "adjudicator")
    with pytest.raises(DataError, match=f"labels.jsonl, line 2: .*{message}"):
        import_labels(dataset, write(tmp_path, row(segment=1, annotator="ben"), bad))
    assert not Label.objects.exists()
    assert not Task.objects.exists()
    assert not User.objects.filter(username="ben").exists()


def test_another_judgement_at_an_address_is_an_error(dataset, tmp_path):
    import_labels(dataset, write(tmp_path, row()))
    with pytest.raises(DataError, match="line 1: ada has another judgement here already"):
        import_labels(dataset, write(tmp_path, row(value="not_supported")))


def test_factscore_addresses_count_facts(tmp_path):
    dataset = make_dataset("bios", scheme="factscore")
    response = make_response(dataset, subject="gpt", prompt="Ada")
    add_facts(response, [["a", "b"], ["c"]])
    rows = [row(index="gpt/Ada", fact=0), row(index="gpt/Ada", fact=1, value="irrelevant")]
    rows.append(row(index="gpt/Ada", segment=1, value="irrelevant"))
    import_labels(dataset, write(tmp_path, *rows))
    assert [(label.fact and label.fact.text, label.value) for label in Label.objects.order_by("pk")] == [
        ("a", "supported"),
        ("b", "irrelevant"),
        (None, "irrelevant"),
    ]
    assert [json.loads(line) for line in export_labels(dataset)] == rows


def test_who_comes_by_a_file_is_not_waited_for_in_a_rebuttal_that_is_over(tmp_path):
    ada, ben = disputed_task()
    for own in (ada, ben):
        let_stand(own, own.draft_version)
    import_labels(ada.task.dataset, write(tmp_path, row(annotator="cleo")))
    assert Assignment.objects.filter(state="submitted").count() == 3
    assert Task.objects.labelled().exists() and not Assignment.objects.awaited_in_rebuttal().exists()


def test_only_those_who_see_the_evidence_are_waited_for(tmp_path):
    ada, ben = disputed_task()
    let_stand(ben, ben.draft_version)
    import_labels(ada.task.dataset, write(tmp_path, row(annotator="cleo")))
    assert [each.annotator.username for each in Assignment.objects.awaited_in_rebuttal()] == ["ada"]


def test_a_file_leaves_a_settled_task_among_those_whose_rebuttal_is_over_and_that_can_be_signed(tmp_path):
    ada, ben = disputed_task()
    for own in (ada, ben):
        let_stand(own, own.draft_version)
    dataset = ada.task.dataset
    segment, dora = ada.labels.get().segment, make_person("dora")
    decide((segment.pk, None), dora, "supported", why="So it is.")
    assert Task.objects.get().closed_at is not None
    dataset.review = "reviewer"
    dataset.save()
    import_labels(dataset, write(tmp_path, row(annotator="cleo")))
    assert labels_of_rebuttals(dataset).count() == 3
    assert sign(segment.response_id, "reviewer", dora, "Read it.").level == "reviewer"


@pytest.fixture
def revised() -> Assignment:
    """In the rebuttal Ada judged a sentence fact by fact, which she had called irrelevant as a whole."""
    ada, _, facts = biography_in_rebuttal()
    revise(ada, facts, ada.draft_version)
    return ada


def test_an_export_from_before_a_rebuttal_is_there_already(revised, tmp_path):
    before = [row(index="gpt/Which numbers are odd?", value="irrelevant")]
    imported = import_labels(revised.task.dataset, write(tmp_path, *before))
    assert (imported.created, imported.unchanged) == (0, 1)
    assert Label.objects.in_force().get(assignment=revised).value == "supported"  # her revision stands


def test_a_judgement_that_was_never_there_does_not_come_where_one_was_taken_back(revised, tmp_path):
    other = row(index="gpt/Which numbers are odd?", value="irrelevant", reason="I say so.")
    with pytest.raises(DataError, match="line 1: ada has another judgement here already"):
        import_labels(revised.task.dataset, write(tmp_path, other))
    assert revised.labels.count() == 3


def test_the_command_prints_one_json_document(dataset, tmp_path, capsys):
    call_command("import_labels", "lab", str(write(tmp_path, row())), "--json")
    assert json.loads(capsys.readouterr().out) == {"dataset": "lab", "created": 1, "unchanged": 0}


def test_the_command_says_in_one_line_what_is_wrong(dataset, tmp_path):
    with pytest.raises(CommandError, match=r"labels\.jsonl: there is no such file"):
        call_command("import_labels", "lab", str(tmp_path / "labels.jsonl"))
