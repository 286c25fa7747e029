from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from annotate.corpus.importing import CHUNK, import_file
from annotate.models import Dataset, FactSet, GoldLabel, Import, Membership, Prompt, Response, Segment
from core.errors import DataError
from tests.annotate.corpus.files import factscore_row, felm_row, write_rows
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(tmp_path):
    return tmp_path / "rows.jsonl"


@pytest.mark.parametrize(("format", "row", "required"), [("felm", felm_row, True), ("factscore", factscore_row, False)])
def test_a_new_felm_dataset_requires_the_type_and_the_reason_of_an_error(file, format, row, required):
    import_file(write_rows(file, row()), "moon", format, subject="one")
    dataset = Dataset.objects.get()
    assert (dataset.type_required, dataset.reason_required) == (required, required)


def test_more_prompts_in_the_dataset_are_no_more_queries(file: Path) -> None:
    """Counted as they are made: an import forgets the log of its queries."""
    counts = []
    for number in (2, 8):
        known = [factscore_row(f"Person {each}") for each in range(number)]
        import_file(write_rows(file, *known), f"{number} people", "factscore", subject="one")
        asked: list[str] = []

        def note(execute: Any, sql: str, *rest: Any, asked: list[str] = asked) -> Any:
            asked.append(sql)
            return execute(sql, *rest)

        with connection.execute_wrapper(note):
            import_file(write_rows(file, known[0]), f"{number} people", "factscore", subject="two")
        counts.append(len(asked))
    assert counts[0] == counts[1] > 0


def test_felm_rows_become_responses_segments_gold_and_references(file):
    result = import_file(write_rows(file, felm_row()), "moon", "felm")

    assert (result.created, result.unchanged, result.warnings) == (1, 0, [])
    dataset = Dataset.objects.get(name="moon")
    assert (dataset.scheme, dataset.ready, dataset.gold_revision) == ("felm", True, 1)
    response = dataset.responses.visible().get()
    assert (response.index, response.prompt.domain) == ("7", "science")
    assert [(segment.start, segment.end) for segment in response.segments.all()] == [(0, 30), (31, 52)]
    wrong = GoldLabel.objects.of(dataset).current().get(value="not_supported")
    assert (wrong.error_type, wrong.reason, wrong.source, wrong.revision) == (
        "knowledge",
        "It is made of rock.",
        "import",
        1,
    )
    assert response.references.get().url == "https://example.org/moon"


def test_the_same_rows_again_change_nothing(file):
    write_rows(file, felm_row(), felm_row("8"))
    import_file(file, "moon", "felm")
    result = import_file(file, "moon", "felm")

    assert (result.created, result.unchanged) == (0, 2)
    assert Response.objects.count() == 2
    assert Dataset.objects.get().gold_revision == 1


def test_further_rows_extend_a_dataset(file):
    import_file(write_rows(file, felm_row()), "moon", "felm")
    result = import_file(write_rows(file, felm_row(), felm_row("8")), "moon", "felm")

    assert (result.created, result.unchanged) == (1, 1)
    assert list(Response.objects.values_list("index", "position")) == [("7", 0), ("8", 1)]
    assert GoldLabel.objects.get(segment__response__index="8", value="supported").revision == 2


def test_a_row_that_changed_is_an_error_that_names_its_line(file):
    import_file(write_rows(file, felm_row()), "moon", "felm")
    write_rows(file, felm_row("8"), felm_row(labels=[True, True]))

    with pytest.raises(DataError, match="line 2: the index '7' is already in the dataset with other content"):
        import_file(file, "moon", "felm")
    assert Response.objects.count() == 1
    assert Import.objects.count() == 1


def test_an_index_that_stands_twice_is_an_error_that_names_both_lines(file):
    write_rows(file, felm_row(), felm_row("8"), felm_row())
    with pytest.raises(DataError, match="line 3: the index '7' is already that of line 1"):
        import_file(file, "moon", "felm")
    assert not Dataset.objects.exists()


def test_a_dry_run_says_what_would_be_and_stores_nothing(file):
    result = import_file(write_rows(file, felm_row()), "moon", "felm", dry_run=True)

    assert (result.created, result.unchanged, result.makes_dataset) == (1, 0, True)
    assert [row.index for row in result.preview] == ["7"]
    assert not Dataset.objects.exists()


def test_factscore_subjects_share_their_prompts(file):
    write_rows(file, factscore_row())
    import_file(file, "lives", "factscore", "one")
    import_file(file, "lives", "factscore", "two")

    assert Prompt.objects.count() == 1
    assert list(Response.objects.values_list("index", flat=True)) == ["one/Ada Byron", "two/Ada Byron"]


def test_a_sentence_that_is_not_relevant_has_one_gold_label_and_facts_have_theirs(file):
    import_file(write_rows(file, factscore_row()), "lives", "factscore", "one")

    irrelevant = Segment.objects.get(relevant=False)
    assert irrelevant.gold.get().fact is None
    assert irrelevant.gold.get().value == "irrelevant"
    assert set(GoldLabel.objects.filter(fact__isnull=False).values_list("fact__text", "value")) == {
        ("Ada Byron wrote a program.", "supported"),
        ("It was the first program.", "not_supported"),
    }
    assert set(FactSet.objects.values_list("origin", flat=True)) == {"human", "model"}


