"""Files that come by the page: checked as they come, imported by a worker once their owner has seen their contents."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.utils import timezone

from annotate.access import role_in
from annotate.corpus.checking import FormatReader, Seen
from annotate.corpus.first_rows import MOST_ROWS, first_rows
from annotate.corpus.formats import mapped_format
from annotate.corpus.importing import ImportResult, import_file
from annotate.corpus.mapped_counts import MappedCounts
from annotate.corpus.mapping import describe_label
from annotate.corpus.recipe import Outcome, Recipe
from annotate.corpus.recipe_parser import parse_recipe, with_meanings
from annotate.corpus.recognise import recognise
from annotate.corpus.refused import EVERY_KIND
from annotate.corpus.released_sentences import REPAIRED
from annotate.corpus.rows import FactRow, ResponseRow
from annotate.corpus.segmenting import segments_of
from annotate.datasets.create import may_create
from annotate.models import Dataset, Import, Membership, Role, Upload, User
from core.errors import RowError
from core.rows.zipped import unzipped
from jobs.enqueue import enqueue
from jobs.work import sweep_expired

# Bytes of a file that is looked through by a worker, not as it comes.
LARGE = 8_000_000
# The number of a file's warnings that are shown, beside their total.
SHOWN_WARNINGS = 50


def may_upload(user: User) -> bool:
    """Whether there is any dataset that the person may make or extend."""
    return (
        may_create(user)
        or Membership.objects.filter(user=user, role=Role.ADJUDICATOR, dataset__in=Dataset.objects.active()).exists()
    )


def adjudicators_of(user: User) -> list[tuple[Dataset, list[str]]]:
    """The datasets that the person is in, with the names of their adjudicators."""
    own = Dataset.objects.active().filter(memberships__user=user)
    adjudicators = Membership.objects.filter(dataset__in=own, role=Role.ADJUDICATOR).select_related("user")
    return [(dataset, [str(each.user) for each in adjudicators if each.dataset_id == dataset.pk]) for dataset in own]


def may_write(user: User, dataset_name: str) -> bool:
    """An adjudicator may extend a dataset; a user who may add datasets may make one under a free name."""
    dataset = Dataset.objects.filter(name=dataset_name).first()
    if dataset is None:
        return may_create(user)
    return dataset.archived_at is None and role_in(user, dataset) == Role.ADJUDICATOR


def receive(
    user: User,
    file: "UploadedFile[bytes]",
    dataset_name: str,
    format: str,
    subject: str = "",
    recipe: Recipe | None = None,
    sentences: str = REPAIRED,
) -> Upload:
    """Keep the file, and look it through; one that has yet to be mapped is only kept. format: "" for that of which the
    file looks. Raises DataError where no row of it can be taken; the file is then not kept."""
    with _kept(user, file, dataset_name, format, subject, sentences) as upload:
        if not format:
            recipe = _recognise(upload)
        if upload.format == Import.Format.MAPPED and recipe is None:
            with opened(upload) as path:
                first_rows(path)
        else:
            _look_through(upload, recipe)
        upload.save()
    if upload.to_check:
        enqueue(upload)
    return upload


@contextmanager
def checked(
    user: User,
    file: "UploadedFile[bytes]",
    dataset_name: str,
    format: str,
    subject: str = "",
    recipe: Recipe | None = None,
    sentences: str = REPAIRED,
    *,
    skip: Collection[str] = (),
) -> Iterator[Upload]:
    """The file in storage, checked, and no row yet: a check may take minutes, and writes nothing that others wait for.

    skip: kinds of rows that cannot be taken and are left out. The file goes again unless the block saves the upload.
    Raises DataError with the faults.
    """
    with _kept(user, file, dataset_name, format, subject, sentences) as upload:
        upload.recipe = recipe and dict(recipe.document)
        check(upload, skip)
        yield upload


@contextmanager
def _kept(
    user: User, file: "UploadedFile[bytes]", dataset_name: str, format: str, subject: str, sentences: str
) -> Iterator[Upload]:
    """The file in storage; it goes again unless the block saves the upload."""
    upload = Upload(
        file_name=(file.name or "")[-255:],
        dataset_name=dataset_name,
        format=format,
        subject=subject,
        sentences=sentences,
        uploaded_by=user,
    )
    upload.file.save(file.name or "file", file, save=False)
    try:
        yield upload
    finally:
        if upload.pk is None:
            upload.delete_file()


def _recognise(upload: Upload) -> Recipe | None:
    """Set its format; the recipe where that is known."""
    with opened(upload) as path:
        upload.format, recipe = recognise(path, upload.dataset_name, upload.subject)
    return recipe


def map_upload(upload: Upload, recipe: Recipe, chosen: Mapping[str, Any], meanings: Mapping[str, str]) -> bool:
    """Look a kept file through by the recipe, which becomes its own; False where it is confirmed already. Raises
    DataError where no row can be taken; the upload is then as it was. chosen: the fields of the form, to be shown there
    again; meanings: of labels that the first rows do not have."""
    upload.preview = {"mapping": dict(chosen), "meanings": dict(meanings)}
    upload.format = Import.Format.MAPPED
    _look_through(upload, recipe)
    fields = {name: getattr(upload, name) for name in ("format", "recipe", "preview", "to_check", "error")}
    is_mapped = bool(Upload.objects.filter(pk=upload.pk, confirmed_at=None).update(**fields))
    if is_mapped and upload.to_check:
        enqueue(upload)
    return is_mapped


def give_meanings(upload: Upload, meanings: Mapping[str, str]) -> bool:
    """As `map_upload`, by the upload's recipe with what further labels mean."""
    before = upload.preview
    recipe = parse_recipe(with_meanings(upload.recipe, meanings))
    return map_upload(upload, recipe, before.get("mapping", {}), {**before.get("meanings", {}), **meanings})


