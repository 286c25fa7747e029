"""Labelling one text after the other: what comes next, and how a labeler's word is written down."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Count, Exists, OuterRef

from annotate.models import User
from annotate.one_by_one import FullError, WordError
from factor.models import OpenEndedGeneration, OpenEndedLabel, OpenEndedPair, OpenEndedStudy
from factor.models.open_ended import OF_PAIR, OpenEndedGenerationQuerySet, Word

NOTE_LIMIT = 2_000


def texts_of(study: OpenEndedStudy) -> OpenEndedGenerationQuerySet:
    """The texts that can be labelled, with all that a labeler sees. Neither the model nor the group is among it."""
    texts = OpenEndedGeneration.objects.to_label().filter(pair__study=study)
    return texts.select_related("pair__study", "pair__completion__example")


def next_text(study: OpenEndedStudy, labeler: User) -> OpenEndedGeneration | None:
    """The first that lacks a label and that this person has not labelled; those of one pair come together."""
    own = OpenEndedLabel.objects.filter(generation=OuterRef("pk"), labeler=labeler)
    return texts_of(study).lacking().filter(~Exists(own)).order_by("pair__position", "sample").first()


def before(study: OpenEndedStudy, labeler: User, text: OpenEndedGeneration | None) -> OpenEndedGeneration | None:
    """The text that the person labelled just before this one (None, or not labelled yet: the last one), to be looked
    at and changed; None where there is none."""
    own = OpenEndedLabel.objects.filter(labeler=labeler, generation__in=texts_of(study).values("pk"))
    here = None if text is None else own.filter(generation=text).first()
    earlier = own if here is None else own.filter(pk__lt=here.pk)
    last = earlier.order_by("-pk").first()
    return None if last is None else texts_of(study).get(pk=last.generation_id)


def labelled_by(labeler: User, studies: Sequence[OpenEndedStudy]) -> dict[int, int]:
    """How many texts of each study the person has labelled, by its primary key; none: it is not there."""
    own = OpenEndedLabel.objects.filter(labeler=labeler, generation__pair__study__in=studies)
    return dict(own.values_list("generation__pair__study").annotate(Count("pk")))


def left_for(labeler: User, studies: Sequence[OpenEndedStudy]) -> dict[int, int]:
    """As labelled_by: how many they could still label now."""
    own = OpenEndedLabel.objects.filter(generation=OuterRef("pk"), labeler=labeler)
    lacking = OpenEndedGeneration.objects.to_label().lacking().filter(~Exists(own), pair__study__in=studies)
    more = OpenEndedGeneration.objects.filter(pk__in=lacking.values("pk")).order_by()
    return dict(more.values_list("pair__study").annotate(Count("pk")))


def in_the_middle_of(labeler: User, studies: Sequence[OpenEndedStudy]) -> list[tuple[OpenEndedStudy, int]]:
    """Those of which the person has labelled a text and could still label others now, each with how many."""
    done, left = labelled_by(labeler, studies), left_for(labeler, studies)
    return [(study, left[study.pk]) for study in studies if study.pk in done and study.pk in left]


@transaction.atomic
def label(text: OpenEndedGeneration, labeler: User, word: str, note: str = "") -> None:
    """Write down the person's word on the text, or change it.

    A word of OF_PAIR holds for the pair: it is written for all of its texts that want it, and taken back from the
    others when it is changed. Raises WordError, FullError.
    """
    if word not in Word.values:
        raise WordError("Say whether the text is true, false or neutral, or why it is left out.")
    if len(note) > NOTE_LIMIT or "\x00" in note:
        raise WordError(f"The note may be {NOTE_LIMIT:,} characters long, without a null character.")
    # The lock keeps two labelers apart who would both be the last, and the fact as it was read.
    pair = OpenEndedPair.objects.select_for_update().get(pk=text.pair_id)
    texts = OpenEndedGeneration.objects.to_label().filter(pair=pair)
    own = OpenEndedLabel.objects.filter(generation__pair=pair, labeler=labeler)
    if not own.filter(generation=text).exists() and not texts.lacking().filter(pk=text.pk).exists():
        raise FullError("That text has got all its labels meanwhile, or was left out; here is the next.")
    if word in OF_PAIR:
        wanting = set(texts.lacking().values_list("pk", flat=True)) | set(own.values_list("generation", flat=True))
        for each in sorted(wanting):
            own.update_or_create(generation_id=each, labeler=labeler, defaults={"word": word, "note": note})
        return
    own.exclude(generation=text).filter(word__in=OF_PAIR).delete()
    own.update_or_create(generation=text, labeler=labeler, defaults={"word": word, "note": note})
