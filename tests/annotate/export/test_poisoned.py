"""CSV files that a spreadsheet opens run nothing that somebody has written into a field."""

import csv
import io
import re

import pytest
from django.urls import reverse

from annotate.export.dataset import export_dataset
from annotate.models import Dataset, Role
from core.csv import FORMULA
from core.tables import Table, as_csv
from tests.annotate.labels.work import client_of, open_for
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db

NUMBER = re.compile(r"-[0-9.]+")
POISON = "=HYPERLINK(A1)"


def poisoned() -> Dataset:
    """Whose every text begins a formula; @ada has worked on it."""
    dataset = make_dataset()
    make_response(dataset, (POISON, "＝1+1"), prompt=f"@{POISON}", domain="+math", subject="-m", index=POISON)
    work = open_for(make_person("@ada", dataset), dataset)
    work.active_seconds = 60
    work.save()
    return dataset


def check(content: str, escaped: int) -> None:
    cells = [cell for row in csv.reader(io.StringIO(content, newline="")) for cell in row]
    assert not [cell for cell in cells if cell.startswith(FORMULA) and not NUMBER.fullmatch(cell)]
    assert sum(cell.startswith("'") for cell in cells) == escaped


def test_no_cell_of_the_judged_units_begins_a_formula() -> None:
    """Two units, each with its response's index, domain, topic, subject and prompt, and its text."""
    check("\n".join(export_dataset(poisoned(), "csv")), escaped=12)


@pytest.mark.parametrize(("page", "escaped"), [("oversight-pay", 1), ("report-csv", 6)])
def test_no_cell_of_a_page_begins_a_formula(page: str, escaped: int) -> None:
    dataset = poisoned()
    client = client_of(make_person("dora", dataset, Role.ADJUDICATOR))
    check(client.get(reverse(page, args=[dataset.pk])).getvalue().decode("utf-8-sig"), escaped)


def test_a_table_to_take_away_escapes_too() -> None:
    check(as_csv(Table("figures", "Figures", ("=a", "b"), [(POISON, -0.5), (None, 1)])), escaped=2)
