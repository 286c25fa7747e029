from csv import DictReader

import pytest

from annotate.corpus.importing import import_file
from annotate.export.dataset import export_dataset
from annotate.gold.freeze import freeze_gold
from annotate.models import AtomicFact, Dataset, GoldLabel, GoldVersion, Segment
from core.errors import DataError
from tests.annotate.corpus.files import factscore_row, felm_row, read_back, sentence, write_rows
from tests.annotate.links.pages import dead, frozen
from tests.factories import add_correction, add_gold, make_dataset, make_response
from tests.knowledge.sources import make_source

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(tmp_path):
    return tmp_path / "rows.jsonl"


def take_in(file, name: str, format: str, *rows: object, subject: str = "") -> Dataset:
    import_file(write_rows(file, *rows), name, format, subject)
    return Dataset.objects.get(name=name)


def replace_gold(unit: Segment | AtomicFact, value: str, error_type: str = "") -> None:
    """Gold of the unit changed by hand, one revision further."""
    old = GoldLabel.objects.current().get(
        segment=unit if isinstance(unit, Segment) else unit.segment, fact=None if isinstance(unit, Segment) else unit
    )
    old.superseded = old.revision + 1
    old.save()
    add_gold(unit, value, error_type)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"type": "", "comment": "", "ref": "", "ref_contents": ""},
        {"type": [], "comment": [], "ref": [], "ref_contents": []},
        {"type": [None, None]},
        {"type": ["", None], "comment": ["", ""]},
        {"type": ["reasoning_error", "irrelevant_with_qst"]},
        {"ref": ["", "b", "c"], "ref_contents": ["about a"]},
        {"ref": "", "ref_contents": ["of nowhere"]},
        {"segmented_response": ["", "It is made of cheese."]},
        {"prompt": "", "response": " a\u2028b \\n ü "},
    ],
)
def test_a_felm_row_comes_back_as_it_was(file, changes):
    row = felm_row(**changes)
    dataset = take_in(file, "moon", "felm", row)
    assert read_back(export_dataset(dataset, "felm")) == [row]


def test_rows_come_back_in_their_order_and_a_number_as_index_stays_one(file):
    rows = [felm_row("9"), felm_row("10"), {**felm_row(), "index": 3}]
    dataset = take_in(file, "moon", "felm", *rows)
    assert read_back(export_dataset(dataset, "felm")) == rows


@pytest.mark.parametrize(
    "annotations",
    [
        None,
        [],
        [sentence("Ada wrote.", human=[("Ada wrote.", "S")], model=["Ada wrote."])],
        [sentence("Ada wrote.", human=[], model=["Ada wrote."])],
        [sentence("Ada wrote.", human=None, model=["Ada wrote."])],
        [sentence("Ada wrote.", human=[("Ada wrote.", "IR")], model=[])],
        [sentence("Ada wrote.", human=[("Ada wrote.", "NS")], model=None)],
        [sentence("Ask me.", model=["One can ask."], relevant=False)],
        [sentence("Ask me.", human=[], model=["One can ask."], relevant=False)],
        [{"text": "Ada wrote.", "is-relevant": True}],
        [{"text": "Ada wrote.", "is-relevant": True, "human-atomic-facts": [{"text": "Ada wrote.", "label": "S"}]}],
    ],
)
def test_a_factscore_row_comes_back_as_it_was(file, annotations):
    row = factscore_row(annotations=annotations)
    dataset = take_in(file, "lives", "factscore", row, subject="one")
    assert read_back(export_dataset(dataset, "factscore")) == [row]


def test_the_export_imported_again_adds_nothing(file):
    dataset = take_in(file, "moon", "felm", felm_row(), felm_row("8", response=float("nan")))
    file.write_text("".join(f"{line}\n" for line in export_dataset(dataset, "felm")))
    assert import_file(file, "moon", "felm").unchanged == 2


def test_an_export_holds_gold_as_it_is_now(file):
    dataset = take_in(file, "moon", "felm", felm_row(type="", comment=""))
    replace_gold(Segment.objects.get(position=0), "irrelevant", "irrelevant")

    (row,) = read_back(export_dataset(dataset, "felm"))
    assert row["labels"] == [False, False]
    assert row["type"] == ["irrelevant_with_qst", None]
    assert row["comment"] == ""


def test_what_was_frozen_of_the_pages_that_gold_cites_is_told_beside_the_row(file):
    row = felm_row()
    dataset = take_in(file, "moon", "felm", row)
    page = frozen("https://cheese.example/")
    of_gold = GoldLabel.objects.get(segment__position=1).references
    of_gold.create(position=0, url="https://cheese.example/", snapshot=page)
    of_gold.create(position=1, url="https://gone.example/", snapshot=dead())

    (exported,) = read_back(export_dataset(dataset, "felm"))
    assert exported.pop("snapshots") == [
        {
            "segment": 1,
            "url": "https://cheese.example/",
            "hash": page.text_hash,
            "fetched_at": page.settled_at.isoformat(),
        }
    ]
    assert exported == row


def test_a_row_that_tells_what_was_frozen_is_the_same_row(file):
    take_in(file, "moon", "felm", felm_row())
    write_rows(file, felm_row(snapshots=[{"segment": 1, "url": "u", "hash": "h", "fetched_at": "t"}]))
    assert import_file(file, "moon", "felm").unchanged == 1


def test_an_export_of_a_version_holds_gold_as_it_was_then(file):
    dataset = take_in(file, "moon", "felm", felm_row())
    GoldVersion.objects.create(dataset=dataset, name="one", revision=dataset.gold_revision, hash="0" * 64, labels=2)
    replace_gold(Segment.objects.get(position=0), "not_supported", "fooled")

    assert read_back(export_dataset(dataset, "felm", gold_version="one")) == [felm_row()]
    (now,) = read_back(export_dataset(dataset, "felm"))
    assert now["type"] == ["fooled", "knowledge_error"]


