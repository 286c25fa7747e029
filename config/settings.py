"""Every setting, read from the environment (docs/deploy.md lists the variables) and checked at start."""

from pathlib import Path

from csp.constants import NONE, SELF

from config.environment import (
    check_keys,
    check_together,
    read_addresses,
    read_broker,
    read_cache,
    read_database,
    read_email,
    read_flag,
    read_folder,
    read_issuer,
    read_list,
    read_listening,
    read_networks,
    read_number,
    read_optional_folder,
    read_optional_number,
    read_origins,
    read_secret_key,
    read_sentry,
    read_share,
    read_site,
    read_storage,
    read_text,
)

BASE_DIR = Path(__file__).resolve().parent.parent

# A checkout is for development until DEBUG is set to false. Only DEBUG=true makes Django show its own error pages, and
# keep the text of every query, which a long import or run would feel.
DEBUG = read_flag("DEBUG", False)
PRODUCTION = not read_flag("DEBUG", True)
DATA_DIR = read_folder("DATA_DIR", BASE_DIR / "var")
SECRET_KEY = read_secret_key("SECRET_KEY", DATA_DIR, PRODUCTION)
# Encrypts backups; a file named on the command line takes its place.
BACKUP_PASSPHRASE = read_text("BACKUP_PASSPHRASE", "")
ALLOWED_HOSTS = read_list("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = read_list("CSRF_TRUSTED_ORIGINS", [])

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.usersessions",
    "corsheaders",
    "csp",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "template_partials",
    "health",
    "audit",
    "backup",
    "jobs",
    "llm",
    "knowledge",
    "annotate",
    "evaluators",
    "factor",
    "api",
]

MIDDLEWARE = [
    "health.probes.AnswerProbes",
    "config.request_ids.NumberRequest",
    "config.access_log.AccessLog",
    "config.request_counters.CountRequests",
    "django.middleware.security.SecurityMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    # Above WhiteNoise, which in a checkout serves files as they are; in production they are compressed already.
    "django.middleware.gzip.GZipMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.page_headers.SetPageHeaders",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "api.middleware.TokenMiddleware",
    # Before the check against forged requests, which reads forms: without a log-in nothing of a private page is read.
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "config.bodies.LimitBody",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    # Behind it: the person is read with the session once it knows the request (annotate/people/sessions.py).
    "config.languages.SpeakLanguage",
    "audit.downloads.RecordDownloads",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.nul.RefuseNul",
    "config.form_addresses.ExplainFormAddress",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "annotate.attention.context.navigation",
                "annotate.people.context.provider",
            ],
            "libraries": {"attention": "annotate.attention.tags"},
        },
    }
]

