"""The sets of prompt templates that a dataset may name: its own, and those that are shared with every dataset.

Shared are the project's own set, those that packages bring (an entry point of the group `touchstone.prompts` that names
a package with templates as its data), those in the folder PROMPTS_DIR, and uploads that an administrator shared. The
parameter `prompts` names a set: the dataset's own of that name, else the shared one, and never another dataset's. The
name of an uploaded set alone means its newest version; `name@hash` (the first characters of the hash) is one version
for good. In a folder a set is a folder, and a template a file of it.
"""

import hashlib
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from django.conf import settings
from django.db.models import Q

from annotate.models import Dataset, PromptSet
from annotate.models.prompt_set import HASH_SHOWN, PROJECT_SET
from annotate.prompt_sets.placeholders import placeholders_of
from core.plug_ins import ANY_FAULT, said_by
from llm.templates import PromptError, parse_template

GROUP = "touchstone.prompts"
SUFFIX = ".txt"
PROJECT = Path(__file__).resolve().parent


@dataclass(frozen=True)
class TemplateSet:
    """name: as the parameter `prompts` names it. templates: name to text. version: of an uploaded set, else None.
    package: of one of a package; fault: why that package's templates cannot be read, and there are none."""

    name: str
    origin: str
    templates: Mapping[str, str]
    version: int | None = None
    package: str = ""
    fault: str = ""

    @cached_property
    def hash(self) -> str:
        return hash_templates(self.templates)

    @property
    def title(self) -> str:
        if self.version is None:
            return self.name
        shared = ", shared" if self.origin == "shared" else ""
        return f"{self.name.partition('@')[0]}, version {self.version}{shared}"


def hash_templates(templates: Mapping[str, str]) -> str:
    """SHA-256, in hexadecimal, over the names and texts in any order."""
    return hashlib.sha256(json.dumps(dict(templates), sort_keys=True, ensure_ascii=True).encode("ascii")).hexdigest()


def all_sets(dataset: Dataset | None) -> list[TemplateSet]:
    """Every set that the dataset may name: the project's, the folder's, then every version of uploaded ones, the newest
    first. None: the shared ones."""
    stored_sets = PromptSet.objects.filter(Q(dataset=None) | Q(dataset=dataset))
    return [*_sets_on_server(), *(_uploaded(stored) for stored in stored_sets)]


def set_choices(dataset: Dataset) -> list[tuple[str, str]]:
    """Name and title of every set that the dataset may name, for a form."""
    return [(each.name, each.title) for each in all_sets(dataset)]


def find_set(dataset: Dataset | None, name: str) -> TemplateSet:
    """The set that the name means now in the dataset; None: among the shared ones. Raises PromptError where there is
    none."""
    own = _find_upload(name, dataset=dataset) if dataset else None
    there = own or next((there for there in _sets_on_server() if there.name == name), None)
    found = there or _find_upload(name, dataset=None)
    if found is None:
        raise PromptError(f"There is no prompt set {name!r}.")
    if found.fault:
        raise PromptError(found.fault)
    return found


def _find_upload(name: str, dataset: Dataset | None) -> TemplateSet | None:
    """The dataset's own upload that the name means; None as dataset: a shared one."""
    plain, at, version = name.partition("@")
    stored = PromptSet.objects.filter(dataset=dataset, name=plain, hash__startswith=version).first()
    return None if stored is None or (at and len(version) != HASH_SHOWN) else _uploaded(stored)


def is_on_server(name: str) -> bool:
    """Whether the project, a package or a folder of the server holds a set of this name."""
    return any(there.name == name for there in _sets_on_server())


def server_faults() -> list[str]:
    """Why sets of packages and of PROMPTS_DIR cannot be read, a sentence each."""
    try:
        return [there.fault for there in _sets_on_server() if there.fault]
    except PromptError as error:
        return [str(error)]


def _sets_on_server() -> list[TemplateSet]:
    """Of several with one name the project's is reached by it, else the package's, else the folder's."""
    template_sets = [_read_folder(path, "project") for path in _folders(PROJECT)]
    brought = [_read_package(entry) for entry in _entries(tuple(sys.path))]
    template_sets += [each for each in brought if each.name != PROJECT_SET]
    if settings.PROMPTS_DIR is not None:
        taken = {there.name for there in template_sets}
        template_sets += [
            _read_folder(path, "folder") for path in _folders(settings.PROMPTS_DIR) if path.name not in taken
        ]
    return template_sets


def _folders(parent: Path) -> list[Path]:
    return sorted(path for path in parent.iterdir() if path.is_dir() and any(path.glob(f"*{SUFFIX}")))


def _read_folder(folder: Path, origin: str) -> TemplateSet:
    return TemplateSet(folder.name, origin, {path.stem: _read(path) for path in sorted(folder.glob(f"*{SUFFIX}"))})


@cache
def _entries(path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """Those of packages on this path, which takes 20 ms to look through."""
    return tuple(sorted(entry_points(group=GROUP), key=lambda entry: entry.name))


def _read_package(entry: EntryPoint) -> TemplateSet:
    """The texts among the data of the package that the entry point names."""
    package = entry.dist.name if entry.dist else entry.value
    try:
        found = {file.name: file for file in resources.files(entry.value).iterdir() if file.name.endswith(SUFFIX)}
        texts = {name.removesuffix(SUFFIX): found[name].read_text(encoding="utf-8") for name in sorted(found)}
        for name, text in texts.items():
            parse_template(text, f"{entry.name}/{name}{SUFFIX}", placeholders_of(name))
    except ANY_FAULT as error:
        fault = f"The prompt set {entry.name} of the package {package} failed with {said_by(error)}"
        return TemplateSet(entry.name, "package", {}, package=package, fault=fault)
    return TemplateSet(entry.name, "package", texts, package=package)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise PromptError(f"{path.parent.name}/{path.name} is not UTF-8 text.") from None


def _uploaded(stored: PromptSet) -> TemplateSet:
    origin = "uploaded" if stored.dataset_id else "shared"
    return TemplateSet(str(stored), origin, stored.templates, stored.version)