def test_a_response_without_gold_is_left_out_of_a_felm_file_and_named():
    dataset = make_dataset()
    make_response(dataset, index="bare")
    labelled = make_response(dataset, index="labelled")
    for segment in labelled.segments.all():
        add_gold(segment, "supported")

    left_out = []
    lines = export_dataset(dataset, "felm", left_out=lambda *what: left_out.append(what))
    assert [row["index"] for row in read_back(lines)] == ["labelled"]
    assert left_out == [("bare", "not every segment has gold")]


def test_facts_of_a_model_that_were_judged_come_out_as_judged_facts(file):
    row = factscore_row(annotations=[sentence("Ada wrote.", human=None, model=["Ada wrote."])])
    dataset = take_in(file, "lives", "factscore", row, subject="one")
    add_gold(AtomicFact.objects.get(), "supported")

    (exported,) = read_back(export_dataset(dataset, "factscore"))
    assert exported["annotations"][0]["human-atomic-facts"] == [{"text": "Ada wrote.", "label": "S"}]


def test_a_response_with_some_facts_judged_is_left_out_of_a_factscore_file(file):
    row = factscore_row(annotations=[sentence("Ada wrote.", human=None, model=["Ada wrote.", "Ada lived."])])
    dataset = take_in(file, "lives", "factscore", row, subject="one")
    add_gold(AtomicFact.objects.first(), "supported")

    left_out = []
    assert list(export_dataset(dataset, "factscore", left_out=lambda *what: left_out.append(what))) == []
    assert left_out == [("one/Ada Byron", "not every fact has gold")]


def test_one_subject_of_several_is_exported(file):
    row = factscore_row()
    take_in(file, "lives", "factscore", row, subject="one")
    other = factscore_row(output="Another life.")
    dataset = take_in(file, "lives", "factscore", other, subject="two")

    assert read_back(export_dataset(dataset, "factscore", subject="two")) == [other]
    with pytest.raises(DataError, match="holds several subjects: name one of one, two"):
        list(export_dataset(dataset, "factscore"))
    with pytest.raises(DataError, match="has no responses by 'three'"):
        export_dataset(dataset, "factscore", subject="three")


def test_a_format_of_another_scheme_and_an_unknown_version_are_refused():
    dataset = make_dataset()
    with pytest.raises(DataError, match="lab is a felm dataset: it has no factscore rows"):
        export_dataset(dataset, "factscore")
    with pytest.raises(DataError, match="lab has no gold version 'two'"):
        export_dataset(dataset, "felm", gold_version="two")


def test_a_table_holds_a_row_for_every_judged_unit(file):
    dataset = take_in(file, "lives", "factscore", factscore_row(), subject="one")
    start = "one/Ada Byron,,Ada Byron,one,Question: Tell me a bio of Ada Byron."
    assert list(export_dataset(dataset, "csv")) == [
        "index,domain,topic,subject,prompt,segment,fact,text,value,error_type,reason,source,references,"
        "correction_settled,correction",
        f"{start},0,0,Ada Byron wrote a program.,supported,,,import,,False,",
        f"{start},0,1,It was the first program.,not_supported,,,import,,False,",
        f"{start},1,,Ask me more.,irrelevant,,,import,,False,",
    ]


def test_a_table_tells_how_a_sentence_reads_when_it_is_made_right_and_which_is_to_be_removed(file):
    dataset = take_in(file, "lives", "factscore", factscore_row(), subject="one")
    first, second = Segment.objects.all()
    add_correction(first, "Ada Byron wrote a program.")
    add_correction(second, "")
    version = freeze_gold(dataset, "v1")
    add_correction(first, "Ada Byron wrote programs.")

    ends = [line.rsplit(",", 2)[1:] for line in export_dataset(dataset, "csv", gold_version=version.name)]
    assert ends[1:] == [["True", "Ada Byron wrote a program."]] * 2 + [["True", ""]]
    ends = [line.rsplit(",", 2)[1:] for line in export_dataset(dataset, "csv")]
    assert ends[1:] == [["True", "Ada Byron wrote programs."]] * 2 + [["True", ""]]


def test_a_table_tells_what_gold_cites_and_not_what_came_with_the_response(file):
    dataset = take_in(file, "moon", "felm", felm_row(ref=["https://file.example/"], ref_contents=[]))
    of_gold = GoldLabel.objects.get(segment__position=1).references
    of_gold.create(position=0, url="https://cheese.example/")
    of_gold.create(position=1, document=make_source(Cheese="It is made of milk.").documents.get())
    cited = [row["references"] for row in DictReader(f"{line}\n" for line in export_dataset(dataset, "csv"))]
    assert cited == ["", "https://cheese.example/\nCheese"]


def test_corrections_leave_the_published_formats_as_they_are(file):
    dataset = take_in(file, "moon", "felm", felm_row())
    add_correction(Segment.objects.get(position=1), "It is made of rock.")
    assert read_back(export_dataset(dataset, "felm")) == [felm_row()]


def test_a_table_runs_no_formula(file):
    rows = felm_row(segmented_response=["=1+1", "-2"], response="=1+1 -2", ref=[], ref_contents=[], comment=["", "@x"])
    lines = list(export_dataset(take_in(file, "moon", "felm", rows), "csv"))
    assert lines[1].endswith(",0,,'=1+1,supported,,,import,,False,")
    assert lines[2].endswith(",1,,'-2,not_supported,knowledge,'@x,import,,False,")
