"""The endpoints, of models and of search engines, that a dataset may use: those granted to it, and shared ones, which
no sandbox uses. Others are as if they were not there."""

from contextlib import suppress

from django.db.models import Q

from annotate.models import Dataset, EndpointGrant, User
from core.environment import read_variable
from llm.endpoints import ADDRESS_VARIABLE, KEY_VARIABLE, default_endpoint, find_endpoint
from llm.errors import EndpointAddressError, NotGrantedError
from llm.models import Endpoint
from llm.models.endpoint import EndpointQuerySet


def granted_to(dataset: Dataset) -> EndpointQuerySet:
    """Those of models and of search engines."""
    granted = Q(pk__in=EndpointGrant.objects.filter(dataset=dataset).values("endpoint"))
    return Endpoint.objects.filter(granted if dataset.sandbox else granted | Q(shared=True))


def endpoints_of(dataset: Dataset) -> EndpointQuerySet:
    return granted_to(dataset).of_models()


def engines_of(dataset: Dataset) -> EndpointQuerySet:
    return granted_to(dataset).of_search()


def named_default() -> Endpoint | None:
    """The default endpoint, where the environment says anything of one; it is made on first use."""
    if read_variable(ADDRESS_VARIABLE) or read_variable(KEY_VARIABLE):
        with suppress(EndpointAddressError):
            return default_endpoint()
    return None


def endpoints_by_choice(dataset: Dataset) -> dict[str, Endpoint]:
    """The endpoints that a run over the dataset may name, by its parameter `endpoint`: the default one is "". Without
    one that the environment names there is no default."""
    default = named_default()
    return {"" if each == default else each.name: each for each in endpoints_of(dataset)}


def find_granted(dataset: Dataset, name: str) -> Endpoint:
    """The endpoint with this name; "" is the default one. Raises EndpointAddressError where the dataset may use none of
    that name."""
    if not name:
        return granted_default(dataset)
    endpoint = find_endpoint(name)
    if not endpoints_of(dataset).filter(pk=endpoint.pk).exists():
        raise EndpointAddressError(f"There is no endpoint named {name!r}; the page of endpoints lists them.")
    return endpoint


def find_granted_engine(dataset: Dataset, name: str) -> Endpoint:
    """The search engine with this name. Raises EndpointAddressError where the dataset may use none of that name."""
    engine = engines_of(dataset).filter(name=name).first()
    if engine is None:
        raise EndpointAddressError(f"There is no search engine named {name!r}; the page of endpoints lists them.")
    return engine


def granted_default(dataset: Dataset) -> Endpoint:
    """The default endpoint. Raises EndpointAddressError where it cannot be used, NotGrantedError where the dataset may
    not use it."""
    endpoint = default_endpoint()
    check_granted(dataset, endpoint)
    return endpoint


def check_granted(dataset: Dataset, endpoint: Endpoint) -> None:
    """Raises NotGrantedError where the dataset may not use the endpoint, or not any more."""
    if not granted_to(dataset).filter(pk=endpoint.pk).exists():
        raise NotGrantedError(
            f"The endpoint {endpoint} is not granted to {dataset}: who owns it, or an administrator of the site, can "
            "grant it on the page of endpoints."
        )


def may_add(user: User, dataset: Dataset) -> bool:
    """Administrators of the site add endpoints, and who has a sandbox adds some of their own there."""
    return user.is_superuser or (dataset.sandbox and dataset.memberships.filter(user=user).exists())


def may_manage(user: User, endpoint: Endpoint) -> bool:
    """Administrators of the site and the endpoint's owner change it, set prices and grant it."""
    return user.is_superuser or endpoint.owner_id == user.pk
