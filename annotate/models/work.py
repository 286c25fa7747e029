"""The experts' work: tasks, assignments and labels."""

from secrets import token_urlsafe

from django.conf import settings
from django.db import models
from django.db.models import Count, Exists, F, OuterRef, Q
from django.db.models.functions import Coalesce

from annotate.models.corpus import Response
from annotate.models.dataset import Dataset, Guideline
from annotate.models.people import User
from annotate.models.units import AtomicFact, Segment
from annotate.models.values import Irrelevance, SuggestionShown, Value

# The states of an assignment that holds its place.
LIVE_STATES = ["reserved", "open", "submitted"]


class TaskQuerySet(models.QuerySet["Task"]):
    def real(self) -> "TaskQuerySet":
        """Those whose labels become gold: no qualification, no control."""
        return self.filter(kind=Task.Kind.WORK)

    def known(self) -> "TaskQuerySet":
        """Those with known answers: qualification and control."""
        return self.exclude(kind=Task.Kind.WORK)

    def emptied(self) -> "TaskQuerySet":
        """Those all of whose responses are removed."""
        of_task = Response.objects.filter(task=OuterRef("pk"))
        return self.filter(Exists(of_task.filter(removed_at__isnull=False)), ~Exists(of_task.visible()))

    def kept(self) -> "TaskQuerySet":
        """Those that still have a response to label: the few emptied ones are found by the few removed responses."""
        removed = Response.objects.filter(removed_at__isnull=False, task__isnull=False)
        return self.exclude(pk__in=Task.objects.filter(pk__in=removed.values("task")).emptied().values("pk"))

    def unsettled(self) -> "TaskQuerySet":
        return self.filter(closed_at__isnull=True)

    def submitted(self) -> "TaskQuerySet":
        """Tasks with as many submissions as they want."""
        submitted = (
            Assignment.objects.filter(task=OuterRef("pk"), state=Assignment.State.SUBMITTED)
            .order_by()
            .values("task")
            .annotate(number=Count("pk"))
            .values("number")
        )
        return self.annotate(submitted=models.Subquery(submitted)).filter(submitted__gte=F("wants"))

    def in_rebuttal(self) -> "TaskQuerySet":
        """Those whose annotators look at each other's evidence: somebody has not yet revised or let it stand."""
        return self.filter(_rebuttal_is_open())

    def labelled(self) -> "TaskQuerySet":
        """Those whose annotators are done: all places are submitted, and no rebuttal is open."""
        return self.submitted().exclude(_rebuttal_is_open())

    def with_a_free_place(self) -> "TaskQuerySet":
        """Counted task by task, so that a reader of the first few waits for no others."""
        held = Assignment.objects.filter(task=OuterRef("pk"), state__in=LIVE_STATES).order_by().values("task")
        return self.filter(wants__gt=Coalesce(models.Subquery(held.annotate(number=Count("pk")).values("number")), 0))

    def never_had_by(self, annotator: User) -> "TaskQuerySet":
        return self.exclude(Exists(Assignment.objects.filter(task=OuterRef("pk"), annotator=annotator)))


def _rebuttal_is_open() -> Q:
    """Condition on a task: its rebuttal is open, nobody ended it, and an annotator who submitted and did not leave
    has not answered."""
    silent = Assignment.objects.filter(
        task=OuterRef("pk"), state=Assignment.State.SUBMITTED, rebutted_at__isnull=True, left_at__isnull=True
    )
    return Q(Exists(silent), rebuttal_at__isnull=False, rebuttal_ended_at__isnull=True)


