"""Taking in a set of prompt templates: a zip or text files, checked as a whole, stored as a version."""

import zipfile
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import IO

from django.db import IntegrityError
from django.db.models import Max

from annotate.models import Dataset, PromptSet, User
from annotate.models.prompt_set import NAME
from annotate.prompt_sets.placeholders import placeholders_of
from annotate.prompt_sets.sets import SUFFIX, hash_templates, is_on_server
from core.errors import RowError
from core.zips import BROKEN_ZIP, opened_zip
from llm.templates import PromptError, parse_template

LARGEST_TEMPLATE = 1_000_000  # bytes
MOST_TEMPLATES = 200


def store_set(dataset: Dataset | None, name: str, files: Iterable[tuple[str, IO[bytes]]], by: User | None) -> PromptSet:
    """The dataset's set of this name with these files (their names and contents), a new version unless it is there
    already. dataset None: shared with every dataset.

    Files are templates (`felm_segment.txt`) or zips of them; folders in a zip do not count. Raises PromptError, with
    nothing stored, where one of them is no template.
    """
    templates = _check_all(_read_all(files))
    _check_name(name)
    return store_templates(dataset, name, templates, by)


def store_templates(dataset: Dataset | None, name: str, templates: dict[str, str], by: User | None) -> PromptSet:
    """A version of the set with these templates, or the one that has them already. Raises PromptError."""
    content_hash = hash_templates(templates)
    versions = PromptSet.objects.filter(dataset=dataset, name=name)
    newest = versions.aggregate(newest=Max("version"))["newest"] or 0
    new = {"version": newest + 1, "templates": templates, "uploaded_by": by}
    try:
        stored, _ = PromptSet.objects.get_or_create(dataset=dataset, name=name, hash=content_hash, defaults=new)
    except IntegrityError:
        raise PromptError(f"{name} was uploaded by somebody else at the same time: try again.") from None
    return stored


def _check_name(name: str) -> None:
    if not NAME.fullmatch(name) or len(name) > PromptSet._meta.get_field("name").max_length:  # type: ignore[operator]
        raise PromptError("A prompt set's name is made of small letters, digits and hyphens, at most 60.")
    if is_on_server(name):
        raise PromptError(f"{name} is a set of the server: give this one another name.")


def _check_all(texts: Iterable[tuple[str, bytes]]) -> dict[str, str]:
    templates: dict[str, str] = {}
    for place, content in texts:
        name = PurePosixPath(place).stem
        if name in templates:
            raise PromptError(f"The template {name} is there twice.")
        if len(templates) == MOST_TEMPLATES:
            raise PromptError(f"A set has at most {MOST_TEMPLATES} templates.")
        templates[name] = _check(place, content)
    if not templates:
        raise PromptError("The files contain no template: a template is a text file such as felm_segment.txt.")
    return templates


def _check(place: str, content: bytes) -> str:
    """The template's text."""
    if len(content) > LARGEST_TEMPLATE:
        raise PromptError(f"{place} is larger than {LARGEST_TEMPLATE:,} bytes.")
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise PromptError(f"{place} is not UTF-8 text.") from None
    if "\x00" in text:
        raise PromptError(f"{place} holds a NUL character, which no database can store.")
    parse_template(text, place, placeholders_of(PurePosixPath(place).stem))
    return text


def _read_all(files: Iterable[tuple[str, IO[bytes]]]) -> Iterator[tuple[str, bytes]]:
    """Name and content of each file, those of a zip among them, never more of one than may be stored."""
    for name, file in files:
        if zipfile.is_zipfile(file):
            yield from _read_zip(name, file)
        elif name.endswith(SUFFIX):
            file.seek(0)
            yield name, file.read(LARGEST_TEMPLATE + 1)
        else:
            raise PromptError(f"{name} is neither a zip nor a text file ({SUFFIX}).")


def _read_zip(name: str, file: IO[bytes]) -> Iterator[tuple[str, bytes]]:
    try:
        with opened_zip(file) as (packed, entries):
            for entry in entries:
                if entry.filename.endswith(SUFFIX) and not entry.filename.startswith("__MACOSX/"):
                    with packed.open(entry) as content:
                        yield f"{name}/{entry.filename}", content.read(LARGEST_TEMPLATE + 1)
    except (*BROKEN_ZIP, RowError, OSError) as error:
        raise PromptError(f"{name} cannot be unpacked: {error}.") from None
