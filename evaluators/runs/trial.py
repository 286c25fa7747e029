"""Three responses judged and shown before a run of many calls: a short run of its own, archived when it has ended."""

from collections.abc import Iterator

from evaluators.models import Run, RunItem
from evaluators.runs.manage import archive_run
from evaluators.runs.progress import progress_of
from evaluators.runs.unread import unread_of
from jobs.errors import StartError
from llm.models import Call
from llm.stored_parts import said_in

RESPONSES = 3
MOST_CALLS = 50  # of a run that begins without one
CALLS_SHOWN = 2
LONGEST_PROMPT, LONGEST_ANSWER = 700, 500


class TrialError(StartError):
    """Nothing of the trial could be read."""


def needs_trial(calls: int, responses: int) -> bool:
    """Whether a run that is about to make so many calls, for so many responses, is tried first."""
    return calls > MOST_CALLS and responses > RESPONSES


def end_trial(run: Run) -> None:
    """Put the run out of the list and the comparison. Raises TrialError where it could not be finished, or read."""
    if run.state != Run.State.FINISHED:
        unread = unread_of(run, progress_of(run))
        why = unread.in_words() if unread.is_all else run.error
        raise TrialError(f"The first {run.items.count()} responses could not be judged (run {run.pk}): {why}")
    archive_run(run)


def show_trial(run: Run) -> Iterator[str]:
    """Of each response prompt and answer of its first calls, and what was read."""
    for item in run.items.select_related("response").order_by("position"):
        calls = item.calls.order_by("pk")
        yield f"Response {item.response.index}"
        for call in calls[:CALLS_SHOWN]:
            yield f"  Prompt: {_shortened(_prompt_of(call), LONGEST_PROMPT)}"
            ended = f" ({call.finish_reason})" if call.finish_reason not in ("", "stop") else ""
            yield f"  Answer{ended}: {_shortened(said_in(call), LONGEST_ANSWER)}"
        if (more := calls.count() - CALLS_SHOWN) > 0:
            yield f"  and {more} more calls"
        yield f"  Read: {'; '.join(_read_of(run, item)) or item.error or 'nothing'}"


def _prompt_of(call: Call) -> str:
    """Its last message: those before are demonstrations."""
    messages = call.request.get("messages") or ()
    return str(messages[-1].get("content", "")) if messages else str(call.request.get("prompt", ""))


def _read_of(run: Run, item: RunItem) -> Iterator[str]:
    edits = run.sentence_edits.filter(segment__response=item.response_id).select_related("segment")
    yield from (f"sentence {edit.segment.position}: {edit.text!r}" for edit in edits.order_by("segment__position"))
    predictions = run.predictions.filter(segment__response=item.response_id).in_reading_order()
    for prediction in predictions.select_related("segment", "fact"):
        fact = "" if prediction.fact is None else f", fact {prediction.fact.position}"
        value = (prediction.value or "unparsed").replace("_", " ")
        yield f"segment {prediction.segment.position}{fact}: {value}"
    yield from (f"left out, {reason}: {units}" for reason, units in item.skipped.items())


def _shortened(text: str, most: int) -> str:
    """On one line, without the middle of what is too long: a question stands at the end of a prompt."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most // 3]} […] {line[-(most - most // 3) :]}"
