"""Gold under a name."""

import hashlib
import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotate.adjudication.decide import decide
from annotate.adjudication.whole import settle_removal
from annotate.gold.freeze import FreezeError, freeze_gold, hash_gold
from annotate.models import Dataset, GoldLabel, Import, Segment
from tests.factories import add_correction, add_gold, make_dataset, make_person, make_response
from tests.knowledge.sources import make_source

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


FIRST = '["0",0,null,"One is odd.","supported","","",[]]'
SECOND = '["0",1,null,"Two is odd.","supported","","",[]]'


def sha256(*lines: str) -> str:
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def test_the_hash_is_over_a_line_a_label_and_after_them_one_a_correction() -> None:
    dataset = with_gold()
    first, second = Segment.objects.all()
    before = freeze_gold(dataset, "v1")
    assert before.hash == sha256(FIRST, SECOND)

    add_correction(second, "Two is not odd.")
    add_correction(second, "Two is even.")
    add_correction(first, "")
    after = freeze_gold(dataset, "v2")
    assert (after.hash, after.labels) == (sha256(FIRST, SECOND, '["0",0,""]', '["0",1,"Two is even."]'), 2)
    assert hash_gold(dataset, before.revision) == (before.hash, 2)


@pytest.mark.parametrize("at_once", [1, 2, 100])
def test_the_hash_is_over_the_responses_by_outside_index_however_many_are_read_at_once(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotate.gold.freeze.RESPONSES_AT_ONCE", at_once)
    dataset = make_dataset("lab")
    for index in ("b", "a", "c"):
        for segment in make_response(dataset, index=index).segments.all():
            add_gold(segment, "supported")
    dataset.refresh_from_db()
    lines = [
        f'["{index}",{place},null,"{text}","supported","","",[]]'
        for index in "abc"
        for place, text in enumerate(("One is odd.", "Two is odd."))
    ]
    assert hash_gold(dataset, dataset.gold_revision) == (sha256(*lines), 6)


def test_a_correction_of_what_was_removed_is_in_no_version() -> None:
    dataset = with_gold()
    dora, other = make_person("dora"), make_response(dataset, ["Four is odd."])
    add_correction(other.segments.get(), "Four is even.")
    settle_removal(other, dora, keep=False, why="It asks for nothing.")
    assert freeze_gold(dataset, "v1").hash == sha256(FIRST, SECOND)


@pytest.mark.parametrize(
    ("columns", "besides"),
    [({"irrelevance": "unrelated"}, '["unrelated","",[]]'), ({"tag": "words"}, '["","words",[]]')],
)
def test_what_else_is_said_of_a_label_is_in_the_hash(columns, besides) -> None:
    dataset = with_gold()
    GoldLabel.objects.filter(segment__position=0).update(**columns)
    assert freeze_gold(dataset, "v1").hash == sha256(f"{FIRST[:-1]},{besides}]", SECOND)


def test_the_documents_that_are_cited_are_in_the_hash() -> None:
    dataset = with_gold()
    references = GoldLabel.objects.get(segment__position=0).references
    references.create(position=0, document=make_source(Odd_numbers="One is odd.").documents.get())
    references.create(position=1, url="https://odd.example/")
    line = '["0",0,null,"One is odd.","supported","","",[null,"https://odd.example/"],["","",["Odd numbers"]]]'
    assert freeze_gold(dataset, "v1").hash == sha256(line, SECOND)


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
