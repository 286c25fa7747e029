"""An annotator's own assignments as JSON: what their pages hold, and nothing that tells a control from work."""

from typing import Any

from rest_framework import serializers

from annotate.judgements.entries import CORRECTION, draft_of
from annotate.judgements.page_keys import PageKeys
from annotate.labels.active import A_DAY
from annotate.labels.cited import titles_of
from annotate.labels.contexts import assignment_page_of
from annotate.labels.draft import progress
from annotate.labels.payload import stored_entries
from annotate.labels.returned import last_return, may_take_back
from annotate.labels.submitted import submitted_draft
from annotate.labels.suggested import suggestions_on_page
from annotate.labels.workbench import UnitRow, error_types_of, panels
from annotate.models import Assignment, Scheme
from api.rest.views import Fields
from core.numbers import LARGEST_NUMBER

State = Assignment.State


class OwnWorkSerializer(Fields):
    """A row of My work."""

    key = serializers.CharField()
    state = serializers.ChoiceField(State.choices)
    state_title = serializers.CharField(source="title_of_state")
    prompt = serializers.SerializerMethodField(help_text="Of the task's first response; null without any.")
    is_closed = serializers.SerializerMethodField(help_text="Whether the task is settled.")
    submitted_at = serializers.DateTimeField(allow_null=True)
    lease_until = serializers.DateTimeField(allow_null=True, help_text="Until when it is, or was, yours.")
    skip_reason = serializers.CharField()
    awaits_rebuttal = serializers.BooleanField()
    new_messages = serializers.IntegerField(help_text="Of the adjudicators, unread.")

    def get_prompt(self, own: Assignment) -> str | None:
        prompts = [response.prompt.text for response in own.task.responses.all()]
        return prompts[0] if prompts else None

    def get_is_closed(self, own: Assignment) -> bool:
        return own.task.closed_at is not None


class WorkPromptSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    topic = serializers.CharField()
    domain = serializers.CharField()


class WorkPassageSerializer(serializers.Serializer[Any]):
    """What a claim is judged by; title and url may be empty."""

    title = serializers.CharField()
    url = serializers.CharField()
    text = serializers.CharField()


class WorkSuggestionSerializer(serializers.Serializer[Any]):
    """What the dataset's chosen run says of a unit."""

    value = serializers.CharField()
    reason = serializers.CharField()


class WorkUnitSerializer(serializers.Serializer[Any]):
    """What is judged: a segment, a claim, or a fact under its sentence."""

    key = serializers.CharField(help_text="Its name among the entries.")
    sentence = serializers.CharField(help_text="The key of its sentence.")
    correction = serializers.CharField(help_text="The entry that corrects the sentence.", allow_null=True)
    number = serializers.CharField(help_text="“3” of a sentence, “3.2” of a fact.")
    text = serializers.CharField()
    required = serializers.BooleanField(help_text="Whether it needs a value of its own before submission.")  # type: ignore[assignment]
    values = serializers.ListField(child=serializers.CharField(), help_text="What it can be judged as.")
    passages = WorkPassageSerializer(many=True, help_text="Of a claim; else empty.")
    suggestion = WorkSuggestionSerializer(allow_null=True, help_text="Null: none is shown, or not yet.")


class WorkReferenceSerializer(serializers.Serializer[Any]):
    """A link that came with the response."""

    url = serializers.CharField(allow_null=True)
    content = serializers.CharField()


class WorkResponseSerializer(serializers.Serializer[Any]):
    verdict = serializers.CharField(help_text="The entry that keeps or removes it.", allow_null=True)
    units = WorkUnitSerializer(many=True)
    references = WorkReferenceSerializer(many=True)


class WorkGuidelineSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    text = serializers.CharField()


class WorkReturnSerializer(serializers.Serializer[Any]):
    """How submitted work came back."""

    what = serializers.CharField(help_text="“sent_back” by an adjudicator, or “taken_back”.")
    note = serializers.CharField()


