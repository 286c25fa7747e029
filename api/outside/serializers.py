"""Runs of outside evaluators, leased cases and judgements as JSON."""

from typing import Any

from rest_framework import serializers

from annotate.models import Value
from evaluators.models import Run
from evaluators.runs.create import LONGEST_NAME
from evaluators.runs.outside import SentCase, SentJudgement
from evaluators.runs.results import LONGEST_REASON
from evaluators.runs.sent_claims import SentClaim

MOST_CASES = 200
MOST_CLAIMS = 1000
MOST_PARAMETERS = 100
LONGEST_LEASE_SECONDS = 24 * 3600
LONGEST_TEXT = 100_000
LARGEST_PLACE = 2**31 - 1


class _Scalar(serializers.JSONField):
    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str | int | float | bool | None):
            raise serializers.ValidationError("A parameter is a text, a number, true, false or null.")
        return data


class NewOutsideRunSerializer(serializers.Serializer[Any]):
    evaluator = serializers.CharField(max_length=LONGEST_NAME, help_text="Its name, new or known.")
    model = serializers.CharField(max_length=200, default="", allow_blank=True, help_text="The model that it asks.")
    parameters = serializers.DictField(child=_Scalar(), default=dict, help_text="All that is fixed before the run.")
    limit = serializers.IntegerField(
        min_value=1, max_value=LARGEST_PLACE, default=None, allow_null=True, help_text="The first responses only."
    )
    anew = serializers.BooleanField(default=False, help_text="A new run where the same one is there.")

    def validate_parameters(self, value: dict[str, Any]) -> dict[str, Any]:
        if len(value) > MOST_PARAMETERS:
            raise serializers.ValidationError(f"An evaluator has at most {MOST_PARAMETERS} parameters.")
        return value


class NewLeaseSerializer(serializers.Serializer[Any]):
    count = serializers.IntegerField(min_value=1, max_value=MOST_CASES, default=10, help_text="Cases, at most.")
    seconds = serializers.FloatField(
        min_value=1,
        max_value=LONGEST_LEASE_SECONDS,
        default=None,
        allow_null=True,
        help_text="Until the lease runs out, if it is not renewed; null: as the server has it.",
    )


class CaseUnitSerializer(serializers.Serializer[Any]):
    """A segment, or one of its facts; both count from 0."""

    segment = serializers.IntegerField()
    fact = serializers.IntegerField(allow_null=True)
    text = serializers.CharField()


class CaseReferenceSerializer(serializers.Serializer[Any]):
    url = serializers.CharField(allow_null=True)
    content = serializers.CharField(allow_null=True)


class CasePassageSerializer(serializers.Serializer[Any]):
    title = serializers.CharField()
    text = serializers.CharField()


class LeasedCaseSerializer(serializers.Serializer[Any]):
    """A response with all that an evaluator may see of it: each of its units is to be judged."""

    index = serializers.CharField()
    prompt = serializers.CharField()
    response = serializers.CharField()
    domain = serializers.CharField()
    topic = serializers.CharField()
    subject = serializers.CharField()
    segments = serializers.ListField(child=serializers.CharField())
    units = CaseUnitSerializer(many=True)
    references = CaseReferenceSerializer(many=True)
    samples = serializers.ListField(child=serializers.CharField())
    passages = serializers.ListField(
        child=serializers.ListField(child=CasePassageSerializer()),
        help_text="What each unit is judged by, in the order of the units; empty unless they are claims.",
    )


class LeaseSerializer(serializers.Serializer[Any]):
    """lease: names it when it is renewed and when its judgements are sent."""

    lease = serializers.CharField()
    until = serializers.DateTimeField()
    state = serializers.ChoiceField(Run.State.choices, help_text="Of the run: only an active one gives cases.")
    cases = LeasedCaseSerializer(many=True)


class LeaseRenewalSerializer(serializers.Serializer[Any]):
    lease = serializers.CharField(max_length=64)
    seconds = serializers.FloatField(
        min_value=1, max_value=LONGEST_LEASE_SECONDS, default=None, allow_null=True, help_text="From now on."
    )


class RenewedLeaseSerializer(serializers.Serializer[Any]):
    until = serializers.DateTimeField()
    cases = serializers.IntegerField(help_text="Those that the lease still holds.")


class SentJudgementSerializer(serializers.Serializer[Any]):
    """value: null where the output could not be parsed. skipped: why the unit is not judged."""

    segment = serializers.IntegerField(min_value=0, max_value=LARGEST_PLACE)
    fact = serializers.IntegerField(min_value=0, max_value=LARGEST_PLACE, default=None, allow_null=True)
    value = serializers.ChoiceField(Value.choices, default=None, allow_null=True)
    score = serializers.FloatField(
        min_value=0, max_value=1, default=None, allow_null=True, help_text="The probability of supported."
    )
    rationale = serializers.CharField(max_length=LONGEST_TEXT, default="", allow_blank=True, trim_whitespace=False)
    skipped = serializers.CharField(max_length=LONGEST_REASON, default="", allow_blank=True)


