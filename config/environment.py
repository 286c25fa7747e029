"""Readers of environment variables: each returns a checked value or names the fault in one sentence."""

import os
import secrets
import tempfile
from collections.abc import Iterable
from importlib.util import find_spec
from math import isfinite
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from core.addresses import AllowedNetworks, read_network
from core.environment import FILE, read_variable

TRUE = {"1", "true", "yes", "on"}
FALSE = {"0", "false", "no", "off"}
CONNECTION_SECONDS = 600
DATABASE_SCHEMES = {"postgres", "postgresql", "sqlite"}
BROKER_SCHEMES = {"redis", "rediss"}
# Scheme of a mail server → its usual port, and how the connection is encrypted.
EMAIL_SCHEMES = {
    "smtp": (25, {}),
    "smtp+tls": (587, {"EMAIL_USE_TLS": True}),
    "smtps": (465, {"EMAIL_USE_SSL": True}),
}
# The issuer of an identity provider is stored with each connected account.
ISSUER_LENGTH = 200
# The beginning of the names of variables that hold keys (llm/endpoints.py).
OWN_KEY = "TOUCHSTONE_KEY_"


def read_flag(name: str, default: bool) -> bool:
    """The variable as a truth value; the default where it is unset or empty."""
    text = read_variable(name).lower()
    if not text:
        return default
    if text in TRUE:
        return True
    if text in FALSE:
        return False
    raise ImproperlyConfigured(f"{name} is {text!r}; it must be one of true, false, yes, no, on, off, 1, 0.")


def read_text(name: str, default: str) -> str:
    """The variable without spaces at its ends; the default where it is unset or empty."""
    return read_variable(name) or default


def read_number(name: str, default: float, minimum: float) -> float:
    """The variable as a number of at least `minimum`."""
    text = read_variable(name)
    if not text:
        return default
    try:
        number = float(text)
    except ValueError:
        raise ImproperlyConfigured(f"{name} is {text!r}; it must be a number.") from None
    if not isfinite(number):
        raise ImproperlyConfigured(f"{name} is {text!r}; it must be a finite number.")
    if number < minimum:
        raise ImproperlyConfigured(f"{name} is {text}; it must be at least {minimum:g}.")
    return number


def read_optional_number(name: str, minimum: float) -> float | None:
    """The variable as a number of at least `minimum`; None where it is unset or empty."""
    return read_number(name, 0, minimum) if read_variable(name) else None


def read_share(name: str, default: float) -> float:
    """The variable as a share from 0 to 1."""
    share = read_number(name, default, minimum=0)
    if share > 1:
        raise ImproperlyConfigured(f"{name} is {share:g}; it must be at most 1.")
    return share


def read_list(name: str, default: list[str]) -> list[str]:
    """The variable's comma-separated parts."""
    parts = [part.strip() for part in read_variable(name).split(",")]
    return [part for part in parts if part] or default


def read_addresses(name: str, production: bool) -> frozenset[tuple[str, int]]:
    """The variable's comma-separated parts as pairs of address and port; none are allowed in production."""
    parts = read_list(name, [])
    if parts and production:
        raise ImproperlyConfigured(f"{name} is for tests: it opens the server's own network and must not be set here.")
    try:
        pairs = [(part.rpartition(":")[0].strip("[]"), int(part.rpartition(":")[2])) for part in parts]
    except ValueError:
        raise ImproperlyConfigured(f"{name} must hold addresses with ports, such as 127.0.0.1:8000.") from None
    return frozenset(pairs)


def read_listening(name: str) -> tuple[str, int] | None:
    """The variable as the address and port that a server listens at; None where it is unset or empty."""
    text = read_variable(name)
    if not text:
        return None
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65_536:
        raise ImproperlyConfigured(f"{name} is {text!r}; it must be an address with a port, such as 127.0.0.1:9464.")
    return host.strip("[]"), int(port)


def read_networks(name: str, default: list[str]) -> AllowedNetworks:
    """The variable's comma-separated addresses and networks, each with a port or without."""
    try:
        return AllowedNetworks([read_network(part) for part in read_list(name, default)])
    except ValueError:
        raise ImproperlyConfigured(
            f"{name} must hold addresses, with ports or without, such as 127.0.0.1:8000 or 10.1.0.5."
        ) from None


def read_folder(name: str, default: Path) -> Path:
    """The variable as a folder that exists and can be written to; made if need be, for its owner alone."""
    folder = Path(read_variable(name) or default).absolute()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"{name} is {folder}, which cannot be made: {error.strerror}.") from None
    if not os.access(folder, os.W_OK):
        raise ImproperlyConfigured(f"{name} is {folder}, which cannot be written to.")
    return folder


