"""Tasks of Label Studio's JSON export as rows of responses (labelstud.io/guide/task_format)."""

from typing import Any

from core import row_fields as fields
from core.errors import RowError, describe
from core.row_fields import Fields

# The key of `data` that our export adds: what is judged, one a paragraph.
UNITS = "units"
# Keys of `data` that hold the prompt and the response, the most telling ones first.
PROMPTS = ("prompt", "question", "input", "instruction", "query")
RESPONSES = ("response", "text", "output", "answer", "completion")
# Keys of `data` that a response has under the same name; all others are left out.
SAME = ("domain", "source", "subject", "topic", "references")


def is_task(row: Fields) -> bool:
    return isinstance(row.get("data"), dict)


def response_of(task: Fields) -> Fields:
    """The task as a row of the format "responses"; RowError names the task.

    The prompt and the response stand under the first of PROMPTS and RESPONSES that is there; the segments are the texts
    of `segments`, or objects with a `text`, as Paragraphs shows them. Where there are none and somebody judged the text
    as a whole, it is one segment.
    """
    data = task["data"]
    row: Fields = {"index": index_of(task)}
    row["prompt"] = data[_first(task, PROMPTS)]
    row["response"] = data[_first(task, RESPONSES)]
    row |= {key: data[key] for key in SAME if data.get(key) not in (None, "")}
    if "segments" in data:
        items = fields.check_list(data["segments"], f"segments of {name_of(task)}")
        row["segments"] = [item.get("text") if isinstance(item, dict) else item for item in items]
    elif any(_judges_whole(result) for annotation in annotations_of(task) for result in results_of(task, annotation)):
        row["segments"] = [row["response"]]
    return row


def index_of(task: Fields) -> str | int:
    """The response's index: that in the task's data, else the task's own number."""
    index: str | int | None = task["data"].get("index", task.get("id"))
    if index is None:
        raise RowError("the task has neither an id nor an index in its data")
    return index


def name_of(task: Fields) -> str:
    return f"task {task.get('id', task['data'].get('index'))}"


def annotations_of(task: Fields) -> list[Fields]:
    """The annotations that somebody finished; RowError where they are none."""
    annotations = fields.check_list(task.get("annotations", []), f"annotations of {name_of(task)}")
    for annotation in annotations:
        if not isinstance(annotation, dict):
            raise RowError(f"annotations of {name_of(task)} must be objects, not {describe(annotation)}")
    return [annotation for annotation in annotations if not annotation.get("was_cancelled")]


def results_of(task: Fields, annotation: Fields) -> list[Fields]:
    """The results of an annotation that belong to a control and have a value."""
    results = fields.check_list(annotation.get("result", []), f"result of {name_of(task)}")
    return [each for each in results if isinstance(each, dict) and _is_result(each)]


def _is_result(result: dict[str, Any]) -> bool:
    return isinstance(result.get("from_name"), str) and isinstance(result.get("value"), dict)


def _judges_whole(result: Fields) -> bool:
    return result.get("type") == "choices" and "start" not in result["value"]


def _first(task: Fields, keys: tuple[str, ...]) -> str:
    for key in keys:
        if key in task["data"]:
            return key
    there = ", ".join(task["data"]) or "no key"
    raise RowError(f"data of {name_of(task)} has none of {', '.join(keys)}, but {there}: rename one, or use a recipe")
