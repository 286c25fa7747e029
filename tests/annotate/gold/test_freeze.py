"""Gold under a name."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotate.adjudication.decide import decide
from annotate.gold.freeze import FreezeError, freeze_gold, hash_gold
from annotate.models import Dataset, GoldLabel, Import
from tests.factories import add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


def with_gold(name: str = "lab") -> Dataset:
    dataset = make_dataset(name)
    for segment in make_response(dataset).segments.all():
        add_gold(segment, "supported")
    dataset.refresh_from_db()
    return dataset


def test_a_version_counts_and_hashes_gold_in_force() -> None:
    dora = make_person("dora")
    version = freeze_gold(with_gold(), "v1", dora)
    assert (version.labels, version.revision, version.created_by) == (2, 2, dora)
    assert len(version.hash) == 64


def test_the_same_gold_has_the_same_hash_in_another_dataset() -> None:
    assert freeze_gold(with_gold("one"), "v1").hash == freeze_gold(with_gold("two"), "v1").hash


def test_other_gold_has_another_hash() -> None:
    dataset = with_gold()
    before = freeze_gold(dataset, "v1")
    decide((GoldLabel.objects.all()[0].segment_id, None), make_person("dora"), value="not_supported", why="Look again.")
    assert freeze_gold(dataset, "v2").hash != before.hash


def test_a_version_can_be_read_back_after_gold_has_changed() -> None:
    dataset = with_gold()
    version = freeze_gold(dataset, "v1")
    decide((GoldLabel.objects.all()[0].segment_id, None), make_person("dora"), value="not_supported", why="Look again.")
    assert hash_gold(dataset, version.revision) == (version.hash, version.labels)


def test_a_name_is_given_once() -> None:
    dataset = with_gold()
    freeze_gold(dataset, "v1")
    with pytest.raises(FreezeError, match="already"):
        freeze_gold(dataset, "v1")


def test_nothing_is_frozen_where_there_is_no_gold() -> None:
    with pytest.raises(FreezeError, match="no gold"):
        freeze_gold(make_dataset(), "v1")


def test_nothing_is_frozen_while_an_import_goes_on() -> None:
    dataset = with_gold()
    Import.objects.create(dataset=dataset, format="felm", file_name="more.jsonl")
    with pytest.raises(FreezeError, match="not finished"):
        freeze_gold(dataset, "v1")


def test_the_command_prints_the_version() -> None:
    dataset = with_gold()
    out = StringIO()
    call_command("freeze_gold", dataset.name, "v1", "--json", stdout=out)
    digest, labels = hash_gold(dataset, 2)
    assert json.loads(out.getvalue()) == {
        "dataset": "lab",
        "version": "v1",
        "revision": 2,
        "hash": digest,
        "labels": labels,
    }


def test_the_command_refuses_a_dataset_that_is_not_there() -> None:
    with pytest.raises(CommandError, match="no dataset 'nowhere'"):
        call_command("freeze_gold", "nowhere", "v1")
