"""Forms of an endpoint, its prices, grants and probes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.validators import MinValueValidator
from django.db.models import Q

from annotate.grants.allowances import set_allowance
from annotate.models import Allowance, Dataset, EndpointGrant, Role, User
from evaluators.runs.searching import OF_RUN
from knowledge.engines import ENGINES
from knowledge.web_search.finders import CORPUS
from llm.endpoint_form import EndpointForm
from llm.endpoints import KEY_VARIABLE, is_default_address, is_variable_of, variable_of
from llm.models import Endpoint, Price
from llm.models.endpoint import PRICES
from llm.public_prices import PublicPrice, find_public_price, models_at

MOST_ENDPOINTS = 10


class ServerForm(EndpointForm):
    """An endpoint of models, or a search engine."""

    search_engine = forms.ChoiceField(
        label="What it serves",
        required=False,
        help_text="Language models, or searches of the web by one of these protocols.",
    )

    class Meta(EndpointForm.Meta):
        fields = [*EndpointForm.Meta.fields, "batch_discount", "search_engine", "search_usd"]
        labels = {
            **EndpointForm.Meta.labels,
            "batch_discount": "Discount of its Batch API, in per cent",
            "search_usd": "Price of a search",
        }
        help_texts = {
            **EndpointForm.Meta.help_texts,
            "name": "What runs call it by, in the parameter endpoint, or search for a search engine.",
            "base_url": "Up to the version, such as https://models.example/v1. Of a search engine the whole address "
            "of a search, such as https://search.example/search.",
            "batch_discount": "How much less an answer costs that comes with a batch.",
            "search_usd": "In US dollars, of a search engine. Empty: not known; no budget in dollars is possible.",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        engines = [(engine.name, engine.title) for engine in ENGINES.values()]
        gone = self.instance.search_engine  # of a package that is not installed any more
        engines += [(gone, gone)] if gone and gone not in ENGINES else []
        self.fields["batch_discount"].required = False
        self.fields["search_engine"].choices = [("", "Language models"), *engines]  # type: ignore[attr-defined]

    def clean_batch_discount(self) -> int:
        """Empty: as it is."""
        discount: int | None = self.cleaned_data["batch_discount"]
        return self.instance.batch_discount if discount is None else discount

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        engine = ENGINES.get(cleaned.get("search_engine", ""))
        if not cleaned.get("search_engine"):
            if cleaned.get("search_usd") is not None:
                self.add_error("search_usd", "Language models have prices of their own: leave this empty.")
        elif cleaned.get("provider"):
            self.add_error("provider", "A search engine has the protocol chosen below: leave this as it is.")
        elif cleaned.get("name") == CORPUS:
            self.add_error("name", f"Runs call the dataset's knowledge source {CORPUS}: choose another name.")
        elif OF_RUN.fullmatch(cleaned.get("name", "")):
            self.add_error("name", "Runs call the searches of another run so: choose another name.")
        elif engine and engine.needs_key and cleaned.get("key_variable") == KEY_VARIABLE:
            self.add_error("key_variable", f"{KEY_VARIABLE} is sent to models: name the variable of this engine's key.")
        return cleaned


class OwnEndpointForm(ServerForm):
    """An endpoint of somebody who does not administer the site: keys of the server and of others stay here, as an
    endpoint's owner names the address that its key is sent to."""

    def __init__(self, person: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._person = person
        field = self.fields["key_variable"]
        field.help_text = (
            f"{variable_of(person.pk)}, or this with _NAME after it: who administers the site sets it on the server to "
            "your key. Without a key leave it as it is."
        )
        if not self.instance.pk:
            self.initial["key_variable"] = variable_of(person.pk)

    def clean_base_url(self) -> str:
        address = super().clean_base_url()
        if is_default_address(address):
            raise forms.ValidationError(
                "This is the address of the server's default endpoint: ask who administers the site to grant it."
            )
        return address

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        there = self.instance.pk is not None and not {"base_url", "key_variable"} & set(self.changed_data)
        if not there and not is_variable_of(cleaned.get("key_variable", ""), self._person.pk):
            self.add_error("key_variable", f"Name {variable_of(self._person.pk)}, or this with _NAME after it.")
        if self.instance.pk is None and Endpoint.objects.filter(owner=self._person).count() >= MOST_ENDPOINTS:
            self.add_error(None, f"You have {MOST_ENDPOINTS} endpoints: change one of them.")
        return cleaned


@dataclass(frozen=True)
class PublicPriceLookUp:
    """Public prices at an endpoint. model: whose price is looked for, "" for none yet. models: those that have one."""

    model: str = ""
    price: PublicPrice | None = None
    models: Sequence[str] = ()

    @property
    def initial(self) -> dict[str, Any]:
        """What the form of the price begins with."""
        known = self.price.prices.items() if self.price else ()
        return {"model": self.model, **{part: f"{usd.normalize():f}" for part, usd in known if usd is not None}}


def look_up_price(endpoint: Endpoint, model: str | None) -> PublicPriceLookUp:
    """None: nobody asks for public prices, and their table is not imported."""
    if model is None:
        return PublicPriceLookUp()
    price = find_public_price(endpoint.base_url, model) if model else None
    return PublicPriceLookUp(model, price, models_at(endpoint.base_url))


class PriceForm(forms.ModelForm):  # type: ignore[type-arg]
    """The price of a model, each part of which may be left empty where it is not known."""

    class Meta:
        model = Price
        fields = ["model", *PRICES]
        labels = {
            "prompt_usd": "Prompt",
            "cached_usd": "Cached prompt",
            "completion_usd": "Answer",
            "search_usd": "Search",
        }
        help_texts = {
            "prompt_usd": "$ per million tokens. Empty, here and below: not known.",
            "cached_usd": "$ per million tokens that the server had read before.",
            "completion_usd": "$ per million tokens, thoughts included.",
            "search_usd": "$ for one search that the model makes by itself.",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for part in PRICES:
            field = self.fields[part]
            field.validators.append(MinValueValidator(0))
            field.widget.attrs["min"] = 0

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if not self.errors and all(cleaned.get(part) is None for part in PRICES):
            raise forms.ValidationError("Enter a price: at least one of them.")
        return cleaned

    def save_at(self, endpoint: Endpoint, *, looked_up: bool) -> Price:
        """In place of the model's price so far, if it has one. Earlier calls keep their price. looked_up: the form came
        filled with a public price, which may have been changed."""
        cleaned = self.cleaned_data
        prices = {part: cleaned[part] for part in PRICES}
        public = find_public_price(endpoint.base_url, cleaned["model"]) if looked_up else None
        as_of = public.as_of if public is not None and public.prices == prices else None
        price, _ = Price.objects.update_or_create(
            endpoint=endpoint, model=cleaned["model"], defaults={**prices, "as_of": as_of}
        )
        return price


class GrantForm(forms.Form):
    """The dataset that is to use the endpoint: one of those where the person evaluates."""

    dataset = forms.ModelChoiceField(Dataset.objects.none(), empty_label=None)

    def __init__(self, user: User, endpoint: Endpoint, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        granted = EndpointGrant.objects.filter(endpoint=endpoint).values("dataset")
        choices = Dataset.objects.of(user, Role.ADJUDICATOR, Role.RESEARCHER).exclude(pk__in=granted)
        self.fields["dataset"].queryset = choices  # type: ignore[attr-defined]


class AllowanceForm(forms.Form):
    """A limit of spending of the dataset, or of somebody who evaluates in it."""

    person = forms.ModelChoiceField(User.objects.none(), label="Person", required=False, empty_label="Everybody")
    limit = forms.DecimalField(
        label="US dollars",
        min_value=0,
        max_digits=12,
        decimal_places=6,
        help_text="Spending counts from when a limit is set. Changing a limit keeps the count.",
    )

    def __init__(self, dataset: Dataset, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._dataset = dataset
        evaluate = dataset.memberships.filter(role__in=(Role.ADJUDICATOR, Role.RESEARCHER)).values("user")
        people = User.objects.filter(Q(pk__in=evaluate) | Q(is_superuser=True)).order_by("username")
        self.fields["person"].queryset = people  # type: ignore[attr-defined]

    def save(self) -> Allowance:
        return set_allowance(self._dataset, self.cleaned_data["person"], self.cleaned_data["limit"])


class ProbeForm(forms.Form):
    model = forms.CharField(max_length=200)
