"""The workbench's form: each address has its own four fields, with or without a script."""

from collections.abc import Iterable, Mapping

from annotate.labels.judgement import Judgement, Reference
from annotate.labels.units import Reading
from annotate.models import Value


class FormError(ValueError):
    """A form that no page of ours has sent."""


def read_entries(posted: Mapping[str, str], readings: Iterable[Reading]) -> dict[str, Judgement]:
    """What the form holds at each address of the task, by draft key."""
    return {unit.key: _read_entry(posted, unit.key) for reading in readings for unit in reading.units()}


def read_version(posted: Mapping[str, str]) -> int:
    """The version of the draft that the page had seen."""
    version = posted.get("version", "")
    if not version.isascii() or not version.isdigit() or len(version) > 9:
        raise FormError("The form does not say which version of the draft it changes.")
    return int(version)


def _read_entry(posted: Mapping[str, str], key: str) -> Judgement:
    value = posted.get(f"value-{key}", "")
    # A type chosen before the value was changed is still in the form; it belongs to errors only.
    error_type = posted.get(f"type-{key}", "") if value in ("", Value.NOT_SUPPORTED) else ""
    return Judgement(
        value=value,
        error_type=error_type,
        # Browsers send line ends as carriage return and line feed.
        reason=posted.get(f"reason-{key}", "").replace("\r\n", "\n").strip(),
        references=tuple(
            Reference(line.strip()) for line in posted.get(f"references-{key}", "").splitlines() if line.strip()
        ),
    )
