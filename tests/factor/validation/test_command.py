"""The report of a validation on the command line."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.factor.validation.work import FACTUAL, draw, make_benchmark, rate_all
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db


def report(*words):
    out = StringIO()
    call_command("validation_report", "lab", "news", *words, stdout=out)
    return out.getvalue()


@pytest.fixture
def sample():
    return draw(make_benchmark(make_dataset(), examples=2))


def test_a_sample_with_all_its_ratings_is_told_in_lines_and_in_one_document(sample):
    for name in ("ada", "ben"):
        rate_all(sample, make_person(name), {(0, 1): FACTUAL})
    lines = report().splitlines()
    assert lines[0] == "6 false completions of 2 examples, 2 raters each"
    assert lines[1].startswith("Non-factual      0.833  n 6")
    document = json.loads(report("--json", "--sample", str(sample.pk)))
    assert document["properties"][0]["value"] == 5 / 6
    assert [each["completion"] for each in document["amiss"]] == ["The doctor spoke for an hour."]


def test_a_sample_that_lacks_ratings_has_no_results_yet(sample):
    rate_all(sample, make_person("ada"))
    with pytest.raises(CommandError, match="has 6 of 12 ratings"):
        report()


def test_a_sample_that_is_not_there_is_named(sample):
    with pytest.raises(CommandError, match="'news' has no sample 99"):
        report("--sample", "99")
    sample.delete()
    with pytest.raises(CommandError, match="no sample to validate"):
        report()
