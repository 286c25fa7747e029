"""Scores as JSON lines: out, in again, and what a bad file is told."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from core.errors import DataError
from factor.models import ScoredModel, Scoring
from factor.results.document import describe_benchmark
from factor.scoring.export import export_scores
from factor.scoring.import_file import NOT_IN_FILE, import_scores
from tests.factor.scoring.work import EXAMPLES, make_benchmark
from tests.factories import make_dataset

pytestmark = pytest.mark.django_db

HEAD = {
    "model": {"name": "mimi", "family": "Mi", "parameters": 7, "cutoff": "2020-02-01"},
    "context_length": 64,
    "with_prefix": True,
}
TRUE = {"example": 0, "place": 0, "text": EXAMPLES[0][1][0], "prefix_tokens": 4, "tokens": [[0, 4, -1.0], [4, 11, -2]]}
FALSE = {"example": 0, "place": 1, "error": "Too long."}


@pytest.fixture
def benchmark():
    return make_benchmark(make_dataset())


@pytest.fixture
def written(tmp_path):
    def write(*rows):
        path = tmp_path / "scores.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    return write


def test_scores_of_elsewhere_are_a_finished_scoring(benchmark, written):
    found = import_scores(benchmark, written(HEAD, TRUE, FALSE))

    assert (found.examples, found.scored, found.without_score, found.missing) == (1, 1, 1, 1)
    scoring = Scoring.objects.get()
    assert (scoring.state, scoring.context_length, scoring.items.count()) == ("finished", 64, 1)
    assert (scoring.model.family, scoring.model.parameters, scoring.model.reached_by) == ("Mi", 7, "elsewhere")
    true, false, missing = scoring.scores.order_by("completion__place")
    assert (true.total, true.count, true.prefix_tokens) == (-3.0, 2, 4)
    assert (false.error, missing.error) == ("Too long.", NOT_IN_FILE)


def test_a_file_says_whether_texts_began_with_the_tokenizers_token(benchmark, written):
    for head, expected in ((HEAD, False), ({**HEAD, "start_token": True}, True)):
        assert import_scores(benchmark, written(head, TRUE)).scoring.start_token is expected
    plain, started = describe_benchmark(benchmark)["scorings"]
    assert (plain["name"], plain["start_token"]) == ("mimi, 64 tokens of context", False)
    assert (started["name"], started["start_token"]) == ("mimi, start token, 64 tokens of context", True)


def test_what_goes_out_comes_in_as_it_was(benchmark, written, tmp_path):
    import_scores(benchmark, written({**HEAD, "start_token": True}, TRUE, FALSE))
    lines = list(export_scores(Scoring.objects.get()))
    again = tmp_path / "again.jsonl"
    again.write_text("\n".join(lines), encoding="utf-8")
    Scoring.objects.all().delete()
    ScoredModel.objects.all().delete()

    import_scores(benchmark, again)

    assert list(export_scores(Scoring.objects.get())) == lines


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([TRUE], "line 1: the key 'model' is missing"),
        ([{**HEAD, "start_token": 1}, TRUE], "line 1: start_token must be true or false, not "),
        ([HEAD], "line 1: no completion has a score"),
        ([HEAD, {**TRUE, "place": 7}], "line 2: the benchmark has no completion at example 0, place 7"),
        ([HEAD, {**TRUE, "text": "They rest."}], "line 2: the benchmark has another completion at example 0"),
        ([HEAD, TRUE, TRUE], "line 3: example 0 has another line of place 0"),
        ([HEAD, {**TRUE, "tokens": []}], "line 2: tokens is empty"),
        ([HEAD, {**TRUE, "tokens": [[0, 99, -1]]}], "in a text of 11 characters"),
        (
            [HEAD, {**TRUE, "tokens": [[0, 4, 0.5]]}],
            "the log-probability of a token must be finite and at most 0, not 0.5",
        ),
        ([HEAD, {"example": 0, "place": 0}], "line 2: the key 'error' is missing"),
        ([{**HEAD, "context_length": 0}, TRUE], "line 1: context_length must be a whole number from 16"),
        ([{**HEAD, "model": "mimi"}, TRUE], "line 1: model must be an object"),
        ([{**HEAD, "retrieval": {"source": "x", "stride": 8, "query_tokens": 32}}, TRUE], "no knowledge source 'x'"),
    ],
)
def test_a_bad_file_is_told_line_and_cause_and_nothing_is_kept(benchmark, written, rows, told):
    with pytest.raises(DataError, match=told):
        import_scores(benchmark, written(*rows))

    assert (Scoring.objects.count(), ScoredModel.objects.count()) == (0, 0)


def test_the_commands(benchmark, written, tmp_path):
    out = StringIO()
    call_command("import_scores", benchmark.dataset.name, "insects", written(HEAD, TRUE), "--json", stdout=out)
    assert json.loads(out.getvalue())["missing"] == 2

    path = tmp_path / "out.jsonl"
    call_command("export_scores", benchmark.dataset.name, "insects", "--model", "mimi", "--output", path)
    assert json.loads(path.read_text(encoding="utf-8").splitlines()[0])["model"]["name"] == "mimi"
    with pytest.raises(CommandError, match="has no such scoring of 'momo'"):
        call_command("export_scores", benchmark.dataset.name, "insects", "--model", "momo", "--output", path)
