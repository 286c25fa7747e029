"""Tasks of Label Studio's exports as rows of responses (labelstud.io/guide/task_format).

In JSON-MIN and CSV a row is an annotation: the task's data and what each control holds stand beside one another.
"""

import json
from itertools import takewhile
from typing import Any

from core import row_fields as fields
from core.errors import RowError, describe
from core.row_fields import Fields

# The key of `data` that our export adds: what is judged, one a paragraph.
UNITS = "units"
# Keys of `data` that hold the prompt and the response, the most telling ones first.
PROMPTS = ("prompt", "question", "input", "instruction", "query")
RESPONSES = ("response", "text", "output", "answer", "completion")
# Keys of `data` that a response has under the same name; all others are its details.
SAME = ("domain", "source", "subject", "topic", "references")


# What a row of JSON-MIN or CSV says of its annotation.
OF_ANNOTATION = ("annotation_id", "annotator", "lead_time", "created_at", "updated_at")
# The kinds of results whose values hold a list under the same name.
KINDS = ("labels", "hypertextlabels", "paragraphlabels", "choices", "taxonomy")


def is_task(row: Fields) -> bool:
    return isinstance(row.get("data"), dict) or is_annotation(row)


def is_annotation(row: Fields) -> bool:
    """Whether the row is one of JSON-MIN or CSV."""
    return "annotation_id" in row and ("annotator" in row or "lead_time" in row)


def as_task(row: Fields) -> Fields:
    """A row of JSON-MIN or CSV as a task with one annotation; any other as it is."""
    if not is_annotation(row):
        return row
    cells = {key: _from_cell(value) for key, value in row.items() if key not in ("id", *OF_ANNOTATION)}
    controls = _controls_in(row, cells)
    data = {key: value for key, value in cells.items() if key not in controls}
    results = [result for key in controls for result in _results_in(key, cells[key])]
    annotation = {"completed_by": _person(row.get("annotator")), "result": results}
    annotation |= {key: row[key] for key in ("created_at", "updated_at") if key in row}
    return {"id": row.get("id"), "data": data, "annotations": [annotation]}


def _controls_in(row: Fields, cells: Fields) -> list[str]:
    """The keys of controls: they stand between the task's id and what is said of the annotation. Where keys are sorted,
    those with stretches, else all that are no key of a text known here."""
    keys = list(row)
    if "id" in keys[1:] and keys[0] not in OF_ANNOTATION:
        return list(takewhile(lambda key: key not in OF_ANNOTATION, keys[keys.index("id") + 1 :]))
    others = [key for key in cells if key not in ("index", "segments", UNITS, *PROMPTS, *RESPONSES, *SAME)]
    return [key for key in others if isinstance(cells[key], list)] or others


def _from_cell(value: Any) -> Any:
    """A cell of CSV holds lists and objects as JSON."""
    if isinstance(value, str) and value[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


def _person(annotator: Any) -> Any:
    """A cell has numbers as text."""
    if isinstance(annotator, str) and annotator.strip().isdecimal():
        return int(annotator)
    return annotator or None


def _results_in(control: str, value: Any) -> list[Fields]:
    """What a control holds."""
    if isinstance(value, str):
        return [{"from_name": control, "type": "choices", "value": {"choices": [value]}}] if value else []
    found = []
    for item in value if isinstance(value, list) else [value]:
        kind = next((kind for kind in KINDS if isinstance(item, dict) and kind in item), None)
        if kind:
            found.append({"from_name": control, "type": kind, "value": item})
    return found


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


def unread_data(task: Fields) -> Fields:
    """What `response_of` leaves out of the task's data."""
    data = task["data"]
    read = ("index", "segments", UNITS, *SAME, _first(task, PROMPTS), _first(task, RESPONSES))
    return {key: value for key, value in data.items() if key not in read}


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
