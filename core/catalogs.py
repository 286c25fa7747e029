"""Catalogs of translations: `locale/LANGUAGE/LC_MESSAGES/*.po`, which people edit, together are one `django.mo`, which
Django reads. That file is made where it is missing or older: at a start from a checkout, and when an image is built."""

import os
from pathlib import Path

LOCALE = Path(__file__).resolve().parent.parent / "locale"
COMPILED = "django.mo"


def compile_catalogs(locale: Path = LOCALE) -> list[Path]:
    """The files that were made. A folder that may not be written is left as it is."""
    stale = [folder for folder in sorted(locale.glob("*/LC_MESSAGES")) if is_stale(folder)]
    return [_compile(folder) for folder in stale if os.access(folder, os.W_OK)]


def is_stale(folder: Path) -> bool:
    sources = [source.stat().st_mtime for source in folder.glob("*.po")]
    made = folder / COMPILED
    return bool(sources) and (not made.exists() or made.stat().st_mtime < max(sources))


def _compile(folder: Path) -> Path:
    import polib  # only where something has changed: it is not needed at other starts

    whole = polib.POFile()
    for source in sorted(folder.glob("*.po")):
        part = polib.pofile(source)
        whole.metadata = part.metadata
        whole.extend(part.translated_entries())
    made = folder / COMPILED
    # Processes start beside each other: each writes its own file and puts it in place at once.
    begun = made.with_suffix(f".{os.getpid()}")
    whole.save_as_mofile(str(begun))
    begun.replace(made)
    return made


if __name__ == "__main__":
    compile_catalogs()
