"""Runs as JSON."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.evaluators.serializers import SCALAR
from api.jobs.control import LimitsSerializer
from api.rest.views import Fields
from evaluators.models import Run
from evaluators.run_page.diff import DIFFER, GROUPS
from evaluators.runs.create import LONGEST_NAME
from evaluators.runs.listing import OLDEST_FIRST, ORDERS
from evaluators.runs.manage import LONGEST_NOTE
from llm.price import Part

MOST = 2**31 - 1
ARCHIVED = "Since when it is out of the list and the comparison; null: it stands in both."


class ScalarField(serializers.Field[Any, Any, Any, Any]):
    """A text, a number, true or false."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str | int | float):
            raise serializers.ValidationError("A text, a number, true or false.")
        return str(data)


class RunListSerializer(Fields):
    """A run of an evaluator over the dataset."""

    id = serializers.IntegerField(source="pk")
    evaluator = serializers.CharField(source="evaluator.name")
    method = serializers.CharField(source="evaluator.method")
    model = serializers.CharField(source="evaluator.model")
    state = serializers.ChoiceField(Run.State.choices)
    error = serializers.CharField(help_text="Why it stopped by itself; empty: it did not.")
    tags = serializers.SerializerMethodField()
    archived_at = serializers.DateTimeField(allow_null=True, help_text=ARCHIVED)
    responses = serializers.IntegerField(source="total")
    done = serializers.IntegerField(help_text="Responses that are judged.")
    failed = serializers.IntegerField(help_text="Responses that could not be judged.")
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)

    def get_tags(self, run: Run) -> list[str]:
        return [tag.name for tag in run.tags.all()]


class RunFilterSerializer(serializers.Serializer[Any]):
    state = serializers.ChoiceField(Run.State.choices, required=False, default="")
    evaluator = serializers.CharField(required=False, default="", help_text="A part of the evaluator's name.")
    tag = serializers.CharField(required=False, default="", help_text="One of its tags.")
    archived = serializers.BooleanField(
        required=False, default=None, allow_null=True, help_text="Only the archived ones, or only the others."
    )
    sort = serializers.ChoiceField(
        [sign + order for order in ORDERS for sign in ("", "-")],
        required=False,
        default=OLDEST_FIRST,
        help_text="After a minus, descending; what has no value comes last.",
    )


class FailureSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField()
    responses = serializers.IntegerField()


class RunProgressSerializer(serializers.Serializer[Any]):
    """How far the run is. a_minute: responses, null before the first; left: seconds, null without a rate."""

    responses = serializers.IntegerField(source="total")
    done = serializers.IntegerField()
    failed = serializers.IntegerField()
    all_failed = serializers.ListField(
        child=serializers.CharField(), help_text="Domains in which every response failed, though the run finishes."
    )
    under_way = serializers.IntegerField(source="leased")
    predicted = serializers.IntegerField(help_text="Units with a value.")
    unparsed = serializers.IntegerField(help_text="Units whose answer could not be parsed.")
    refused = serializers.IntegerField(help_text="Units that the model or its filter would not judge.")
    cut_off = serializers.IntegerField(help_text="Units whose answer, or the thought before it, was cut off.")
    skipped = serializers.DictField(child=serializers.IntegerField(), help_text="Units left out, by reason.")
    fallbacks = serializers.DictField(
        child=serializers.IntegerField(), help_text="Units judged by another method, by reason."
    )
    a_minute = serializers.FloatField(allow_null=True)
    left = serializers.FloatField(allow_null=True)
    seconds = serializers.FloatField(allow_null=True, help_text="From the start to the last prediction.")
    not_picked_up = serializers.BooleanField(help_text="Work waits, and no worker has taken it for a while.")


UNPRICED = "The parts whose price is unknown: " + ", ".join(Part) + "."