DATABASES = {"default": read_database("DATABASE_URL", DATA_DIR)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "annotate.User"
AUTHENTICATION_BACKENDS = ["annotate.people.sessions.Backend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": int(read_number("PASSWORD_LENGTH", 12, minimum=8))},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "account_login"

# Accounts by django-allauth (annotate/people): no sign-up, for people come by invitation.
ACCOUNT_ADAPTER = "annotate.people.adapter.AccountAdapter"
ACCOUNT_FORMS = {"reset_password": "annotate.people.forms.ResetForm"}
ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR = "annotate.people.tokens.ResetTokens"  # noqa: S105 - a class
PASSWORD_RESET_TIMEOUT = 24 * 3600
# Log-in needs no e-mail address. A new address replaces the old one once it is confirmed.
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Touchstone: "
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_SESSION_REMEMBER = True
MFA_ADAPTER = "annotate.people.adapter.CodeAdapter"
MFA_TOTP_ISSUER = "Touchstone"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_FORMS = {
    "add_webauthn": "annotate.people.passkeys.AddForm",
    "edit_webauthn": "annotate.people.passkeys.RenameForm",
    "authenticate_webauthn": "annotate.people.passkeys.SecondForm",
    "reauthenticate_webauthn": "annotate.people.passkeys.ConfirmForm",
    "login_webauthn": "annotate.people.passkeys.LoginForm",
}
MFA_RATE_LIMITS = {"webauthn_login": None}  # "passkey_…" below instead
USERSESSIONS_ADAPTER = "annotate.people.adapter.SessionAdapter"

# The lab's own identity provider (annotate/openid); without one nothing of it is shown or served.
check_together(["OIDC_SERVER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"], optional=["OIDC_NAME"])
OIDC_SERVER = read_issuer("OIDC_SERVER", PRODUCTION)
OIDC_CLIENT_ID = read_text("OIDC_CLIENT_ID", "")
OIDC_CLIENT_SECRET = read_text("OIDC_CLIENT_SECRET", "")
OIDC_NAME = read_text("OIDC_NAME", "single sign-on" if OIDC_SERVER else "")
SOCIALACCOUNT_ADAPTER = "annotate.openid.provider.Adapter"
SOCIALACCOUNT_REQUESTS_TIMEOUT = 5

# Failed log-ins in this time, after which further ones are refused before a password is looked at (docs/accounts.md).
LOGIN_FAILURE_MINUTES = read_number("LOGIN_FAILURE_MINUTES", 10, minimum=0.1)
_window = f"{LOGIN_FAILURE_MINUTES * 60}s"
_by_name = int(read_number("LOGIN_FAILURES_BY_NAME", 5, minimum=1))
_by_address = int(read_number("LOGIN_FAILURES_BY_ADDRESS", 20, minimum=1))
ACCOUNT_RATE_LIMITS = {
    # Good log-ins are not counted: a whole laboratory may share one address.
    "login": None,
    "login_failed": f"{_by_address}/{_window}/ip,{_by_name}/{_window}/key",
    "login_failed_known_browser": f"{_by_name}/{_window}/key",
    # A passkey cannot be guessed; each beginning of a log-in by one makes a session.
    "passkey_failed": f"{_by_address}/{_window}/ip",
    "passkey_asked": "60/m/ip",
    # Nor can what an identity provider signs; each beginning makes a session and asks the provider.
    "openid_failed": f"{_by_address}/{_window}/ip",
    "openid_asked": "60/m/ip",
    # Beginnings by a recruitment link, which make accounts.
    "outside_began": "30/m/ip",
}

# E-mail is sent where a mail server is named; pages and work that send some ask EMAIL_CONFIGURED first.
_email = read_email("EMAIL_URL")
EMAIL_BACKEND = _email["EMAIL_BACKEND"]
EMAIL_HOST = _email.get("EMAIL_HOST", "")
EMAIL_PORT = _email.get("EMAIL_PORT", 0)
EMAIL_HOST_USER = _email.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = _email.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = _email.get("EMAIL_USE_TLS", False)
EMAIL_USE_SSL = _email.get("EMAIL_USE_SSL", False)
EMAIL_TIMEOUT = 10
EMAIL_CONFIGURED = not EMAIL_BACKEND.endswith("dummy.EmailBackend")
# Changes of an account are told to its confirmed address.
ACCOUNT_EMAIL_NOTIFICATIONS = EMAIL_CONFIGURED
DEFAULT_FROM_EMAIL = SERVER_EMAIL = read_text("DEFAULT_FROM_EMAIL", "Touchstone <touchstone@localhost>")
# The address of the site in e-mails, which a worker sends too: a request that names another host changes nothing.
SITE_URL = read_site("SITE_URL", required=PRODUCTION and EMAIL_CONFIGURED, default="http://127.0.0.1:8000")

# Proxies before the web server that each add the address of their client to X-Forwarded-For; 0: it is not read.
BEHIND_PROXY = read_flag("BEHIND_PROXY", False)
TRUSTED_PROXIES = int(read_number("TRUSTED_PROXIES", 1 if BEHIND_PROXY else 0, minimum=0))

SESSION_ENGINE = "annotate.people.sessions"
SESSION_COOKIE_AGE = int(read_number("SESSION_IDLE_DAYS", 14, minimum=0.01) * 86_400)
SESSION_LONGEST_SECONDS = int(read_number("SESSION_LONGEST_DAYS", 60, minimum=0.01) * 86_400)

# Texts stand in English in the code; the catalogs of the others in `locale` (docs/languages.md).
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("zh-hans", "简体中文"), ("ar", "العربية")]
# Others are chosen by the person; a browser that asks for one gets the first that is complete.
COMPLETE_LANGUAGES = ["en"]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "config.formats"
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATIC_ROOT.mkdir(exist_ok=True)
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = not PRODUCTION
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "config.bundles.BundleFinder",
]
# The scripts of the workbench, in the order of loading: an annotator waits on this page for the first key.
BUNDLES = {
    "css/labelling.css": ["css/workbench.css", "css/evidence.css"],
    "js/labelling.js": [
        "js/workbench_turning.js",
        "js/workbench_diff.js",
        "js/workbench_draft.js",
        "js/workbench_time.js",
        "js/failures.js",
        "js/workbench_status.js",
        "js/mirror.js",
        "js/autosave.js",
        "js/workbench_saving.js",
        "js/workbench_pages.js",
        "js/evidence_card.js",
        "js/evidence.js",
        "js/workbench_cards.js",
        "js/workbench_units.js",
        "js/workbench_judging.js",
        "js/workbench_skip.js",
        "js/workbench_keys.js",
        "js/workbench_rebuttal.js",
    ],
}
STORAGES = {
    "default": read_storage("STORAGE_URL", DATA_DIR / "uploads"),
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

# What all processes of the web server share, such as counts of failed log-ins and drawn charts, is kept in files, the
# counts in Redis where it is named; computed values in each process's own memory (core/caching.py).
CACHES = {
    "default": read_cache("CACHE_URL", DATA_DIR / "cache"),
    "memory": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    "charts": {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": DATA_DIR / "charts",
        "OPTIONS": {"MAX_ENTRIES": 1_000},
    },
}

_requests_per_minute = int(read_number("API_REQUESTS_PER_MINUTE", 1200, minimum=1))
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["api.rest.access.TokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["api.rest.access.HasScope"],
    "DEFAULT_THROTTLE_CLASSES": ["api.rest.access.TokenThrottle"],
    "DEFAULT_THROTTLE_RATES": {"token": f"{_requests_per_minute}/min"},
    "DEFAULT_PARSER_CLASSES": ["api.rest.parsers.LimitedJsonParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "api.rest.schema.ApiSchema",
    "EXCEPTION_HANDLER": "api.rest.problems.handle",
}
# Pages of these origins may ask the API by a browser, with a token; a session opens no address of it.
CORS_ALLOWED_ORIGINS = read_origins("API_ORIGINS")
CORS_URLS_REGEX = r"^/api/v1/"
CORS_ALLOW_HEADERS = ["accept", "authorization", "content-type", "idempotency-key", "if-match"]
CORS_EXPOSE_HEADERS = ["ETag", "Idempotency-Replayed", "Location", "Retry-After"]
SPECTACULAR_SETTINGS = {
    "TITLE": "Touchstone",
    "DESCRIPTION": "Datasets, labels, gold, evaluators and their comparison. Every request names a token.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_NAME_OVERRIDES": {
        "AssignmentState": "annotate.models.Assignment.State",
        "WebhookEvent": "api.models.webhooks.Event",
        "RunState": "evaluators.models.Run.State",
        "ItemState": "jobs.models.JobItem.State",
        "ResponseState": "api.responses.serializers.STATE_CHOICES",
        "TaskKind": "annotate.models.work.Task.Kind",
        "GoldSource": "annotate.models.gold.GoldLabel.Source",
    },
}

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "base-uri": [NONE],
        "connect-src": [SELF],
        "font-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "img-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
    }
}
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_SAMESITE = "Lax"
if PRODUCTION:
    SECURE_SSL_REDIRECT = read_flag("SECURE_SSL_REDIRECT", True)
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None
    SECURE_HSTS_SECONDS = int(read_number("SECURE_HSTS_SECONDS", 31_536_000, minimum=0))
    # They bind names that Touchstone knows nothing of, so Django's check does not ask for them.
    SECURE_HSTS_INCLUDE_SUBDOMAINS = read_flag("SECURE_HSTS_INCLUDE_SUBDOMAINS", False)
    SECURE_HSTS_PRELOAD = read_flag("SECURE_HSTS_PRELOAD", False)
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True

