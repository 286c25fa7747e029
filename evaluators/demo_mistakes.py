"""The demo's mistakes: a sample that two people have tagged, and an audit of gold that people have begun to look at."""

from django.db import transaction

from annotate.judgements.judgement import UnitJudgement
from annotate.models import Dataset, GoldLabel, User, Value
from annotate.second_look.look import look_at, next_item
from evaluators.audit.find import evaluators_of, units_of
from evaluators.audit.send import AuditDesign, send_audit
from evaluators.comparison.study import study_of
from evaluators.errors.causes import causes_of
from evaluators.errors.draw import draw_sample
from evaluators.errors.results import tagged_of
from evaluators.errors.tag import hand_in, settle, tag, take_place
from evaluators.models import ErrorAnalysis, GoldAudit, Run

SEED = 7
SAMPLE = 12
# Places of the causes (causes.py) in the order of the sample; the two see two mistakes differently.
TAGGED = {
    "rhea": (0, 0, 3, 0, 1, 0, 2, 0, 0, 3, 0, 4),
    "dora": (0, 0, 3, 0, 0, 0, 2, 0, 2, 3, 0, 4),
}
LOOKED = 8


@transaction.atomic
def make_analysis(dataset: Dataset, evaluator: str) -> None:
    """A sample of the evaluator's mistakes, tagged by both; one of their differences is settled."""
    if ErrorAnalysis.objects.filter(run__dataset=dataset).exists():
        return
    run = Run.objects.finished().filter(dataset=dataset, evaluator__name=evaluator).latest("pk")
    people = User.objects.in_bulk(TAGGED, field_name="username")
    analysis = draw_sample(run, None, SAMPLE, SEED, people["rhea"])
    causes = causes_of(dataset)
    for name, places in TAGGED.items():
        tagger = take_place(analysis, people[name])
        for mistake, place in zip(analysis.items.order_by("position"), places, strict=True):
            tag(tagger, mistake, causes[place])
        hand_in(tagger)
    first = next(each for each in tagged_of(analysis) if each.differs)
    settle(
        first.mistake,
        causes[0],
        "None of the passages says so; which of them misled it cannot be told.",
        people["rhea"],
    )


@transaction.atomic
def make_audit(dataset: Dataset, looker: str, sent_by: str) -> None:
    """Units that two good evaluators contradict, and as many controls; an annotator has looked at some of them, and
    contradicts gold at the first."""
    if GoldAudit.objects.filter(dataset=dataset).exists():
        return
    study = study_of(dataset, None)
    believed = [each for each in evaluators_of(study) if each.is_good]
    units = units_of(study, [each.judge for each in believed], wants=1)
    design = AuditDesign(least=2, most=6, controls=6, wants=1, seed=SEED)
    send_audit(study, believed, units, design, User.objects.get(username=sent_by))
    _look(dataset, User.objects.get(username=looker))


def _look(dataset: Dataset, looker: User) -> None:
    for place in range(LOOKED):
        item = next_item(dataset, looker)
        if item is None:
            return
        gold = GoldLabel.objects.current().get(segment=item.segment, fact=item.fact)
        if place:
            look_at(item, looker, UnitJudgement(gold.value, gold.error_type))
        else:
            other = Value.NOT_SUPPORTED if gold.value == Value.SUPPORTED else Value.SUPPORTED
            look_at(item, looker, UnitJudgement(other.value, reason="I read the sentence and its source once more."))
