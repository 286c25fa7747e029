"""Label Studio's JSON: the texts become responses, the annotations labels, and our export is read again."""

import csv
import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotate.corpus.importing import import_file
from annotate.corpus.recipe_parser import parse_recipe
from annotate.judgements.judgement import CitedReference, UnitJudgement
from annotate.labels.import_file import import_labels
from annotate.labels.label_studio import LabelStudioReader
from annotate.models import Dataset, Label, Response, Segment
from core.errors import DataError, FaultsError
from tests.factories import add_facts, add_gold, make_dataset, make_response

pytestmark = pytest.mark.django_db

OURS = {"True": "supported", "False": "not_supported"}


def paragraph(number: int, choice: str) -> dict:
    region = {"start": str(number), "end": str(number), "startOffset": 0, "endOffset": 11}
    return {
        "id": f"r{number}",
        "from_name": "verdict",
        "to_name": "text",
        "type": "paragraphlabels",
        "value": {**region, "paragraphlabels": [choice]},
    }


def whole(choice: str) -> dict:
    return {"from_name": "verdict", "to_name": "text", "type": "choices", "value": {"choices": [choice]}}


def by(person: object, *results: dict, **others: object) -> dict:
    return {"id": 1001, "completed_by": person, "was_cancelled": False, "result": list(results), **others}


def task(*annotations: dict, number: int = 7, **data: object) -> dict:
    text = {"prompt": "Which are odd?", "text": "One is odd. Two is odd.", "meta_info": {"location": "North Pole"}}
    return {"id": number, "data": {**text, **data}, "annotations": list(annotations), "project": 83, "drafts": []}


def write(folder: Path, *tasks: dict) -> Path:
    path = folder / "project.json"
    path.write_text(json.dumps(tasks), encoding="utf-8")
    return path


def take_in(path: Path) -> Dataset:
    import_file(path, "lab", "responses")
    dataset = Dataset.objects.get(name="lab")
    import_labels(dataset, path, LabelStudioReader("verdict", OURS).read)
    return dataset


def held(dataset: Dataset) -> set[tuple]:
    labels = Label.objects.of(dataset).in_force().select_related("segment__response", "fact", "assignment__annotator")
    return {
        (
            label.segment.response.index,
            label.segment.position,
            label.fact.position if label.fact else None,
            label.assignment.annotator.username,
            label.value,
            label.error_type,
            label.reason,
            tuple(link.url for link in label.references.all()),
        )
        for label in labels
    }


PARAGRAPHS = [{"text": "One is odd."}, {"text": "Two is odd."}]


def test_paragraphs_become_segments_with_the_labels_of_several_annotators(tmp_path):
    ada = {"id": 10, "email": "ada@example.org", "first_name": "Ada"}
    path = write(
        tmp_path,
        task(
            by(ada, paragraph(0, "True"), paragraph(1, "False")),
            by(11, paragraph(1, "True")),
            segments=PARAGRAPHS,
        ),
    )
    dataset = take_in(path)
    assert list(Segment.objects.values_list("text", flat=True)) == ["One is odd.", "Two is odd."]
    assert held(dataset) == {
        ("7", 0, None, "ada@example.org", "supported", "", "", ()),
        ("7", 1, None, "ada@example.org", "not_supported", "", "", ()),
        ("7", 1, None, "label-studio-11", "supported", "", "", ()),
    }


def test_a_choice_of_the_whole_text_makes_it_one_segment(tmp_path):
    dataset = take_in(write(tmp_path, task(by(10, whole("False")))))
    assert Segment.objects.get().text == "One is odd. Two is odd."
    assert {row[4] for row in held(dataset)} == {"not_supported"}


def test_a_repeater_numbers_the_segments(tmp_path):
    second = {**whole("False"), "from_name": "verdict_1", "to_name": "text_1"}
    dataset = take_in(write(tmp_path, task(by(10, second), segments=["One is odd.", "Two is odd."])))
    assert {row[1:5] for row in held(dataset)} == {(1, None, "label-studio-10", "not_supported")}


def test_a_cancelled_annotation_is_no_label(tmp_path):
    dataset = take_in(write(tmp_path, task(by(10, whole("False"), was_cancelled=True), by(11, whole("True")))))
    assert {row[3:5] for row in held(dataset)} == {("label-studio-11", "supported")}


