"""An identity provider that speaks OpenID Connect over real HTTP: discovery, authorize, token, keys.

It sends every browser back at once, as the person that a test names (Answers), and refuses what a good provider would:
an unknown client, another address to return to, a wrong secret, a code used twice, a wrong PKCE verifier.
"""

import base64
import contextlib
import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_urlsafe
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT = "touchstone"
SECRET = "a secret of the client, for tests"


def new_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@cache
def own_key() -> rsa.RSAPrivateKey:
    """Made when it is first needed: that takes a while."""
    return new_key()


@dataclass
class Answers:
    """What the provider answers. subject: who comes back. claims: of the ID token, in place of the right ones; None
    leaves one out. key, algorithm: what signs it. error: sent back instead of a code. discovery: as `claims`. body: of
    the token endpoint, in place of the right one. redirects: every GET to elsewhere. chunked: answers come without a
    length."""

    subject: str = "person-1"
    username: str = "zoe@university.example"
    name: str = "Zoe"
    claims: dict[str, Any] = field(default_factory=dict)
    key: Callable[[], Any] = own_key
    algorithm: str = "RS256"
    error: str = ""
    discovery: dict[str, Any] = field(default_factory=dict)
    body: bytes | None = None
    redirects: bool = False
    chunked: bool = False


@dataclass
class FakeProvider:
    """A running provider. `codes`: code → the query of the browser that it was given to. `asked`: paths, in order."""

    port: int = 0
    answers: Answers = field(default_factory=Answers)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    returns: str = "/login/provider/return/"

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def describe(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
        } | self.answers.discovery

    def keys(self) -> dict[str, Any]:
        public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(own_key().public_key()))
        return {"keys": [public | {"kid": "1", "use": "sig", "alg": "RS256"}]}

    def authorize(self, query: dict[str, str]) -> str | None:
        """Where the browser goes; None if the query is not good."""
        back = query.get("redirect_uri", "")
        good = (
            query.get("client_id") == CLIENT
            and query.get("response_type") == "code"
            and query.get("code_challenge_method") == "S256"
            and "openid" in query.get("scope", "")
            and query.get("nonce")
            and urlsplit(back).path == self.returns
        )
        if not good:
            return None
        if self.answers.error:
            return f"{back}?{urlencode({'error': self.answers.error, 'state': query['state']})}"
        code = token_urlsafe(16)
        self.codes[code] = query
        return f"{back}?{urlencode({'code': code, 'state': query['state']})}"

    def exchange(self, form: dict[str, str]) -> dict[str, Any] | None:
        """The tokens for a code; None if the request is not good."""
        query = self.codes.pop(form.get("code", ""), None)
        if query is None or (form.get("client_id"), form.get("client_secret")) != (CLIENT, SECRET):
            return None
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if challenge != query["code_challenge"] or form.get("redirect_uri") != query["redirect_uri"]:
            return None
        return {"access_token": token_urlsafe(8), "token_type": "Bearer", "id_token": self._token(query["nonce"])}

    def _token(self, nonce: str) -> str:
        answers, now = self.answers, int(time.time())
        claims = {
            "iss": self.issuer,
            "sub": answers.subject,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": nonce,
            "preferred_username": answers.username,
            "name": answers.name,
            "email": "ada@university.example",
            "email_verified": True,
        } | answers.claims
        claims = {name: value for name, value in claims.items() if value is not None}
        return jwt.encode(claims, answers.key(), algorithm=answers.algorithm, headers={"kid": "1"})


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    provider: FakeProvider


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments: Any) -> None:
        """Nothing is printed."""

    def do_GET(self) -> None:
        provider, address = self.server.provider, urlsplit(self.path)
        provider.asked.append(address.path)
        if provider.answers.redirects:
            self._redirect(f"{provider.issuer}/elsewhere")
        elif address.path == "/.well-known/openid-configuration":
            self._send(200, provider.describe())
        elif address.path == "/keys":
            self._send(200, provider.keys())
        elif address.path == "/authorize":
            back = provider.authorize({name: values[0] for name, values in parse_qs(address.query).items()})
            self._send(400, {}) if back is None else self._redirect(back)
        else:
            self._send(404, {})

    def do_POST(self) -> None:
        provider = self.server.provider
        provider.asked.append(self.path)
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if provider.answers.body is not None:
            self._send_bytes(200, provider.answers.body)
            return
        tokens = provider.exchange({name: values[0] for name, values in parse_qs(body).items()})
        self._send(400, {"error": "invalid_grant"}) if tokens is None else self._send(200, tokens)

    def _redirect(self, address: str) -> None:
        self.send_response(302)
        self.send_header("Location", address)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _send(self, status: int, answer: dict[str, Any]) -> None:
        self._send_bytes(status, json.dumps(answer).encode())

    def _send_bytes(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        if self.server.provider.answers.chunked:
            self.send_header("Transfer-Encoding", "chunked")
            body = b"".join(b"%x\r\n%s\r\n" % (1, body[n : n + 1]) for n in range(len(body))) + b"0\r\n\r\n"
        else:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            self.wfile.write(body)


@contextlib.contextmanager
def fake_provider() -> Iterator[FakeProvider]:
    """A provider in a thread of its own, ended on leaving."""
    with _Server(("127.0.0.1", 0), _Handler) as server:
        server.provider = FakeProvider(server.server_port)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server.provider
        finally:
            server.shutdown()
            thread.join()