def _look_through(upload: Upload, recipe: Recipe | None) -> None:
    """Check the file by the recipe, and count the rows that cannot be taken. A large one is left to a worker."""
    upload.recipe = recipe and dict(recipe.document)
    upload.error = ""
    upload.to_check = upload.file.size > LARGE
    if not upload.to_check:
        check(upload, (EVERY_KIND,))


@contextmanager
def opened(upload: Upload) -> Iterator[Path]:
    """Its file on this machine's disk, or what a zip packs: a folder or a file. DataError: that is broken."""
    with upload.local_file() as file, unzipped(file) as path:
        yield path


def read_as(
    path: Path, recipe: Recipe, upload: Upload, numbers: Sequence[int]
) -> dict[int, list[dict[str, object]] | str]:
    """By the number of a row what the recipe makes of it: its responses as the preview shows them, or why it cannot be
    read; nothing for a row that is left out, or belongs to one before. numbers: of rows among the first, rising. Raises
    DataError where the file cannot be read so."""
    found: dict[int, list[dict[str, object]] | str] = {}
    for number, row in FormatReader(path, mapped_format(recipe), upload.subject, most=MOST_ROWS):
        if number > numbers[-1]:
            break
        if isinstance(row, RowError):
            found[number] = f"It cannot be read: {row}."
        elif isinstance(responses := found.setdefault(number, []), list):
            responses.append(_preview(row, upload.sentences))
    return found


def check(upload: Upload, skip: Collection[str], seen: Seen | None = None) -> None:
    """Set the preview. Raises DataError with the faults that are not to be skipped."""
    with opened(upload) as path:
        result = import_file(
            path,
            upload.dataset_name,
            upload.format,
            upload.subject,
            dry_run=True,
            recipe=parse_recipe(upload.recipe) if upload.recipe else None,
            sentences=upload.sentences,
            skip=skip,
            seen=seen,
        )
    kept = {name: upload.preview[name] for name in ("mapping", "meanings") if name in upload.preview}
    upload.preview = {**_summary(result, upload.sentences), **kept}


def confirm(upload: Upload) -> None:
    """Enqueue the import of a checked file, or enqueue again one that nobody works on. One that has yet to be mapped
    stays as it is."""
    rows = Upload.objects.filter(pk=upload.pk)
    if upload.is_checked:
        rows.filter(confirmed_at=None).update(confirmed_at=timezone.now())
    elif not upload.to_check:
        return
    sweep_expired(rows)
    if rows.due().exists():
        enqueue(upload)


def discard(upload: Upload) -> bool:
    """Forget a file that is not confirmed; False where it is."""
    if upload.confirmed_at is not None:
        return False
    upload.discard()
    return True


def _summary(result: ImportResult, sentences: str) -> dict[str, object]:
    return {
        "created": result.created,
        "unchanged": result.unchanged,
        "makes_dataset": result.makes_dataset,
        "place": result.place,
        "refused": result.refused.document(),
        "warnings": result.warnings[:SHOWN_WARNINGS],
        "warning_count": len(result.warnings),
        "rows": [_preview(row, sentences) for row in result.preview],
        "mapped": result.mapped and _mapped(result.mapped),
    }


def _mapped(counts: MappedCounts) -> dict[str, object]:
    """The counts, as `shown` [name, count] of each outcome, the most frequent first, and `left_out`."""
    shown = [(Outcome(value).words, count) for value, count in counts.outcomes.most_common()]
    return {**counts.document(), "shown": shown, "left_out": counts.left_out}


def _preview(row: ResponseRow, sentences: str) -> dict[str, object]:
    """A row as the preview shows it: its texts, and every segment with the value it came with (null: none)."""
    return {
        "index": row.index,
        "prompt": row.prompt.text,
        "domain": row.prompt.domain or row.prompt.frequency,
        "segments": [
            {
                "text": segment.text,
                "value": segment.judged.value if segment.judged else None,
                "said": describe_label(segment.extra),
                "facts": len(segment.human_facts or segment.model_facts),
                "claims": [_claim(fact) for fact in segment.human_facts] if row.is_mapped else [],
            }
            for segment in segments_of(row, sentences)
        ],
        "references": len(row.references),
    }


def _claim(fact: FactRow) -> dict[str, object]:
    """value: as of a segment; said: what the file calls it; evidence: how much of it there is."""
    return {
        "text": fact.text,
        "value": fact.judged.value if fact.judged else None,
        "said": describe_label(fact.extra),
        "evidence": len(fact.judged.cards) if fact.judged else 0,
    }
