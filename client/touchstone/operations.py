"""Every operation of the API, written once for both clients."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, overload
from warnings import warn

from touchstone.cases import JudgedCase, Lease, read_case
from touchstone.errors import FailedError, NotFoundError
from touchstone.requests import Progress, Request, Steps, Wait, ask, ask_document
from touchstone.values import (
    Comparison,
    Dataset,
    Estimate,
    GoldVersion,
    Import,
    Release,
    Report,
    ResultsImport,
    Rows,
    Run,
    RunDiff,
    Samples,
    Share,
    plain_rows,
    read,
)

if TYPE_CHECKING:
    import pandas

    from touchstone.clients import AsyncTouchstone, Touchstone

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Followed = TypeVar("Followed", Import, Run, Release, ResultsImport)
Written = Callable[Concatenate["Operations", Arguments], Steps[Result]]

LOOK_EVERY_SECONDS = 1.0
LARGEST_PAGE = 1000


class operation(Generic[Arguments, Result]):  # noqa: N801 - a decorator
    """A method of `Touchstone`, and as a coroutine one of `AsyncTouchstone`."""

    def __init__(self, written: Written[Arguments, Result]) -> None:
        self._written = written
        self.__doc__ = written.__doc__

    @overload
    def __get__(self, client: Touchstone, owner: object) -> Callable[Arguments, Result]: ...
    @overload
    def __get__(self, client: AsyncTouchstone, owner: object) -> Callable[Arguments, Coroutine[Any, Any, Result]]: ...
    @overload
    def __get__(self, client: None, owner: object) -> operation[Arguments, Result]: ...
    def __get__(self, client: Any, owner: object) -> Any:
        if client is None:
            return self

        def carry_out(*arguments: Arguments.args, **named: Arguments.kwargs) -> Any:
            return client.perform(self._written(client, *arguments, **named))

        carry_out.__doc__ = self.__doc__
        return carry_out


class Operations:
    """What a token can do."""

    @operation
    def datasets(self) -> Steps[list[Dataset]]:
        """All that the token opens, the oldest first."""
        rows = yield from _pages("datasets/")
        return [read(Dataset, row) for row in rows]

    @operation
    def dataset(self, name: str) -> Steps[Dataset]:
        """The dataset of that name. Raises NotFoundError."""
        for row in (yield from _pages("datasets/")):
            if row["name"] == name:
                return read(Dataset, row)
        raise NotFoundError(404, f"There is no dataset {name!r} that this token opens.")

    @operation
    def create_dataset(self, name: str, scheme: str = "felm", description: str = "") -> Steps[Dataset]:
        """An empty dataset, of which you are adjudicator."""
        body = {"name": name, "scheme": scheme, "description": description}
        return read(Dataset, (yield from ask_document(Request("POST", "datasets/", body))))

    @operation
    def upload(
        self,
        dataset: Dataset,
        file: str | Path,
        format: str = "responses",
        *,
        subject: str = "",
        recipe: str = "",
        sentences: str = "",
        progress: Progress | None = None,
    ) -> Steps[Import]:
        """Send a file, let it be checked and imported, and wait for the end.

        format: "responses", "felm", "factscore", "claims", "mapped", ... subject: the model that wrote the responses,
        where the file does not say. recipe: with "mapped", by name or as JSON. sentences: how responses without
        segments are split, "repaired", "released-code" or a language such as "de". progress: of the sending. Raises
        FailedError, and ProblemError for a file that cannot be imported.
        """
        form = _asked(format=format, subject=subject, recipe=recipe, sentences=sentences)
        return (yield from _import(f"datasets/{dataset.id}/imports/", form, file, progress))

    @operation
    def import_dataset(
        self,
        name: str,
        file: str | Path,
        format: str = "responses",
        *,
        subject: str = "",
        recipe: str = "",
        sentences: str = "",
        progress: Progress | None = None,
    ) -> Steps[Dataset]:
        """Upload a file as `upload` does, into the dataset of that name; a new name makes a dataset."""
        form = _asked(dataset_name=name, format=format, subject=subject, recipe=recipe, sentences=sentences)
        imported = yield from _import("imports/", form, file, progress)
        return read(Dataset, (yield from ask_document(Request("GET", f"datasets/{imported.dataset}/"))))

    @operation
    def responses(self, dataset: Dataset) -> Steps[Rows]:
        """The responses in the order of the file, with their segments and facts."""
        return (yield from _lines(f"datasets/{dataset.id}/responses/"))

    @operation
    def samples(self, dataset: Dataset, gold_version: str = "") -> Steps[Samples]:
        """The responses with their units and gold as samples of inspect_ai, to be judged by a scorer there."""
        asked = _asked(form="inspect", gold_version=gold_version)
        return Samples((yield from _rows(Request("GET", f"datasets/{dataset.id}/export/", query=asked))))

    @operation
    def download_dataset(
        self,
        dataset: Dataset,
        target: str | Path,
        form: str = "",
        *,
        file_type: str = "",
        gold_version: str = "",
        subject: str = "",
        progress: Progress | None = None,
    ) -> Steps[Path]:
        """Write the dataset with its gold to a file. form: "felm", "factscore", "claims", "csv", "gold", "annotations",
        "labelstudio", "inspect"; "": of its scheme. file_type: of "gold" and "annotations", "csv", "xlsx", "parquet" or
        "jsonl"."""
        asked = _asked(form=form, file_type=file_type, gold_version=gold_version, subject=subject)
        return (yield from _download(f"datasets/{dataset.id}/export/", Path(target), progress, **asked))

    @operation
    def download_results(
        self,
        dataset: Dataset,
        target: str | Path,
        *,
        gold_version: str = "",
        evaluators: Sequence[str] = (),
        progress: Progress | None = None,
    ) -> Steps[Path]:
        """Write a results bundle (.zip), or the table of units with gold and predictions (.parquet)."""
        target = Path(target)
        path = f"datasets/{dataset.id}/results/{'units/' if target.suffix == '.parquet' else ''}"
        asked = _asked(gold_version=gold_version, evaluator=evaluators)
        return (yield from _download(path, target, progress, **asked))

    @operation
    def import_results(
        self,
        dataset: Dataset,
        bundle: str | Path,
        *,
        suffix: str = "",
        other_gold: bool = False,
        progress: Progress | None = None,
    ) -> Steps[ResultsImport]:
        """Send a results bundle, let it be checked and imported, and wait for the end.

        suffix: added to the evaluators' names, where others of these names have runs here. other_gold: import the runs
        even if gold differs. progress: of the sending. Raises FailedError, and ProblemError for another dataset's file.
        """
        form = _asked(suffix=suffix, other_gold="true" if other_gold else "")
        path = f"datasets/{dataset.id}/results-imports/"
        sent = yield from ask_document(Request("POST", path, form=form, file=Path(bundle), progress=progress))
        return (yield from _follow(f"results-imports/{sent['id']}/", ResultsImport))

    @operation
    def labels(self, dataset: Dataset) -> Steps[Rows]:
        """The experts' submitted labels, as far as you may see them."""
        return (yield from _lines(f"datasets/{dataset.id}/labels/"))

    @operation
    def gold(self, dataset: Dataset, version: str = "") -> Steps[Rows]:
        """The gold labels in force, or those of a version."""
        return (yield from _lines(f"datasets/{dataset.id}/gold/", **({"version": version} if version else {})))

    @operation
    def freeze_gold(self, dataset: Dataset, version: str) -> Steps[GoldVersion]:
        """Give gold as it stands a name."""
        frozen = yield from ask_document(Request("POST", f"datasets/{dataset.id}/gold-versions/", {"version": version}))
        return read(GoldVersion, frozen)

    @operation
    def release(self, dataset: Dataset, version: str, licence: str = "", *, names: bool = False) -> Steps[Release]:
        """Let a gold version be made a file, and wait for it. names: of annotators. Raises FailedError."""
        body = {"version": version, "licence": licence, "names": names}
        made = yield from ask_document(Request("POST", f"datasets/{dataset.id}/releases/", body))
        return (yield from _follow(f"releases/{made['id']}/", Release))

    @operation
    def releases(self, dataset: Dataset) -> Steps[list[Release]]:
        """The releases of the dataset, the oldest first."""
        rows = yield from _pages(f"datasets/{dataset.id}/releases/")
        return [read(Release, row) for row in rows]

    @operation
    def download_release(
        self, release: Release, target: str | Path, *, progress: Progress | None = None
    ) -> Steps[Path]:
        """Write the zip file of a release."""
        return (yield from _download(f"releases/{release.id}/file/", Path(target), progress))

    @operation
    def methods(self) -> Steps[Rows]:
        """The methods that a run can use, with their parameters."""
        return Rows((yield from ask_document(Request("GET", "methods/"))))

    @operation
    def estimate(
        self,
        dataset: Dataset,
        method: str,
        *,
        model: str = "",
        parameters: Mapping[str, Any] | None = None,
        limit: int | None = None,
        batch_api: bool = False,
    ) -> Steps[Estimate]:
        """What a run would take. It asks no model."""
        body: dict[str, Any] = {"method": method, "model": model, "parameters": dict(parameters or {})}
        body |= {"limit": limit, "batch_api": batch_api}
        return read(Estimate, (yield from ask_document(Request("POST", f"datasets/{dataset.id}/runs/estimate/", body))))

    @operation
    def start_run(
        self,
        dataset: Dataset,
        method: str,
        *,
        model: str = "",
        parameters: Mapping[str, Any] | None = None,
        limit: int | None = None,
        name: str = "",
        force: bool = False,
        batch_api: bool = False,
        max_tokens: int | None = None,
        max_cost_usd: float | None = None,
    ) -> Steps[Run]:
        """Queue a run, or find the same one that is there unless `force`.

        name: of the evaluator; without it method and model. batch_api: ask in files, which are answered within a day at
        a lower price. max_tokens, max_cost_usd: limits of its spending.
        """
        body: dict[str, Any] = {"method": method, "model": model, "parameters": dict(parameters or {})}
        body |= {"limit": limit, "name": name, "force": force, "batch_api": batch_api}
        body |= _limits(max_tokens, max_cost_usd)
        return read(Run, (yield from ask_document(Request("POST", f"datasets/{dataset.id}/runs/", body))))

    @operation
    def start_editing(
        self,
        dataset: Dataset,
        editor: str,
        *,
        model: str = "",
        parameters: Mapping[str, Any] | None = None,
        limit: int | None = None,
        name: str = "",
        force: bool = False,
        batch_api: bool = False,
        max_tokens: int | None = None,
        max_cost_usd: float | None = None,
    ) -> Steps[Run]:
        """Queue a run of an editor ("edit-no-context", ...), as `start_run` does one of a method."""
        body: dict[str, Any] = {"method": editor, "model": model, "parameters": dict(parameters or {})}
        body |= {"limit": limit, "name": name, "force": force, "batch_api": batch_api}
        body |= _limits(max_tokens, max_cost_usd)
        return read(Run, (yield from ask_document(Request("POST", f"datasets/{dataset.id}/editing-runs/", body))))

    @operation
    def edits(self, run: Run) -> Steps[Rows]:
        """The edits of a run: before, after, people's correction, facts, state, and whether raters accept them."""
        return (yield from _lines(f"runs/{run.id}/edits/"))

    @operation
    def runs(self, dataset: Dataset) -> Steps[Rows]:
        """The runs over the dataset: id, evaluator, state, counts of responses, times."""
        return (yield from _pages(f"datasets/{dataset.id}/runs/"))

    @operation
    def run(self, number: int) -> Steps[Run]:
        """The run of that number."""
        return read(Run, (yield from ask_document(Request("GET", f"runs/{number}/"))))

    @operation
    def follow(self, run: Run, progress: Callable[[Run], object] | None = None) -> Steps[Run]:
        """Wait for the end of a run; warn where no worker takes it up. progress: called every second.

        Raises FailedError where it failed, was cancelled or ran out of budget.
        """
        return (yield from _follow(f"runs/{run.id}/", Run, progress))

    @operation
    def stop_run(self, run: Run) -> Steps[Run]:
        """Stop a run; what it has is kept."""
        return read(Run, (yield from ask_document(Request("POST", f"runs/{run.id}/stop/"))))

    @operation
    def resume_run(self, run: Run, *, max_tokens: int | None = None, max_cost_usd: float | None = None) -> Steps[Run]:
        """Queue what a run has left, under other limits where they are given."""
        limits = _limits(max_tokens, max_cost_usd)
        return read(Run, (yield from ask_document(Request("POST", f"runs/{run.id}/resume/", limits))))

    @operation
    def change_run(
        self,
        run: Run,
        *,
        name: str | None = None,
        tags: Sequence[str] | None = None,
        note: str | None = None,
        archived: bool | None = None,
    ) -> Steps[Run]:
        """Rename, tag, note, archive or bring back a run. What is None stays.

        name: of the evaluator, in all its runs over the dataset. tags: all that the run has then.
        """
        changes = {"name": name, "tags": None if tags is None else list(tags), "note": note, "archived": archived}
        body = {name: value for name, value in changes.items() if value is not None}
        return read(Run, (yield from ask_document(Request("PATCH", f"runs/{run.id}/", body))))

    @operation
    def delete_run(self, run: Run) -> Steps[None]:
        """Delete a run that has ended, with its predictions and all that was made of them."""
        yield from ask(Request("DELETE", f"runs/{run.id}/"))

    @operation
    def run_diff(
        self,
        run: Run,
        other: Run | str,
        *,
        show: str = "differ",
        gold_version: str = "",
        level: str = "",
        domain: str = "",
        text: str = "",
    ) -> Steps[RunDiff]:
        """Two runs unit by unit against gold. other: a run over the dataset, or the name of a trivial baseline.

        show: units that only this run ("one") or only the other has right ("other"), both together ("differ"), or that
        both have "wrong" or "right". text: words of the unit or its prompt.
        """
        key = other if isinstance(other, str) else str(other.id)
        asked = _asked(other=key, show=show, gold=gold_version, level=level, domain=domain, q=text)
        units: list[dict[str, Any]] = []
        while True:
            query = {**asked, "offset": len(units), "limit": LARGEST_PAGE}
            document = yield from ask_document(Request("GET", f"runs/{run.id}/diff/", query=query))
            page = document.pop("units")
            units += page
            if not page or len(units) >= document["matching"]:
                return RunDiff(document, units)

    @operation
    def predictions(self, run: Run) -> Steps[Rows]:
        """The predictions of a run: index, segment, fact, value, score, rationale."""
        return (yield from _lines(f"runs/{run.id}/predictions/"))

    @operation
    def claims(self, run: Run) -> Steps[Rows]:
        """The claims that the run's method extracted by itself: index, position, text, value, score, rationale,
        segment, and the units that say it."""
        return (yield from _lines(f"runs/{run.id}/claims/"))

    @operation
    def download_predictions(self, run: Run, target: str | Path, *, progress: Progress | None = None) -> Steps[Path]:
        """Write the predictions of a run to a file; its ending is .parquet or .jsonl."""
        target = Path(target)
        return (yield from _download(f"runs/{run.id}/predictions/", target, progress, format=target.suffix[1:]))

    @operation
    def push_predictions(
        self,
        dataset: Dataset,
        evaluator: str,
        predictions: str | Path | Iterable[Mapping[str, Any]] | pandas.DataFrame,
        *,
        partial: bool = False,
    ) -> Steps[dict[str, Any]]:
        """Store predictions of an evaluator that ran elsewhere.

        predictions: a file (JSON lines, CSV, Parquet), rows or a DataFrame with index, segment, value, and fact, score,
        rationale where there are any (NaN: none).

        partial: rows that do not align are left out and reported as `rows_left_out`; else nothing is stored.
        """
        query = {"evaluator": evaluator, "partial": partial}
        path = f"datasets/{dataset.id}/predictions/"
        if isinstance(predictions, str | Path):
            request = Request("POST", path, query=query, file=Path(predictions))
        else:
            lines = "".join(f"{json.dumps(row, allow_nan=False)}\n" for row in plain_rows(predictions))
            headers = {"Content-Type": "application/x-ndjson"}
            request = Request("POST", path, lines.encode(), query=query, headers=headers)
        pushed: dict[str, Any] = yield from ask_document(request)
        return pushed

    @operation
    def push_eval_log(
        self,
        dataset: Dataset,
        evaluator: str,
        log: str | Path,
        *,
        scorer: str = "",
        epoch: int = 1,
        values: Mapping[str, str] | None = None,
    ) -> Steps[dict[str, Any]]:
        """Store the scores of an eval log of inspect_ai (`.eval` or JSON) as a run of the evaluator.

        scorer: "" where the log has one only. epoch: whose scores. values: the server's values by the scorer's, for
        example {"C": "supported", "I": "not_supported"}.
        """
        form = _asked(evaluator=evaluator, scorer=scorer, epoch=str(epoch))
        form["value"] = [f"{score}={value}" for score, value in (values or {}).items()]
        request = Request("POST", f"datasets/{dataset.id}/eval-logs/", form=form, file=Path(log))
        pushed: dict[str, Any] = yield from ask_document(request)
        return pushed

    @operation
    def report(self, dataset: Dataset, *, gold_version: str = "", evaluators: Sequence[str] = ()) -> Steps[Report]:
        """Every figure of each evaluator's last finished run, with its interval."""
        asked = _asked(gold_version=gold_version, evaluator=evaluators)
        return Report((yield from ask_document(Request("GET", f"datasets/{dataset.id}/report/", query=asked))))

    @operation
    def compare(
        self,
        dataset: Dataset,
        *,
        gold_version: str = "",
        evaluators: Sequence[str] = (),
        level: str = "",
        figure: str = "",
        family: str = "",
    ) -> Steps[Comparison]:
        """Every pair of evaluators, and their ranks. Raises FailedError where the figures cannot be computed."""
        asked = _asked(gold_version=gold_version, evaluator=evaluators, level=level, figure=figure, family=family)
        document, _ = yield from _comparison(dataset, asked)
        return Comparison(document)

    @operation
    def share(
        self,
        dataset: Dataset,
        title: str,
        *,
        texts: bool = False,
        gold_version: str = "",
        evaluators: Sequence[str] = (),
        level: str = "",
        figure: str = "",
        family: str = "",
    ) -> Steps[Share]:
        """Freeze a comparison behind a public link, once its figures are computed.

        texts: share prompts, responses, gold and answers too; for adjudicators. Raises FailedError where the figures
        cannot be computed.
        """
        asked = _asked(gold_version=gold_version, evaluator=evaluators, level=level, figure=figure, family=family)
        _, asked = yield from _comparison(dataset, asked)
        body = {"title": title, "texts": texts, **asked}
        return read(Share, (yield from ask_document(Request("POST", f"datasets/{dataset.id}/shares/", body))))

    @operation
    def shares(self, dataset: Dataset) -> Steps[list[Share]]:
        """The public links of the dataset, the newest first."""
        return [read(Share, row) for row in (yield from _pages(f"datasets/{dataset.id}/shares/"))]

    @operation
    def revoke_share(self, share: Share) -> Steps[Share]:
        """Revoke a public link: whoever opens it finds nothing."""
        return read(Share, (yield from ask_document(Request("POST", f"shares/{share.id}/revoke/"))))

    @operation
    def outside_run(
        self,
        dataset: Dataset,
        evaluator: str,
        *,
        model: str = "",
        parameters: Mapping[str, Any] | None = None,
        limit: int | None = None,
        anew: bool = False,
    ) -> Steps[Run]:
        """The run of an evaluator of your own, made unless the same one is there: several programs share it."""
        body = {"evaluator": evaluator, "model": model, "parameters": dict(parameters or {}), "limit": limit}
        made = yield from ask_document(Request("POST", f"datasets/{dataset.id}/outside-runs/", {**body, "anew": anew}))
        return read(Run, made)

    @operation
    def lease(self, run: Run, count: int = 10, seconds: float | None = None) -> Steps[Lease]:
        """Take up to `count` cases that nobody holds, for so many seconds (None: as the server has it)."""
        body = {"count": count, "seconds": seconds}
        leased = yield from ask_document(Request("POST", f"runs/{run.id}/leases/", body))
        return Lease(leased["lease"], leased["until"], leased["state"], [read_case(each) for each in leased["cases"]])

    @operation
    def renew(self, run: Run, lease: Lease, seconds: float | None = None) -> Steps[None]:
        """Lengthen the lease. Raises ConflictError where it holds nothing any more."""
        yield from ask(Request("POST", f"runs/{run.id}/leases/renew/", {"lease": lease.key, "seconds": seconds}))

    @operation
    def send_judgements(self, run: Run, lease: Lease, cases: Iterable[JudgedCase]) -> Steps[list[str]]:
        """Send what came of the lease's cases; the indexes of those lost to others, of which nothing is kept."""
        body = {"lease": lease.key, "cases": [case.document() for case in cases]}
        received = yield from ask_document(Request("POST", f"runs/{run.id}/judgements/", body))
        lost: list[str] = received["lost"]
        return lost