class Task(models.Model):
    """The responses labelled together: one for FELM, those of all subjects to one prompt for FActScore.

    Qualifications are done before real work, controls are served hidden among it: both hold responses with known
    answers, and their labels are compared with those answers and with nothing else.
    """

    class Kind(models.TextChoices):
        WORK = "work", "Work"
        QUALIFICATION = "qualification", "Qualification"
        CONTROL = "control", "Control"

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="tasks")
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=20, choices=Kind.choices, default=Kind.WORK)
    wants = models.PositiveSmallIntegerField(default=1, help_text="Number of annotators needed.")
    known_since = models.DateTimeField(
        null=True, blank=True, help_text="Since when it has been no work: what was submitted before became gold."
    )
    rebuttal_at = models.DateTimeField(null=True, blank=True, help_text="When its annotators were shown evidence.")
    rebuttal_ended_at = models.DateTimeField(
        null=True, blank=True, help_text="When an adjudicator ended the rebuttal, whoever had not answered by then."
    )
    rebuttal_ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="rebuttals_ended"
    )
    closed_at = models.DateTimeField(null=True, blank=True, help_text="Set when every judgement of it is settled.")
    probability = models.FloatField(
        null=True, blank=True, help_text="That of its prompt being drawn by the rounds so far; null: it was not drawn."
    )

    objects = TaskQuerySet.as_manager()

    class Meta:
        ordering = ["dataset", "position"]
        constraints = [
            models.UniqueConstraint(fields=["dataset", "position"], name="task_position_once"),
            models.CheckConstraint(condition=Q(wants__gte=1), name="task_wants_someone"),
            models.CheckConstraint(condition=Q(kind__in=["work", "qualification", "control"]), name="task_kind_known"),
            models.CheckConstraint(
                condition=~Q(kind="work") | Q(known_since__isnull=True), name="task_of_work_knows_no_answers"
            ),
            models.CheckConstraint(
                condition=Q(rebuttal_ended_at__isnull=True, rebuttal_ended_by__isnull=True)
                | Q(rebuttal_at__isnull=False, rebuttal_ended_at__isnull=False, rebuttal_ended_by__isnull=False),
                name="task_rebuttal_ended_by_someone",
            ),
            models.CheckConstraint(
                condition=Q(probability__isnull=True) | Q(probability__gt=0, probability__lte=1),
                name="task_probability_known",
            ),
        ]
        indexes = [
            models.Index(
                fields=["dataset", "position"], condition=Q(closed_at__isnull=True), name="task_unsettled_in_order"
            ),
            # Few among many: each page of an annotator counts those that are still to come.
            models.Index(fields=["dataset"], condition=Q(kind="control"), name="task_control"),
        ]

    def __str__(self) -> str:
        return f"task {self.position + 1} of {self.dataset}"


def done_as_work(task: str, assignment: str) -> Q:
    """Labels in a task of work, or from before it became a qualification or control (prefixes of fields)."""
    before = Q(**{f"{assignment}submitted_at__lt": F(f"{task}known_since")})
    return Q(**{f"{task}kind": Task.Kind.WORK}) | before


def random_key() -> str:
    """16 letters that nobody can guess."""
    return token_urlsafe(12)


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    def of(self, dataset: Dataset) -> "AssignmentQuerySet":
        return self.filter(task__dataset=dataset)

    def real(self) -> "AssignmentQuerySet":
        """Work proper: not on a task with known answers, or submitted before it became one."""
        return self.filter(done_as_work("task__", ""))

    def awaited_in_rebuttal(self) -> "AssignmentQuerySet":
        """Those whose annotators may still revise what they submitted, or let it stand."""
        return self.filter(
            state=Assignment.State.SUBMITTED,
            rebutted_at__isnull=True,
            left_at__isnull=True,
            task__rebuttal_at__isnull=False,
            task__rebuttal_ended_at__isnull=True,
            task__closed_at__isnull=True,
        )

    def untouched(self) -> "AssignmentQuerySet":
        """Those without a draft: of those awaited in a rebuttal, the ones in which nothing was revised yet."""
        return self.filter(draft={})

    def live(self) -> "AssignmentQuerySet":
        """Those that hold a place."""
        return self.filter(state__in=LIVE_STATES)


