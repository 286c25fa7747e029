"""The published News-FACTOR file, in and out again."""

import io
import re

import pytest
from django.core.management import call_command

from factor.csv_format.export import export_benchmark
from factor.csv_format.import_file import import_benchmark
from factor.models import Benchmark, Completion, Example
from tests.factories import make_dataset

pytestmark = [pytest.mark.data, pytest.mark.django_db]


def test_news_factor_goes_out_byte_for_byte(published, tmp_path):
    file, dataset = published / "factor" / "news_factor.csv", make_dataset()

    imported = import_benchmark(dataset, "news", file)

    assert (imported.created, imported.unlike, imported.verbatim) == (1036, 0, True)
    assert Completion.objects.false().count() == 3 * 1036
    out = tmp_path / "out.csv"
    call_command("export_benchmark", "lab", "news", output=out)
    assert out.read_bytes() == file.read_bytes()
    assert import_benchmark(dataset, "news", file).unchanged == 1036


def test_what_a_cell_says_is_kept_once(published):
    import_benchmark(make_dataset(), "news", published / "factor" / "news_factor.csv")
    examples = Example.objects.all()
    assert {column for example in examples for column in example.extra} == {"longest_completions"}
    assert examples.exclude(cut_prefix="").count() == 107


def test_the_order_of_the_columns_is_the_files(published, tmp_path):
    """Wiki-FACTOR has another: here News-FACTOR itself with its columns turned round."""
    import pandas

    turned = tmp_path / "turned.csv"
    news = pandas.read_csv(published / "factor" / "news_factor.csv", dtype=str, keep_default_na=False)
    news = news.rename(columns=lambda name: re.sub(r"^Unnamed.*", "", name))[list(reversed(["", *news.columns[1:]]))]
    news.to_csv(turned, index=False)

    assert import_benchmark(make_dataset(), "news", turned).verbatim
    assert "".join(export_benchmark(Benchmark.objects.get())).encode() == turned.read_bytes()


def test_pandas_reads_what_was_made_here_as_it_reads_the_published_file(published):
    """The header and the types of the columns that the authors' scorer takes."""
    import pandas

    file = published / "factor" / "news_factor.csv"
    import_benchmark(make_dataset(), "news", file)
    Benchmark.objects.update(columns=[], style={})
    Example.objects.update(extra={})
    ours = pandas.read_csv(io.StringIO("".join(export_benchmark(Benchmark.objects.get()))))
    theirs = pandas.read_csv(file)
    assert list(ours.columns) == list(theirs.columns)
    assert (ours.dtypes == theirs.dtypes).all()
    both = [column for column in theirs.columns if column != "longest_completions"]
    pandas.testing.assert_frame_equal(ours[both], theirs[both])
