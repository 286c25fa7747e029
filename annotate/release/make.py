"""A gold version as a dataset that others can load: the files of a release, in a folder or in one zip file."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from annotate.export.claims import claim_lines
from annotate.export.factscore import factscore_lines
from annotate.export.felm import felm_lines
from annotate.models import GoldVersion, Scheme
from annotate.release.archive import pack
from annotate.release.card import write_card
from annotate.release.contents import Frozen
from annotate.release.counts import Counts
from annotate.release.croissant import describe_release
from annotate.release.licence import check_licence
from annotate.release.people import guideline_of
from annotate.release.tables import write_tables
from core.errors import DataError

CARD, CROISSANT, GUIDELINES = "README.md", "croissant.json", "GUIDELINES.md"

Progress = Callable[[int, int], None]


def release_to(
    target: Path,
    version: GoldVersion,
    licence: str = "",
    names: bool = False,
    progress: Progress = lambda *_: None,
    known: bool = False,
) -> None:
    """Write the release: one zip file where the target ends in .zip, else a folder that must not be there yet.

    It is put in its place when it is whole. known: whether it holds the responses of qualification and controls.
    DataError: it cannot be written there. The same version and choices give the same bytes, while the same responses
    are those of qualification and controls.
    """
    licence = check_licence(licence)
    if target.exists() and (target.is_dir() or target.suffix != ".zip"):
        raise DataError(f"{target} already exists: use a new folder, or a file that ends in .zip.")
    try:
        with TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as workspace:
            folder = Path(workspace, "release")
            folder.mkdir()
            files = _write_files(folder, Frozen(version, with_known=known), licence, names, progress)
            if target.suffix == ".zip":
                part = Path(workspace, "release.zip")
                pack(folder, files, part)
                part.replace(target)
            else:
                shutil.move(folder, target)
    except OSError as error:
        raise DataError(f"{target} cannot be written: {error.strerror}.") from None


def _write_files(folder: Path, frozen: Frozen, licence: str, names: bool, progress: Progress) -> list[str]:
    """Write everything into the folder; the names of the files, the card first."""
    counts, total = Counts(frozen.dataset.scheme), frozen.visible().count()
    progress(0, total)
    write_tables(frozen, folder, counts, lambda written: progress(written, total))
    files = [f"{name}.{kind}" for name in ("units", "responses") for kind in ("parquet", "csv")]
    files += list(_write_lines(folder, frozen))
    guideline = guideline_of(frozen.version)
    if guideline is not None:
        (folder / GUIDELINES).write_text(f"{guideline.text}\n", encoding="utf-8", newline="")
        files.append(GUIDELINES)
    card = write_card(frozen, counts, [*files, CROISSANT], licence, names)
    (folder / CARD).write_text(f"{card}\n", encoding="utf-8", newline="")
    described = describe_release(frozen, folder, [CARD, *files], licence)
    (folder / CROISSANT).write_text(json.dumps(described, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return [CARD, CROISSANT, *files]


def _write_lines(folder: Path, frozen: Frozen) -> Iterator[str]:
    """The scheme's published format: FELM's rows in one file, FActScore's in one a subject model; or claims with their
    passages."""
    if frozen.dataset.scheme == Scheme.CLAIMS:
        yield _write(folder, "claims.jsonl", claim_lines(frozen.settled()))
        return
    if frozen.dataset.scheme == Scheme.FELM:
        yield _write(folder, "felm.jsonl", felm_lines(frozen.settled(), lambda *_: None))
        return
    taken: set[str] = set()
    for subject in frozen.subjects():
        name = _file_name(subject, taken)
        yield _write(folder, name, factscore_lines(frozen.settled(subject), lambda *_: None))


def _write(folder: Path, name: str, lines: Iterator[str]) -> str:
    with (folder / name).open("w", encoding="utf-8", newline="") as file:
        file.writelines(f"{line}\n" for line in lines)
    return name


def _file_name(subject: str, taken: set[str]) -> str:
    """A name that every file system takes, and no other subject has."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", subject).strip("-.") or "subject"
    name, number = f"factscore-{plain}.jsonl", 1
    while name.casefold() in taken:
        number += 1
        name = f"factscore-{plain}-{number}.jsonl"
    taken.add(name.casefold())
    return name
