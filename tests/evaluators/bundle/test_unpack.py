"""Files that are no results bundle, and what is said of them; nothing of any is kept."""

import json
import re
import stat
import subprocess
import sys
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import pytest

from core.errors import DataError
from evaluators.bundle.contents import ALWAYS
from evaluators.bundle.export import export_results
from evaluators.bundle.run_lines import hash_lines
from evaluators.bundle.take_in import import_results
from evaluators.bundle.unpack import unpacked
from evaluators.models import Evaluator
from evaluators.reproduction.measure import scratch_database
from tests.config.test_start import ROOT, kept
from tests.evaluators.bundle.lab import add_outside_run, make_lab

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def good(tmp_path_factory, django_db_setup, django_db_blocker):
    """A bundle's files by name."""
    folder = tmp_path_factory.mktemp("lab")
    with django_db_blocker.unblock(), scratch_database():
        dataset = make_lab(folder)
        add_outside_run(dataset, folder)
        export_results(dataset, folder / "good.zip")
    with ZipFile(folder / "good.zip") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(files, path, method=ZIP_DEFLATED):
    with ZipFile(path, "w", method) as archive:
        for entry, content in files.items():
            archive.writestr(entry, content)
    return path


def refused(files, tmp_path, cause):
    with pytest.raises(DataError, match=cause), unpacked(packed(files, tmp_path / "bad.zip")):
        pass


UNPACK = """
import resource, sys
import django
django.setup()
from pathlib import Path
from core.errors import DataError
from evaluators.bundle.unpack import unpacked
from evaluators.bundle.run_rows import read_run
space = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (space + 250_000_000, resource.RLIM_INFINITY))
resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
try:
    with unpacked(Path(sys.argv[1])) as bundle:
        read_run(bundle.runs[0].folder)
except DataError as error:
    print(error)
"""


def refused_in_memory(files, tmp_path, cause):
    """Not packed, which is refused already; in a process that may take 250 MB and 20 seconds beside its libraries."""
    path = packed(files, tmp_path / "bomb.zip", ZIP_STORED)
    environment = {**kept(), "DATA_DIR": str(tmp_path / "data"), "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "-c", UNPACK, str(path)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert re.search(cause, done.stdout), done.stdout


@pytest.mark.parametrize("name", ["/etc/passwd", "../up.json", "runs/../../up.json", "runs/1/x.py", "C:\\up.json"])
def test_a_name_that_leads_elsewhere_is_refused(good, tmp_path, name) -> None:
    refused(good | {name: b"{}"}, tmp_path, "has no file")


def test_a_zip_bomb_is_refused(good, tmp_path) -> None:
    refused(good | {"runs/1/answers.jsonl": b"0" * (11 * 1024**2)}, tmp_path, "far larger")


LISTS = b"[" + b"[]," * 600_000 + b"[]]"

BOMBS = {
    "figures": ({"figures.json": LISTS}, "figures.json makes more than 1,000,000 values in all"),
    "manifests": (
        {f"runs/{number}/manifest.json": b"[" + b"[]," * 10_000 + b"[]]" for number in range(1, 300)},
        "manifest.json makes more than [0-9,]+ values in all",
    ),
    "one line": ({"runs/1/items.jsonl": b"0" * 11_000_000}, "items.jsonl, line 1: longer than 10 MB"),
    "a deep nest": ({"bundle.json": b"[" * 900_000}, "bundle.json makes brackets are nested too deeply"),
}


@pytest.mark.skipif(sys.platform != "linux", reason="the size of the process is read from /proc")
@pytest.mark.parametrize("name", BOMBS)
def test_what_would_take_far_more_memory_than_it_has_bytes_is_refused(good, tmp_path, name) -> None:
    files, cause = BOMBS[name]
    refused_in_memory(good | files, tmp_path, cause)


def test_a_zip_that_lists_too_many_files_is_refused_before_its_list_is_read(tmp_path) -> None:
    path = tmp_path / "many.zip"
    with ZipFile(path, "w") as archive:
        for number in range(6_000):
            archive.writestr(f"runs/{number}/run.json", "")
    with pytest.raises(DataError, match="more than 5000 files"), unpacked(path):
        pass


def test_a_link_is_taken_for_a_file_and_never_followed(good, tmp_path) -> None:
    link = ZipInfo("runs/1/answers.jsonl")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with unpacked(packed(good | {link: "/etc/passwd"}, tmp_path / "linked.zip")) as bundle:
        assert (bundle.runs[0].folder / "answers.jsonl").read_text() == "/etc/passwd"
        assert not (bundle.runs[0].folder / "answers.jsonl").is_symlink()


def test_an_encrypted_entry_is_refused(good, tmp_path) -> None:
    path = packed(good, tmp_path / "bad.zip")
    content = bytearray(path.read_bytes())
    content[content.rindex(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(content)
    with pytest.raises(DataError, match="encrypted"), unpacked(path):
        pass


def test_another_version_of_the_format_is_named(good, tmp_path) -> None:
    index = json.loads(good["bundle.json"]) | {"version": 2}
    refused(good | {"bundle.json": json.dumps(index)}, tmp_path, "version 2; here 'touchstone results', version 1")


def test_a_changed_prediction_is_noticed(good, tmp_path) -> None:
    changed = good["runs/1/predictions.jsonl"].replace(b'"supported"', b'"irrelevant"', 1)
    refused(good | {"runs/1/predictions.jsonl": changed}, tmp_path, "not what its hash says")


@pytest.mark.parametrize("name", ["bundle.json", "figures.json", "runs/1/run.json", "runs/1/manifest.json"])
def test_a_missing_file_is_named(good, tmp_path, name) -> None:
    refused({key: content for key, content in good.items() if key != name}, tmp_path, name.split("/")[-1])


@pytest.mark.parametrize("content", [b"[]", b"{", b"\xff", b'{"a": NaN}', b'{"a": "\\u0000"}', b'{"evaluators": 3}'])
def test_figures_that_are_none_are_refused(good, tmp_path, content) -> None:
    refused(good | {"figures.json": content}, tmp_path, r"figures\.json is no")


def test_nothing_is_written_where_one_row_of_a_run_is_wrong(good, tmp_path) -> None:
    """Somebody made a bundle by hand: its hash is right, an address in it is not."""
    files = good | {"runs/1/predictions.jsonl": good["runs/1/predictions.jsonl"].replace(b'"r5"', b'"r9"')}
    names = [f"runs/1/{name}" for name in ALWAYS]
    lines = {name.split("/")[-1]: iter(files[name].decode().splitlines()) for name in names}
    index = json.loads(good["bundle.json"])
    index["runs"][0]["hash"] = hash_lines(lines)
    path = packed(files | {"bundle.json": json.dumps(index)}, tmp_path / "bad.zip")
    here = make_lab(tmp_path)
    with pytest.raises(DataError, match=r"predictions\.jsonl, line \d+: segment 1 of response 'r9' is not in numbers"):
        import_results(here, path)
    assert not Evaluator.objects.exists()


def test_a_file_that_is_no_zip_is_refused(tmp_path) -> None:
    path = tmp_path / "bad.zip"
    path.write_bytes(b"PK no more")
    with pytest.raises(DataError, match=r"bad\.zip: it is no whole zip file"), unpacked(path):
        pass


def test_a_file_that_is_not_there_is_named(tmp_path) -> None:
    with pytest.raises(DataError, match="no such file"), unpacked(tmp_path / "none.zip"):
        pass