class Assignment(models.Model):
    """One annotator on one task.

    `key` stands for it in the addresses of its annotator's pages: a row's number would tell a control, made when it is
    served, from work that was reserved long before.

    A live assignment holds one of the task's places, numbered from 0 to wants - 1; the database gives a place to one
    live assignment only, and a task to an annotator once, whatever became of it. `draft` holds unsubmitted entries:
    judgements, corrections, verdicts and a comment by their keys (annotate/judgements/entries.py); `draft_version`
    counts its saves, so that a stale page is refused. `guideline_version` is the version of the guidelines on the page
    that saved it last: 0 if there were none, None before a page said so. `active_seconds` is the time somebody really
    worked on it; `worked` has its intervals (annotate/labels/active.py), which are empty for time of before they were
    kept; `undercounted` says that more was worked than was counted then. `rebutted_at`: when the annotator, having seen
    the others' evidence, revised or let it stand; of work that came as a file after the rebuttal had begun, when it
    came.

    An open assignment with `submitted_at` was sent back or taken back: its labels stay, and are counted again once it
    is submitted again. `independent_revision` is the last revision of its labels that was written before anybody acted
    on them.

    `suggestion` and `suggestion_run` say how its annotator sees suggestions, as the dataset had it when the work was
    first opened; `suggestions_seen` holds those that were shown after a label, by the keys of units, each with the
    label from before it (annotate/suggestions).
    """

    # Columns that lists do without.
    LARGE = ("draft", "worked", "suggestions_seen")

    class State(models.TextChoices):
        RESERVED = "reserved", "Assigned"
        OPEN = "open", "In progress"
        SUBMITTED = "submitted", "Submitted"
        LAPSED = "lapsed", "Expired"
        SKIPPED = "skipped", "Skipped"

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="assignments")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="assignments")
    key = models.CharField(max_length=16, default=random_key, editable=False)
    place = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=20, choices=State.choices, default=State.RESERVED)
    lease_until = models.DateTimeField(null=True, blank=True)
    draft = models.JSONField(default=dict, blank=True)
    draft_version = models.PositiveIntegerField(default=0)
    guideline_version = models.PositiveIntegerField(null=True, blank=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    rebutted_at = models.DateTimeField(null=True, blank=True)
    left_at = models.DateTimeField(
        null=True, blank=True, help_text="When its annotator left the dataset, which ended it."
    )
    independent_revision = models.PositiveIntegerField(default=0, db_default=0)
    active_seconds = models.PositiveIntegerField(default=0)
    worked = models.JSONField(default=list, db_default=models.Value([], models.JSONField()), blank=True)
    undercounted = models.BooleanField(
        default=False, db_default=False, help_text="Its time was counted when saves lost parts of seconds."
    )
    suggestion = models.CharField(max_length=10, choices=SuggestionShown.choices, blank=True, default="", db_default="")
    suggestion_run = models.PositiveBigIntegerField(null=True, blank=True)
    suggestions_seen = models.JSONField(default=dict, db_default=models.Value({}, models.JSONField()), blank=True)
    comment = models.TextField(blank=True, help_text="To the adjudicator.")
    skip_reason = models.TextField(blank=True)

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["task", "annotator"], name="assignment_task_once_a_person"),
            models.UniqueConstraint(fields=["key"], name="assignment_key_once"),
            models.UniqueConstraint(
                fields=["task", "place"],
                condition=Q(state__in=LIVE_STATES),
                name="assignment_one_live_a_place",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["reserved", "open", "submitted", "lapsed", "skipped"]),
                name="assignment_state_known",
            ),
            models.CheckConstraint(
                condition=~Q(state="skipped") | ~Q(skip_reason=""), name="assignment_skipped_says_why"
            ),
            models.CheckConstraint(
                condition=Q(state="open", lease_until__isnull=False) | ~Q(state="open"),
                name="assignment_open_has_lease",
            ),
            models.CheckConstraint(
                condition=Q(state="submitted", submitted_at__isnull=False) | ~Q(state="submitted"),
                name="assignment_submitted_has_time",
            ),
        ]
        indexes = [
            # The keys of a dataset's tasks rise with their positions: what comes next is found without a sort.
            models.Index(fields=["annotator", "state", "task"], name="assignment_of_annotator"),
            models.Index(fields=["annotator", "task"], name="assignment_in_order"),
            models.Index(fields=["state", "task"], name="assignment_in_state"),
            # Few among many: those whose lease may have run out, and those whose place is free again.
            models.Index(fields=["lease_until"], condition=Q(state="open"), name="assignment_open_until"),
            models.Index(fields=["id"], condition=Q(state__in=["lapsed", "skipped"]), name="assignment_given_up"),
        ]

    def __str__(self) -> str:
        return f"{self.annotator} on {self.task}"

    @property
    def is_returned(self) -> bool:
        """Whether it was submitted once, and was sent back or taken back since."""
        return self.state == self.State.OPEN and self.submitted_at is not None

    @property
    def title_of_state(self) -> str:
        """The state in words, with what the stored state does not tell."""
        if self.is_returned:
            return "Returned"
        if self.state == self.State.LAPSED and self.left_at is not None:
            return "Left the dataset"
        if self.state == self.State.LAPSED and self.lease_until is None:
            return "Unassigned"
        return self.get_state_display()

    @property
    def awaits_rebuttal(self) -> bool:
        """Whether its annotator may still revise, or let it stand (as `awaited_in_rebuttal`)."""
        over = self.rebutted_at or self.left_at or self.task.rebuttal_ended_at or self.task.closed_at
        return self.state == self.State.SUBMITTED and self.task.rebuttal_at is not None and over is None


