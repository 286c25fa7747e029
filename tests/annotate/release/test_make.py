"""A frozen version as a dataset: what is in it, that others can load it, that it is the same whenever it is made."""

import json
from csv import DictReader
from pathlib import Path
from zipfile import ZipFile

import pyarrow.parquet as pq
import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotate.adjudication.decide import decide
from annotate.adjudication.whole import settle_removal
from annotate.corpus.importing import import_file
from annotate.gold.freeze import freeze_gold
from annotate.models import Dataset, GoldLabel, GoldVersion, Label, Segment, Signature
from annotate.release.contents import Frozen
from annotate.release.counts import factscores_of
from annotate.release.make import release_to
from tests.annotate.adjudication.work import judge, make_task
from tests.annotate.suggestions.work import make_run
from tests.docs.examples import example
from tests.factories import add_correction, add_facts, add_gold, make_dataset, make_person, make_response
from tests.knowledge.sources import make_source
from tests.stats.exact import exact

pytestmark = pytest.mark.django_db


@pytest.fixture
def version() -> GoldVersion:
    """Two responses of which two people judged the first alike, its second segment being an error.

    Their names are too long to be part of a checksum by chance."""
    dataset = make_dataset("odd numbers")
    for domain in ("math", "wk"):
        first, second = make_response(dataset, domain=domain).segments.all()
        add_gold(first, "supported")
        add_gold(second, "not_supported", "knowledge")
        values = {first: "supported", second: "not_supported/knowledge"}
        task = make_task(first.response)
        for name in ("wilhelmina", "konstantin"):
            judge(task, name, values)
    dataset.guidelines.create(version=1, text="Odd is what two does not divide.")
    return freeze_gold(dataset, "v1", make_person("theodora"))


def released(version: GoldVersion, folder: Path, **how) -> Path:
    target = folder / "release"
    release_to(target, version, **how)
    return target


def test_every_judgement_of_the_version_is_a_row(version, tmp_path) -> None:
    rows = pq.read_table(released(version, tmp_path) / "units.parquet").to_pylist()
    assert len(rows) == version.labels == 4
    assert rows[1] == {
        "index": "0",
        "segment": 1,
        "fact": None,
        "domain": "math",
        "subject": None,
        "prompt": "Which numbers are odd?",
        "segment_text": "Two is odd.",
        "text": "Two is odd.",
        "value": "not_supported",
        "error_type": "knowledge",
        "reason": None,
        "source": "import",
        "references": [],
        "correction_settled": False,
        "correction": None,
    }


def test_corrections_are_released_as_they_were_settled_then(version, tmp_path) -> None:
    dataset = version.dataset
    first, second, third, _ = Segment.objects.order_by("pk")
    add_correction(first, "One is odd.")
    add_correction(second, "Two is even.")
    add_correction(third, "")
    folder = released(freeze_gold(dataset, "v2"), tmp_path)
    settled = [(True, "One is odd."), (True, "Two is even."), (True, ""), (False, None)]
    rows = pq.read_table(folder / "units.parquet").to_pylist()
    assert [(row["correction_settled"], row["correction"]) for row in rows] == settled
    with (folder / "units.csv").open(encoding="utf-8", newline="") as file:
        lines = [(row["correction_settled"], row["correction"]) for row in DictReader(file)]
    assert lines == [("True", "One is odd."), ("True", "Two is even."), ("True", ""), ("False", "")]
    assert "| `correction` | string | How it reads then" in (folder / "README.md").read_text(encoding="utf-8")


def test_what_a_judgement_cites_is_named_a_document_by_its_title(version, tmp_path) -> None:
    references = GoldLabel.objects.get(segment=Segment.objects.earliest("pk")).references
    references.create(position=0, url="https://odd.example/")
    references.create(position=1, document=make_source(Odd_numbers="One is odd.").documents.get())
    row = pq.read_table(released(version, tmp_path) / "units.parquet").to_pylist()[0]
    assert row["references"] == ["https://odd.example/", "Odd numbers"]


def test_it_tells_of_suggestions_that_annotators_saw(version, tmp_path) -> None:
    run = make_run(version.dataset)
    labels = list(Label.objects.order_by("pk"))
    for label, shown in zip(labels, ("before", "before", "after", "withheld"), strict=False):
        Label.objects.filter(pk=label.pk).update(suggestion=shown, suggestion_run=run.pk, suggested="supported")
    folder = released(version, tmp_path)
    assert f"| judge (run {run.pk}) | 2 | 1 | 1 |" in (folder / "README.md").read_text(encoding="utf-8")
    described = json.loads((folder / "croissant.json").read_text(encoding="utf-8"))
    assert described["rai:machineAnnotationTools"] == [f"judge (run {run.pk})"]


