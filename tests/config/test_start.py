"""Settings come from the environment and fail at start with a sentence when they are wrong."""

import os
import secrets
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.environment import read_email, read_secret_key
from tests.waiting import LONGEST

ROOT = Path(__file__).resolve().parent.parent.parent
# Libraries that only some pages and some work need: who needs one first waits for its import.
HEAVY = {
    *("aiohttp", "altair", "any_llm", "boto3", "fontTools", "genai_prices", "httpcore2", "httpx2", "inscriptis", "jwt"),
    *("lxml", "nltk", "openai"),
    *("pandas", "pyarrow", "pycld2", "pypdf", "scipy", "sentencex", "sentry_sdk", "sklearn", "spacy", "torch"),
    *("transformers", "vl_convert"),
}
LONG_KEY = "a-key-of-more-than-fifty-characters-for-tests-only-0123456789"


def kept() -> dict[str, str]:
    """What of this process's environment a fresh one needs."""
    return {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}


def start(data_dir: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """`manage.py check` in a fresh process with only this environment."""
    return subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env={**kept(), "DATA_DIR": str(data_dir), **environment},
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )


def test_a_checkout_starts_without_any_setting(tmp_path: Path) -> None:
    assert start(tmp_path).returncode == 0


def test_web_server_and_workers_start_without_what_few_need(tmp_path: Path) -> None:
    """All addresses, the pages of annotators, and all tasks of workers."""
    code = (
        "import sys, config.wsgi; from config.celery import app; app.loader.import_default_modules();"
        f" print(sorted({HEAVY} & sys.modules.keys()), 'jobs.tasks' in sys.modules, 'annotate.urls' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**kept(), "DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )
    assert done.stdout == "[] True True\n", done.stderr


def test_the_secret_key_of_a_checkout_is_made_once_and_kept_private(tmp_path: Path) -> None:
    start(tmp_path)
    key = (tmp_path / "secret_key").read_text()
    start(tmp_path)
    assert (tmp_path / "secret_key").read_text() == key
    assert len(key) > 50
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0


def test_whoever_asks_while_the_secret_key_is_being_made_gets_the_same(tmp_path: Path, monkeypatch) -> None:
    draw = secrets.token_urlsafe
    others: list[str] = []

    def interrupted(size: int) -> str:
        monkeypatch.setattr(secrets, "token_urlsafe", draw)
        others.append(read_secret_key("KEY_OF_NOBODY", tmp_path, production=False))
        return draw(size)

    monkeypatch.setattr(secrets, "token_urlsafe", interrupted)
    assert [read_secret_key("KEY_OF_NOBODY", tmp_path, production=False)] == others
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]


def test_a_secret_key_that_cannot_be_written_is_said_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"secret_key cannot be made: No such file or directory\."):
        read_secret_key("KEY_OF_NOBODY", tmp_path / "missing", production=False)


def test_production_starts_with_a_secret_key(tmp_path: Path) -> None:
    assert start(tmp_path, DEBUG="false", SECRET_KEY=LONG_KEY, ALLOWED_HOSTS="touchstone.example").returncode == 0