def test_a_shared_prompt_with_another_category_is_an_error(file):
    import_file(write_rows(file, factscore_row()), "lives", "factscore", "one")
    write_rows(file, factscore_row(cat=["freq", "Europe/Middle East"]))
    with pytest.raises(DataError, match="line 1: the input is already in the dataset with another topic or category"):
        import_file(file, "lives", "factscore", "two")


def test_factscore_needs_a_subject(file):
    with pytest.raises(DataError, match="name the subject"):
        import_file(write_rows(file, factscore_row()), "lives", "factscore")


@pytest.mark.parametrize(
    ("row", "chosen", "title"),
    [(felm_row, "factscore", "FELM"), (felm_row, "responses", "FELM"), (factscore_row, "felm", "FActScore")],
)
def test_a_file_of_another_format_is_recognised(file, row, chosen, title):
    with pytest.raises(DataError, match=rf"This looks like the format {title}\.$"):
        import_file(write_rows(file, row()), "moon", chosen, subject="one")


def test_a_faulty_row_of_the_chosen_format_looks_like_no_other(file):
    with pytest.raises(DataError) as caught:
        import_file(write_rows(file, felm_row(labels="yes")), "moon", "felm")
    assert "looks like" not in str(caught.value)


def test_rows_of_another_scheme_do_not_fit(file):
    make_dataset("lives", scheme="factscore")
    with pytest.raises(DataError, match="lives is a factscore dataset: rows of the felm scheme do not fit into it"):
        import_file(write_rows(file, felm_row()), "lives", "felm")


@pytest.mark.parametrize("name", ["", " ", " moon", "x" * 101, "a\0b"])
def test_a_dataset_needs_a_plain_name(file, name):
    with pytest.raises(DataError, match="A dataset's name must be"):
        import_file(write_rows(file, felm_row()), name, "felm")


def test_responses_are_cut_into_sentences_and_have_no_gold(file):
    write_rows(file, {"prompt": "Why?", "response": "Because Dr. Woolf said so. That is all."})
    import_file(file, "own", "responses")

    assert [segment.text for segment in Segment.objects.all()] == ["Because Dr. Woolf said so.", "That is all."]
    assert not GoldLabel.objects.exists()
    assert Dataset.objects.get().gold_revision == 0


def test_responses_without_an_index_take_the_number_of_their_line(file):
    same = {"prompt": "Why?", "response": "So."}
    write_rows(file, same, same, {**same, "index": "1"})
    import_file(file, "own", "responses")
    assert list(Response.objects.values_list("index", flat=True)) == ["1-2", "2", "1"]
    assert import_file(file, "own", "responses").unchanged == 3


def test_another_file_without_indexes_extends_the_first(file):
    write_rows(file, {"prompt": "Why?", "response": "So."})
    import_file(file, "own", "responses")
    write_rows(file, {"prompt": "How?", "response": "Thus."})

    assert import_file(file, "own", "responses").created == 1
    assert import_file(file, "own", "responses").unchanged == 1
    assert list(Response.objects.values_list("index", flat=True)) == ["1", "1-2"]


def test_who_imports_a_new_dataset_becomes_its_adjudicator(file):
    dora = make_person("dora")
    import_file(write_rows(file, felm_row()), "moon", "felm", created_by=dora)
    import_file(write_rows(file, felm_row("8")), "moon", "felm", created_by=make_person("ben"))

    membership = Membership.objects.get()
    assert (membership.user, membership.role) == (dora, "adjudicator")


def test_gold_that_was_decided_meanwhile_keeps_the_earlier_revision(file):
    import_file(write_rows(file, felm_row()), "moon", "felm")
    dataset = Dataset.objects.get()

    def decide_meanwhile(written: int, total: int) -> None:
        dataset.next_gold_revision()

    import_file(write_rows(file, felm_row("8")), "moon", "felm", progress=decide_meanwhile)
    assert set(GoldLabel.objects.filter(segment__response__index="8").values_list("revision", flat=True)) == {3}


def test_progress_is_told_after_every_chunk(file):
    rows = CHUNK + 1
    write_rows(file, *(felm_row(str(n)) for n in range(rows)))
    counts = []
    import_file(file, "moon", "felm", progress=lambda *numbers: counts.append(numbers))
    assert counts == [(CHUNK, rows), (rows, rows)]


def test_responses_for_facts_make_a_factscore_dataset_and_subjects_share_their_prompt(file):
    rows = [
        {"prompt": "Who was Ada?", "response": "A person. A poet.", "topic": "Ada", "subject": subject}
        for subject in ("one", "two")
    ]
    import_file(write_rows(file, *rows), "bios", "responses-for-facts")

    dataset = Dataset.objects.get(name="bios")
    assert dataset.scheme == "factscore"
    assert dataset.prompts.count() == 1
    assert [response.index for response in dataset.responses.visible()] == ["one/Ada", "two/Ada"]
    assert Segment.objects.count() == 4
    assert not FactSet.objects.exists()
    assert not GoldLabel.objects.exists()
