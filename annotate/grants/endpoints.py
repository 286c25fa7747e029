"""The endpoints that a dataset may use: those granted to it, and shared ones. Others are as if they were not there."""

from django.db.models import Q, QuerySet

from annotate.models import Dataset, EndpointGrant, User
from llm.endpoints import default_endpoint, find_endpoint
from llm.errors import EndpointAddressError, NotGrantedError
from llm.models import Endpoint


def endpoints_of(dataset: Dataset) -> QuerySet[Endpoint]:
    granted = EndpointGrant.objects.filter(dataset=dataset).values("endpoint")
    return Endpoint.objects.filter(Q(shared=True) | Q(pk__in=granted))


def find_granted(dataset: Dataset, name: str) -> Endpoint:
    """The endpoint with this name; "" is the default one. Raises EndpointAddressError where the dataset may use none of
    that name."""
    if not name:
        return granted_default(dataset)
    endpoint = find_endpoint(name)
    if not endpoints_of(dataset).filter(pk=endpoint.pk).exists():
        raise EndpointAddressError(f"There is no endpoint named {name!r}; the page of endpoints lists them.")
    return endpoint


def granted_default(dataset: Dataset) -> Endpoint:
    """The default endpoint. Raises EndpointAddressError where it cannot be used, NotGrantedError where the dataset may
    not use it."""
    endpoint = default_endpoint()
    check_granted(dataset, endpoint)
    return endpoint


def check_granted(dataset: Dataset, endpoint: Endpoint) -> None:
    """Raises NotGrantedError where the dataset may not use the endpoint, or not any more."""
    if not endpoints_of(dataset).filter(pk=endpoint.pk).exists():
        raise NotGrantedError(
            f"The endpoint {endpoint} is not granted to {dataset}: who owns it, or an administrator of the site, can "
            "grant it on the page of endpoints."
        )


def may_manage(user: User, endpoint: Endpoint) -> bool:
    """Administrators of the site and the endpoint's owner change it, set prices and grant it."""
    return user.is_superuser or endpoint.owner_id == user.pk