def test_columns_have_their_types(version, tmp_path) -> None:
    kinds = {field.name: str(field.type) for field in pq.read_schema(released(version, tmp_path) / "responses.parquet")}
    assert (kinds["abstained"], kinds["units"], kinds["prompt"]) == ("bool", "int32", "string")


def test_the_datasets_library_loads_it_and_casts_values_to_classes(version, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    from datasets import load_dataset

    folder = str(released(version, tmp_path, licence="CC-BY-4.0"))
    responses = load_dataset(folder, "responses", split="train", cache_dir=str(tmp_path / "cache"))
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", str(tmp_path / "cache"))
    names: dict = {}
    exec(example("docs/release.md", "How to release a dataset").replace("five-domains-v1", folder), names)
    assert names["units"]["value"][:] == [0, 1, 0, 1]
    assert len(responses) == 2


def test_the_datasets_library_loads_an_unpacked_zip_and_its_json_lines(version, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    from datasets import load_dataset

    release_to(tmp_path / "release.zip", version)
    folder = tmp_path / "unpacked"
    with ZipFile(tmp_path / "release.zip") as archive:
        archive.extractall(folder)
    cache = str(tmp_path / "cache")
    [(split, units)] = load_dataset(str(folder), cache_dir=cache).items()
    assert (split, units["value"][:]) == ("train", ["supported", "not_supported"] * 2)
    lines = load_dataset("json", data_files=str(folder / "felm.jsonl"), split="train", cache_dir=cache)
    assert lines["labels"][:] == [[True, False]] * 2


def test_croissant_is_valid_and_its_records_are_the_rows(version, tmp_path) -> None:
    import mlcroissant

    described = mlcroissant.Dataset(jsonld=str(released(version, tmp_path) / "croissant.json"))
    assert not described.metadata.issues.errors
    assert [record["units/value"] for record in described.records("units")] == [b"supported", b"not_supported"] * 2


def test_the_file_in_felms_format_comes_in_again(version, tmp_path) -> None:
    folder = released(version, tmp_path)
    assert import_file(folder / "felm.jsonl", "again", "felm").created == 2


def test_the_card_tells_who_how_and_how_far_they_agreed_but_no_names(version, tmp_path) -> None:
    card = (released(version, tmp_path, licence="CC-BY-4.0") / "README.md").read_text(encoding="utf-8")
    for part in (
        "2 annotators, 8 first judgements",
        "| all | 4 | 1.000",
        "| Licence | CC-BY-4.0 |",
        version.hash,
        "version 1",
    ):
        assert part in card
    assert "wilhelmina" not in card


def test_a_revision_is_no_further_judgement_and_a_withdrawn_signature_none(version, tmp_path) -> None:
    label = Label.objects.first()
    columns = {"assignment": label.assignment, "segment": label.segment, "value": "not_supported"}
    Label.objects.create(**columns, revision=1)
    Label.objects.create(**columns, revision=2, withdrawn=True)
    dora, response = make_person("theodora"), label.segment.response
    for withdrawn_at in (timezone.now(), None):
        Signature.objects.create(response=response, level="reviewer", who=dora, withdrawn_at=withdrawn_at)
    card = (released(freeze_gold(version.dataset, "v2"), tmp_path) / "README.md").read_text(encoding="utf-8")
    assert "2 annotators, 8 first judgements\n" in card
    assert "1 reviewer, 1 signature\n" in card


@pytest.mark.parametrize(
    ("licence", "head"),
    [
        ("CC-BY-4.0", ["license: cc-by-4.0"]),
        ("As agreed: ask us", ["license: other", 'license_name: "As agreed: ask us"']),
        ("", []),
    ],
)
def test_the_head_of_the_card_names_the_licence_as_hugging_face_reads_it(version, tmp_path, licence, head) -> None:
    card = (released(version, tmp_path, licence=licence) / "README.md").read_text(encoding="utf-8")
    lines = card.splitlines()
    assert lines[1 : lines.index("configs:")] == head


def test_names_are_in_the_card_where_they_are_wanted(version, tmp_path) -> None:
    assert (
        "2 annotators, 8 first judgements: konstantin, wilhelmina"
        in (released(version, tmp_path, names=True) / "README.md").read_text()
    )


def test_the_same_version_gives_the_same_bytes_whatever_happened_since(version, tmp_path) -> None:
    release_to(tmp_path / "one.zip", version)
    first = Segment.objects.first()
    decide((first.pk, None), make_person("dora"), value="irrelevant", why="Look again.")
    later = make_response(Dataset.objects.get(), index="later", domain="science")
    later.imported = later.dataset.imports.create(format="felm", file_name="later", finished_at=version.created_at)
    judge(make_task(later), "cleo", dict.fromkeys(later.segments.all(), "supported"))
    type(later.imported).objects.filter(pk=later.imported.pk).update(finished_at="2100-01-01T00:00Z")
    later.save()
    release_to(tmp_path / "two.zip", version)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_facts_are_released_under_their_sentences_and_a_file_a_subject(tmp_path) -> None:
    dataset = make_dataset("lives", "factscore")
    for subject in ("a/b", "a b"):
        response = make_response(dataset, ["She is odd."], "Ada", subject=subject, frequency="rare")
        for fact in add_facts(response, [["She is odd.", "She is."]]):
            add_gold(fact, "supported")
    folder = released(freeze_gold(dataset, "v1"), tmp_path)
    rows = pq.read_table(folder / "units.parquet").to_pylist()
    assert [(row["subject"], row["fact"], row["text"]) for row in rows][:2] == [
        ("a/b", 0, "She is odd."),
        ("a/b", 1, "She is."),
    ]
    assert sorted(path.name for path in folder.glob("*.jsonl")) == ["factscore-a-b-2.jsonl", "factscore-a-b.jsonl"]
    assert "FActScore of a b: 1.000" in (folder / "README.md").read_text(encoding="utf-8")


def test_the_score_of_a_subject_is_drawn_without_the_prompts_of_what_was_removed(tmp_path) -> None:
    dataset = make_dataset("lives", "factscore")
    people = [(f"Ada {place}", "supported") for place in range(10)]
    for prompt, value in (*people, ("Cleo", "not_supported")):
        response = make_response(dataset, ["A sentence."], prompt, subject="amber", frequency="rare")
        add_gold(*add_facts(response, [["A fact."]]), value)
    settle_removal(response, make_person("dora"), keep=False, why="It asks for nothing.")
    ((name, (score, around)),) = factscores_of(Frozen(freeze_gold(dataset, "v1"))).items()
    # Ten of ten; with Cleo's prompt there would be eleven to draw.
    assert (name, score, around.undefined) == ("amber", 1.0, 0)
    assert around.ends() == pytest.approx(exact(1, 10, 10))


def test_the_zip_holds_no_accounts_and_no_drafts(version, tmp_path) -> None:
    annotator = make_person("wilhelmina")
    assert annotator.assignments.update(draft={"secret": "draft"})
    release_to(tmp_path / "one.zip", version)
    with ZipFile(tmp_path / "one.zip") as archive:
        whole = b"".join(archive.read(name) for name in archive.namelist())
    assert archive.namelist()[:2] == ["README.md", "croissant.json"]
    for secret in (b"wilhelmina", b"theodora", b'draft"', annotator.password.encode()):
        assert secret not in whole


def test_a_folder_that_is_there_is_left_alone(version, tmp_path) -> None:
    with pytest.raises(CommandError, match="already exists"):
        call_command("release_dataset", "odd numbers", "v1", output=tmp_path)


def test_the_command_says_what_it_wrote(version, tmp_path, capsys) -> None:
    target = tmp_path / "r.zip"
    call_command("release_dataset", "odd numbers", "v1", "--json", output=target)
    assert json.loads(capsys.readouterr().out) == {
        "dataset": "odd numbers",
        "version": "v1",
        "hash": version.hash,
        "labels": 4,
        "output": str(target),
    }


@pytest.mark.parametrize(("name", "frozen", "cause"), [("none", "v1", "no dataset"), ("odd numbers", "v2", "no gold")])
def test_what_is_not_there_is_named(version, tmp_path, name, frozen, cause) -> None:
    with pytest.raises(CommandError, match=cause):
        call_command("release_dataset", name, frozen, output=tmp_path / "r.zip")


@pytest.mark.parametrize("kind", ["qualification", "control"])
def test_what_annotators_are_tested_on_is_left_out_and_counted(version, tmp_path, kind) -> None:
    version.dataset.tasks.filter(responses__index="0").update(kind=kind)
    without, whole = released(version, tmp_path), tmp_path / "whole"
    release_to(whole, version, known=True)
    indexes = {
        folder: [
            *pq.read_table(folder / "responses.parquet")["index"].to_pylist(),
            *pq.read_table(folder / "units.parquet")["index"].to_pylist(),
            *(json.loads(line)["index"] for line in (folder / "felm.jsonl").read_text(encoding="utf-8").splitlines()),
        ]
        for folder in (without, whole)
    }
    assert set(indexes[without]) == {"1"} and set(indexes[whole]) == {"0", "1"}
    cards = [(folder / "README.md").read_text(encoding="utf-8") for folder in (without, whole)]
    assert "| Left out | 1 response with 2 judgements, on which annotators are tested |" in cards[0]
    assert "Left out" not in cards[1]
    assert "- Imported: 2 judgements" in cards[0] and "- Imported: 4 judgements" in cards[1]