def test_secrets_are_read_from_files(tmp_path: Path) -> None:
    secrets_of = {
        "SECRET_KEY": LONG_KEY,
        "DATABASE_URL": f"sqlite:///{tmp_path / 'elsewhere.sqlite3'}",
        "CELERY_BROKER_URL": "redis://:word@queue/0",
        "CACHE_URL": "redis://:word@queue/1",
        "EMAIL_URL": "smtps://ada:word@mail.example",
        "OIDC_CLIENT_SECRET": "the provider's",
    }
    environment = {"DEBUG": "false", "SITE_URL": "https://one.example"}
    environment |= {"OIDC_SERVER": "https://login.example", "OIDC_CLIENT_ID": "touchstone"}
    for name, text in secrets_of.items():
        (tmp_path / name).write_text(f"{text}\n")
        environment[f"{name}_FILE"] = str(tmp_path / name)
    read = (
        "from config import settings as s; print([s.SECRET_KEY, f\"sqlite:///{s.DATABASES['default']['NAME']}\","
        " s.CELERY_BROKER_URL, s.CACHES['default']['LOCATION'], s.EMAIL_HOST_PASSWORD, s.OIDC_CLIENT_SECRET])"
    )
    printed = subprocess.run(
        [sys.executable, "-c", read],
        cwd=ROOT,
        env={**kept(), "DATA_DIR": str(tmp_path / "data"), **environment},
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )
    expected = [*secrets_of.values()]
    expected[4] = "word"
    assert printed.stdout == f"{expected}\n", printed.stderr


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"DEBUG": "false"}, "SECRET_KEY is not set and DEBUG is false"),
        ({"DEBUG": "false", "SECRET_KEY": "short"}, "SECRET_KEY has 5 characters"),
        ({"DEBUG": "perhaps"}, "DEBUG is 'perhaps'"),
        ({"DATABASE_URL": "mysql://host/name"}, "DATABASE_URL begins with mysql://"),
        ({"CELERY_BROKER_URL": "amqp://host"}, "CELERY_BROKER_URL must be a redis://"),
        ({"EMAIL_URL": "imap://host"}, "EMAIL_URL must be an smtp+tls://"),
        ({"EMAIL_URL": "smtp+tls://"}, "EMAIL_URL must be an smtp+tls://"),
        ({"EMAIL_URL": "smtps://host:many"}, "EMAIL_URL cannot be read"),
        ({"EMAIL_URL": "smtp://name:word@host"}, "EMAIL_URL has a password that smtp:// would send unencrypted"),
        ({"SITE_URL": "touchstone.example"}, "SITE_URL is 'touchstone.example'"),
        (
            {"DEBUG": "false", "SECRET_KEY": LONG_KEY, "EMAIL_URL": "smtps://host"},
            "SITE_URL is not set: e-mails need the address",
        ),
        (
            {"OIDC_SERVER": "https://login.example"},
            "OIDC_CLIENT_ID is not set: OIDC_SERVER, OIDC_CLIENT_ID",
        ),
        (
            {"OIDC_SERVER": "https://login.example", "OIDC_CLIENT_ID": "touchstone"},
            "OIDC_CLIENT_SECRET is not set: OIDC_SERVER, OIDC_CLIENT_ID",
        ),
        (
            {"OIDC_NAME": "University log-in"},
            "OIDC_SERVER is not set: OIDC_SERVER, OIDC_CLIENT_ID",
        ),
        (
            {"OIDC_SERVER": "login.example", "OIDC_CLIENT_ID": "touchstone", "OIDC_CLIENT_SECRET": "word"},
            "OIDC_SERVER must be an issuer's address",
        ),
        (
            {
                "DEBUG": "false",
                "SECRET_KEY": LONG_KEY,
                "OIDC_SERVER": "http://login.example",
                "OIDC_CLIENT_ID": "touchstone",
                "OIDC_CLIENT_SECRET": "word",
            },
            "OIDC_SERVER must be an issuer's address",
        ),
        ({"CACHE_URL": "memcached://host"}, "CACHE_URL must be a redis://"),
        ({"PASSWORD_LENGTH": "4"}, "PASSWORD_LENGTH is 4; it must be at least 8"),
        ({"SNAPSHOT_ALLOW": "localhost"}, "SNAPSHOT_ALLOW must hold addresses with ports"),
        (
            {"DEBUG": "false", "SECRET_KEY": LONG_KEY, "SNAPSHOT_ALLOW": "127.0.0.1:8000"},
            "SNAPSHOT_ALLOW is for tests",
        ),
        ({"LLM_ALLOW": "localhost"}, "LLM_ALLOW must hold addresses"),
        ({"RUN_LEASE_SECONDS": "soon"}, "RUN_LEASE_SECONDS is 'soon'"),
        ({"RUN_LEASE_SECONDS": "0"}, "RUN_LEASE_SECONDS is 0; it must be at least 0.5"),
        ({"LEAST_COVERAGE": "95"}, "LEAST_COVERAGE is 95; it must be at most 1"),
        ({"UPLOAD_LIMIT_MB": "inf"}, "UPLOAD_LIMIT_MB is 'inf'; it must be a finite number"),
        ({"METRICS_ADDRESS": "9464"}, "METRICS_ADDRESS is '9464'; it must be an address with a port"),
        ({"SENTRY_DSN": "https://sentry.example/2"}, "SENTRY_DSN must be an address such as https://key@"),
        ({"SECRET_KEY_FILE": "/missing/key"}, "SECRET_KEY_FILE is /missing/key, which cannot be read"),
        ({"DATABASE_URL_FILE": "/dev/null"}, "DATABASE_URL_FILE is /dev/null, which is empty"),
        ({"EMAIL_URL": "console:", "EMAIL_URL_FILE": "/dev/null"}, "EMAIL_URL and EMAIL_URL_FILE are both set"),
        ({"OPENAI_API_KEY_FILE": "/dev/null"}, "OPENAI_API_KEY_FILE is /dev/null, which is empty"),
        ({"TOUCHSTONE_KEY_LAB_FILE": "/dev/null"}, "TOUCHSTONE_KEY_LAB_FILE is /dev/null, which is empty"),
        ({"RUN_LEASE_SECONDS": "nan"}, "RUN_LEASE_SECONDS is 'nan'; it must be a finite number"),
    ],
)
def test_a_wrong_setting_stops_the_start_with_one_sentence(
    tmp_path: Path, environment: dict[str, str], sentence: str
) -> None:
    result = start(tmp_path, **environment)
    assert result.returncode == 1
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_a_data_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = start(tmp_path, DATA_DIR=str(tmp_path / "file" / "below"))
    assert result.returncode == 1
    assert "DATA_DIR" in result.stderr


