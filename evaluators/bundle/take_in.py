"""A results bundle into this database: runs as they were elsewhere, and whether the same figures follow here."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from django.db import transaction

from annotate.labels.rows import Address
from annotate.models import Dataset
from core.chunks import in_chunks
from core.errors import DataError
from evaluators.bundle.call_rows import fill_calls
from evaluators.bundle.contents import PREDICTIONS
from evaluators.bundle.differences import differing
from evaluators.bundle.fingerprint import fingerprint, gold_of
from evaluators.bundle.generated import keep_generated
from evaluators.bundle.run_lines import hash_run
from evaluators.bundle.run_rows import ClaimRow, RunRow, read_claims, read_fallbacks, read_items, read_run
from evaluators.bundle.search_rows import fill_searches
from evaluators.bundle.unpack import Bundle, PackedRun, unpacked
from evaluators.comparison.report import build_report
from evaluators.methods.base import Claim
from evaluators.models import Evaluator, Prediction, Run, RunItem
from evaluators.predictions.align import CHUNK, Place, places_of, say_address
from evaluators.predictions.import_file import prediction_of
from evaluators.predictions.rows import PredictionRow, read_predictions
from evaluators.runs.build import RunError
from evaluators.runs.create import find_or_make_evaluator
from evaluators.runs.results import PlacedClaim, store_claims


@dataclass(frozen=True)
class TakenIn:
    """runs: those that were made; unchanged: how many of the bundle were here already. other_gold: gold here is not the
    bundle's. differences: figures that are not the same here, in words; None where other gold makes them others."""

    runs: list[Run]
    unchanged: int
    other_gold: bool
    differences: list[str] | None

    def in_words(self) -> str:
        imported = f"{len(self.runs)} run{'' if len(self.runs) == 1 else 's'} imported"
        return f"{imported}, {self.unchanged} {'was' if self.unchanged == 1 else 'were'} there already."


def import_results(dataset: Dataset, path: Path, suffix: str = "", other_gold: bool = False) -> TakenIn:
    """Take in every run of the bundle that is not here already; nothing is written if any cannot be.

    suffix: added to the evaluators' names, so that they stand beside runs of one's own. other_gold: take the runs
    although gold here is not what the bundle's figures are against. Raises DataError, and RunError where an evaluator
    of that name is another one, or has another run here.
    """
    with unpacked(path) as bundle:
        gold_differs = _check_dataset(dataset, bundle, other_gold)
        with transaction.atomic():
            imported = [_take_in(dataset, bundle, packed, suffix) for packed in bundle.runs]
        runs = [run for run in imported if run is not None]
        differences = None if gold_differs else _compare(dataset, bundle, suffix)
        return TakenIn(runs, len(imported) - len(runs), gold_differs, differences)


def check_bundle(dataset: Dataset, path: Path, other_gold: bool = False) -> None:
    """Raises DataError where the file is no bundle, is of another dataset, or has other gold that is not allowed."""
    with unpacked(path) as bundle:
        _check_dataset(dataset, bundle, other_gold)


def _check_dataset(dataset: Dataset, bundle: Bundle, other_gold: bool) -> bool:
    """Whether gold differs. DataError: this is another dataset, or gold differs and that was not allowed."""
    if bundle.fingerprint != fingerprint(dataset):
        raise DataError(
            f"{bundle.name}: it is of {bundle.dataset!r}, and {dataset.name} holds other responses, segments or facts: "
            "predictions would stand at the wrong places."
        )
    here = gold_of(dataset, _version_here(dataset, bundle))
    if here.hash == bundle.gold.hash:
        return False
    if not other_gold:
        raise DataError(
            f"{bundle.name}: its figures are against other gold ({bundle.gold.labels} labels, SHA-256 "
            f"{bundle.gold.hash[:12]}…; here {here.labels}, {here.hash[:12]}…): allow other gold to take the runs "
            "without the figures."
        )
    return True


def _version_here(dataset: Dataset, bundle: Bundle) -> str | None:
    """The name of a frozen version that is the bundle's gold; None without one: gold in force then has to be it."""
    same = dataset.gold_versions.filter(hash=bundle.gold.hash)
    name: str | None = same.values_list("name", flat=True).first()
    return name


def _take_in(dataset: Dataset, bundle: Bundle, packed: PackedRun, suffix: str) -> Run | None:
    """The new run; None where it is here already."""
    row = read_run(packed.folder)
    name = f"{row.evaluator}{suffix}"
    evaluator = find_or_make_evaluator(name, row.method, row.model, row.parameters)
    there = list(evaluator.runs.finished().filter(dataset=dataset).select_related("evaluator", "dataset"))
    if any(packed.hash in (hash_run(run), _hash_in_bundle(run)) for run in there):
        return None
    own = {packed.hash for packed in bundle.runs}
    if any(own.isdisjoint((hash_run(run), _hash_in_bundle(run))) for run in there):
        raise RunError(
            f"The evaluator {name!r} has another run over {dataset.name} here: give the imported ones a suffix."
        )
    run = _make_run(dataset, evaluator, bundle, packed, row, suffix)
    _fill(run, packed.folder)
    return run


