"""Reads settings from the environment; a missing or malformed one stops the start with one clear line."""

import os
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"0", "false", "no", "off", ""}


def text(name: str, default: str | None = None) -> str:
    """The variable as text; without a default it must be set."""
    value = os.environ.get(name, default)
    if value is None:
        raise ImproperlyConfigured(f"{name} is not set. See docs/operators/settings.md.")
    return value


def flag(name: str, default: bool) -> bool:
    """The variable as yes or no."""
    value = os.environ.get(name)
    if value is None:
        return default
    if value.lower() in _TRUE:
        return True
    if value.lower() in _FALSE:
        return False
    raise ImproperlyConfigured(f"{name} must be one of 1, 0, true, false, yes, no, on, off; it is {value!r}.")


def whole(name: str, default: int, *, least: int = 0) -> int:
    """The variable as a whole number of at least `least`."""
    value = os.environ.get(name)
    if value is None:
        return default
    try:
        number = int(value)
    except ValueError:
        number = least - 1
    if number < least:
        raise ImproperlyConfigured(f"{name} must be a whole number of at least {least}; it is {value!r}.")
    return number


def words(name: str, default: str = "") -> list[str]:
    """The variable as a comma-separated list."""
    return [word.strip() for word in os.environ.get(name, default).split(",") if word.strip()]


def url(name: str, default: str, schemes: tuple[str, ...]) -> str:
    """The variable as a URL of one of the schemes."""
    value = os.environ.get(name, default)
    if urlsplit(value).scheme not in schemes:
        raise ImproperlyConfigured(f"{name} must start with {', '.join(s + '://' for s in schemes)}; it does not.")
    return value
