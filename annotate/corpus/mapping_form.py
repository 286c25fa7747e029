"""The form in which a person says what the fields of a file are."""

from collections.abc import Mapping
from itertools import chain
from typing import Any

from django import forms

from annotate.corpus.choices import AGAINST, CLAIMS, NOTHING, SEGMENTS, WHOLE, Choices, make_document
from annotate.corpus.guess import FoundPath, guess
from annotate.corpus.recipe import Outcome, Recipe, Settling
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


class MappingForm(forms.Form):
    """`recipe` is set once it is valid. The values of the label get a field each, by their number; last those that were
    found beyond the first rows (`further`, each with its meaning, "" for none yet)."""

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
        self, found: Mapping[str, FoundPath], title: str, further: Mapping[str, str], *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.found, self.title, self.further = found, title, further
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
        for number, value in enumerate(self._unless_values()):
            self.fields[f"unless-{number}"] = forms.ChoiceField(
                label=f"{value or '(empty)'}, in place of the label", choices=DECIDED, required=False
            )
        for number, value in enumerate(self.label_values()):
            self.fields[f"value-{number}"] = forms.ChoiceField(
                label=value or "(empty)", choices=OUTCOMES, required=False, initial=self.further.get(value, "")
            )

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
        unless = [self[f"unless-{number}"] for number in range(len(self._unless_values()))]
        return [self["more_text"], self["skip"], self["skip_values"], self["unless"], *unless]

    def asks_seldom(self) -> bool:
        """Whether one of these fields is filled in."""
        return any(field.value() or field.errors for field in self.seldom_fields())

    def _unless_values(self) -> list[str]:
        """The values in the first rows of the field that decides in place of the label."""
        entry = self.found.get(self["unless"].value() or "")
        return entry.values if entry else []

    def chosen(self) -> dict[str, Any]:
        """What the person chose, as it is shown to them again."""
        return {name: self[name].value() or "" for name in self.fields}

    def meanings(self) -> dict[str, str]:
        """What the further labels mean."""
        fields = zip(self.label_values(), self.value_fields(), strict=True)
        return {value: self.cleaned_data[field.name] for value, field in fields if value in self.further}

    def value_fields(self) -> list[forms.BoundField]:
        return [self[f"value-{number}"] for number in range(len(self.label_values()))]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        try:
            if text := cleaned["document"].strip():
                self.recipe = parse_recipe_text(text.encode(), "recipe")
            elif self._is_complete(cleaned):
                self.recipe = parse_recipe(make_document(self.title, self._choices(cleaned)))
        except DataError as error:
            self.add_error("document", str(error))
        except RowError as error:
            self.add_error(None, f"{str(error)[:1].upper()}{str(error)[1:]}.")
        return cleaned

    def _is_complete(self, cleaned: Mapping[str, Any]) -> bool:
        """Every field that the kind needs is chosen; the others get their errors."""
        required = ["text"] if cleaned["kind"] == AGAINST else REQUIRED
        needed = [*required, *(["unit"] if cleaned["kind"] in (CLAIMS, SEGMENTS) else [])]
        needed += ["label"] if cleaned["kind"] == WHOLE else []
        for name in needed:
            if not cleaned[name]:
                self.add_error(name, "Choose the field of the file.")
        for field in self.value_fields():
            if not cleaned[field.name]:
                self.add_error(field.name, "Choose what this label means.")
        if cleaned["other_labels"] and not cleaned["label"]:
            self.add_error("label", "Choose the label of the first annotator.")
        if cleaned["skip"] and not cleaned["skip_values"].strip():
            self.add_error("skip_values", "Say which values are left out.")
        if cleaned["label"] and cleaned["kind"] != NOTHING and not self.label_values():
            self.add_error("label", "This field has too many values to be a label.")
        return not self.errors

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
            **paths,
        )


class RecipeNameForm(forms.Form):
    name = forms.CharField(label="Name", max_length=LONGEST_RECIPE_NAME, help_text="Small letters, digits and hyphens.")


class RecipeFileForm(RecipeNameForm):
    file = forms.FileField(label="Recipe", help_text="A file with a recipe as JSON.")