def _hash_in_bundle(run: Run) -> str | None:
    """The hash of an imported run in its bundle: under a suffix it is another one here."""
    bundle_hash: str | None = run.manifest.get("bundle", {}).get("hash")
    return bundle_hash


def _make_run(
    dataset: Dataset, evaluator: Evaluator, bundle: Bundle, packed: PackedRun, row: RunRow, suffix: str
) -> Run:
    spent = {"tokens": row.tokens, "cost_usd": row.cost_usd, "known_usd": row.known_usd, "unpriced": row.unpriced}
    origin = {"file": bundle.name, "hash": packed.hash, **spent}
    times = {name: at for name, at in row.times.items() if name != "created_at"}
    run = Run.objects.create(
        evaluator=evaluator,
        dataset=dataset,
        state=Run.State.FINISHED,
        asking=packed.asking,
        manifest={**packed.manifest, "bundle": {**origin, "suffix": suffix}},
        **times,
    )
    if row.times["created_at"] is not None:
        Run.objects.filter(pk=run.pk).update(created_at=row.times["created_at"])
    return run


def _fill(run: Run, folder: Path) -> None:
    rows = _read_predictions(folder)
    items = list(read_items(folder))
    indexes = {row.address[0] for row in rows} | {item.index for item in items}
    units = places_of(run.dataset, indexes)
    places = units | keep_generated(run.dataset, folder)
    reasons = read_fallbacks(folder)
    Prediction.objects.bulk_create((_prediction(run, row, places, reasons) for row in rows), batch_size=CHUNK)
    responses = dict(run.dataset.responses.visible().filter(index__in=indexes).values_list("index", "pk"))
    unknown = next((item.index for item in items if item.index not in responses), None)
    if unknown is not None:
        raise DataError(f"{folder.name}/items.jsonl: response {unknown!r} is not in {run.dataset.name}.")
    RunItem.objects.bulk_create(
        (
            RunItem(
                run=run,
                response_id=responses[item.index],
                position=position,
                state=item.state,
                error=item.error,
                skipped=item.skipped,
            )
            for position, item in enumerate(items)
        ),
        batch_size=CHUNK,
    )
    # Claims are aligned to units of the dataset; facts that the run brings along have addresses of their own.
    _fill_claims(run, read_claims(folder), responses, units)
    fill_calls(run, folder)
    fill_searches(run, folder)


def _fill_claims(
    run: Run, rows: Iterable[ClaimRow], responses: Mapping[str, int], places: Mapping[Address, Place]
) -> None:
    """Claims and what they are aligned to, as they stand in the file. responses: keys by index, of the run's items."""
    by_response: defaultdict[int, list[PlacedClaim]] = defaultdict(list)
    for row in rows:
        if row.index not in responses:
            raise row.error(f"response {row.index!r} is not among the items of the run")
        of_response = by_response[responses[row.index]]
        if row.position != len(of_response):
            raise row.error(f"position is {row.position}, not {len(of_response)}")
        taken_from = () if row.segment is None else ((row.index, row.segment, None),)
        gone = next((address for address in (*taken_from, *row.units) if address not in places), None)
        if gone is not None:
            raise row.error(f"{say_address(gone)} is not in {run.dataset.name}")
        predicted = row.predicted
        claim = Claim(row.text, predicted.value, predicted.score, predicted.rationale, (), row.segment)
        units = dict.fromkeys((places[unit].segment, places[unit].fact) for unit in row.units)
        of_response.append(PlacedClaim(claim, tuple(units)))
    for some in in_chunks(by_response.items(), CHUNK):
        store_claims(run, dict(some))


def _read_predictions(folder: Path) -> list[PredictionRow]:
    """Its predictions; a run of a method that left everything out has none."""
    path = folder / PREDICTIONS
    return read_predictions(path) if path.stat().st_size else []


def _prediction(
    run: Run, row: PredictionRow, places: Mapping[Address, Place], reasons: Mapping[Address, str]
) -> Prediction:
    place = places.get(row.address)
    if place is None:
        raise row.error(f"{say_address(row.address)} is not in {run.dataset.name}")
    return prediction_of(run, place, row.predicted, reasons.get(row.address, ""))


def _compare(dataset: Dataset, bundle: Bundle, suffix: str) -> list[str]:
    """The bundle's figures that differ here."""
    names = {f"{packed.evaluator}{suffix}" for packed in bundle.runs}
    here = build_report(dataset, _version_here(dataset, bundle), names)
    return differing(bundle.figures, here, suffix)
