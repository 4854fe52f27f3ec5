"""Settings, from the environment only. Each variable is listed in docs/operators/settings.md."""

import os
from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from ladder.project import embedded, env

BASE_DIR = Path(__file__).resolve().parent.parent.parent
VAR_DIR = Path(env.text("VAR_DIR", str(BASE_DIR / "var")))

DEBUG = env.flag("DEBUG", False)
TESTING = env.flag("TESTING", False)
SITE_URL = env.url("SITE_URL", "http://localhost:8000", ("http", "https"))
IS_HTTPS = SITE_URL.startswith("https://")

_EMBEDDED = embedded.urls_for(BASE_DIR)
_outside_database = os.environ.get("DATABASE_URL")
DATABASE_URL = env.url("DATABASE_URL", _EMBEDDED.database_url, ("postgres", "postgresql"))
REDIS_URL = env.url("REDIS_URL", _EMBEDDED.redis_url, ("redis", "rediss", "unix"))

# The embedded server keeps its own key under var/; a production start must bring one.
if "SECRET_KEY" in os.environ:
    SECRET_KEY = env.text("SECRET_KEY")
elif _outside_database and not (DEBUG or TESTING):
    raise ImproperlyConfigured("SECRET_KEY is not set. Give it a long random value; see docs/operators/settings.md.")
else:
    SECRET_KEY = embedded.secret_key(BASE_DIR)

ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.contrib.postgres",
    "allauth",
    "allauth.account",
    "csp",
    "django_htmx",
    "ratings",
    "ladder",
    "matchmaking",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "ladder.views.outages.StoreOutage",
]

ROOT_URLCONF = "ladder.project.urls"
ASGI_APPLICATION = "ladder.project.asgi.application"

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
                "ladder.views.frame.frame",
            ],
        },
    }
]

# --- database: a pool under ASGI, a kept connection in workers (measured; see docs/architecture.md)
PROCESS_KIND = env.text("LADDER_PROCESS", "command")
_database: dict[str, Any] = {**dj_database_url.parse(DATABASE_URL, conn_health_checks=True)}
_database["OPTIONS"] = dict(_database.get("OPTIONS", {}))
if PROCESS_KIND == "web":
    _database["CONN_MAX_AGE"] = 0
    _database["OPTIONS"]["pool"] = {
        "min_size": 1,
        "max_size": env.whole("DB_POOL_SIZE", 10, least=2),
        "timeout": 10,
    }
elif PROCESS_KIND == "worker":
    _database["CONN_MAX_AGE"] = None
# Values travel apart from the statement, so that a statement used often is planned once per connection. A pooler that
# hands each transaction another connection (PgBouncer before 1.21) cannot keep prepared statements: 0 turns them off.
_database["OPTIONS"]["server_side_binding"] = True
_database["OPTIONS"]["prepare_threshold"] = env.whole("DB_PREPARE_AFTER", 5, least=0) or None
DATABASES = {"default": _database}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Valkey: hot state of the matchmaker, live messages, and the broker
STORE_PREFIX = env.text("STORE_PREFIX", "ladder")
# Open streams of one web process; a browser beyond that asks again every few seconds instead.
LIVE_STREAMS_MOST = env.whole("LIVE_STREAMS_MOST", 2_000, least=1)
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": f"{STORE_PREFIX}:cache",
    }
}

# --- Celery
CELERY_BROKER_URL = env.text("CELERY_BROKER_URL", embedded.celery_broker_url(REDIS_URL))
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "global_keyprefix": f"{STORE_PREFIX}:celery:",
    "visibility_timeout": 60,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    # A publish from a request must fail quickly when the broker is away; the outbox sweeper repeats it.
    "max_retries": 1,
    "socket_connect_timeout": 2,
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_SERIALIZER = "json"
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_DB_REUSE_MAX = 10_000
CELERY_TIMEZONE = "UTC"
# Replays and fits take long: they have a queue and a worker of their own, so that no tick waits for them.
CELERY_TASK_ROUTES = {"ratings.tasks.run_part": {"queue": "reports"}}
# By name, for the packages below this one.
BACKGROUND_APP = "ladder.project.celery.app"

# --- accounts
AUTH_USER_MODEL = "ladder.Player"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
ACCOUNT_USER_MODEL_USERNAME_FIELD = "handle"
ACCOUNT_LOGIN_METHODS = {"email", "username"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = env.text("ACCOUNT_EMAIL_VERIFICATION", "optional")
ACCOUNT_ADAPTER = "ladder.project.accounts.AccountAdapter"
ACCOUNT_FORMS = {
    "signup": "ladder.project.account_forms.SignupForm",
    "login": "ladder.project.account_forms.LoginForm",
}
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if IS_HTTPS else "http"
LOGIN_REDIRECT_URL = "home"
LOGIN_URL = "account_login"
if TESTING:
    PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    ACCOUNT_RATE_LIMITS = False

# --- e-mail: printed to the console unless EMAIL_URL names a server
EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", "ladder@localhost")
if os.environ.get("EMAIL_HOST"):
    EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    EMAIL_HOST = env.text("EMAIL_HOST")
    EMAIL_PORT = env.whole("EMAIL_PORT", 587, least=1)
    EMAIL_HOST_USER = env.text("EMAIL_HOST_USER", "")
    EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD", "")
    EMAIL_USE_TLS = env.flag("EMAIL_USE_TLS", True)
    EMAIL_TIMEOUT = 10

# --- language and time
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]
LOCALE_PATHS = [BASE_DIR / "ladder" / "locale"]
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

# --- static files
STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
_manifest = "whitenoise.storage.CompressedManifestStaticFilesStorage"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage" if DEBUG or TESTING else _manifest
    },
}
WHITENOISE_USE_FINDERS = DEBUG or TESTING

# --- security
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "worker-src": [SELF],
        "manifest-src": [SELF],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
CSRF_FAILURE_VIEW = "ladder.views.answers.csrf_failure"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = IS_HTTPS
CSRF_COOKIE_SECURE = IS_HTTPS
SECURE_SSL_REDIRECT = IS_HTTPS and env.flag("SECURE_SSL_REDIRECT", True)
SECURE_HSTS_SECONDS = env.whole("SECURE_HSTS_SECONDS", 31_536_000 if IS_HTTPS else 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = IS_HTTPS
SECURE_HSTS_PRELOAD = IS_HTTPS
if env.flag("BEHIND_PROXY", False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"

# --- what the outbox hands to whom; names, so that no lower package imports a higher one
OUTBOX_ROUTES = {
    "match.completed": ["ladder.tasks.rate_match", "matchmaking.tasks.refresh_tickets_after_match"],
    "rating.changed": ["matchmaking.tasks.refresh_ticket_ratings"],
    "model.changed": ["matchmaking.tasks.refresh_queue_ratings"],
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{levelname} {name} {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env.text("LOG_LEVEL", "INFO")},
    "loggers": {
        "django.request": {"level": "ERROR"},
        # Says with every message over a unix socket that no hostname was given.
        "kombu.connection": {"level": "ERROR"},
    },
}
