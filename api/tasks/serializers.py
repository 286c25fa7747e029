"""Tasks and what was done with them as JSON."""

from typing import Any

from rest_framework import serializers

from annotate.models import Assignment, Task
from annotate.tasks.assign import MOST
from api.rest.views import Fields
from core.numbers import LARGEST_NUMBER

MOST_TASKS = 100_000


class TaskAssignmentSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField(source="pk")
    annotator = serializers.CharField(source="annotator.username")
    state = serializers.ChoiceField(Assignment.State.choices)
    state_title = serializers.CharField(source="title_of_state")
    lease_until = serializers.DateTimeField(allow_null=True)
    submitted_at = serializers.DateTimeField(allow_null=True)
    skip_reason = serializers.CharField()
    comment = serializers.CharField(help_text="To the adjudicator.")


class TaskSerializer(Fields):
    """A task, for adjudicators."""

    id = serializers.IntegerField(source="pk")
    number = serializers.SerializerMethodField(help_text="As pages name it.")
    kind = serializers.ChoiceField(Task.Kind.choices)
    prompt = serializers.SerializerMethodField(help_text="Of its first response; null without any.")
    responses = serializers.SerializerMethodField(help_text="The numbers of its responses.")
    needed = serializers.IntegerField(source="wants", help_text="Annotators that it needs.")
    rebuttal_at = serializers.DateTimeField(allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True)
    assignments = TaskAssignmentSerializer(many=True)

    def get_number(self, task: Task) -> int:
        return task.position + 1

    def get_prompt(self, task: Task) -> str | None:
        prompts = [response.prompt.text for response in task.responses.all()]
        return prompts[0] if prompts else None

    def get_responses(self, task: Task) -> list[int]:
        return [response.pk for response in task.responses.all()]


class AutomaticAssignmentSerializer(serializers.Serializer[Any]):
    annotators = serializers.ListField(child=serializers.CharField(), allow_empty=False, help_text="User names.")
    overlap = serializers.FloatField(min_value=0, max_value=1, help_text="Share of tasks that need several annotators.")
    per_task = serializers.IntegerField(min_value=2, max_value=MOST, default=2, help_text="How many these need.")
    seed = serializers.IntegerField(min_value=0, max_value=LARGEST_NUMBER, default=7)


class AssignResultSerializer(serializers.Serializer[Any]):
    """As `assign --json`."""

    tasks = serializers.IntegerField()
    assignments = serializers.IntegerField()
    seed = serializers.IntegerField()


class ChosenTasksSerializer(serializers.Serializer[Any]):
    tasks = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=LARGEST_NUMBER),
        allow_empty=False,
        max_length=MOST_TASKS,
        help_text="Their ids.",
    )


class PeopleOfTasksSerializer(ChosenTasksSerializer):
    annotators = serializers.ListField(child=serializers.CharField(), help_text="User names.")


class ReassignmentSerializer(ChosenTasksSerializer):
    source = serializers.CharField(help_text="The user name of who has them.")  # type: ignore[assignment]
    target = serializers.CharField(help_text="The user name of who gets them.")


class NeedSerializer(ChosenTasksSerializer):
    number = serializers.IntegerField(min_value=1, max_value=99)


class TaskKindSerializer(ChosenTasksSerializer):
    kind = serializers.ChoiceField(Task.Kind.choices)


class ChangedTasksSerializer(serializers.Serializer[Any]):
    changed = serializers.IntegerField()


class MoveResultSerializer(serializers.Serializer[Any]):
    """What was done, and what was not."""

    move = serializers.IntegerField(source="move.pk", default=None, allow_null=True, help_text="To be undone by.")
    tasks = serializers.SerializerMethodField(help_text="The numbers of the tasks that were changed.")
    assignments = serializers.IntegerField()
    remarks = serializers.ListField(child=serializers.CharField(), help_text="A sentence a reason for what was not.")

    def get_tasks(self, result: Any) -> list[int]:
        return sorted(result.tasks)


class NoteSerializer(serializers.Serializer[Any]):
    note = serializers.CharField(trim_whitespace=False, help_text="For the annotator.")
