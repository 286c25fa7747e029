"""Files that are served as one are what their parts are by now."""

from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.files.storage import FileSystemStorage

from config.bundles import BundleFinder


@pytest.fixture
def parts(tmp_path: Path, settings, monkeypatch) -> Path:
    settings.STATICFILES_DIRS = [tmp_path]
    settings.BUNDLES = {"css/both.css": ["one.css", "two.css"], "js/both.js": ["one.js", "two.js"]}
    monkeypatch.setattr(BundleFinder, "storage", FileSystemStorage(location=tmp_path / "bundles"))
    for name, text in {"one.css": "a {}", "two.css": "b {}\n", "one.js": "one();", "two.js": "two();"}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_the_parts_stand_one_after_the_other(parts):
    assert Path(BundleFinder().find("css/both.css")).read_text() == "a {}\nb {}\n"


def test_scripts_stand_in_a_function_that_can_be_called_again(parts):
    assert Path(BundleFinder().find("js/both.js")).read_text() == "const both = () => {\none();\ntwo();\n};\nboth();\n"


def test_a_part_that_changes_changes_the_whole(parts):
    BundleFinder().find("css/both.css")
    (parts / "one.css").write_text("i {}")
    assert Path(BundleFinder().find("css/both.css")).read_text() == "i {}\nb {}\n"


def test_it_finds_nothing_else(parts):
    assert BundleFinder().find("one.js") == []


def test_what_is_listed_can_be_collected(parts):
    collected = {path: storage.open(path).read() for path, storage in BundleFinder().list([])}
    assert collected["css/both.css"] == b"a {}\nb {}\n"
    assert collected.keys() == {"css/both.css", "js/both.js"}


def test_the_workbench_has_all_of_its_parts():
    script = Path(finders.find("js/labelling.js")).read_text()
    assert script.index("const draft =") < script.index("const saving =") < script.index("window.workbench =")
