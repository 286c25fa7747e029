"""Labels of named annotators in Label Studio's exports (labelstud.io/guide/task_format)."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from annotate.corpus.label_studio import (
    UNITS,
    annotations_of,
    as_task,
    index_of,
    is_task,
    name_of,
    response_of,
    results_of,
)
from annotate.corpus.locate import Span, locate
from annotate.corpus.rows import LONGEST_INDEX
from annotate.judgements.judgement import CitedReference, UnitJudgement
from annotate.labels.rows import LONGEST_NAME, Address, LabelRow
from annotate.models import Dataset, Response, Segment, User, Value
from core.errors import DataError, RowError, at_line, describe
from core.row_fields import Fields, check_text, outside_index, texts
from core.rows.files import open_rows

CONTROL = "value"
# What a choice such as "Unsure" stands for.
NO_LABEL = "none"
# Controls beside the judging one: what else a judgement has.
ERROR_TYPE, REASON, REFERENCES = "error_type", "reason", "references"
Labels = list[tuple[Address, UnitJudgement]]
# Of a control in a Repeater, such as value_3.
REPEATED = re.compile(r"(.+)_(\d+)")


@dataclass(frozen=True)
class LabelStudioReader:
    """control: the name of the tag that holds the judgement. values: ours by the choices of the project; NO_LABEL for
    a choice that is no judgement. elsewhere: the value of the segments that no stretch of an annotation touches, ""
    where annotations have no stretches of the text. dataset: whose segments these are, however they were cut; needed
    with elsewhere, and where the text has a key of the project's own. Of what has been read, left_out: how many
    judgements had a choice that is none, by it; notes: what else is left out."""

    control: str = CONTROL
    values: Mapping[str, str] = field(default_factory=dict)
    elsewhere: str = ""
    dataset: Dataset | None = None
    left_out: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    def read(self, path: Path) -> Iterator[LabelRow]:
        """A row each judged unit and annotation; of several annotations of a task by one person the last one counts.
        Raises DataError, which names the task."""
        file = open_rows(path)
        controls: set[str] = set()
        latest: dict[tuple[str, str], tuple[str, list[LabelRow]]] = {}
        superseded = 0
        for number, task in file.rows:
            try:
                if isinstance(task, RowError):
                    raise task
                task = as_task(task)
                for index, annotator, when, labels in self._annotations(task, controls):
                    rows = [
                        LabelRow(path, number, address, annotator, judgement, file.place, f"{name_of(task)}: ")
                        for address, judgement in labels
                    ]
                    before = latest.get((index, annotator))
                    superseded += before is not None
                    if before is None or when >= before[0]:
                        latest[index, annotator] = when, rows
            except RowError as error:
                raise at_line(path, number, error, file.place) from error
        if superseded:
            self.notes.append(f"{superseded} annotations left out: the same person annotated the task again")
        rows = [row for _, rows in latest.values() for row in rows]
        if not rows:
            others = f"its controls are {', '.join(sorted(controls))}" if controls else "nobody annotated a task"
            raise DataError(f"{path.name}: no result belongs to the control {self.control!r}: {others}.")
        yield from rows

    def _annotations(self, task: Fields, controls: set[str]) -> Iterator[tuple[str, str, str, Labels]]:
        """Index of the response, annotator, time and labels of each annotation that has any."""
        if not is_task(task):
            raise RowError("this is no task of Label Studio: it has no data")
        index = outside_index({"index": index_of(task)}, LONGEST_INDEX)
        segments = self._segments(task, index)
        unnamed = 0
        for annotation in annotations_of(task):
            if annotation.get("ground_truth") and annotation.get("completed_by") is None:
                continue  # gold, nobody's label
            of_units: dict[tuple[int, int | None], dict[str, list[str]]] = {}
            for result in results_of(task, annotation):
                control, unit = _control(result, self._known)
                controls.add(control)
                for address in self._addresses(task, result, unit, segments) if control in self._known else ():
                    contents, given = of_units.setdefault(address, {}), _contents(task, result)
                    # Two stretches with the same label may touch one segment.
                    if contents.get(control, given) != given or (control in contents and not self._is_stretch(result)):
                        raise RowError(f"{name_of(task)}: {control} is given twice for one unit")
                    contents[control] = given
            for place in range(len(segments)):
                of_units.setdefault((place, None), {self.control: [self.elsewhere]})
            judged = {
                (index, *address): self._judgement(task, contents)
                for address, contents in of_units.items()
                if self.control in contents
            }
            if judged:
                unnamed += annotation.get("completed_by") is None
                when = str(annotation.get("updated_at") or annotation.get("created_at") or "")
                labels = [(address, judgement) for address, judgement in judged.items() if judgement is not None]
                yield index, _annotator(task, annotation, unnamed), when, labels

    def _segments(self, task: Fields, index: str) -> list[Span | None]:
        """Where the segments of the dataset's response stand in the text of the task; [] where no stretch is read."""
        if not self.elsewhere or self.dataset is None:
            return []
        stored_texts = self._stored_segments(index)
        if not stored_texts:
            raise RowError(f"{name_of(task)}: the dataset has no response {describe(index)}")
        return locate(self._response(task)["response"], stored_texts)

    def _stored_segments(self, index: str) -> list[str]:
        stored = Segment.objects.filter(response__dataset=self.dataset, response__index=index).order_by("position")
        return list(stored.values_list("text", flat=True))

    def _response(self, task: Fields) -> Fields:
        """The response of the task; where its keys are the project's own, that of the dataset."""
        try:
            return response_of(task)
        except RowError:
            index = outside_index({"index": index_of(task)}, LONGEST_INDEX)
            stored = Response.objects.visible().filter(dataset=self.dataset, index=index).first()
            if stored is None:
                raise
            return {"response": stored.text, "segments": self._stored_segments(index)}

    def _addresses(
        self, task: Fields, result: Fields, unit: int | None, segments: Sequence[Span | None]
    ) -> list[tuple[int, int | None]]:
        """A stretch is about every segment that it touches, any other result about one unit."""
        if not self._is_stretch(result):
            return [self._address(task, result, unit)]
        start, end = _stretch(task, result["value"], self._response(task)["response"])
        places = [place for place, at in enumerate(segments) if at and start < at[1] and at[0] < end]
        if not places:
            raise RowError(f"{name_of(task)}: the stretch from {start} to {end} touches no segment")
        return [(place, None) for place in places]

    def _address(self, task: Fields, result: Fields, unit: int | None) -> tuple[int, int | None]:
        """(segment, fact) of a result: by the Repeater's number, by its paragraph, or of the text as a whole."""
        value = result["value"]
        if unit is None and "start" in value:
            unit = _paragraph(task, value)
        units = task["data"].get(UNITS)
        if units is None:
            if unit is None and len(self._response(task).get("segments", [])) != 1:
                raise RowError(f"{name_of(task)}: a choice is about the whole text, which has segments to judge")
            return unit or 0, None
        try:
            place = units[unit or 0]
            segment, fact = place["segment"], place["fact"]
        except (IndexError, KeyError, TypeError):
            raise RowError(f"{name_of(task)}: there is no paragraph {unit or 0} in {UNITS}") from None
        if not isinstance(segment, int) or not isinstance(fact, int | None):
            raise RowError(f"{name_of(task)}: segment and fact of {UNITS} must be numbers")
        return segment, fact

    def _is_stretch(self, result: Fields) -> bool:
        return bool(self.elsewhere) and "start" in result["value"] and "startOffset" not in result["value"]

    @property
    def _known(self) -> tuple[str, ...]:
        return (self.control, ERROR_TYPE, REASON, REFERENCES)

    def _judgement(self, task: Fields, contents: Mapping[str, list[str]]) -> UnitJudgement | None:
        """None where the choice is no judgement."""
        choices = contents[self.control]
        if len(choices) != 1:
            raise RowError(f"{name_of(task)}: {self.control} has {len(choices)} choices for one unit")
        [choice] = choices
        value = self.values.get(choice, choice)
        if value == NO_LABEL:
            self.left_out[choice] += 1
            return None
        if value not in Value.values:
            raise RowError(
                f"{name_of(task)}: the choice {describe(choice)} is none of {', '.join(Value.values)}: say which it is"
            )
        return UnitJudgement(
            value=value,
            error_type="".join(contents.get(ERROR_TYPE, [])),
            reason="\n".join(contents.get(REASON, [])),
            references=tuple(CitedReference(url) for url in contents.get(REFERENCES, [])),
        )


