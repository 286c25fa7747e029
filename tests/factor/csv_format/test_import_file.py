"""Files of the published layout become benchmarks, or one error that names line and column."""

from datetime import date

import pytest

from core.errors import DataError
from factor.csv_format.import_file import import_benchmark
from factor.models import Benchmark, Completion, Example
from knowledge.models import Document
from tests.factor.csv_format.files import ANTS, BEES, HEADER, write
from tests.factories import make_dataset
from tests.knowledge.sources import make_source

pytestmark = pytest.mark.django_db


@pytest.fixture
def bring(tmp_path):
    """Import these lines as the benchmark "insects"; every call into the same dataset."""
    dataset = make_dataset()

    def run(*lines, **wish):
        return import_benchmark(dataset, "insects", write(tmp_path, *lines), **wish)

    return run


def test_rows_become_examples_with_the_true_completion_first(bring):
    assert bring(HEADER, BEES, ANTS).created == 2

    bees, ants = Example.objects.all()
    assert (bees.prefix, bees.cut_prefix, bees.document_key) == ("Bees live in hives.\n", "", "bees")
    assert [each.text for each in bees.completions.all()] == [
        "They dance.",
        "They sing.",
        "They swim.",
        "They, too, read.",
    ]
    assert (ants.cut_prefix, ants.scored_prefix) == ("In hills. ", "In hills. ")


def test_only_what_the_tables_do_not_tell_is_kept_by_column(bring):
    bring(HEADER + ",note", BEES + ",seen", ANTS.replace("1,", "7,", 1) + ",")

    bees, ants = Example.objects.all()
    assert bees.extra == {"longest_completions": "5.0", "note": "seen"}
    assert ants.extra == {"": "7"}


def test_error_types_and_dates_are_read(bring):
    bring(HEADER + ",error_type_0,error_type_2,date", BEES + ",predicate,Link,2021-10-05")

    example = Example.objects.get()
    assert [each.error_type for each in example.completions.all()] == ["", "predicate", "", "link"]
    assert example.dated == date(2021, 10, 5)


def test_an_example_belongs_to_the_document_that_its_row_names(bring):
    source = make_source(bees="Bees live in hives.")
    Document.objects.update(key="bees", published=date(2022, 1, 2))

    assert bring(HEADER, BEES, ANTS, source=source).linked == 1
    bees, ants = Example.objects.all()
    assert (bees.document.key, bees.dated) == ("bees", date(2022, 1, 2))
    assert (ants.document, ants.dated) == (None, None)


def test_an_example_may_have_fewer_false_completions_than_there_are_columns(bring):
    assert bring(HEADER, BEES.replace('They swim.,"They, too, read."', ",")).unlike == 1
    assert Completion.objects.count() == 2


def test_the_same_file_again_adds_nothing(bring):
    bring(HEADER, BEES, ANTS)

    again = bring(HEADER, BEES, ANTS)
    assert (again.created, again.unchanged) == (0, 2)
    assert Example.objects.count() == 2


def test_a_dry_run_stores_nothing(bring):
    assert bring(HEADER, BEES, dry_run=True).created == 1
    assert not Benchmark.objects.exists()


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ((HEADER, BEES, ANTS.replace("They fly.", "They hop.")), "line 5: the column 'contradiction_0' is not as in"),
        ((HEADER, BEES), "line 2: the file ends here, but not the benchmark insects"),
        ((HEADER, BEES, ANTS, ANTS.replace("1,", "2,", 1)), "line 6: the row is not in the benchmark insects"),
        ((HEADER + ",note", BEES + ",", ANTS + ","), "line 1: the columns are not those of the benchmark insects"),
    ],
)
def test_other_content_under_the_same_name_is_an_error_that_names_the_line(bring, lines, said):
    bring(HEADER, BEES, ANTS)

    with pytest.raises(DataError, match=said):
        bring(*lines)
    assert Example.objects.count() == 2


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ((), "insects.csv, line 1: the file is empty"),
        ((HEADER,), "line 1: there is no example after the header"),
        ((HEADER.replace("completion,", "completions,", 1), BEES), "line 1: the column 'completion' is missing"),
        ((HEADER + ",doc_id", BEES + ",x"), "line 1: the column 'doc_id' appears twice"),
        (
            (HEADER.replace("_1", "_9"), BEES),
            "line 1: the column 'contradiction_1' is missing before 'contradiction_9'",
        ),
        ((HEADER, BEES, ANTS + ",more"), "line 5: the row has 10 cells, the header 9"),
        ((HEADER, BEES, HEADER), "line 5: the header is repeated here"),
        ((HEADER, ANTS.replace("They march.", " ")), "line 2: the column 'completion' is empty"),
        ((HEADER, ANTS.replace("They fly.", "")), "line 2: the column 'contradiction_0' is empty"),
        (
            (HEADER, ANTS.replace("They sing.", "They march.")),
            "line 2: the column 'contradiction_1' has the same text as the column 'completion'",
        ),
        ((HEADER, BEES, '1,"Ants'), "line 5: the row that begins here is not CSV"),
        ((HEADER, ANTS.replace("hills", "hi\x00lls", 1)), "line 2: the column 'full_prefix' holds a NUL character"),
        (
            (HEADER + ",error_type_0", ANTS + ",typo"),
            "line 2: the column 'error_type_0' has 'typo'; error types are entity",
        ),
        ((HEADER + ",date", ANTS + ",5/10/2021"), "line 2: the column 'date' must be a date such as 2021-10-05"),
    ],
)
def test_what_is_wrong_is_said_with_its_line_and_nothing_is_kept(bring, lines, said):
    with pytest.raises(DataError, match=said):
        bring(*lines)
    assert not Benchmark.objects.exists()


def test_a_file_that_is_not_utf_8_is_told_by_line_and_byte(tmp_path):
    path = tmp_path / "latin.csv"
    path.write_bytes(f"{HEADER}\n{ANTS}\n".encode().replace(b"hills", b"h\xfcgel", 1))
    with pytest.raises(DataError, match=r"latin.csv, line 2: not UTF-8 text \(byte 17 of the line\)"):
        import_benchmark(make_dataset(), "insects", path)


def test_a_name_with_white_space_at_its_end_is_none(tmp_path):
    with pytest.raises(DataError, match="A benchmark's name must be plain text"):
        import_benchmark(make_dataset(), "insects ", write(tmp_path, HEADER, BEES))