class WorkSerializer(serializers.Serializer[Any]):
    """An assignment with all that its page shows."""

    key = serializers.CharField()
    dataset = serializers.IntegerField()
    scheme = serializers.ChoiceField(Scheme.choices)
    state = serializers.ChoiceField(State.choices)
    is_closed = serializers.BooleanField()
    submitted_at = serializers.DateTimeField(allow_null=True)
    lease_until = serializers.DateTimeField(allow_null=True)
    may_take_back = serializers.BooleanField()
    returned = WorkReturnSerializer(allow_null=True)
    guideline = WorkGuidelineSerializer(allow_null=True, help_text="The guidelines in force.")
    error_types = serializers.ListField(child=serializers.CharField())
    type_required = serializers.BooleanField(help_text="An error needs a type.")
    reason_required = serializers.BooleanField(help_text="An error needs a reason.")
    prompt = WorkPromptSerializer(allow_null=True)
    responses = WorkResponseSerializer(many=True)
    version = serializers.IntegerField(help_text="Of the draft; its ETag.")
    entries = serializers.DictField(help_text="By the keys of units, corrections and verdicts, and “comment”.")
    titles = serializers.DictField(help_text="Of the documents that entries cite, by their numbers.")
    done = serializers.IntegerField(help_text="Required units that are judged.")
    total = serializers.IntegerField()
    active_seconds = serializers.IntegerField()


class DraftSerializer(serializers.Serializer[Any]):
    """A whole draft: an entry that is left out is taken back."""

    entries = serializers.DictField(
        help_text="A unit has value, error_type, irrelevance, reason, flagged and references (each url, quote, stance, "
        "document), where it is marked also mark (cut or no_claim) and mark_note; "
        "a correction text; a verdict keep and reason; the comment text."
    )
    active = serializers.IntegerField(
        min_value=0, max_value=A_DAY, default=0, help_text="Seconds worked since the last save."
    )
    guideline = serializers.IntegerField(
        min_value=0, max_value=LARGEST_NUMBER, required=False, help_text="The version that was read; 0: none."
    )


class SavedDraftSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    entries = serializers.DictField()
    active_seconds = serializers.IntegerField()


class SkipSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(help_text="For the adjudicator.", trim_whitespace=False)


def work_data(own: Assignment) -> dict[str, Any]:
    """What WorkSerializer describes."""
    page, dataset, keys = assignment_page_of(own), own.task.dataset, PageKeys(own)
    draft = submitted_draft(own) if own.state == State.SUBMITTED else draft_of(own)
    counts, returned, prompt = progress(page.readings, draft), last_return(own), None
    if page.readings:
        prompt = WorkPromptSerializer(page.readings[0].response.prompt).data
    is_first = not own.is_returned
    data = {
        "key": own.key,
        "dataset": dataset.pk,
        "scheme": dataset.scheme,
        "state": own.state,
        "is_closed": own.task.closed_at is not None,
        "submitted_at": own.submitted_at,
        "lease_until": own.lease_until,
        "may_take_back": may_take_back(own),
        "returned": returned,
        "guideline": page.guideline,
        "error_types": error_types_of(dataset),
        "type_required": dataset.type_required and is_first,
        "reason_required": dataset.reason_required and is_first,
        "prompt": prompt,
        "responses": [
            {
                "verdict": panel.key if dataset.scheme != Scheme.FACTSCORE else None,
                "units": [_unit(row, dataset.scheme) for row in panel.rows],
                "references": panel.references,
            }
            for panel in panels(dataset, page.readings, draft, keys, suggestions_on_page(own))
        ],
        "titles": {str(document): title for document, title in titles_of(draft).items()},
        "done": counts.done,
        "total": counts.total,
        **_stored(own, stored_entries(draft, keys)),
    }
    return WorkSerializer(data).data


def saved_data(own: Assignment) -> dict[str, Any]:
    """What SavedDraftSerializer describes."""
    return _stored(own, stored_entries(draft_of(own), PageKeys(own)))


def _stored(own: Assignment, entries: dict[str, Any]) -> dict[str, Any]:
    return {"version": own.draft_version, "entries": entries, "active_seconds": own.active_seconds}


def _unit(row: UnitRow, scheme: str) -> dict[str, Any]:
    return {
        "key": row.key,
        "sentence": row.sentence,
        "correction": f"{CORRECTION}.{row.key}" if scheme == Scheme.FACTSCORE and row.unit.fact is None else None,
        "number": row.number,
        "text": row.unit.text,
        "required": row.unit.required,
        "values": [choice.value for choice in row.choices],
        "passages": row.unit.passages,
        "suggestion": row.suggestion,
    }