def read_optional_folder(name: str) -> Path | None:
    """The variable as a folder that exists; None where it is unset or empty."""
    text = read_variable(name)
    if not text:
        return None
    folder = Path(text).absolute()
    if not folder.is_dir():
        raise ImproperlyConfigured(f"{name} is {folder}, which is no folder.")
    return folder


def read_database(name: str, data_dir: Path) -> dict[str, Any]:
    """Django's database entry: SQLite in the data folder, or the database of the address.

    Connections are kept: opening one anew for each request would cost more than most requests ask of it.
    """
    address = read_variable(name) or f"sqlite:///{data_dir / 'db.sqlite3'}"
    scheme = urlsplit(address).scheme
    if scheme not in DATABASE_SCHEMES:
        raise ImproperlyConfigured(
            f"{name} begins with {scheme or 'nothing'}://; it must be a postgresql:// or sqlite:// address."
        )
    try:
        entry: dict[str, Any] = dict(
            dj_database_url.parse(address, conn_max_age=CONNECTION_SECONDS, conn_health_checks=True)
        )
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} cannot be read: {error}.") from None
    if scheme == "sqlite":
        # A writer waits for the lock instead of failing: 20 s outlasts every write Touchstone makes at once. FULL: what
        # is committed is on the disk, so that a save that was answered outlives a power cut.
        entry["OPTIONS"] = {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-16384;",
        }
    else:
        options = entry.setdefault("OPTIONS", {})
        # So that nothing on the way forgets a connection that nobody uses for a while.
        options.setdefault("keepalives_idle", 60)
        # Whoever waits for a database that is out of reach is told so.
        options.setdefault("connect_timeout", 10)
    return entry


def read_broker(name: str) -> str:
    """Celery's broker address: the file system unless Redis is named."""
    address = read_variable(name)
    if not address:
        return "filesystem://"
    if urlsplit(address).scheme not in BROKER_SCHEMES:
        raise ImproperlyConfigured(f"{name} must be a redis:// or rediss:// address (unset: the file-system broker).")
    return address


def read_cache(name: str, folder: Path) -> dict[str, Any]:
    """Django's entry of the cache that all processes share: files in the folder unless Redis is named."""
    address = read_variable(name)
    if not address:
        return {
            "BACKEND": "config.file_cache.FileCache",
            "LOCATION": folder,
            "OPTIONS": {"MAX_ENTRIES": 5_000},
        }
    if urlsplit(address).scheme not in BROKER_SCHEMES:
        raise ImproperlyConfigured(f"{name} must be a redis:// or rediss:// address (unset: files in DATA_DIR/cache).")
    return {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": address}


def read_storage(name: str, folder: Path) -> dict[str, Any]:
    """Django's storage of uploads and releases: the folder, or a bucket, s3://NAME/PREFIX?endpoint=…&region=…"""
    text = read_variable(name)
    if not text:
        return {"BACKEND": "config.storage.WholeFileStorage", "OPTIONS": {"location": folder}}
    address = urlsplit(text)
    options = dict(parse_qsl(address.query))
    if address.scheme != "s3" or not address.netloc or not options.keys() <= {"endpoint", "region"}:
        raise ImproperlyConfigured(f"{name} must be s3://BUCKET/PREFIX, and may end in ?endpoint=…&region=….")
    if find_spec("storages") is None:
        raise ImproperlyConfigured(f"{name} needs the packages of requirements-s3.txt.")
    endpoint = options.get("endpoint")
    return {
        "BACKEND": "config.bucket_storage.BucketStorage",
        "OPTIONS": {
            "bucket_name": address.netloc,
            "location": address.path.strip("/"),
            "endpoint_url": endpoint,
            "region_name": options.get("region"),
            # Names of buckets below the host are for stores that have a certificate for them.
            "addressing_style": "path" if endpoint else "auto",
            "file_overwrite": False,
            "default_acl": None,
        },
    }


def read_email(name: str) -> dict[str, Any]:
    """Django's settings of the mail server: none are sent without one, `console:` prints them.

    A password is refused for a connection that is not encrypted.
    """
    text = read_variable(name)
    address = urlsplit(text)
    if not text or address.scheme == "console":
        return {"EMAIL_BACKEND": f"django.core.mail.backends.{'console' if text else 'dummy'}.EmailBackend"}
    if address.scheme not in EMAIL_SCHEMES or not address.hostname:
        raise ImproperlyConfigured(f"{name} must be an smtp+tls://, smtps:// or smtp:// address with a host.")
    usual_port, encryption = EMAIL_SCHEMES[address.scheme]
    if address.password and not encryption:
        raise ImproperlyConfigured(f"{name} has a password that smtp:// would send unencrypted: use smtp+tls://.")
    try:
        port = address.port or usual_port
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} cannot be read: {error}.") from None
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": address.hostname,
        "EMAIL_PORT": port,
        "EMAIL_HOST_USER": unquote(address.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(address.password or ""),
        **encryption,
    }