class RunSpentSerializer(serializers.Serializer[Any]):
    """What the run's answers took. paid: answers that came from the model; cached: answers that were known."""

    paid = serializers.IntegerField()
    cached = serializers.IntegerField()
    tokens = serializers.IntegerField()
    cost_usd = serializers.FloatField(allow_null=True, help_text="null: a part of the price of an answer is unknown.")
    known_usd = serializers.FloatField(help_text="Of the parts whose price is known.")
    unpriced = serializers.ListField(child=serializers.CharField(), help_text=UNPRICED)
    max_tokens_total = serializers.IntegerField(allow_null=True)
    max_cost = serializers.FloatField(allow_null=True)


class RunSerializer(serializers.Serializer[Any]):
    """A run with its progress: `{"run": Run, "progress": RunProgress}`."""

    id = serializers.IntegerField(source="run.pk")
    dataset = serializers.IntegerField(source="run.dataset_id")
    evaluator = serializers.CharField(source="run.evaluator.name")
    method = serializers.CharField(source="run.evaluator.method")
    model = serializers.CharField(source="run.evaluator.model")
    parameters = serializers.DictField(
        source="run.evaluator.parameters", child=extend_schema_field(SCALAR)(serializers.JSONField)()
    )
    state = serializers.ChoiceField(Run.State.choices, source="run.state")
    error = serializers.CharField(source="run.error")
    tags = serializers.SerializerMethodField()
    note = serializers.CharField(source="run.note")
    archived_at = serializers.DateTimeField(source="run.archived_at", allow_null=True, help_text=ARCHIVED)
    notice = serializers.CharField(help_text="Why nothing comes at the moment; empty: it does.")
    progress = RunProgressSerializer()
    spent = RunSpentSerializer()
    failures = FailureSerializer(many=True, help_text="The most frequent reasons first.")
    created_at = serializers.DateTimeField(source="run.created_at")
    started_at = serializers.DateTimeField(source="run.started_at", allow_null=True)
    finished_at = serializers.DateTimeField(source="run.finished_at", allow_null=True)
    manifest = serializers.SerializerMethodField(help_text="The address of all that is needed to repeat it.")
    predictions = serializers.SerializerMethodField(help_text="The address of its predictions; an editor has none.")
    edits = serializers.SerializerMethodField(help_text="The address of its edits; null: it is no editor's run.")

    def get_tags(self, row: dict[str, Any]) -> list[str]:
        return [tag.name for tag in row["run"].tags.all()]

    def get_manifest(self, row: dict[str, Any]) -> str:
        return reverse("api:run-manifest", args=[row["run"].pk])

    def get_predictions(self, row: dict[str, Any]) -> str:
        return reverse("api:run-predictions", args=[row["run"].pk])

    def get_edits(self, row: dict[str, Any]) -> str | None:
        return reverse("api:run-edits", args=[row["run"].pk]) if row["run"].edits else None


class RunChangeSerializer(serializers.Serializer[Any]):
    """What is written about a run; what is not sent stays."""

    name = serializers.CharField(
        max_length=LONGEST_NAME, required=False, help_text="Of the evaluator, in all its runs over the dataset."
    )
    tags = serializers.ListField(child=serializers.CharField(), required=False, help_text="All that it has then.")
    note = serializers.CharField(max_length=LONGEST_NOTE, allow_blank=True, required=False)
    archived = serializers.BooleanField(required=False, help_text="Out of the list and the comparison, or back in.")


class DiffFilterSerializer(serializers.Serializer[Any]):
    """Which units of two runs."""

    other = serializers.CharField(help_text="The other run's id, or the name of a trivial baseline.")
    show = serializers.ChoiceField(
        GROUPS,
        required=False,
        default=DIFFER,
        help_text="one: only this run is right; other: only the other; differ: either; wrong, right: both are.",
    )
    level = serializers.CharField(required=False, default="", help_text="fact, segment or response; the smallest.")
    gold = serializers.CharField(required=False, default="", help_text="A frozen version; without it current gold.")
    domain = serializers.CharField(required=False, default="")
    q = serializers.CharField(required=False, default="", help_text="Words of the unit or its prompt.")
    offset = serializers.IntegerField(required=False, default=0, min_value=0, max_value=MOST)
    limit = serializers.IntegerField(required=False, default=100, min_value=1, max_value=1000)