# Uploads: a larger file goes in through the command line, where nothing is held in a request.
UPLOAD_LIMIT_BYTES = int(read_number("UPLOAD_LIMIT_MB", 64, minimum=1)) * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000

# A web worker that has held more is replaced by a new one, once it has finished what it has.
WEB_MEMORY_MB = read_number("WEB_MEMORY_MB", 1000, minimum=1)

# Celery: the queue only notifies; the database holds the work (docs/jobs.md).
QUEUE_APP = "config.celery.app"
CELERY_BROKER_URL = read_broker("CELERY_BROKER_URL")
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "short"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
if CELERY_BROKER_URL == "filesystem://":
    QUEUE_DIR = DATA_DIR / "queue"
    for folder in (QUEUE_DIR / "messages", QUEUE_DIR / "control"):
        folder.mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(QUEUE_DIR / "messages"),
        "data_folder_out": str(QUEUE_DIR / "messages"),
        "control_folder": str(QUEUE_DIR / "control"),
        "polling_interval": 0.1,
    }

# A lease that is not renewed in this time is taken back: a run item's from a dead worker, an annotator's place.
RUN_LEASE_SECONDS = read_number("RUN_LEASE_SECONDS", 60, minimum=0.5)
TASK_LEASE_HOURS = read_number("TASK_LEASE_HOURS", 24, minimum=0.001)
HEARTBEAT_SECONDS = read_number("HEARTBEAT_SECONDS", 5, minimum=0.1)

