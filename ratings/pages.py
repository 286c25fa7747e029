"""The page on which a person rates one item after the other, blind (templates/ratings/rate.html)."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render

from core.downloads import download_csv
from core.numbers import read_number
from core.requests import PageRequest
from ratings.errors import FullError, RatingError
from ratings.forms import Question, RatingForm, answered
from ratings.rate import rate

Item = TypeVar("Item", bound=Model)


class RatingPage(Generic[Item]):
    """One kind of rating. A kind fills the blocks of the template and gives their context.

    `sample` has `next_item`, `last_rated` and `ratings` as RatingSample has them, or the methods below are overridden.
    """

    template: ClassVar[str]
    form_class: ClassVar[type[RatingForm]]
    questions: Sequence[Question] = ()
    base: ClassVar[str] = "site/dataset_base.html"
    key: ClassVar[str] = "item"
    missing: ClassVar[str] = "No such item."

    def __init__(self, request: PageRequest, sample: Any) -> None:
        self.request: Any = request
        self.rater, self.sample = request.user, sample

    def respond(self) -> HttpResponse:
        """The item that the address names, else the next one; a POST rates one. HTMX swaps the item alone."""
        if self.request.method == "POST":
            return self.take(self.posted_item())
        return self.show(self.requested_item() or self.next_item())

    def requested_item(self) -> Item | None:
        """The item that the query string names: the last one, to be changed (`?last`); None: it names none."""
        return self.last_item() if "last" in self.request.GET else None

    def posted_item(self) -> Item:
        """The item to which the posted answers belong."""
        return self.fetch_item(self.request.POST.get(self.key, ""))

    def fetch_item(self, key: str) -> Item:
        """The item of this key. Raises Http404 where it is none of the page's."""
        number = read_number(key)
        item = None if number is None else self.items().filter(pk=number).first()
        if item is None:
            raise Http404(self.missing)
        return item

    def take(self, item: Item) -> HttpResponse:
        """Rate the item and go on to the next one: in the same answer for HTMX, else by a redirect.

        422 with the item where its rating is refused, 409 with the next item where others were faster.
        """
        form = self.form()
        try:
            self.write(item, form)
        except FullError as error:
            return self.show(self.next_item(), None, 409, str(error))
        except RatingError as error:
            return self.show(item, form, 422, str(error))
        return self.show(self.next_item()) if self.request.htmx else redirect(self.next_address(item))

    def next_address(self, item: Item) -> str:
        """The address of the page after the item is rated."""
        path: str = self.request.path
        return path

    def show(
        self, item: Item | None, form: RatingForm | None = None, status: int = 200, trouble: str = ""
    ) -> HttpResponse:
        """The page of the item (None: no item is left), with the answers of the form, else with those stored."""
        own = self.own_rating(item) if item is not None else None
        answers = form.sent() if form is not None else self.form_class.stored(own) if own is not None else {}
        context = {
            "base": "ratings/item.html" if self.request.htmx else self.base,
            "key": self.key,
            "sample": self.sample,
            "item": item,
            "rating": own,
            "answers": answers,
            "questions": answered(self.questions_of(item), answers),
            "done": self.done(),
            "may_change": own is None and self.last_item() is not None,
            "trouble": trouble,
        }
        context |= self.context(item)
        return render(self.request, self.template, context, status=status)

    def items(self) -> "QuerySet[Item]":
        """The items that the person may rate, with the relations that the page reads."""
        items: QuerySet[Item] = self.sample.items.for_page()
        return items

    def next_item(self) -> Item | None:
        item: Item | None = self.sample.next_item(self.rater)
        return item

    def last_item(self) -> Item | None:
        item: Item | None = self.sample.last_rated(self.rater)
        return item

    def ratings(self) -> "QuerySet[Any]":
        """The person's own ratings of the sample."""
        ratings: QuerySet[Any] = self.sample.ratings().filter(rater=self.rater)
        return ratings

    def own_rating(self, item: Item) -> Any:
        """The answers that are stored of the item; None: there are none."""
        return self.ratings().filter(item=item).first()

    def done(self) -> int:
        """The number of items that the person has rated."""
        return self.ratings().count()

    def form(self) -> RatingForm:
        return self.form_class(self.request.POST)

    def write(self, item: Any, form: Any) -> None:
        """Raises RatingError, FullError."""
        rate(item, self.rater, form.rating())

    def questions_of(self, item: Item | None) -> Sequence[Question]:
        """The questions of yes or no that are asked of the item."""
        return self.questions

    def context(self, item: Item | None) -> dict[str, Any]:
        """The context of the kind's blocks and of the base template."""
        raise NotImplementedError


def download_ratings(is_complete: bool, lines: Iterator[str], name: str) -> StreamingHttpResponse:
    """Lines of CSV as a file of this name. Raises PermissionDenied while ratings are missing: raters stay blind."""
    if not is_complete:
        raise PermissionDenied("Ratings are shown once all of them are in.")
    return download_csv(lines, f"{name}.csv")
