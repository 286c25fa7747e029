"""A run's manifest: all that is needed to repeat it, and neither secrets nor paths of a machine."""

import hashlib
import platform
import shutil
import subprocess
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import version
from typing import Any

from django.conf import settings
from django.db import connection

from annotate.grants.endpoints import find_granted
from annotate.models import Dataset, GoldVersion
from evaluators.methods.base import Method
from evaluators.methods.code import describe_method
from evaluators.runs.asking import addresses_of
from evaluators.runs.searching import find_search
from llm.weights import PACKAGES as NEURAL_PACKAGES

PACKAGES = ("celery", "django", "nltk", "numpy", "openai", "rank-bm25")


def describe(
    dataset: Dataset,
    content_hash: str,
    responses: int,
    method: Method,
    model: str,
    parameters: dict[str, Any],
    templates: dict[str, str],
    weights: dict[str, str],
) -> dict[str, Any]:
    """The manifest of a run that begins now over so many responses; templates: the hash of each, by name;
    weights: that of each folder of weights, by parameter.

    Raises EndpointAddressError where the method calls a model and the endpoint's address cannot be used, and as
    `find_search` does.
    """
    others = addresses_of(dataset, parameters) if method.needs_model else {}
    search = find_search(method, parameters, dataset)
    frozen = GoldVersion.objects.filter(dataset=dataset, revision=dataset.gold_revision).first()
    return {
        "dataset": {
            "name": dataset.name,
            "scheme": dataset.scheme,
            "content_hash": content_hash,
            "responses": responses,
        },
        "gold": {"revision": dataset.gold_revision, "version": frozen.name if frozen else None},
        "method": method.name,
        "parameters": parameters,
        "seed": parameters.get("seed"),
        "profile": parameters.get("profile"),
        "model": model or None,
        "endpoint": find_granted(dataset, parameters["endpoint"]).base_url if method.needs_model else None,
        **({"other_models": others} if others else {}),
        "search": search.described if search else None,
        "prompts": {"set": parameters["prompts"], "templates": templates} if templates else None,
        "weights": weights,
        "code": describe_code(),
        "method_code": describe_method(method),
        "packages": {name: version(name) for name in (*PACKAGES, *(NEURAL_PACKAGES if weights else ()))},
        "python": platform.python_version(),
        "database": connection.vendor,
    }


def hash_content(rows: Iterable[tuple[str, str]]) -> str:
    """SHA-256 over the index and content hash of each response, in their order."""
    digest = hashlib.sha256()
    for index, content_hash in rows:
        digest.update(f"{len(index)} {index} {content_hash}\n".encode())
    return digest.hexdigest()


def describe_code() -> dict[str, Any]:
    """The version of Touchstone; commit and whether the checkout had changes are None where git cannot say."""
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())["project"]
    changes = _git("status", "--porcelain", "--untracked-files=no")
    return {
        "version": project["version"],
        "commit": _git("rev-parse", "HEAD"),
        "changed": None if changes is None else bool(changes),
    }


def flatten(manifest: dict[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    """A manifest's entries, those of an entry named "outer inner"."""
    for name, value in manifest.items():
        if isinstance(value, dict):
            yield from flatten(value, f"{path}{name} ")
        else:
            yield f"{path}{name}", "–" if value in (None, "") else value


@cache
def _git(*arguments: str) -> str | None:
    """What a process finds first is of the code that it has loaded."""
    git = shutil.which("git")
    if git is None or not (settings.BASE_DIR / ".git").exists():
        return None
    answer = subprocess.run([git, *arguments], cwd=settings.BASE_DIR, capture_output=True, text=True)  # noqa: S603
    return answer.stdout.strip() if answer.returncode == 0 else None
