"""The pages on which people label what a model wrote, without being told which model, or what it got right."""

from functools import partial

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Role
from annotate.one_by_one import posted_item, take_word
from core.numbers import read_number
from factor.models import OpenEndedGeneration, OpenEndedLabel, OpenEndedStudy
from factor.models.open_ended import OF_PAIR, Word
from factor.open_ended.forms import LabelForm
from factor.open_ended.label import before, label, labelled_by, left_for, next_text, texts_of
from factor.open_ended.page import fetch_study
from factor.open_ended.shown import shown_pair

PER_PAGE = 25
HELP = {
    Word.TRUE: "The text says the fact.",
    Word.FALSE: "The text says something that cannot be true beside the fact.",
    Word.NEUTRAL: "The text says neither.",
}


@require_safe
def open_ended_work(request: MemberRequest, pk: int) -> HttpResponse:
    """The studies of the dataset that have texts to label."""
    dataset = fetch_dataset(request.user, pk)
    studies = OpenEndedStudy.objects.filter(scoring__benchmark__dataset=dataset).select_related("scoring__benchmark")
    page = Paginator(studies, PER_PAGE).get_page(request.GET.get("page"))
    done, left = labelled_by(request.user, list(page)), left_for(request.user, list(page))
    context = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "open-ended",
        "page": page,
        "studies": [(study, done.get(study.pk, 0), left.get(study.pk, 0)) for study in page],
    }
    return render(request, "factor/open_ended_work.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def open_ended_label(request: MemberRequest, pk: int) -> HttpResponse:
    """The person's next text, or one they have labelled (`?at=`, its key; `?last`); HTMX swaps only that."""
    study = fetch_study(request, pk, *Role.values)
    if request.method == "POST":
        return _label(request, study)
    at = read_number(request.GET.get("at", ""))
    if at is not None:
        return _page(request, study, _own_text(request, study, at))
    if "last" in request.GET:
        return _page(request, study, before(study, request.user, None))
    return _next_page(request, study)


def _label(request: MemberRequest, study: OpenEndedStudy) -> HttpResponse:
    text, form = posted_item(request, texts_of(study), "No such text.", "text"), LabelForm(request.POST)
    return take_word(
        request,
        lambda: label(text, request.user, **form.said()),
        again=partial(_page, request, study, text, form),
        following=partial(_next_page, request, study),
    )


def _own_text(request: MemberRequest, study: OpenEndedStudy, key: int) -> OpenEndedGeneration:
    text = texts_of(study).filter(pk=key, labels__labeler=request.user).first()
    if text is None:
        raise Http404("No text that you have labelled.")
    return text


def _next_page(request: MemberRequest, study: OpenEndedStudy, status: int = 200, trouble: str = "") -> HttpResponse:
    return _page(request, study, next_text(study, request.user), None, status, trouble)


def _page(
    request: MemberRequest,
    study: OpenEndedStudy,
    text: OpenEndedGeneration | None,
    form: LabelForm | None = None,
    status: int = 200,
    trouble: str = "",
) -> HttpResponse:
    said = None if text is None else OpenEndedLabel.objects.filter(generation=text, labeler=request.user).first()
    word = said.word if said is not None else ""
    note = said.note if said is not None else ""
    if form is not None:
        word, note = form["word"].value() or "", form["note"].value() or ""
    dataset = study.scoring.benchmark.dataset
    context = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "open-ended" if role_in(request.user, dataset) == Role.ANNOTATOR else "benchmarks",
        "study": study,
        "text": text,
        "shown": None if text is None else shown_pair(text.pair),
        "judgements": [(each.value, each.label, words, key) for key, (each, words) in enumerate(HELP.items(), 1)],
        "reasons": [
            (each.value, each.label, key, each in OF_PAIR)
            for key, each in enumerate((Word.ILL_FORMATTED, *OF_PAIR), len(HELP) + 1)
        ],
        "word": word,
        "note": note,
        "done": labelled_by(request.user, [study]).get(study.pk, 0),
        "left": left_for(request.user, [study]).get(study.pk, 0),
        "earlier": before(study, request.user, text),
        "changing": said is not None,
        "trouble": trouble,
    }
    template = "factor/open_ended_label.html#item" if request.htmx else "factor/open_ended_label.html"
    return render(request, template, context, status=status)