@pytest.mark.parametrize(
    ("annotation", "cause"),
    [
        (by(10, paragraph(0, "Maybe")), "the choice 'Maybe' is none of supported, not_supported, irrelevant"),
        (by(10, whole("True")), "a choice is about the whole text, which has segments to judge"),
        (by({}, paragraph(0, "True")), "completed_by names nobody"),
        (by(10, paragraph(0, "True"), paragraph(0, "False")), "verdict is given twice for one unit"),
        (by(10, paragraph(2, "True")), "there is no segment 2 in a response '7' of lab"),
        (
            by(10, {**whole("True"), "value": {"start": 0, "end": 3, "choices": ["True"]}}),
            "a region is a stretch of text: say by --elsewhere which value segments without one have",
        ),
    ],
)
def test_what_cannot_be_a_label_is_an_error_that_names_the_task(tmp_path, annotation, cause):
    path = write(tmp_path, task(segments=PARAGRAPHS), task(annotation, number=8, index="7", segments=PARAGRAPHS))
    import_file(write(tmp_path, task(segments=PARAGRAPHS)), "lab", "responses")
    write(tmp_path, task(segments=PARAGRAPHS), task(annotation, number=8, index="7", segments=PARAGRAPHS))
    with pytest.raises(DataError, match=r"project\.json, row 2: task 8: ") as error:
        import_labels(Dataset.objects.get(), path, LabelStudioReader("verdict", OURS).read)
    assert cause in str(error.value)
    assert not Label.objects.exists()


def test_a_file_without_the_control_names_those_that_it_has(tmp_path):
    path = write(tmp_path, task(by(10, whole("True"))))
    with pytest.raises(DataError, match="no result belongs to the control 'value': its controls are verdict"):
        import_labels(make_dataset(), path, LabelStudioReader().read)


@pytest.mark.parametrize(("prompt", "response"), [("input", "output"), ("instruction", "answer"), ("question", "text")])
def test_prompt_and_response_may_have_other_names(tmp_path, prompt, response):
    data = {prompt: "Which are odd?", response: "One is odd."}
    import_file(write(tmp_path, {"id": 1, "data": data, "annotations": []}), "lab", "responses")
    stored = Response.objects.get()
    assert (stored.prompt.text, stored.text) == ("Which are odd?", "One is odd.")


def test_a_choice_that_is_no_judgement_is_left_out_and_counted(tmp_path):
    path = write(tmp_path, task(by(10, whole("True"))), task(by(10, whole("Unsure")), number=8))
    import_file(path, "lab", "responses")
    output = StringIO()
    values = ["True=supported", "Unsure=none"]
    names = [word for value in values for word in ("--value", value)]
    call_command(
        "import_labels", "lab", str(path), "--format", "labelstudio", "--control", "verdict", *names, stdout=output
    )
    assert output.getvalue() == "lab: 1 labels created, 0 unchanged, 1 Unsure left out\n"
    assert Label.objects.get().value == "supported"


def stretch(start: int, end: int, text: str, label: str = "False") -> dict:
    value = {"start": start, "end": end, "text": text, "labels": [label]}
    return {"from_name": "verdict", "to_name": "text", "type": "labels", "value": value}


def import_stretches(path: Path) -> None:
    dataset = Dataset.objects.get()
    import_labels(dataset, path, LabelStudioReader("verdict", OURS, "supported", dataset).read)


def test_stretches_are_placed_in_the_segments_that_the_dataset_has(tmp_path):
    """However they were cut: the labels of sentences would stand at other segments."""
    texts = {"index": 7, "prompt": "Which are odd?", "response": "One is odd. Two is odd. Three too."}
    (tmp_path / "own.jsonl").write_text(json.dumps({**texts, "segments": ["One is odd. Two is odd.", "Three too."]}))
    import_file(tmp_path / "own.jsonl", "lab", "responses")
    import_stretches(write(tmp_path, task(by(10, stretch(24, 29, "Three")), text=texts["response"])))
    assert list(Label.objects.order_by("segment__position").values_list("value", flat=True)) == [
        "supported",
        "not_supported",
    ]


