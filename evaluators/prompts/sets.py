"""The sets of prompt templates that a dataset may name: its own, and those that are shared with every dataset.

Shared are the project's own set, those in the folder PROMPTS_DIR, and uploads that an administrator shared. The
parameter `prompts` names a set: the dataset's own of that name, else the shared one, and never another dataset's. The
name of an uploaded set alone means its newest version; `name@hash` (the first characters of the hash) is one version
for good. In a folder a set is a folder, and a template a file of it.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from django.conf import settings
from django.db.models import Q

from annotate.models import Dataset
from evaluators.models import PromptSet
from evaluators.models.prompt_set import HASH_SHOWN
from llm.templates import PromptError

PROJECT = Path(__file__).resolve().parent


@dataclass(frozen=True)
class TemplateSet:
    """name: as the parameter `prompts` names it. templates: name to text. version: of an uploaded set, else None."""

    name: str
    origin: str
    templates: Mapping[str, str]
    version: int | None = None

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
    return [*_sets_in_folders(), *(_uploaded(stored) for stored in stored_sets)]


def find_set(dataset: Dataset | None, name: str) -> TemplateSet:
    """The set that the name means now in the dataset; None: among the shared ones. Raises PromptError where there is
    none."""
    own = _find_upload(name, dataset=dataset) if dataset else None
    there = own or next((there for there in _sets_in_folders() if there.name == name), None)
    found = there or _find_upload(name, dataset=None)
    if found is None:
        raise PromptError(f"There is no prompt set {name!r}.")
    return found


def _find_upload(name: str, dataset: Dataset | None) -> TemplateSet | None:
    """The dataset's own upload that the name means; None as dataset: a shared one."""
    plain, at, version = name.partition("@")
    stored = PromptSet.objects.filter(dataset=dataset, name=plain, hash__startswith=version).first()
    return None if stored is None or (at and len(version) != HASH_SHOWN) else _uploaded(stored)


def is_in_folder(name: str) -> bool:
    """Whether a folder of the server holds a set of this name."""
    return any(there.name == name for there in _sets_in_folders())


def _sets_in_folders() -> list[TemplateSet]:
    """A set in PROMPTS_DIR with the name of one of the project's is not reached by that name: the project's is."""
    template_sets = [_read_folder(path, "project") for path in _folders(PROJECT)]
    if settings.PROMPTS_DIR is not None:
        taken = {there.name for there in template_sets}
        template_sets += [
            _read_folder(path, "folder") for path in _folders(settings.PROMPTS_DIR) if path.name not in taken
        ]
    return template_sets


def _folders(parent: Path) -> list[Path]:
    return sorted(path for path in parent.iterdir() if path.is_dir() and any(path.glob("*.txt")))


def _read_folder(folder: Path, origin: str) -> TemplateSet:
    return TemplateSet(folder.name, origin, {path.stem: _read(path) for path in sorted(folder.glob("*.txt"))})


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise PromptError(f"{path.parent.name}/{path.name} is not UTF-8 text.") from None


def _uploaded(stored: PromptSet) -> TemplateSet:
    origin = "uploaded" if stored.dataset_id else "shared"
    return TemplateSet(str(stored), origin, stored.templates, stored.version)
