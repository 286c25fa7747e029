"""Benchmarks go out as they came in, or in the published layout."""

import csv
import io
from datetime import date

import pytest
from django.core.management import CommandError, call_command

from factor.csv_format.export import export_benchmark
from factor.csv_format.import_file import import_benchmark
from factor.models import Benchmark
from tests.factor.csv_format.files import ANTS, BEES, HEADER, write
from tests.factories import make_dataset

pytestmark = pytest.mark.django_db


def everywhere_quoted(*lines):
    out = io.StringIO(newline="")
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(
        csv.reader(io.StringIO("\n".join(lines), newline=""))
    )
    return out.getvalue().encode()


@pytest.mark.parametrize(
    "content",
    [
        f"{HEADER}\n{BEES}\n{ANTS}\n".encode(),
        f"{HEADER}\r\n{BEES}\r\n{ANTS}\r\n".encode(),
        f"{HEADER}\n{BEES}\n{ANTS}".encode(),
        f"\ufeff{HEADER}\n{ANTS}\n".encode(),
        everywhere_quoted(HEADER, BEES, ANTS),
        b"completion,contradiction_0,full_prefix,note\nThey march.,They fly.,,x\n",
        f"{HEADER},error_type_0,date\n{ANTS},Entity,2021-10-05T08:00:00\n".encode(),
    ],
    ids=["usual", "CRLF", "no last line end", "byte order mark", "all quoted", "other columns", "written otherwise"],
)
def test_a_file_goes_out_byte_for_byte(tmp_path, content):
    path = tmp_path / "in.csv"
    path.write_bytes(content)
    assert import_benchmark(make_dataset(), "insects", path).verbatim
    assert "".join(export_benchmark(Benchmark.objects.get())).encode() == content


def test_of_a_file_with_unusual_quotes_the_cells_go_out(tmp_path):
    path = write(tmp_path, HEADER, ANTS.replace("They fly.", '"They fly."'))
    assert not import_benchmark(make_dataset(), "insects", path).verbatim
    assert "".join(export_benchmark(Benchmark.objects.get())) == f"{HEADER}\n{ANTS}\n"


def test_what_was_made_here_goes_out_in_the_published_layout():
    benchmark = Benchmark.objects.create(dataset=make_dataset(), name="insects")
    example = benchmark.examples.create(
        position=0, prefix="Ants live\rin hills. ", document_key="ants", dated=date(2021, 10, 5)
    )
    for place, (text, error_type) in enumerate([("They march.", ""), ("They fly up.", "predicate")]):
        example.completions.create(place=place, text=text, error_type=error_type)

    header, row = csv.reader(io.StringIO("".join(export_benchmark(benchmark)), newline=""))
    assert ",".join(header) == HEADER + ",error_type_0,error_type_1,error_type_2,date"
    assert row == [
        *("0", "Ants live\rin hills. ", "ants", "They march.", "They fly up.", "", "", "4.0", "Ants live\rin hills. "),
        *("predicate", "", "", "2021-10-05"),
    ]


def test_what_was_made_here_and_went_out_comes_in_again_as_it_was(tmp_path):
    dataset = make_dataset()
    made = Benchmark.objects.create(dataset=dataset, name="insects")
    example = made.examples.create(position=0, prefix='He said: "Go." ', document_key="ants", dated=date(2021, 10, 5))
    for place, (text, error_type) in enumerate([("They march.", ""), ("They fly, up.", "predicate")]):
        example.completions.create(place=place, text=text, error_type=error_type)
    path = tmp_path / "out.csv"
    call_command("export_benchmark", dataset.name, "insects", output=path)
    import_benchmark(dataset, "again", path)

    again = dataset.benchmarks.get(name="again").examples.get()
    assert (again.prefix, again.document_key, again.dated) == (example.prefix, "ants", date(2021, 10, 5))
    assert again.extra == {}
    assert list(again.completions.values_list("text", "error_type")) == list(
        example.completions.values_list("text", "error_type")
    )


def test_the_command_writes_the_file_and_says_what_the_authors_scorer_cannot_take(tmp_path, capfd):
    dataset = make_dataset()
    path = write(tmp_path, HEADER, BEES, ANTS.replace("They rest.", ""))
    call_command("import_benchmark", dataset.name, "insects", path)
    assert capfd.readouterr().out == "insects: 2 created, 0 unchanged\n"

    call_command("export_benchmark", dataset.name, "insects", output=tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == path.read_bytes()
    assert "1 examples have more or fewer than 3 false completions" in capfd.readouterr().err
    call_command("export_benchmark", dataset.name, "insects")
    assert capfd.readouterr().out == path.read_text()


@pytest.mark.parametrize(
    ("asked", "said"),
    [(("zoo", "insects"), "there is no dataset 'zoo'"), (("lab", "birds"), "has no benchmark 'birds'")],
)
def test_what_is_not_there_is_said(asked, said):
    make_dataset()
    with pytest.raises(CommandError, match=said):
        call_command("export_benchmark", *asked)