# Evaluators that judged a smaller share of the units with gold are listed under a line, and not ranked.
LEAST_COVERAGE = read_share("LEAST_COVERAGE", 0.95)

# Attempts of a call to a model. With ten the waits between come to a minute at least: an endpoint that is
# started again meanwhile stops no run.
MODEL_ATTEMPTS = int(read_number("MODEL_ATTEMPTS", 10, minimum=1))

# Variables that hold keys for servers of models, beside OPENAI_API_KEY and TOUCHSTONE_KEY_…: no other is ever sent.
KEY_VARIABLES = frozenset(read_list("KEY_VARIABLES", []))
check_keys(["OPENAI_API_KEY", *KEY_VARIABLES])

# Endpoints of the open internet may be asked, and these addresses: in a checkout whatever is on the same machine.
LLM_ALLOW = read_networks("LLM_ALLOW", [] if PRODUCTION else ["127.0.0.0/8", "::1"])

# Webhooks are sent to the open internet over https, and to these addresses, also over http.
WEBHOOK_ALLOW = read_networks("WEBHOOK_ALLOW", [] if PRODUCTION else ["127.0.0.0/8", "::1"])

# Sets of prompt templates beside the project's own: a folder a set.
PROMPTS_DIR = read_optional_folder("PROMPTS_DIR")

# Weights of models that run in this process, for the extra "neural": a folder a model.
WEIGHTS_DIR = read_optional_folder("WEIGHTS_DIR")

# Pages of the web that experts cite. How long fetching one may take, and reading it; and how large it may be.
SNAPSHOT_SECONDS = read_number("SNAPSHOT_SECONDS", 30, minimum=0.1)
SNAPSHOT_LIMIT_MB = read_number("SNAPSHOT_LIMIT_MB", 10, minimum=0.001)
# What is deleted of stored answers and of frozen pages, where nothing cites it; None: nothing.
ANSWERS_DAYS = read_optional_number("ANSWERS_DAYS", minimum=1)
ANSWERS_MB = read_optional_number("ANSWERS_MB", minimum=0)
SNAPSHOTS_DAYS = read_optional_number("SNAPSHOTS_DAYS", minimum=1)
SNAPSHOTS_MB = read_optional_number("SNAPSHOTS_MB", minimum=0)
# How long the file is kept that people ask for of their own data.
OWN_DATA_DAYS = read_number("OWN_DATA_DAYS", 7, minimum=0.01)
SNAPSHOT_ALLOW = read_addresses("SNAPSHOT_ALLOW", PRODUCTION)

# Errors are told to this server, without anything of the data (config/error_reports.py); "": to none.
SENTRY_DSN = read_sentry("SENTRY_DSN")

# Where `manage.py metrics` serves counters and gauges; None: nothing is counted for it.
METRICS_ADDRESS = read_listening("METRICS_ADDRESS")

# The formatter is imported only where it is used: a worker then sets no handlers of its own.
LOG_JSON = read_flag("LOG_JSON", False)
_line = {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "config.json_logs.JsonFormatter"} if LOG_JSON else _line},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "touchstone": {"level": "INFO"},
        "touchstone.access": {"level": "INFO" if read_flag("ACCESS_LOG", PRODUCTION) else "WARNING"},
        # It would warn with every knock that a queue of files has no host.
        "kombu.connection": {"level": "ERROR"},
    },
}