class DiffEntrySerializer(serializers.Serializer[Any]):
    """An entry of the manifest that differs."""

    name = serializers.CharField()
    one = serializers.JSONField()
    other = serializers.JSONField()


class DiffAnswerSerializer(serializers.Serializer[Any]):
    value = serializers.CharField(allow_null=True, help_text="null: unparsed, or nothing was said.")
    score = serializers.FloatField(allow_null=True)
    rationale = serializers.CharField()


class DiffPartSerializer(serializers.Serializer[Any]):
    """An address within the unit."""

    segment = serializers.IntegerField()
    fact = serializers.IntegerField(allow_null=True)
    text = serializers.CharField()
    gold = serializers.CharField(allow_null=True)
    one = DiffAnswerSerializer(allow_null=True, help_text="null: no prediction.")
    other = DiffAnswerSerializer(allow_null=True)


class DiffUnitSerializer(serializers.Serializer[Any]):
    index = serializers.CharField()
    gold = serializers.CharField(allow_null=True, help_text="Of the whole unit: supported or not_supported.")
    one = serializers.CharField(allow_null=True, help_text="This run's verdict of it; null: none.")
    other = serializers.CharField(allow_null=True)
    parts = DiffPartSerializer(many=True)


class RunDiffSerializer(serializers.Serializer[Any]):
    """Two runs unit by unit. counts: of each group of `show`, over all units with gold."""

    one = serializers.CharField(help_text="The evaluator of this run.")
    other = serializers.CharField()
    level = serializers.CharField()
    n = serializers.IntegerField(help_text="Units with gold.")
    counts = serializers.DictField(child=serializers.IntegerField())
    differing = DiffEntrySerializer(many=True)
    matching = serializers.IntegerField(help_text="Units that the filter leaves.")
    units = DiffUnitSerializer(many=True)


class RunOptionsSerializer(serializers.Serializer[Any]):
    """What is estimated: the options of the command `evaluate`."""

    method = serializers.CharField()
    model = serializers.CharField(required=False, default="", allow_blank=True, max_length=LONGEST_NAME)
    parameters = serializers.DictField(
        child=extend_schema_field(SCALAR)(ScalarField)(), required=False, default=dict, help_text="By name."
    )
    limit = serializers.IntegerField(
        min_value=1,
        max_value=MOST,
        required=False,
        default=None,
        allow_null=True,
        help_text="Only the first responses.",
    )
    batch_api = serializers.BooleanField(
        required=False, default=False, help_text="Ask in files, within a day, at a lower price."
    )


class NewRunSerializer(RunOptionsSerializer, LimitsSerializer):
    """A run to be started: the options of the command `evaluate`."""

    name = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=LONGEST_NAME,
        help_text="The evaluator's name; empty: the method and the model.",
    )
    force = serializers.BooleanField(required=False, default=False, help_text="Also where the same run is there.")
    anew = serializers.BooleanField(required=False, default=False, help_text="Ask the model again for known answers.")


class EstimateSerializer(serializers.Serializer[Any]):
    """A run before it starts, rehearsed on a few responses, with no call."""

    responses = serializers.IntegerField()
    sampled = serializers.IntegerField()
    known = serializers.IntegerField(help_text="Answers that are known and cost nothing.")
    calls = serializers.IntegerField(help_text="At most.")
    prompt_tokens = serializers.IntegerField(help_text="About.")
    completion_tokens = serializers.IntegerField(help_text="At most.")
    cost_usd = serializers.FloatField(allow_null=True, help_text="At most; null: a part of a price is unknown.")
    known_usd = serializers.FloatField(help_text="At most, of the parts whose price is known.")
    unpriced = serializers.ListField(child=serializers.CharField(), help_text=UNPRICED)
    likely_tokens = serializers.IntegerField(help_text="Of answers as long as usual.")
    likely_usd = serializers.FloatField(allow_null=True, help_text="With answers as long as usual.")
    measured = serializers.IntegerField(
        help_text="Known answers of the same method and model that say how long; 0: the documented lengths do."
    )
    searches = serializers.IntegerField(help_text="New searches of the web, at most; the prices hold theirs.")
