"""Every export format: it is documented, and the command writes its file."""

import re

import pytest
from django.core.management import call_command

from annotate.export.dataset import FORMATS
from annotate.models import Scheme
from tests.annotate.adjudication.work import judge, make_task
from tests.docs.documented import section
from tests.factories import add_facts, add_gold, make_dataset, make_response


def test_the_documented_formats_are_those_that_are_there():
    assert re.findall(r"^\| \[?`(\w+)`", section("export_dataset"), re.MULTILINE) == sorted(FORMATS)


@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted(FORMATS))
def test_the_command_writes_the_file_of_a_format(name, tmp_path):
    dataset = make_dataset("insects", scheme=FORMATS[name].scheme or Scheme.FELM)
    response = make_response(dataset, ["Ants march."])
    is_of_facts = dataset.scheme == Scheme.FACTSCORE
    [unit] = add_facts(response, [["Ants march."]]) if is_of_facts else response.segments.all()
    add_gold(unit, "supported")
    judge(make_task(response), "ben", {unit: "supported"})
    file = tmp_path / "insects"

    call_command("export_dataset", "insects", "--format", name, "--output", str(file))

    # A format that is exported whole has labels, and no responses.
    assert ("Ants march." in file.read_text(encoding="utf-8")) is not FORMATS[name].is_whole