def _control(result: Fields, known: tuple[str, ...]) -> tuple[str, int | None]:
    """The control's name without a Repeater's number, and that number."""
    name: str = result["from_name"]
    repeated = REPEATED.fullmatch(name)
    if name not in known and repeated and repeated[1] in known:
        return repeated[1], int(repeated[2])
    return name, None


def _stretch(task: Fields, value: Fields, text: str) -> Span:
    """Its offsets in characters: Label Studio counts the code units of UTF-16."""
    units = text.encode("utf-16-le")
    offsets = [each for each in (value["start"], value.get("end")) if isinstance(each, int)]
    if len(offsets) != 2 or not all(0 <= 2 * offset <= len(units) for offset in offsets):
        raise RowError(f"{name_of(task)}: a stretch begins or ends outside of the text")
    start, end = (len(units[: 2 * offset].decode("utf-16-le", "replace")) for offset in offsets)
    if value.get("text", text[start:end]) != text[start:end]:
        raise RowError(f"{name_of(task)}: {describe(value['text'])} is not what stands at its offsets")
    return start, end


def _paragraph(task: Fields, value: Fields) -> int:
    start, end = value["start"], value.get("end")
    if "startOffset" not in value or not str(start).isdecimal():
        raise RowError(
            f"{name_of(task)}: a region is a stretch of text: say by --elsewhere which value segments without one have"
        )
    if str(start) != str(end):
        raise RowError(f"{name_of(task)}: a region goes from paragraph {start} to {describe(end)}; it must be in one")
    return int(start)


def _contents(task: Fields, result: Fields) -> list[str]:
    """The chosen labels, or the typed lines."""
    kind = "text" if result.get("type") == "textarea" else str(result.get("type"))
    value = result["value"]
    if kind not in value:
        raise RowError(f"{name_of(task)}: a result of {result['from_name']} holds no {kind}")
    return [value[kind]] if isinstance(value[kind], str) else texts(value, kind)


def _annotator(task: Fields, annotation: Fields, unnamed: int) -> str:
    """The name as it is kept; of a person who is a number only "label-studio-<number>", of somebody who is not named
    any more "label-studio-unnamed", numbered where a task has several."""
    person = annotation.get("completed_by")
    if person is None:
        return "label-studio-unnamed" if unnamed < 2 else f"label-studio-unnamed-{unnamed}"
    if isinstance(person, dict):
        person = person.get("username") or person.get("email") or person.get("id")
    if isinstance(person, int) and not isinstance(person, bool):
        person = f"label-studio-{person}"
    if not isinstance(person, str) or not person.strip():
        raise RowError(f"{name_of(task)}: completed_by names nobody")
    return check_text(User.normalize_username(person), "completed_by", LONGEST_NAME)
