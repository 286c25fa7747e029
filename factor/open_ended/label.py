"""Labels of texts: the text that comes next, and the writing of a label."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Count

from annotate.models import User
from factor.models import OpenEndedGeneration, OpenEndedLabel, OpenEndedPair, OpenEndedStudy
from factor.models.open_ended import OF_PAIR, OpenEndedGenerationQuerySet
from ratings.errors import FullError


def texts_of(study: OpenEndedStudy) -> OpenEndedGenerationQuerySet:
    """The texts that can be labelled, with the rows that the page reads. The page shows neither model nor group."""
    return OpenEndedGeneration.objects.to_label().filter(pair__study=study).for_page()


def next_text(study: OpenEndedStudy, rater: User) -> OpenEndedGeneration | None:
    """The first text that is left for the person; texts of one pair come together."""
    return texts_of(study).left_for(rater).order_by("pair__position", "sample").first()


def before(study: OpenEndedStudy, rater: User, text: OpenEndedGeneration | None) -> OpenEndedGeneration | None:
    """The text that the person labelled just before this one, to be read and changed; None where there is none.

    text: None, or not labelled yet: the last one is returned.
    """
    own = OpenEndedLabel.objects.filter(rater=rater, item__in=texts_of(study).values("pk"))
    here = None if text is None else own.filter(item=text).first()
    earlier = own if here is None else own.filter(pk__lt=here.pk)
    last = earlier.order_by("-pk").first()
    return None if last is None else texts_of(study).get(pk=last.item_id)


def labelled_by(rater: User, studies: Sequence[OpenEndedStudy]) -> dict[int, int]:
    """The number of texts that the person has labelled, by the study's primary key; a study without one is missing."""
    own = OpenEndedLabel.objects.filter(rater=rater, item__pair__study__in=studies).order_by()
    return dict(own.values_list("item__pair__study").annotate(Count("pk")))


def left_for(rater: User, studies: Sequence[OpenEndedStudy]) -> dict[int, int]:
    """As labelled_by: the number of texts that the person could still label now."""
    left = OpenEndedGeneration.objects.to_label().filter(pair__study__in=studies).left_for(rater)
    more = OpenEndedGeneration.objects.filter(pk__in=left.values("pk")).order_by()
    return dict(more.values_list("pair__study").annotate(Count("pk")))


def in_the_middle_of(rater: User, studies: Sequence[OpenEndedStudy]) -> list[tuple[OpenEndedStudy, int]]:
    """The studies that the person has begun to label and could still label, each with the number of texts left."""
    done, left = labelled_by(rater, studies), left_for(rater, studies)
    return [(study, left[study.pk]) for study in studies if study.pk in done and study.pk in left]


@transaction.atomic
def label(text: OpenEndedGeneration, rater: User, answer: str, note: str = "") -> None:
    """Write the person's label of the text, or change it.

    An answer of OF_PAIR holds for the pair: it is written for all texts of the pair that lack labels, and removed
    from the others when it changes. Raises RatingError, FullError.
    """
    OpenEndedLabel(answer=answer, note=note).check_answers(text)
    # The lock keeps two last raters apart, and the fact from changing.
    pair = OpenEndedPair.objects.select_for_update().get(pk=text.pair_id)
    texts = OpenEndedGeneration.objects.to_label().filter(pair=pair)
    own = OpenEndedLabel.objects.filter(item__pair=pair, rater=rater)
    if not own.filter(item=text).exists() and not texts.lacking().filter(pk=text.pk).exists():
        raise FullError("That text is complete or left out. This is the next text.")
    if answer in OF_PAIR:
        wanting = set(texts.lacking().values_list("pk", flat=True)) | set(own.values_list("item", flat=True))
        for each in sorted(wanting):
            own.update_or_create(item_id=each, rater=rater, defaults={"answer": answer, "note": note})
        return
    own.exclude(item=text).filter(answer__in=OF_PAIR).delete()
    own.update_or_create(item=text, rater=rater, defaults={"answer": answer, "note": note})
