"""Files that are served as one are what their parts are by now."""

from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.files.storage import FileSystemStorage

from config.bundles import BundleFinder


@pytest.fixture
def parts(tmp_path: Path, settings, monkeypatch) -> Path:
    settings.STATICFILES_DIRS = [tmp_path]
    settings.BUNDLES = {"js/both.js": ["one.js", "two.js"]}
    monkeypatch.setattr(BundleFinder, "storage", FileSystemStorage(location=tmp_path / "bundles"))
    (tmp_path / "one.js").write_text("one();")
    (tmp_path / "two.js").write_text("two();\n")
    return tmp_path


def test_the_parts_stand_one_after_the_other(parts):
    assert Path(BundleFinder().find("js/both.js")).read_text() == "one();\ntwo();\n"


def test_a_part_that_changes_changes_the_whole(parts):
    BundleFinder().find("js/both.js")
    (parts / "one.js").write_text("first();")
    assert Path(BundleFinder().find("js/both.js")).read_text() == "first();\ntwo();\n"


def test_it_finds_nothing_else(parts):
    assert BundleFinder().find("one.js") == []


def test_what_is_listed_can_be_collected(parts):
    collected = {path: storage.open(path).read() for path, storage in BundleFinder().list([])}
    assert collected == {"js/both.js": b"one();\ntwo();\n"}


def test_the_workbench_has_all_of_its_parts():
    script = Path(finders.find("js/labelling.js")).read_text()
    assert script.index("const draft =") < script.index("const saving =") < script.index("window.workbench =")