def read_site(name: str, required: bool, default: str) -> str:
    """The variable as the address of the site, without a slash at its end."""
    address = read_variable(name).rstrip("/")
    if not address and required:
        raise ImproperlyConfigured(f"{name} is not set: e-mails need the address of the site for their links.")
    if address and (urlsplit(address).scheme not in ("http", "https") or not urlsplit(address).netloc):
        raise ImproperlyConfigured(f"{name} is {address!r}; it must be an address such as https://touchstone.example.")
    return address or default


def read_sentry(name: str) -> str:
    """The variable as the address of a project of a Sentry server, with its key; "" where it is unset or empty."""
    address = read_variable(name)
    parts = urlsplit(address)
    project = parts.path.rpartition("/")[2]
    if address and not (
        parts.scheme in ("http", "https") and parts.username and parts.hostname and project.isdecimal()
    ):
        raise ImproperlyConfigured(f"{name} must be an address such as https://key@sentry.example/2.")
    return address


def read_origins(name: str) -> list[str]:
    """The variable's comma-separated parts as origins of web pages: scheme and host, with a port or without."""
    origins = read_list(name, [])
    for origin in origins:
        scheme, _, host = origin.partition("://")
        if scheme not in ("http", "https") or not host or urlsplit(origin).netloc != host:
            raise ImproperlyConfigured(f"{name} must hold origins such as https://notebooks.example, not {origin!r}.")
    return origins


def check_keys(named: Iterable[str]) -> None:
    """Read the keys of servers of models once, so that a wrong file stops the start: those that are named, and those
    that `TOUCHSTONE_KEY_…_FILE` gives."""
    own = (name.removesuffix(FILE) for name in os.environ if name.startswith(OWN_KEY) and name.endswith(FILE))
    for name in (*named, *own):
        read_variable(name)


def check_together(needed: list[str], optional: list[str]) -> None:
    """Refuse to start where one of the variables is set, and not all that are needed."""
    is_set = {name: bool(read_variable(name)) for name in [*needed, *optional]}
    missing = [name for name in needed if not is_set[name]]
    if missing and any(is_set.values()):
        raise ImproperlyConfigured(f"{missing[0]} is not set: {', '.join(needed)} belong together.")


def read_issuer(name: str, production: bool) -> str:
    """The variable as the issuer of an identity provider, without a slash at its end; "" where it is unset or empty.
    In production it is asked by HTTPS only."""
    issuer = read_variable(name).rstrip("/")
    address = urlsplit(issuer)
    schemes = ("https",) if production else ("https", "http")
    if issuer and (address.scheme not in schemes or not address.hostname or address.query or address.fragment):
        raise ImproperlyConfigured(f"{name} must be an issuer's address, such as https://login.university.example.")
    if len(issuer) > ISSUER_LENGTH:
        raise ImproperlyConfigured(f"{name} has {len(issuer)} characters; it must have at most {ISSUER_LENGTH}.")
    return issuer


def read_secret_key(name: str, data_dir: Path, production: bool) -> str:
    """The secret key: from the environment, or for a development checkout from a file made once in the data folder."""
    key = read_variable(name)
    if key:
        if production and len(key) < 50:
            raise ImproperlyConfigured(f"{name} has {len(key)} characters; production needs at least 50.")
        return key
    if production:
        raise ImproperlyConfigured(
            f"{name} is not set and DEBUG is false: production needs a secret key of 50 or more random characters."
        )
    return _development_key(data_dir / "secret_key")


def _development_key(path: Path) -> str:
    """The key in the file, which is made where it is missing; the first process to make it wins a race."""
    if not path.exists():
        try:
            _write_once(path, secrets.token_urlsafe(60))
        except OSError as error:
            raise ImproperlyConfigured(f"{path} cannot be made: {error.strerror}.") from None
    key = path.read_text().strip()
    if not key:
        raise ImproperlyConfigured(f"{path} is empty: delete it and start again.")
    return key


def _write_once(path: Path, text: str) -> None:
    """Make the file with this text, for its owner alone, unless somebody has made it meanwhile.

    It is written aside and then linked into place, so that a reader finds all of it.
    """
    descriptor, aside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # for its owner alone (0600)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(text)
        os.link(aside, path)
    except FileExistsError:
        pass
    finally:
        Path(aside).unlink()
