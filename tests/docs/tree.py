"""The files of the project, without what a machine adds to it: environments, caches, data."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"
ADDED = {"var", "node_modules", "__pycache__"}


def files(*suffixes: str) -> list[Path]:
    """Those that end so, in order."""
    folders = [path for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")]
    found = [path for path in ROOT.iterdir() if path.is_file()]
    for folder in folders:
        if folder.name not in ADDED:
            found += [path for path in folder.rglob("*") if ADDED.isdisjoint(path.parts)]
    return sorted(path for path in found if path.suffix in suffixes and path.is_file())


def folder(package: Path) -> str:
    """As the docs name it."""
    return package.relative_to(ROOT).as_posix()