def test_a_segment_has_the_label_of_the_stretches_that_touch_it(tmp_path):
    """Offsets are those of JavaScript: the moon has two."""
    text = "\N{CRESCENT MOON} rose. One is odd. Two is odd. Three too."
    marked = by(10, stretch(16, 19, "odd"), stretch(21, 24, "Two"), stretch(28, 31, "odd"))
    path = write(tmp_path, task(marked, by(11), text=text))
    import_file(path, "lab", "responses")
    import_stretches(path)
    assert list(
        Label.objects.order_by("assignment__annotator", "segment__position").values_list("value", flat=True)
    ) == ["supported", "not_supported", "not_supported", "supported", *["supported"] * 4]


@pytest.mark.parametrize(
    ("results", "cause"),
    [
        ([stretch(0, 3, "Two")], "'Two' is not what stands at its offsets"),
        ([stretch(0, 99, "One")], "a stretch begins or ends outside of the text"),
        ([stretch(0, 3, "One"), stretch(7, 10, "odd", "True")], "verdict is given twice for one unit"),
    ],
)
def test_a_stretch_that_cannot_be_placed_is_an_error(tmp_path, results, cause):
    path = write(tmp_path, task(by(10, *results)))
    import_file(path, "lab", "responses")
    with pytest.raises(DataError, match=cause):
        import_stretches(path)


def test_a_task_without_a_prompt_is_named(tmp_path):
    nameless = task()
    del nameless["data"]["prompt"]
    with pytest.raises(
        FaultsError,
        match=r"data of task 7 has none of prompt, question, input, .*, but text, meta_info: rename one",
    ):
        import_file(write(tmp_path, nameless), "lab", "responses")


def test_people_who_are_not_named_any_more_have_a_name_each(tmp_path):
    dataset = take_in(write(tmp_path, task(by(None, whole("True")), by(None, whole("False")), by(10, whole("True")))))
    assert {row[3:5] for row in held(dataset)} == {
        ("label-studio-unnamed", "supported"),
        ("label-studio-unnamed-2", "not_supported"),
        ("label-studio-10", "supported"),
    }


def test_of_two_annotations_by_one_person_the_last_counts_and_that_is_said(tmp_path):
    late, early = ({"updated_at": f"2026-03-0{day}T10:00:00Z"} for day in (2, 1))
    path = write(
        tmp_path,
        task(by(10, whole("False"), **late), by(10, whole("True"), **early)),
        task(by(10, whole("True")), by(10, whole("False")), number=8, prompt="Which are even?"),
    )
    import_file(path, "lab", "responses")
    output = StringIO()
    names = ("--control", "verdict", "--value", "True=supported", "--value", "False=not_supported")
    call_command("import_labels", "lab", str(path), "--format", "labelstudio", *names, stdout=output)
    assert {row[4] for row in held(Dataset.objects.get())} == {"not_supported"}
    assert "2 annotations left out: the same person annotated the task again" in output.getvalue()


def test_labels_come_to_responses_whose_keys_a_recipe_named(tmp_path):
    data = {"frage": "Which are odd?", "antwort": "One is odd. Two is odd."}
    marked = by(10, stretch(0, 3, "One"))
    path = write(tmp_path, {"id": 7, "data": data, "annotations": [marked]})
    recipe = {"index": "id", "prompt": "data.frage", "text": "data.antwort"}
    document = parse_recipe({"recipe": 1, "title": "Mine", "responses": recipe})
    import_file(path, "lab", "mapped", recipe=document)
    import_stretches(path)
    assert {row[1:5] for row in held(Dataset.objects.get())} == {
        (0, None, "label-studio-10", "not_supported"),
        (1, None, "label-studio-10", "supported"),
    }


def minimal(number: int, annotator: int | None, **controls: object) -> dict:
    about = {"annotator": annotator, "annotation_id": number, "lead_time": 3.5}
    return {"title": "Odd", "prompt": "Which are odd?", "text": "One is odd. Two is odd.", "id": 7, **controls, **about}


def test_json_min_has_a_row_for_each_annotation(tmp_path):
    rows = [minimal(1, 10, verdict="True"), minimal(2, 11, verdict="False"), minimal(3, None, verdict="True")]
    dataset = take_in(write(tmp_path, *rows))
    assert Segment.objects.get().text == "One is odd. Two is odd."
    assert {row[3:5] for row in held(dataset)} == {
        ("label-studio-10", "supported"),
        ("label-studio-11", "not_supported"),
        ("label-studio-unnamed", "supported"),
    }


