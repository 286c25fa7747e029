"""What can go wrong with a model. The messages are for people and never hold a key."""


class ModelError(Exception):
    """A call to a model failed."""


class EndpointAddressError(ModelError):
    """The endpoint's address cannot be used."""


class RequestRefusedError(ModelError):
    """The endpoint will not answer this request, now or later: it was not tried again."""


class AccessRefusedError(RequestRefusedError):
    """The endpoint will answer no request at all: the key, the address, the model or the quota is at fault."""


class EndpointUnavailableError(ModelError):
    """The endpoint did not answer, in as many attempts as were allowed."""


class CallLimitError(ModelError):
    """The run has made as many calls as it may."""
