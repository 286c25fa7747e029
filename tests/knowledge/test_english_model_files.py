"""spaCy's English model is Explosion's own, file by file, and no code of its package runs."""

import base64
import hashlib
import json
import pickletools
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from knowledge.english_model_files import EXPECTED, ModelFilesError, check_files, model_folder
from tests.config.test_start import ROOT

# As the RECORD of an installation of Explosion's wheel lists pip's note of where it came from.
NOTE = "HhsKgS2scrKAYDL_O5XfjJ1PQjCQR-xoIeFUMTsqqG0"
PUBLISHED = "1932429db727d4bff3deed6b34cfc05df17794f4a52eeb26cf8928f7c1a0fb85"  # Explosion's `checksum_whl`
ADDRESS = (
    "https://github.com/explosion/spacy-models/releases/download/"
    "en_core_web_sm-3.8.0/en_core_web_sm-3.8.0-py3-none-any.whl"
)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(model_folder(), tmp_path / "model"))


def test_the_record_is_that_of_the_wheel_whose_hash_explosion_publish() -> None:
    archive = {"hash": f"sha256={PUBLISHED}", "hashes": {"sha256": PUBLISHED}}
    note = json.dumps({"archive_info": archive, "url": ADDRESS})
    assert base64.urlsafe_b64encode(hashlib.sha256(note.encode()).digest()).decode().rstrip("=") == NOTE


def test_the_installed_model_is_as_it_should_be(copy: Path) -> None:
    check_files(copy)
    assert len(EXPECTED.read_text().splitlines()) == 24


@pytest.mark.parametrize("name", ["ner/model", "config.cfg", "meta.json"])
def test_a_file_with_another_bit_is_refused(copy: Path, name: str) -> None:
    content = bytearray((copy / name).read_bytes())
    content[-1] ^= 1
    (copy / name).write_bytes(content)
    with pytest.raises(ModelFilesError, match=name):
        check_files(copy)


def test_a_missing_and_a_further_file_are_refused(copy: Path) -> None:
    (copy / "vocab" / "hook.py").write_text("")
    with pytest.raises(ModelFilesError, match=r"vocab/hook\.py .* is new"):
        check_files(copy)
    (copy / "vocab" / "hook.py").unlink()
    (copy / "ner" / "moves").unlink()
    with pytest.raises(ModelFilesError, match=r"ner/moves .* is missing"):
        check_files(copy)


def test_nothing_in_the_model_is_a_pickle_or_code(copy: Path) -> None:
    """Weights are msgpack and plain arrays. A pickle ends in its opcode STOP and reads as opcodes to there."""
    for path in copy.rglob("*"):
        if path.is_file():
            assert path.suffix in ("", ".json", ".cfg", ".bin", ".md")
            with pytest.raises(ValueError, match=r"."):
                list(pickletools.genops(path.read_bytes() + b"?"))


def test_no_code_of_the_package_runs() -> None:
    code = (
        "import sys, django; django.setup(); "
        "from factor.applicability.error_types import applicable_types; "
        "print(applicable_types('Anna sings in Rome.')); "
        "print([name for name in sys.modules if name.startswith('en_core')])"
    )
    environment = {"DJANGO_SETTINGS_MODULE": "tests.settings", "PATH": ""}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.stdout.splitlines()[1:] == ["[]"], done.stderr
    assert "Rome" in done.stdout