class SentClaimSerializer(serializers.Serializer[Any]):
    """A claim that the evaluator extracted by itself. Which units say it the site finds out by the texts."""

    text = serializers.CharField(max_length=LONGEST_TEXT)
    value = serializers.ChoiceField(
        Value.choices, default=None, allow_null=True, help_text="null: it could not be parsed."
    )
    score = serializers.FloatField(
        min_value=0, max_value=1, default=None, allow_null=True, help_text="The probability of supported."
    )
    rationale = serializers.CharField(max_length=LONGEST_TEXT, default="", allow_blank=True, trim_whitespace=False)
    segment = serializers.IntegerField(
        min_value=0,
        max_value=LARGEST_PLACE,
        default=None,
        allow_null=True,
        help_text="The segment that it was taken from, counted from 0; null: the response as a whole.",
    )
    start = serializers.IntegerField(
        min_value=0,
        max_value=LARGEST_PLACE,
        default=None,
        allow_null=True,
        help_text="In place of the segment: the first character of the response that it was taken from, from 0.",
    )
    end = serializers.IntegerField(
        min_value=1, max_value=LARGEST_PLACE, default=None, allow_null=True, help_text="The character after its last."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        start, end = attrs.pop("start"), attrs.pop("end")
        if (start is None) != (end is None) or (start is not None and start >= end):
            raise serializers.ValidationError("A claim was taken from start up to end, which is greater.")
        attrs["span"] = None if start is None else (start, end)
        if attrs["span"] and attrs["segment"] is not None:
            raise serializers.ValidationError("A claim says its segment, or start and end, not both.")
        return attrs


class SentCaseSerializer(serializers.Serializer[Any]):
    """Judgements, one for each unit, or the error that kept the evaluator from judging. An evaluator that extracts
    claims by itself sends these: without judgements the units are judged by the claims aligned to them."""

    index = serializers.CharField(trim_whitespace=False)
    judgements = SentJudgementSerializer(many=True, default=list)
    claims = SentClaimSerializer(
        many=True,
        default=None,
        allow_null=True,
        help_text="In the order of the response; []: it found none; null: it extracts none by itself.",
    )
    error = serializers.CharField(max_length=LONGEST_TEXT, default="", allow_blank=True)
    tokens = serializers.IntegerField(min_value=0, max_value=10**12, default=None, allow_null=True)
    cost_usd = serializers.DecimalField(12, 6, min_value=0, default=None, allow_null=True)

    def validate_claims(self, value: list[dict[str, Any]] | None) -> list[dict[str, Any]] | None:
        if value is not None and len(value) > MOST_CLAIMS:
            raise serializers.ValidationError(f"A response has at most {MOST_CLAIMS:,} claims.")
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        addresses = [(each["segment"], each["fact"]) for each in attrs["judgements"]]
        if len(addresses) != len(set(addresses)):
            raise serializers.ValidationError("A unit is judged twice.")
        return attrs


class JudgementsSerializer(serializers.Serializer[Any]):
    """What an outside evaluator sends of one lease."""

    lease = serializers.CharField(max_length=64)
    cases = SentCaseSerializer(many=True, allow_empty=False)

    def validate_cases(self, value: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if len(value) > MOST_CASES:
            raise serializers.ValidationError(f"At most {MOST_CASES} cases are sent at once.")
        if len({case["index"] for case in value}) != len(value):
            raise serializers.ValidationError("A case comes twice.")
        return value

    def sent_cases(self) -> list[SentCase]:
        """The cases that were sent, once they are found valid."""
        return [
            SentCase(
                case["index"],
                {
                    (each["segment"], each["fact"]): SentJudgement(
                        each["value"], each["score"], each["rationale"], each["skipped"]
                    )
                    for each in case["judgements"]
                },
                case["error"],
                case["tokens"],
                case["cost_usd"],
                None if case["claims"] is None else [SentClaim(**each) for each in case["claims"]],
            )
            for case in self.validated_data["cases"]
        ]


class ReceivedSerializer(serializers.Serializer[Any]):
    stored = serializers.IntegerField(help_text="Cases whose judgements were kept.")
    failed = serializers.IntegerField(help_text="Cases with an error; each is tried three times.")
    lost = serializers.ListField(
        child=serializers.CharField(), help_text="Cases whose lease had run out: nothing of them was kept."
    )
    state = serializers.ChoiceField(Run.State.choices)
