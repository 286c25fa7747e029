"""The published files go in and come back with nothing lost."""

import json
import math

import pytest

from annotate.corpus.importing import import_file
from annotate.corpus.released_sentences import released_sentences
from annotate.corpus.sentences import punkt_sentences, sentences
from annotate.export.dataset import export_dataset
from annotate.models import Dataset, GoldLabel, Segment

pytestmark = [pytest.mark.data, pytest.mark.django_db]


def read_rows(path):
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def test_felm_goes_in_and_comes_back(published, tmp_path):
    path = published / "felm" / "all.jsonl"
    result = import_file(path, "felm", "felm")

    assert result.created == 847
    assert [warning["line"] for warning in result.warnings] == [351, 549]
    dataset = Dataset.objects.get()
    assert Segment.objects.count() == 4426
    assert GoldLabel.objects.of(dataset).current().filter(value="supported").count() == 3639
    # 190 segments are not in their response letter by letter, the 17 of the two NaN rows are.
    assert Segment.objects.filter(start=None).count() <= 190

    rows = read_rows(path)
    for row in rows:
        if isinstance(row["response"], float) and math.isnan(row["response"]):
            row["response"] = " ".join(row["segmented_response"])
    exported = tmp_path / "exported.jsonl"
    exported.write_text("".join(f"{line}\n" for line in export_dataset(dataset, "felm")), encoding="utf-8")
    assert read_rows(exported) == rows

    again = import_file(exported, "felm", "felm")
    assert (again.created, again.unchanged) == (0, 847)


def test_factscore_goes_in_and_comes_back(published, tmp_path):
    for subject in ("ChatGPT", "InstructGPT"):
        assert import_file(published / "factscore" / f"{subject}.jsonl", "lives", "factscore", subject).created == 183
    dataset = Dataset.objects.get()
    assert dataset.prompts.count() == 183

    for subject in ("ChatGPT", "InstructGPT"):
        exported = tmp_path / f"{subject}.jsonl"
        lines = export_dataset(dataset, "factscore", subject)
        exported.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        assert read_rows(exported) == read_rows(published / "factscore" / f"{subject}.jsonl")
        assert import_file(exported, "lives", "factscore", subject).unchanged == 183


@pytest.mark.parametrize(("domain", "equal"), [("wk", 182), ("science", 124), ("reasoning", 70)])
def test_sentences_are_the_published_segments(published, domain, equal):
    rows = [row for row in read_rows(published / "felm" / "all.jsonl") if row["domain"] == domain]
    texts = [row for row in rows if isinstance(row["response"], str)]
    same = [row for row in texts if punkt_sentences(row["response"]) == [s.strip() for s in row["segmented_response"]]]
    assert len(same) == equal


def test_the_released_sentences_differ_from_ours_in_four_published_outputs(published):
    files = [published / "factscore" / f"{subject}.jsonl" for subject in ("ChatGPT", "InstructGPT")]
    texts = [row["output"] for path in files for row in read_rows(path)]
    assert len(texts) == 366
    assert sum(released_sentences(text) != sentences(text) for text in texts) == 4
    assert sum(released_sentences(text) != punkt_sentences(text) for text in texts) == 4
    annotated = [row for path in files for row in read_rows(path) if row["annotations"]]
    segments = {row["output"]: [segment["text"] for segment in row["annotations"]] for row in annotated}
    assert len(segments) == 339
    assert sum(released_sentences(text) == cut for text, cut in segments.items()) == 338
    assert sum(sentences(text) == cut for text, cut in segments.items()) == 334