@pytest.mark.parametrize("kind", ["json", "csv", "sorted csv"])
def test_stretches_of_json_min_and_csv_are_read(tmp_path, kind):
    marks = [{"start": 12, "end": 15, "text": "Two", "labels": ["False"]}]
    rows = [minimal(1, 10, verdict=marks), minimal(2, 10, verdict=[])]
    path = write(tmp_path, *rows)
    if kind != "json":
        path = tmp_path / "project.csv"
        with path.open("w", newline="") as file:
            table = csv.DictWriter(file, sorted(rows[0]) if kind == "sorted csv" else list(rows[0]))
            table.writeheader()
            table.writerows({**row, "verdict": json.dumps(row["verdict"])} for row in rows[:1])
    import_file(path, "lab", "responses")
    assert Response.objects.count() == 1
    import_stretches(path)
    expected = ["supported", "supported" if kind == "json" else "not_supported"]
    assert list(Label.objects.order_by("segment__position").values_list("value", flat=True)) == expected


def test_the_command_maps_choices(tmp_path):
    path = write(tmp_path, task(by(10, whole("True"))))
    import_file(path, "lab", "responses")
    choices = ("--value", "True=supported", "--value", "False=not_supported")
    call_command("import_labels", "lab", str(path), "--format", "labelstudio", "--control", "verdict", *choices)
    assert Label.objects.get().value == "supported"


def test_the_command_refuses_a_value_that_is_not_ours(tmp_path):
    with pytest.raises(CommandError, match="VALUE is one of supported, not_supported, irrelevant"):
        call_command("import_labels", "lab", "x", "--format", "labelstudio", "--value", "True=yes")


def test_the_export_is_read_again_with_all_that_a_label_says(tmp_path):
    dataset = make_dataset("lab")
    response = make_response(dataset, subject="model-a")
    make_response(dataset)
    rows = [
        ("ada", 0, UnitJudgement("supported")),
        (
            "ada",
            1,
            UnitJudgement("not_supported", "reasoning", "Two lines:\nodd.", (CitedReference("https://a.example"),)),
        ),
        ("ben", 1, UnitJudgement("irrelevant")),
    ]
    labels = tmp_path / "labels.jsonl"
    labels.write_text(
        "".join(
            json.dumps(
                {
                    "index": response.index,
                    "segment": segment,
                    "annotator": name,
                    "value": judged.value,
                    "error_type": judged.error_type or None,
                    "reason": judged.reason,
                    "references": [cited.url for cited in judged.references],
                }
            )
            + "\n"
            for name, segment, judged in rows
        ),
        encoding="utf-8",
    )
    import_labels(dataset, labels)
    add_gold(response.segments.first(), "supported")
    before = held(dataset)

    path = tmp_path / "tasks.json"
    call_command("export_dataset", "lab", "--format", "labelstudio", "--output", str(path))
    import_file(path, "copy", "responses")
    copy = Dataset.objects.get(name="copy")
    import_labels(copy, path, LabelStudioReader().read)

    assert held(copy) == before
    assert len(before) == 3
    texts = [list(each.responses.values_list("index", "subject", "text", "segments__text")) for each in (dataset, copy)]
    assert texts[0] == texts[1]


def test_facts_come_back_to_the_dataset_that_they_left(tmp_path):
    dataset = make_dataset("lab", scheme="factscore")
    response = make_response(dataset, ["One and three are odd."])
    add_facts(response, [["One is odd.", "Three is odd."]])
    labels = tmp_path / "labels.jsonl"
    row = {"index": response.index, "segment": 0, "fact": 1, "annotator": "ada", "value": "supported"}
    labels.write_text(json.dumps(row), encoding="utf-8")
    import_labels(dataset, labels)
    path = tmp_path / "tasks.json"
    call_command("export_dataset", "lab", "--format", "labelstudio", "--output", str(path))
    before = held(dataset)
    assert {each[2] for each in before} == {1}
    again = import_labels(dataset, path, LabelStudioReader().read)
    assert (again.created, again.unchanged) == (0, 1)
