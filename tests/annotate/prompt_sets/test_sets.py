"""Where sets of prompts come from: the project, a folder, an upload."""

import io
import zipfile

import pytest

from annotate.models import PromptSet
from annotate.prompt_sets.sets import all_sets, find_set
from annotate.prompt_sets.upload import store_set
from llm.templates import PromptError
from tests.zips import damaged_zip

pytestmark = pytest.mark.django_db

WELL = b"== user\nWell?"


def zipped(**files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(f"folder/{name}.txt", content)
        archive.writestr("folder/README.md", "Not a template.")
    return packed


def upload(name="felm-paper", **files):
    return store_set(None, name, [(f"{stem}.txt", io.BytesIO(content)) for stem, content in files.items()], None)


def test_the_projects_own_set_is_there():
    own = find_set(None, "touchstone")
    assert own.origin == "project"
    assert "felm_segment" in own.templates


def test_a_set_in_the_folder_is_found_by_the_name_of_its_folder(tmp_path, settings):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "ask.txt").write_text("== user\nWell?")
    (tmp_path / "touchstone").mkdir()
    (tmp_path / "touchstone" / "ask.txt").write_text("== user\nWell?")
    settings.PROMPTS_DIR = tmp_path

    assert [(each.name, each.origin) for each in all_sets(None)] == [("touchstone", "project"), ("mine", "folder")]
    assert find_set(None, "mine").templates == {"ask": "== user\nWell?"}
    assert "felm_segment" in find_set(None, "touchstone").templates


def test_every_change_of_an_upload_is_a_version_and_each_can_still_be_named():
    first, second = upload(ask=WELL), upload(ask=b"== user\nWell, well?")

    assert (first.version, second.version) == (1, 2)
    assert find_set(None, "felm-paper").name == str(second)
    assert find_set(None, str(first)).templates == {"ask": WELL.decode()}


def test_the_same_upload_again_is_the_same_version():
    assert upload(ask=WELL) == upload(ask=WELL)
    assert PromptSet.objects.count() == 1


def test_a_zip_is_unpacked_and_what_is_no_text_file_is_left():
    stored = store_set(None, "mine", [("set.zip", zipped(ask=WELL, tell=WELL))], None)
    assert stored.templates == {"ask": WELL.decode(), "tell": WELL.decode()}


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        ({"ask": b"Hello"}, "ask.txt must begin with a line that names a turn"),
        ({"ask": b"== user\n\xff"}, "ask.txt is not UTF-8"),
        ({"ask": b"== user\n\x00"}, "NUL"),
        ({"ask": b"== user\n" + b"x" * 1_000_000}, "larger than"),
        ({}, "contain no template"),
    ],
)
def test_an_upload_that_is_no_set_stores_nothing(files, complaint):
    with pytest.raises(PromptError, match=complaint):
        upload(**files)
    assert not PromptSet.objects.exists()


@pytest.mark.parametrize("name", ["", "Mine", "a b", "mine@1", "touchstone", "x" * 61])
def test_a_name_that_cannot_be_told_from_others_is_refused(name):
    with pytest.raises(PromptError, match="name"):
        upload(name, ask=WELL)


def test_a_zip_that_is_broken_is_refused():
    packed = zipped(ask=WELL).getvalue()
    with pytest.raises(PromptError, match="cannot be unpacked"):
        store_set(None, "mine", [("set.zip", io.BytesIO(packed.replace(b"Well?", b"Will?")))], None)


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip_whose_packed_bytes_are_damaged_is_refused(method):
    with pytest.raises(PromptError, match=r"set\.zip cannot be unpacked"):
        store_set(None, "mine", [("set.zip", io.BytesIO(damaged_zip("ask.txt", method)))], None)


@pytest.mark.parametrize("name", ["nobody", "felm-paper@", "felm-paper@123", "felm-paper@" + "0" * 12])
def test_a_set_that_is_not_there_is_an_error(name):
    upload(ask=WELL)
    with pytest.raises(PromptError, match="There is no prompt set"):
        find_set(None, name)
