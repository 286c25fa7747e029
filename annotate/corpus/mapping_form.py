"""The form in which a person says what the fields of a file are."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count, takewhile
from pathlib import Path
from typing import Any

from django import forms

from annotate.corpus.choices import AGAINST, CLAIMS, NOTHING, SEGMENTS, WHOLE, Choices, make_document
from annotate.corpus.first_rows import file_names, first_rows, keys_in
from annotate.corpus.guess import FoundPath, guess
from annotate.corpus.recipe import JoinedFile, Outcome, Recipe, Settling
from annotate.corpus.recipe_parser import LARGEST, parse_recipe, parse_recipe_text
from annotate.models.stored_recipe import LONGEST_RECIPE_NAME
from core.errors import DataError, RowError

KINDS = [
    (CLAIMS, "Claims of a response: atomic facts"),
    (SEGMENTS, "Segments of a response"),
    (WHOLE, "The response as a whole"),
    (AGAINST, "Claims against a source: those of a response, or the response itself; evidence is their passages"),
    (NOTHING, "Nothing: the responses are labelled here"),
]
# In the order of the page.
PATHS = {
    "prompt": "Prompt",
    "text": "Response",
    "unit": "Text of a claim or segment",
    "sentence": "Text of the sentence that holds the claims",
    "label": "Label",
    "evidence": "Evidence: text",
    "url": "Evidence: link",
    "model": "Model",
    "domain": "Domain",
    "topic": "Topic",
    "index": "Index",
    "together": "Rows with the same value are one response",
    "skip": "Field by which rows or units are left out",
    "unless": "Field that decides in place of the label",
}
REQUIRED = ("prompt", "text")
SELDOM = ("skip", "unless")
SETTLINGS = [
    (Settling.UNANIMOUS.value, "Gold where all agree"),
    (Settling.MAJORITY.value, "Gold where more than half agree"),
]
DECIDED = [("", "The label counts"), *((outcome.value, outcome.words) for outcome in Outcome)]
OUTCOMES = [("", "Choose"), *((outcome.value, outcome.words) for outcome in Outcome)]
# Fields of which several may be chosen.
LISTS = ("other_labels", "more_text")
NO_FIELD = "Choose the field of the file."
NO_MEANING = "Choose what this label means."


class FilesForm(forms.Form):
    """Which of several files has the rows, and which one completes them by a key; without fields where there are not
    several. It is never sent by itself: what it says is what stands in it."""

    def __init__(self, folder: Path, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.folder = folder
        if names := file_names(folder):
            self._add("rows_file", "File with the rows", "All files, one after another", names)
            self._add("join_file", "File that completes them", "None", names)
            self._add("join_by", "Key of the rows", "None", self._keys("rows_file"))
            self._add("join_there", "The same key in the other file", "None", self._keys("join_file"))

    def _add(self, name: str, label: str, none: str, options: Iterable[str]) -> None:
        choices = [("", none), *((option, option) for option in options)]
        self.fields[name] = forms.ChoiceField(label=label, choices=choices, required=False)
        if self[name].value() not in dict(choices):
            self.initial[name] = ""

    def _keys(self, name: str) -> list[str]:
        return keys_in(self.folder, self[name].value()) if self[name].value() else []

    def chosen(self) -> dict[str, str]:
        return {name: self[name].value() or "" for name in self.fields}

    @property
    def file(self) -> str:
        return self.chosen().get("rows_file", "")

    @property
    def joined(self) -> tuple[JoinedFile, ...]:
        file, *join = self.chosen().values() or [""]
        return (JoinedFile(*join),) if file and all(join) else ()

    @property
    def fault(self) -> str:
        """A sentence where a file is to complete the rows and it is not said how."""
        is_open = bool(self.chosen().get("join_file")) and not self.joined
        return "Choose the file with the rows, and the key of each of the two files." if is_open else ""

    def first_rows(self) -> tuple[dict[int, dict[str, Any]], str]:
        """Those of the rows, completed, and ""; where none is completed, as they stand, and why. Raises DataError."""
        try:
            return first_rows(self.folder, self.file, self.joined), self.fault
        except DataError as error:
            if not self.joined:
                raise
            return first_rows(self.folder, self.file), str(error)


class MappingForm(forms.Form):
    """`recipe` is set once it is valid. The values of the label get a field each, by their number, with a hidden one
    that says which value it is (`data` is changed for it); last those that were found beyond the first rows (`further`,
    each with its meaning, "" for none yet)."""

    kind = forms.ChoiceField(label="What is judged", choices=KINDS)
    settle = forms.ChoiceField(
        label="Several annotators' labels of a unit", choices=[("", "There is one label"), *SETTLINGS], required=False
    )
    skip_values = forms.CharField(
        label="Values that are left out",
        required=False,
        max_length=1000,
        help_text="Such as ignore; several with commas between them.",
    )
    document = forms.CharField(
        label="Recipe as JSON",
        required=False,
        max_length=LARGEST,
        help_text="If filled in, it counts instead of the fields above.",
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
    )

    recipe: Recipe

    def __init__(
        self,
        found: Mapping[str, FoundPath],
        title: str,
        further: Mapping[str, str],
        files: FilesForm,
        *args: Any,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.found, self.title, self.further, self.files_form = found, title, further, files
        self.initial = {**guess(found), **self.initial}
        choices = [(path, f"{path}: {entry.example}" if entry.example else path) for path, entry in found.items()]
        for name, label in PATHS.items():
            self.fields[name] = forms.ChoiceField(
                label=label, choices=[("", "None"), *choices], required=False, widget=forms.Select
            )
        self.fields["other_labels"] = forms.MultipleChoiceField(
            label="Labels of other annotators",
            choices=choices,
            required=False,
            help_text="Where each annotator has a field of their own.",
        )
        self.fields["more_text"] = forms.MultipleChoiceField(
            label="Further parts of the text",
            choices=choices,
            required=False,
            help_text="Where a claim or segment is made of several fields: they follow its text, in the file's order.",
        )
        self._add_values("value", self.label_values(), OUTCOMES, "{}")
        self._add_values("unless", self._unless_values(), DECIDED, "{}, in place of the label")

    def _add_values(self, name: str, values: list[str], choices: list[tuple[str, str]], label: str) -> None:
        """A field for what each of the values means. The page may have asked for those of another field of the file:
        what was said there belongs to the value, not to its number."""
        source: Any = self.data if self.is_bound else self.initial
        numbers = takewhile(lambda number: f"said-{name}-{number}" in source, count())
        said = {source[f"said-{name}-{number}"]: source.get(f"{name}-{number}", "") for number in numbers}
        for number, value in enumerate(values):
            key = f"{name}-{number}"
            self.fields[key] = forms.ChoiceField(
                label=label.format(value or "(empty)"),
                choices=choices,
                required=False,
                initial=self.further.get(value, "") if name == "value" else "",
            )
            self.fields[f"said-{key}"] = forms.CharField(required=False, strip=False, widget=forms.HiddenInput)
            source[f"said-{key}"] = value
            if said:
                source[key] = said.get(value, "")

    def label_values(self) -> list[str]:
        """The values of the chosen labels in the first rows, and the further ones; none where they are many, or nothing
        is judged."""
        entries = [self.found.get(path) for path in [self["label"].value(), *(self["other_labels"].value() or [])]]
        values = [entry.values for entry in entries if entry is not None]
        if not all(values) or self["kind"].value() == NOTHING:
            return []
        return list(dict.fromkeys([*chain.from_iterable(values), *self.further]))

    def choice_fields(self) -> list[forms.BoundField]:
        paths = [name for name in PATHS if name not in SELDOM]
        return [self["kind"], *(self[name] for name in paths), self["other_labels"], self["settle"]]

    def seldom_fields(self) -> list[forms.BoundField]:
        """What few files need."""
        return [self["more_text"], self["skip"], self["skip_values"], self["unless"]]

    def asks_seldom(self) -> bool:
        """Whether one of these fields is filled in."""
        return any(field.value() or field.errors for field in self.seldom_fields())

    def _unless_values(self) -> list[str]:
        """The values in the first rows of the field that decides in place of the label."""
        entry = self.found.get(self["unless"].value() or "")
        return entry.values if entry else []

    def chosen(self) -> dict[str, Any]:
        """What the person chose, as it is shown to them again."""
        return {**self.files_form.chosen(), **{name: self[name].value() or "" for name in self.fields}}

    def meanings(self) -> dict[str, str]:
        """What the further labels mean."""
        fields = zip(self.label_values(), self.value_fields(), strict=True)
        return {value: self.cleaned_data[field.name] for value, field in fields if value in self.further}

    def value_fields(self) -> list[forms.BoundField]:
        return [self[f"value-{number}"] for number in range(len(self.label_values()))]

    def unless_fields(self) -> list[forms.BoundField]:
        return [self[f"unless-{number}"] for number in range(len(self._unless_values()))]

    def draft(self) -> tuple[Recipe | None, list[str]]:
        """The recipe of what is chosen so far, None where that makes none, and sentences that say what is still to be
        said. Labels without a meaning are no labels in it."""
        chosen = self.chosen()
        try:
            if text := chosen["document"].strip():
                return parse_recipe_text(text.encode(), "recipe"), []
            faults = dict(self._faults(chosen))
            open_values = [name for name, cause in faults.items() if cause == NO_MEANING]
            if len(open_values) < len(faults):
                return None, self._sentences(faults)
            outcomes = dict.fromkeys(open_values, Outcome.NO_LABEL.value)
            document = make_document(self.title, self._choices({**chosen, **outcomes}))
            return parse_recipe(document), self._sentences(faults)
        except DataError as error:
            return None, [str(error)]
        except RowError as error:
            return None, [_sentence(error)]

    def _sentences(self, faults: Mapping[str, str]) -> list[str]:
        """For a form that nobody has sent: faults by the name of the field."""
        fields = [str(self[name].label) for name, cause in faults.items() if cause == NO_FIELD]
        values = [str(self[name].label) for name, cause in faults.items() if cause == NO_MEANING]
        found = [cause for cause in faults.values() if cause not in (NO_FIELD, NO_MEANING)]
        if fields:
            found.append(f"Still to be chosen: {', '.join(fields)}.")
        if values:
            found.append(f"Say what these labels mean: {', '.join(values)}. Until then they count as no label.")
        return found

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        try:
            if text := cleaned["document"].strip():
                self.recipe = parse_recipe_text(text.encode(), "recipe")
                return cleaned
            for name, cause in self._faults(cleaned):
                self.add_error(name if name in self.fields else None, cause)
            if not self.errors:
                self.recipe = parse_recipe(make_document(self.title, self._choices(cleaned)))
        except DataError as error:
            self.add_error("document", str(error))
        except RowError as error:
            self.add_error(None, _sentence(error))
        return cleaned

    def _faults(self, chosen: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """What is missing, or does not fit: the name of the field, "" for the choice of files, and a sentence."""
        required = ["text"] if chosen["kind"] == AGAINST else REQUIRED
        needed = [*required, *(["unit"] if chosen["kind"] in (CLAIMS, SEGMENTS) else [])]
        needed += ["label"] if chosen["kind"] == WHOLE else []
        yield from ((name, NO_FIELD) for name in needed if not chosen[name])
        yield from ((field.name, NO_MEANING) for field in self.value_fields() if not chosen[field.name])
        if chosen["other_labels"] and not chosen["label"]:
            yield "label", "Choose the label of the first annotator."
        if chosen["skip"] and not chosen["skip_values"].strip():
            yield "skip_values", "Say which values are left out."
        if chosen["label"] and chosen["kind"] != NOTHING and not self.label_values():
            yield "label", "The label has too many values to be one."
        if self.files_form.fault:
            yield "", self.files_form.fault

    def _choices(self, cleaned: Mapping[str, Any]) -> Choices:
        values = {value: cleaned[f"value-{number}"] for number, value in enumerate(self.label_values())}
        paths = {name: cleaned[name] for name in PATHS}
        unless = {value: cleaned[f"unless-{number}"] for number, value in enumerate(self._unless_values())}
        return Choices(
            kind=cleaned["kind"],
            values=values,
            settle=cleaned["settle"],
            other_labels=tuple(cleaned["other_labels"]),
            more_text=tuple(cleaned["more_text"]),
            skip_values=tuple(value.strip() for value in cleaned["skip_values"].split(",")),
            unless_values=unless,
            file=self.files_form.file,
            joined=self.files_form.joined,
            **paths,
        )


def _sentence(error: RowError) -> str:
    cause = str(error)
    return f"{cause[:1].upper()}{cause[1:]}."


class RecipeNameForm(forms.Form):
    name = forms.CharField(label="Name", max_length=LONGEST_RECIPE_NAME, help_text="Small letters, digits and hyphens.")


class RecipeFileForm(RecipeNameForm):
    file = forms.FileField(label="Recipe", help_text="A file with a recipe as JSON.")