def _comparison(dataset: Dataset, asked: Mapping[str, Any]) -> Steps[tuple[dict[str, Any], dict[str, Any]]]:
    """The document of the comparison, once it is computed, and what was asked last."""
    query = dict(asked)
    while True:
        answer = yield from ask(Request("GET", f"datasets/{dataset.id}/comparison/", query=query))
        if answer.status != 202:
            return answer.document, query
        if answer.document["error"]:
            raise FailedError(answer.document["error"])
        # A server of an earlier version knows no such time.
        query |= {name: value for name, value in answer.document.items() if name == "since"}
        yield Wait(LOOK_EVERY_SECONDS)


def _pages(path: str) -> Steps[Rows]:
    """A whole list, page by page."""
    rows = Rows()
    page = yield from ask_document(Request("GET", path, query={"page_size": LARGEST_PAGE}))
    while True:
        rows += page["results"]
        if not page["next"]:
            return rows
        page = yield from ask_document(Request("GET", page["next"]))


def _lines(path: str, **query: Any) -> Steps[Rows]:
    """A whole list in one answer."""
    return (yield from _rows(Request("GET", path, query={**query, "format": "jsonl"})))


def _rows(request: Request) -> Steps[Rows]:
    """The rows of an answer in JSON lines."""
    answer = yield from ask(request)
    return Rows(json.loads(line) for line in answer.body.splitlines())


