"""Every kind of work is registered, and has an entry in the table that puts it to the tests."""

from urllib.parse import urlsplit

import pytest
from django.apps import apps
from django.core.checks import run_checks

from jobs import checks
from jobs.kinds import KINDS, kind_of
from jobs.models import JobItem
from jobs.work import work_to_the_end
from tests.jobs.kinds import EXAMPLES


def test_every_kind_has_an_example():
    assert set(EXAMPLES) == set(KINDS)


def test_the_models_of_a_kind_lead_to_it():
    for kind in KINDS.values():
        assert kind_of(kind.items) is kind
        assert kind.job is None or kind_of(kind.job) is kind


def test_models_without_a_registered_kind_fail_at_start(monkeypatch):
    assert checks.unregistered(apps.get_models()) == []
    monkeypatch.delitem(KINDS, "generation")

    errors = [error for error in run_checks() if error.id == "jobs.E001"]

    assert [error.msg for error in errors] == [
        "No registered kind of work uses annotate.Generation.",
        "No registered kind of work uses annotate.GenerationItem.",
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_the_work_of_a_kind_ends_with_its_results(model, settings, name):
    settings.SNAPSHOT_ALLOW = frozenset([(urlsplit(model.base_url).hostname, urlsplit(model.base_url).port)])
    kind, example = KINDS[name](), EXAMPLES[name]
    row = example.make(2)
    before = example.results()
    key = row.pk if kind.job else type(row)._default_manager.values_list(kind.key, flat=True).get(pk=row.pk)

    work_to_the_end(kind, key)

    assert {item.state for item in kind.all_items(key)} == {JobItem.State.DONE}
    assert (before, example.results()) == (0, 2)
