"""A file of documents into a knowledge source, by the command."""

import json

import pytest
from django.core.management import CommandError, call_command

from annotate.evidence.import_file import import_documents
from annotate.evidence.tokenizers import TOKENIZERS
from knowledge.models import Document, KnowledgeSource, Passage, Redirect
from tests.factories import make_dataset

pytestmark = pytest.mark.django_db

BEE = {"title": "Bee", "text": "Bees dance.", "url": "https://insects.example/bee"}
ANT = {"title": "Ant", "text": "Ants march."}


@pytest.fixture
def bring(tmp_path, capsys):
    """Import rows (or lines as they are) and return what is printed."""

    def run(*rows, dataset=None):
        path = tmp_path / "pages.jsonl"
        lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        call_command("import_documents", "insects", str(path), "--json", *(["--dataset", dataset] if dataset else []))
        return json.loads(capsys.readouterr().out)

    return run


def counts(output):
    return output["created"], output["unchanged"]


def test_rows_become_documents_with_passages(bring):
    assert bring(BEE, ANT) == {
        "source": "insects",
        "created": 2,
        "unchanged": 0,
        "blank": 0,
        "dated": 0,
        "tokenizer": "sentences",
    }

    bee = Document.objects.visible().get(title="Bee")
    assert (bee.key, bee.url, bee.text) == ("Bee", BEE["url"], BEE["text"])
    assert [(passage.start, passage.end) for passage in bee.passages.all()] == [(0, 11)]


def test_passages_end_with_sentences_and_have_at_most_256_words(bring):
    sentence = "Dr. Bee " + "word " * 97 + "ends."  # 100 words
    bring({"title": "Long", "text": " ".join([sentence] * 3)})

    first, second = Passage.objects.all()
    assert (first.start, first.end) == (0, 2 * len(sentence) + 1)
    assert (second.start, second.end) == (2 * len(sentence) + 2, 3 * len(sentence) + 2)


def test_the_same_file_again_adds_nothing(bring):
    bring(BEE, ANT)

    assert counts(bring(BEE, ANT)) == (0, 2)


def test_a_file_may_say_the_same_twice(bring):
    assert counts(bring(BEE, BEE)) == (1, 1)


def test_a_file_extends_a_source(bring):
    bring(BEE)

    assert counts(bring(BEE, ANT)) == (1, 1)


def test_an_id_tells_documents_of_one_title_apart(bring):
    bring({**BEE, "id": 1}, {"title": "Bee", "text": "A letter.", "id": "b"})

    assert sorted(Document.objects.values_list("key", flat=True)) == ["1", "b"]


@pytest.mark.parametrize(
    ("row", "cause"),
    [
        ({**BEE, "text": "Bees rest."}, "'Bee' is the key of an earlier row with other content"),
        ({"title": "Wasp"}, "the key 'text' is missing"),
        ({"title": "Wasp", "text": " "}, "text is empty"),
        ({"title": "Wasp", "text": "a\0b"}, "text holds a NUL character at character 2"),
        ('{"title": "Wasp", "text": "a\\ud800"}', "text holds half of a surrogate pair at character 2"),
        ({"title": "W" * 501, "text": "Wasps."}, "title has 501 characters; at most 500 fit"),
        ({"title": "Wasp", "text": "Wasps.", "id": True}, "id must be text, not true"),
        ({"title": "Wasp", "text": "Wasps.", "page": 1}, "unknown key 'page'"),
        ("{", "not JSON: Expecting property name enclosed in double quotes (character 3)"),
    ],
)
def test_an_error_names_its_line_and_nothing_is_kept(bring, row, cause):
    with pytest.raises(CommandError, match="line 2: ") as raised:
        bring(BEE, row)

    assert str(raised.value).removeprefix("pages.jsonl, line 2: ") == cause
    assert not KnowledgeSource.objects.exists()


def test_a_key_that_is_there_with_other_content_is_an_error(bring):
    bring(BEE)
    with pytest.raises(CommandError, match="line 2: 'Bee' is already in the source with other content"):
        bring(ANT, {**BEE, "url": ""})

    assert [document.title for document in Document.objects.all()] == ["Bee"]


def test_a_dataset_is_judged_by_the_source(bring):
    dataset = make_dataset("lab")
    bring(BEE, dataset="lab")

    dataset.refresh_from_db()
    assert dataset.knowledge_source.name == "insects"


def test_an_unknown_dataset_is_an_error_before_anything_is_written(bring):
    with pytest.raises(CommandError, match="there is no dataset 'lab'"):
        bring(BEE, dataset="lab")

    assert not KnowledgeSource.objects.exists()


def test_the_name_of_a_source_must_be_plain(tmp_path):
    with pytest.raises(CommandError, match="knowledge source's name must be plain text"):
        call_command("import_documents", " insects", str(tmp_path / "pages.jsonl"))


def test_a_source_that_another_import_has_is_an_error(bring):
    bring(BEE)
    KnowledgeSource.objects.update(writer="somebody", beat_at="2999-01-01T00:00Z")
    with pytest.raises(CommandError, match="another import into insects is under way"):
        bring(ANT)


@pytest.mark.parametrize(
    ("tokenizer", "sizes"),
    [("sentences", [256, 200, 100]), ("words", [256, 256, 44]), ("tokens", [128, 128, 200, 100])],
)
def test_a_source_is_cut_by_the_tokenizer_that_is_named(tmp_path, tokenizer, sizes):
    # A sentence of 128 words has 129 tokens: its full stop is one.
    text = " ".join("Bees " + "dance " * (size - 2) + "far." for size in (128, 128, 200, 100))
    path = tmp_path / "pages.jsonl"
    path.write_text(json.dumps({"title": "Long", "text": text}))
    source = import_documents(path, "insects", tokenizer=tokenizer).source

    assert source.tokenizer == tokenizer
    assert [len(text[each.start : each.end].split()) for each in Passage.objects.all()] == sizes


def test_a_text_that_is_too_long_to_be_cut_is_an_error(bring, monkeypatch):
    def give_up(text):
        raise TimeoutError

    monkeypatch.setitem(TOKENIZERS, "sentences", give_up)
    with pytest.raises(CommandError, match="line 1: it is too long to be cut at its sentences: divide it, or"):
        bring(BEE)

    assert not KnowledgeSource.objects.exists()


def test_a_source_keeps_its_tokenizer(tmp_path, bring):
    bring(BEE)
    with pytest.raises(CommandError, match="insects is cut by the tokenizer sentences, not by words"):
        call_command("import_documents", "insects", str(tmp_path / "pages.jsonl"), "--tokenizer", "words")


def test_only_a_dump_brings_passages_of_its_own(tmp_path, bring):
    path = tmp_path / "pages.jsonl"
    path.write_text(json.dumps(BEE))
    with pytest.raises(CommandError, match="line 1: it brings no passages"):
        call_command("import_documents", "insects", str(path), "--tokenizer", "published")


def test_redirects_come_along(bring):
    bring({**BEE, "redirects": ["Honey bee", "Apis"]})

    assert set(Redirect.objects.values_list("name", "document__title")) == {("Honey bee", "Bee"), ("Apis", "Bee")}
