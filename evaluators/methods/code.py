"""The code of a method, as a run's manifest names it: its package, version and a hash of its modules."""

import ast
import hashlib
import importlib.util
from collections.abc import Iterator
from functools import lru_cache, partial
from importlib.metadata import Distribution, entry_points
from pathlib import Path

from evaluators.methods.base import Method
from evaluators.methods.outside import GROUP

OURS = "evaluators.methods"


def describe_method(method: Method) -> dict[str, str | None]:
    """package, version: of the distribution that brings the method, None for one of the project. hash: SHA-256, in
    hexadecimal, over the module of its `build` and all modules of the same package that it imports, at any remove; None
    where there is no source."""
    module, root = _module_of(method)
    package = _package_of(root)
    return {
        "package": package.name if package else None,
        "version": package.version if package else None,
        "hash": _hash_modules(module, root),
    }


def called(method: Method) -> str:
    """The method in a message, with the package that brings it: "The plug-in x of the package y"."""
    package = _package_of(_module_of(method)[1])
    return f"The plug-in {method.name} of the package {package.name}" if package else f"The method {method.name}"


def _module_of(method: Method) -> tuple[str, str]:
    """The module of its `build`, and the package by which the modules that belong to it begin."""
    build = method.build
    while isinstance(build, partial):
        build = build.func
    module = build.__module__
    return module, OURS if module.startswith(f"{OURS}.") else module.partition(".")[0]


def _package_of(root: str) -> Distribution | None:
    entries = (entry for entry in entry_points(group=GROUP) if entry.module.partition(".")[0] == root)
    return next((entry.dist for entry in entries), None)


def _hash_modules(module: str, root: str) -> str | None:
    sources: dict[str, bytes] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = _source_of(name)
        if name not in sources and path is not None:
            sources[name] = path.read_bytes()
            waiting += [each for each in _imported(sources[name], name, path) if each.startswith(f"{root}.")]
    if not sources:
        return None
    digest = hashlib.sha256()
    for name in sorted(sources):
        digest.update(f"{name} {len(sources[name])}\n".encode() + sources[name])
    return digest.hexdigest()


@lru_cache(maxsize=1_000)
def _imported(source: bytes, module: str, path: Path) -> tuple[str, ...]:
    """Names of modules, and of what is imported from modules, wherever in the source an import stands."""
    return tuple(_imports(source, module, path))


def _imports(source: bytes, module: str, path: Path) -> Iterator[str]:
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            name = "." * node.level + (node.module or "")
            base = importlib.util.resolve_name(name, package) if node.level else name
            yield from (base, *(f"{base}.{alias.name}" for alias in node.names))


def _source_of(module: str) -> Path | None:
    """The file of the module; None where the name is of no module, or it has no file with source."""
    try:
        spec = importlib.util.find_spec(module)
    except (ModuleNotFoundError, ValueError):
        return None
    path = Path(spec.origin) if spec and spec.origin else None
    return path if path is not None and path.suffix == ".py" and path.is_file() else None