def _import(path: str, form: Mapping[str, str], file: str | Path, progress: Progress | None) -> Steps[Import]:
    sent = Request("POST", path, form=form, file=Path(file), progress=progress)
    address = f"imports/{(yield from ask_document(sent))['id']}/"
    yield from ask(Request("POST", f"{address}confirm/"))
    return (yield from _follow(address, Import))


def _download(path: str, target: Path, progress: Progress | None, **query: Any) -> Steps[Path]:
    yield from ask(Request("GET", path, query=query, target=target, progress=progress))
    return target


def _follow(
    address: str, kind: type[Followed], progress: Callable[[Followed], object] | None = None
) -> Steps[Followed]:
    """What stands at the address once its work has ended. Raises FailedError where it did not succeed."""
    is_told = False
    while True:
        found = read(kind, (yield from ask_document(Request("GET", address))))
        if progress is not None:
            progress(found)
        if not found.is_active:
            if found.state not in ("done", "finished"):
                raise FailedError(found.error or f"It ended as {found.state}.")
            return found
        if getattr(found, "not_picked_up", False) and not is_told:
            is_told = True
            warn("The server has no worker that takes this up. It goes on once one is started.", stacklevel=2)
        yield Wait(LOOK_EVERY_SECONDS)


def _limits(max_tokens: int | None, max_cost_usd: float | None) -> dict[str, Any]:
    return {"max_tokens_total": max_tokens, "max_cost": max_cost_usd}


def _asked(**options: Any) -> dict[str, Any]:
    """The options that are given."""
    return {name: value for name, value in options.items() if value}