class LabelQuerySet(models.QuerySet["Label"]):
    def of(self, dataset: Dataset) -> "LabelQuerySet":
        return self.filter(assignment__task__dataset=dataset)

    def real(self) -> "LabelQuerySet":
        """Labels that count for agreement and gold, without those on known answers."""
        return self.filter(done_as_work("assignment__task__", "assignment__"))

    def of_known(self, kind: str) -> "LabelQuerySet":
        """Labels in tasks of this kind (qualification or control) from the time of their known answers."""
        known_then = Q(assignment__task__known_since__isnull=True) | Q(
            assignment__submitted_at__gte=F("assignment__task__known_since")
        )
        return self.filter(known_then, assignment__task__kind=kind)

    def in_force(self) -> "LabelQuerySet":
        """The last revision of each annotator's judgement at each address, unless it was taken back."""
        later = Label.objects.filter(assignment=OuterRef("assignment"), revision__gt=OuterRef("revision"))
        later_of_segment = Q(fact__isnull=True) & Exists(later.filter(segment=OuterRef("segment"), fact__isnull=True))
        last = self.exclude(later_of_segment).exclude(Exists(later.filter(fact=OuterRef("fact"))))
        return last.filter(withdrawn=False)

    def independent(self) -> "LabelQuerySet":
        """Labels from before their annotator saw labels of others or a note of an adjudicator: mostly revision 0, else
        the last of those that were written before anybody acted on them."""
        alone = Q(assignment__independent_revision=0, revision=0)
        return self.filter(alone | Q(pk__in=self._of_taken_back().values("pk")))

    def _of_taken_back(self) -> "LabelQuerySet":
        """The independent labels of assignments that were taken back and submitted again."""
        until = F("assignment__independent_revision")
        rows = Label.objects.filter(assignment__independent_revision__gt=0, revision__lte=until)
        later = rows.filter(assignment=OuterRef("assignment"), revision__gt=OuterRef("revision"))
        later_of_segment = Q(fact__isnull=True) & Exists(later.filter(segment=OuterRef("segment"), fact__isnull=True))
        last = rows.exclude(later_of_segment).exclude(Exists(later.filter(fact=OuterRef("fact"))))
        return last.filter(withdrawn=False)


class Label(models.Model):
    """A submitted judgement at the address (segment, fact or null). A change is a new row with the next revision.

    Revision 0 is independent, 1 was written in the rebuttal. `suggestion`: what its annotator saw of what the run
    `suggestion_run` says, `suggested`; "" where there was nothing to see. `first_value`: the label from before a
    suggestion, where it is another now. `withdrawn`: nothing stands at the address any more, for
    a sentence that was irrelevant as a whole is now judged fact by fact, or the other way round.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="labels")
    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="labels")
    fact = models.ForeignKey(AtomicFact, null=True, blank=True, on_delete=models.CASCADE, related_name="labels")
    value = models.CharField(max_length=20, choices=Value.choices)
    error_type = models.CharField(max_length=50, blank=True)
    irrelevance = models.CharField(max_length=20, choices=Irrelevance.choices, blank=True)
    reason = models.TextField(blank=True)
    flagged = models.BooleanField(default=False, help_text="The annotator wants it looked at.")
    withdrawn = models.BooleanField(default=False, db_default=False)
    guideline = models.ForeignKey(Guideline, null=True, blank=True, on_delete=models.PROTECT)
    revision = models.PositiveIntegerField(default=0)
    suggestion = models.CharField(max_length=10, choices=SuggestionShown.choices, blank=True, default="", db_default="")
    suggestion_run = models.PositiveBigIntegerField(null=True, blank=True)
    suggested = models.CharField(max_length=20, choices=Value.choices, blank=True, default="", db_default="")
    first_value = models.CharField(max_length=20, choices=Value.choices, blank=True, default="", db_default="")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = LabelQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "segment", "revision"],
                condition=Q(fact__isnull=True),
                name="label_of_segment_once",
            ),
            models.UniqueConstraint(
                fields=["assignment", "fact", "revision"],
                condition=Q(fact__isnull=False),
                name="label_of_fact_once",
            ),
            models.CheckConstraint(condition=Q(value__in=Value.values), name="label_value_known"),
            models.CheckConstraint(condition=Q(withdrawn=False) | Q(revision__gte=1), name="label_withdrawn_later"),
        ]

    def __str__(self) -> str:
        return f"{self.value} by {self.assignment.annotator}"

    @property
    def probability(self) -> float | None:
        """That with which its task was drawn; None: it was not drawn."""
        return self.assignment.task.probability


class Edit(models.Model):
    """A sentence as an annotator made it right: corrected or cut, nothing added (FActScore appendix C).

    "" removes the sentence. A change is a new row with the next revision.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="edits")
    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="edits")
    text = models.TextField(blank=True)
    revision = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "segment", "revision"], name="edit_once"),
        ]

    def __str__(self) -> str:
        return self.text[:80]


class ResponseLabel(models.Model):
    """Whether an annotator would keep a whole response in the dataset, and why not (FELM figure 6)."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="response_labels")
    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="response_labels")
    keep = models.BooleanField()
    reason = models.TextField(blank=True)
    revision = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "response", "revision"], name="response_label_once"),
            models.CheckConstraint(condition=Q(keep=True) | ~Q(reason=""), name="response_removed_says_why"),
        ]

    def __str__(self) -> str:
        return "keep" if self.keep else f"remove: {self.reason[:60]}"
