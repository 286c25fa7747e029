"""A scorer of inspect_ai (inspect.aisi.org.uk/scorers.html): an evaluator of a Touchstone server judges what a model
answers. Needs `pip install touchstone-client[inspect]`."""

from __future__ import annotations

import asyncio
import json
import math
import os
import tempfile
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from touchstone.cases import NOT_SUPPORTED, SUPPORTED
from touchstone.clients import AsyncTouchstone
from touchstone.errors import NotFoundError, TouchstoneError
from touchstone.values import Dataset, Row

SCHEME = "felm"
# Samples that end together are judged together.
GATHER_SECONDS = 1.0


@scorer(metrics=[mean(), stderr()])
def touchstone_scorer(
    dataset: str,
    method: str,
    *,
    model: str = "",
    parameters: Mapping[str, Any] | None = None,
    url: str = "",
) -> Scorer:
    """The share of an answer's segments that are supported, of those that are judged supported or not; NaN without any.

    Each answer becomes a response of the dataset, with the addresses in the sample's `metadata["references"]`, if any.
    The dataset is made if there is none of that name. A run of `method` judges all answers that wait; the score's
    metadata name it. url: of the server, else TOUCHSTONE_URL. The token is read from TOUCHSTONE_TOKEN, so no log has
    it. It needs asyncio, inspect_ai's default.
    """
    judges = _Judges(url or os.environ.get("TOUCHSTONE_URL", ""), dataset, method, model, dict(parameters or {}))

    async def score(state: TaskState, target: Target) -> Score:
        row = _row(state)
        if not row["prompt"].strip() or not row["response"].strip():
            return Score(value=math.nan, answer=row["response"], explanation="The prompt or the answer is empty.")
        return _score(row["response"], *await judges.judge(row))

    return score


def _row(state: TaskState) -> Row:
    """A line of a file of responses. Each time a sample is answered makes a response of its own."""
    return {
        "index": f"{str(state.sample_id)[:100]} {state.uuid}",
        "prompt": state.input_text,
        "response": state.output.completion,
        "subject": str(state.model),
        "references": list(state.metadata.get("references") or []),
    }


def _score(answer: str, run: int, predictions: list[Row]) -> Score:
    values = [each["value"] for each in predictions]
    supported, judged = values.count(SUPPORTED), values.count(SUPPORTED) + values.count(NOT_SUPPORTED)
    lines = [f"{each['segment'] + 1}: {each['value'] or 'not parsed'}" for each in predictions]
    return Score(
        value=supported / judged if judged else math.nan,
        answer=answer,
        explanation="\n".join(lines) or "No segment was judged.",
        metadata={"run": run, "predictions": predictions},
    )


@dataclass
class _Judges:
    """Gathers the answers of samples, and lets one run judge all of them."""

    url: str
    dataset: str
    method: str
    model: str
    parameters: dict[str, Any]
    _waiting: list[tuple[Row, asyncio.Future[tuple[int, list[Row]]]]] = field(default_factory=list)
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _task: asyncio.Task[None] | None = None

    async def judge(self, row: Row) -> tuple[int, list[Row]]:
        """The number of the run, and its predictions of the row."""
        result: asyncio.Future[tuple[int, list[Row]]] = asyncio.get_running_loop().create_future()
        self._waiting.append((row, result))
        if len(self._waiting) == 1:
            self._task = asyncio.create_task(self._judge_all())
        return await result

    async def _judge_all(self) -> None:
        await asyncio.sleep(GATHER_SECONDS)
        async with self._lock:
            group, self._waiting = self._waiting, []
            try:
                run, predictions = await self._run([row for row, _ in group])
            except Exception as error:  # noqa: BLE001 - each sample fails by it
                for _, result in group:
                    if not result.done():
                        result.set_exception(error)
                return
            for row, result in group:
                if not result.done():
                    result.set_result((run, predictions[row["index"]]))

    async def _run(self, rows: list[Row]) -> tuple[int, dict[str, list[Row]]]:
        token = os.environ.get("TOUCHSTONE_TOKEN", "")
        if not self.url or not token:
            raise TouchstoneError("Set TOUCHSTONE_URL (or url) and TOUCHSTONE_TOKEN.")
        async with AsyncTouchstone(self.url, token) as client:
            dataset = await _find_or_make(client, self.dataset)
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder, "answers.jsonl")
                path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
                await client.upload(dataset, path, "responses")
            started = await client.start_run(dataset, self.method, model=self.model, parameters=self.parameters)
            run = await client.follow(started)
            predictions: dict[str, list[Row]] = defaultdict(list)
            for prediction in await client.predictions(run):
                predictions[prediction["index"]].append(prediction)
        return run.id, predictions


async def _find_or_make(client: AsyncTouchstone, name: str) -> Dataset:
    try:
        found = await client.dataset(name)
    except NotFoundError:
        return await client.create_dataset(name, SCHEME, "Answers that inspect_ai has scored.")
    if found.scheme != SCHEME:
        raise TouchstoneError(f"{name} is labelled by facts: name a dataset that is labelled by segments.")
    return found
