"""The identity provider: where a browser is sent, and who comes back from it.

django-allauth makes state, PKCE and the requests. It checks neither a nonce nor, over TLS, the signature of a token,
and follows redirects: what it leaves open is here.
"""

from dataclasses import dataclass
from secrets import compare_digest, token_urlsafe
from typing import Any
from urllib.parse import urlsplit

from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from requests import RequestException, Session

from annotate.openid.bounded import BoundedSession, ProviderError

# Signatures of a provider's own key: none, and those made with the client's secret, are refused.
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
CLAIMS = ["iss", "sub", "aud", "exp", "iat"]
ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")
# Seconds that the provider's clock may differ.
LEEWAY = 60
SUBJECT_LENGTH = 191
NAME_LENGTH = 150
# What an answer raises whose parts are missing or of other kinds than they should be.
MALFORMED = (AttributeError, KeyError, TypeError, ValueError)


@dataclass(frozen=True)
class Identity:
    """Who came back. subject: the provider's own key of the person. username, name: as the provider has them, or ""."""

    subject: str
    username: str
    name: str


class Adapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """The one provider of the settings; nothing of it is in the database."""

    def get_provider(self, request: HttpRequest, provider: str = "", client_id: str | None = None) -> "LabProvider":
        app = SocialApp(
            provider=LabProvider.id,
            provider_id=settings.OIDC_SERVER,
            name=settings.OIDC_NAME,
            client_id=settings.OIDC_CLIENT_ID,
            secret=settings.OIDC_CLIENT_SECRET,
            settings={"server_url": settings.OIDC_SERVER, "oauth_pkce_enabled": True},
        )
        return LabProvider(request, app=app)

    def get_requests_session(self) -> Session:
        return BoundedSession()

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        return False


class LabAdapter(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]
    def get_callback_url(self, request: HttpRequest, app: SocialApp) -> str:
        return request.build_absolute_uri(reverse("openid-callback"))

    @property
    def openid_config(self) -> dict[str, Any]:
        """The provider's description of itself, which names the configured issuer and addresses as safe as it is."""
        config: dict[str, Any] = super().openid_config
        if str(config["issuer"]).rstrip("/") != settings.OIDC_SERVER:
            raise ProviderError("its description names another issuer than OIDC_SERVER")
        schemes = {"https", urlsplit(settings.OIDC_SERVER).scheme}
        if any(urlsplit(config[name]).scheme not in schemes for name in ENDPOINTS):
            raise ProviderError("its description has an address that is not encrypted")
        return config


class LabProvider(OpenIDConnectProvider):  # type: ignore[misc]
    oauth2_adapter_class = LabAdapter

    def get_default_scope(self) -> list[str]:
        return ["openid", "profile"]


def address_of_provider(request: HttpRequest, process: str, next_url: str | None = None, **data: Any) -> str:
    """Where to send the browser. The session keeps the process and its data until the browser comes back; next_url is
    an address of this site. ProviderError if the provider does not answer as it should."""
    nonce = token_urlsafe(24)
    try:
        answer = (
            Adapter(request)
            .get_provider(request)
            .redirect(request, process, next_url=next_url, data=data, auth_params={"nonce": nonce}, nonce=nonce)
        )
    except RequestException as error:
        raise ProviderError(f"it cannot be asked ({type(error).__name__})") from error
    except MALFORMED as error:
        raise ProviderError("its description is malformed") from error
    return str(answer["Location"])


def identify(request: HttpRequest, state: dict[str, Any]) -> Identity:
    """Who came back with the code in the query of the request, by the ID token that the provider gives for it.
    ProviderError if the code, or the token, is not good."""
    from jwt.exceptions import PyJWTError

    adapter = Adapter(request).get_provider(request).get_oauth2_adapter(request)
    app = adapter.get_provider().app
    try:
        client = adapter.get_client(request, app)
        tokens = adapter.get_access_token_data(request, app, client, pkce_code_verifier=state["pkce_code_verifier"])
        keys = _fetch_keys(adapter.openid_config["jwks_uri"])
        claims = _read_token(tokens["id_token"], keys, adapter.openid_config["issuer"], state["nonce"])
        return _identity(claims)
    except ProviderError:
        raise
    except OAuth2Error as error:
        # Its words quote the answer, which is not for a log.
        raise ProviderError("it refused the code") from error
    except PyJWTError as error:
        raise ProviderError(f"its token is not good: {error}") from error
    except RequestException as error:
        raise ProviderError(f"it cannot be asked ({type(error).__name__})") from error
    except MALFORMED as error:
        raise ProviderError("its answer is malformed") from error


def _fetch_keys(address: str) -> list[dict[str, Any]]:
    with BoundedSession() as session:
        response = session.get(address)
        response.raise_for_status()
        return [key for key in response.json()["keys"] if key.get("use", "sig") == "sig"]


def _read_token(token: str, keys: list[dict[str, Any]], issuer: str, nonce: str) -> dict[str, Any]:
    import jwt

    header = jwt.get_unverified_header(token)
    if header["alg"] not in ALGORITHMS:
        raise ProviderError("its token is signed in a way that is not accepted")
    fitting = [key for key in keys if "kid" not in header or key.get("kid") == header["kid"]]
    if len(fitting) != 1:
        raise ProviderError("its token names no key of the provider")
    claims: dict[str, Any] = jwt.decode(
        token,
        jwt.PyJWK(fitting[0], algorithm=header["alg"]),
        algorithms=ALGORITHMS,
        audience=settings.OIDC_CLIENT_ID,
        issuer=issuer,
        leeway=LEEWAY,
        options={"require": CLAIMS},
    )
    if claims.get("azp", settings.OIDC_CLIENT_ID) != settings.OIDC_CLIENT_ID:
        raise ProviderError("its token is for another client")
    if not compare_digest(str(claims.get("nonce", "")), nonce):
        raise ProviderError("its token is of another log-in (nonce)")
    return claims


def _identity(claims: dict[str, Any]) -> Identity:
    subject = claims["sub"]
    if not subject or len(subject) > SUBJECT_LENGTH:
        raise ProviderError(f"its key of the person is empty or longer than {SUBJECT_LENGTH} characters")
    username, name = (_text(claims.get(claim)) for claim in ("preferred_username", "name"))
    return Identity(subject, username, name)


def _text(claim: Any) -> str:
    return claim.replace("\0", "").strip()[:NAME_LENGTH] if isinstance(claim, str) else ""
