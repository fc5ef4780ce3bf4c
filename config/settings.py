"""Settings of Lacuna. Everything that differs between installations comes from the environment (docs/operating.md)."""

import tomllib
from datetime import timedelta
from pathlib import Path

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from config import env

BASE_DIR = Path(__file__).resolve().parent.parent
VERSION = tomllib.loads((BASE_DIR / "pyproject.toml").read_text())["project"]["version"]
DATA_DIR = env.folder("LACUNA_DATA_DIR", BASE_DIR / "var")

DEBUG = env.boolean("DEBUG", default=False)
SECRET_KEY = env.secret("SECRET_KEY", generated=DATA_DIR / "secret_key")
ALLOWED_HOSTS = env.hosts("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")

# --- parts -----------------------------------------------------------------------------------------------------
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "axes",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "csp",
    "django_htmx",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "annotate",
    "evaluation",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "annotate.web.access.ProxyMiddleware",
    "annotate.web.access.BodyLimitMiddleware",  # before any that reads a body
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "annotate.web.access.VersionMiddleware",
    "annotate.web.access.NoStoreMiddleware",
    "annotate.web.access.SignInMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "annotate.web.access.SlashMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "annotate.web.access.FirstPasswordMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "annotate.web.access.DamageMiddleware",
    "axes.middleware.AxesMiddleware",
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
            ]
        },
    }
]

# --- database: SQLite needs no server; DATABASE_URL=postgres://... switches to PostgreSQL -----------------------
DATABASES = {"default": env.database("DATABASE_URL", f"sqlite:///{DATA_DIR / 'db.sqlite3'}")}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["ENGINE"] = "config.sqlite3"
    # IMMEDIATE takes the write lock at BEGIN: a transaction that reads and then writes waits its turn where a
    # deferred one would fail. FULL makes an acknowledged save survive the loss of power.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-32000;",
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- background work: rows are the truth; with a broker Celery workers are rung, else `manage.py work` polls ----
CELERY_BROKER_URL = env.broker("CELERY_BROKER_URL")
CELERY_TASK_IGNORE_RESULT = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 3600}

# --- people ----------------------------------------------------------------------------------------------------
AUTH_USER_MODEL = "annotate.User"
LOGIN_URL = "sign_in"
LOGIN_REDIRECT_URL = "home"
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
# A name from an address waits after so many wrong passwords; kept in the database, which all processes share.
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_USERNAME_CALLABLE = "annotate.web.access.name"
AXES_CLIENT_IP_CALLABLE = "annotate.web.access.address"
AXES_LOCKOUT_CALLABLE = "annotate.web.access.locked_out"

# --- words and times: stored in UTC ----------------------------------------------------------------------------
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False

# --- files -----------------------------------------------------------------------------------------------------
STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.static_files.BundledStaticFilesStorage"},
}
MEDIA_ROOT = DATA_DIR / "uploads"
UPLOAD_LIMIT_MB = env.integer("LACUNA_UPLOAD_LIMIT_MB", 1024, least=1, most=1_048_576)
WEB_PROCESSES = env.integer("WEB_CONCURRENCY", 2, least=1, most=256)
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

# --- security --------------------------------------------------------------------------------------------------
HTTPS = env.boolean("LACUNA_HTTPS", default=False)
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
SECURE_REFERRER_POLICY = "same-origin"
CSRF_TRUSTED_ORIGINS = env.origins("CSRF_TRUSTED_ORIGINS")
CSRF_FAILURE_VIEW = "annotate.web.views.csrf_failure"
BEHIND_PROXY = env.boolean("LACUNA_BEHIND_PROXY", default=False)
if HTTPS and not BEHIND_PROXY:
    raise ImproperlyConfigured(
        "LACUNA_HTTPS is True without LACUNA_BEHIND_PROXY: each page would redirect to itself, since Lacuna leaves TLS "
        "to a proxy. Set LACUNA_BEHIND_PROXY=True too, behind a proxy that sets X-Forwarded-Proto."
    )
if "*" in ALLOWED_HOSTS and not DEBUG:
    raise ImproperlyConfigured(
        "ALLOWED_HOSTS is *, so that anybody could lead people to Lacuna under a name of theirs. Set it to the names "
        "under which people reach Lacuna, as judging.example.org."
    )
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    }
}

# --- API -------------------------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "knox.auth.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated", "annotate.web.api.HasOwnPassword"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
}
REST_KNOX = {"TOKEN_TTL": None, "AUTH_HEADER_PREFIX": "Token"}
SPECTACULAR_SETTINGS = {
    "TITLE": "Lacuna",
    "DESCRIPTION": "Judge the holes of a test collection, compare people with models, take completed qrels home.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    # Two fields of one name and different choices.
    "ENUM_NAME_OVERRIDES": {
        "RaterKindEnum": "annotate.models.raters.Rater.Kind",
        "DrawKindEnum": "annotate.models.pairs.PairDraw.Kind",
        "StudyKindEnum": "evaluation.models.Study.Kind",
    },
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "filters": {"secrets": {"()": "config.log_filter.HiddenSecrets"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["secrets"]}},
    "loggers": {
        "axes": {"level": "WARNING"},  # else it tells of itself at the start of every command
        "httpx": {"level": "WARNING"},  # else a line for each question to a model
        "httpx2": {"level": "WARNING"},
        "waitress.queue": {"level": "ERROR"},  # else a line for each request that waits for a thread
    },
    "root": {"handlers": ["console"], "level": env.choice("LOG_LEVEL", "INFO", env.LOG_LEVELS)},
}