def test_the_web_server_starts_without_what_only_some_of_its_pages_need():
    """Each takes up to a second, and tens of megabytes in every process."""
    code = (
        "import sys, config.wsgi; from django.urls import get_resolver; get_resolver().url_patterns;"
        "print([name for name in ('openai', 'spacy', 'nltk', 'pyarrow', 'torch', 'llama_cpp') if name in sys.modules])"
    )
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    started = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert started.stdout.strip() == "[]"


def test_a_data_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    assert start(folder).returncode == 0
    assert folder.stat().st_mode & 0o777 == 0o700


def test_browsers_are_not_bound_for_other_names_than_this_one(tmp_path: Path) -> None:
    """Django's check for production has nothing to warn of all the same."""
    server = {"DEBUG": "false", "SECRET_KEY": LONG_KEY, "ALLOWED_HOSTS": "touchstone.example"}
    names = ("SECURE_HSTS_SECONDS", "SECURE_HSTS_INCLUDE_SUBDOMAINS", "SECURE_HSTS_PRELOAD")
    code = f"import config.settings as settings; print(*(getattr(settings, name) for name in {names}))"
    environment = {**kept(), **server, "DATA_DIR": str(tmp_path)}
    printed = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)
    checked = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert printed.stdout.split() == ["31536000", "False", "False"]
    assert (checked.returncode, checked.stderr.count("WARNINGS")) == (0, 0)


def test_no_mail_server_means_that_no_email_is_sent() -> None:
    assert read_email("VARIABLE_OF_NOBODY") == {"EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend"}


def test_the_address_of_a_mail_server_is_taken_apart(monkeypatch) -> None:
    monkeypatch.setenv("EMAIL_URL", "smtp+tls://lab%40example.org:p%40ss@mail.example")
    assert read_email("EMAIL_URL") == {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": "mail.example",
        "EMAIL_PORT": 587,
        "EMAIL_HOST_USER": "lab@example.org",
        "EMAIL_HOST_PASSWORD": "p@ss",
        "EMAIL_USE_TLS": True,
    }
