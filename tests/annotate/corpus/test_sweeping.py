from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.corpus.importing import CHUNK, import_file
from annotate.models import Dataset, GoldLabel, Import, Prompt, Response
from core.errors import DataError
from tests.annotate.corpus.files import felm_row, write_rows

pytestmark = pytest.mark.django_db

ROWS = CHUNK + 1


class Killed(BaseException):
    """What stops an import in its tracks."""


@pytest.fixture
def file(tmp_path):
    return write_rows(tmp_path / "rows.jsonl", *(felm_row(str(n)) for n in range(ROWS)))


def leave_unfinished(file, name: str, minutes_ago: float) -> Import:
    """An import as a killed process leaves it: rows written, not finished, its beat gone still."""
    import_file(file, name, "felm")
    imported = Import.objects.get(dataset__name=name)
    Dataset.objects.filter(name=name).update(ready=False)
    Import.objects.filter(pk=imported.pk).update(
        finished_at=None, beat_at=timezone.now() - timedelta(minutes=minutes_ago)
    )
    return imported


def test_an_import_that_fails_midway_leaves_nothing(file):
    def fail(written: int, total: int) -> None:
        raise Killed

    with pytest.raises(Killed):
        import_file(file, "moon", "felm", progress=fail)
    for model in (Dataset, Import, Prompt, Response, GoldLabel):
        assert not model.objects.exists()


def test_an_extension_that_fails_midway_leaves_the_dataset_as_it_was(file, tmp_path):
    import_file(write_rows(tmp_path / "first.jsonl", felm_row("first")), "moon", "felm")

    def fail(written: int, total: int) -> None:
        raise Killed

    with pytest.raises(Killed):
        import_file(file, "moon", "felm", progress=fail)
    assert Response.objects.get().index == "first"
    assert Prompt.objects.count() == 1
    assert Import.objects.count() == 1
    assert Dataset.objects.get().gold_revision == 1


def test_responses_of_an_import_in_work_are_not_visible(file):
    seen = []
    import_file(file, "moon", "felm", progress=lambda *_: seen.append(Response.objects.visible().count()))
    assert seen == [0, 0]
    assert Response.objects.visible().count() == ROWS


def test_what_a_killed_import_left_is_cleared_by_the_next(file):
    leave_unfinished(file, "moon", minutes_ago=10)
    assert import_file(file, "moon", "felm").created == ROWS
    assert Response.objects.count() == ROWS
    assert Import.objects.count() == 1


def test_an_import_in_work_keeps_others_out(file):
    leave_unfinished(file, "moon", minutes_ago=0)
    with pytest.raises(DataError, match="Another import into moon is under way"):
        import_file(file, "moon", "felm")
    assert Response.objects.count() == ROWS


def test_an_import_that_was_taken_for_dead_does_not_go_on(file):
    def declare_dead(written: int, total: int) -> None:
        Import.objects.update(abandoned=True)

    with pytest.raises(DataError, match="stood still for so long that another took its place"):
        import_file(file, "moon", "felm", progress=declare_dead)


def test_a_file_that_changes_while_it_is_read_is_refused(file):
    write_rows(file, *(felm_row(str(n)) for n in range(2 * CHUNK)))

    def change(written: int, total: int) -> None:
        # As long as before, so that the reader finds whole lines.
        file.write_text(file.read_text().replace("made of rock", "made of clay"))

    with pytest.raises(DataError, match="changed while it was read"):
        import_file(file, "moon", "felm", progress=change)
    assert not Dataset.objects.exists()
