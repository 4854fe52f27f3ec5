"""Every address of the project, read from the resolver itself, so that none can be forgotten."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.http import HttpResponse
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.urls.resolvers import RoutePattern

from ladder.core.permissions import Capability


@dataclass(frozen=True)
class Address:
    """One address. name: with its namespace; parameters: what has to be filled in."""

    route: str
    name: str
    view: Callable[..., HttpResponse]
    parameters: tuple[str, ...]

    @property
    def capability(self) -> Capability | None:
        """What the doorkeeper of club pages asks for here, if this is one."""
        return getattr(self.view, "capability", None)

    @property
    def is_admin(self) -> bool:
        """Whether it belongs to Django's admin site."""
        return self.route.startswith("admin/")

    def filled(self, values: dict[str, str]) -> str:
        """The path with these values; fails for a parameter that nobody taught the tests to fill."""
        missing = [name for name in self.parameters if name not in values]
        assert not missing, f"{self.route}: teach tests/permissions/cast.py how to fill {missing}"
        return reverse(self.name, kwargs={name: values[name] for name in self.parameters})


def every_address() -> list[Address]:
    """All of them, in the order of the resolver."""
    return list(_walk(get_resolver(), "", "", ()))


def _walk(resolver: URLResolver, route: str, namespace: str, above: tuple[str, ...]) -> Iterator[Address]:
    for entry in resolver.url_patterns:
        here = route + str(entry.pattern)
        parameters = above + _parameters(entry)
        if isinstance(entry, URLResolver):
            inner = f"{namespace}{entry.namespace}:" if entry.namespace else namespace
            yield from _walk(entry, here, inner, parameters)
        else:
            yield Address(here, f"{namespace}{entry.name}" if entry.name else "", entry.callback, parameters)


def _parameters(entry: URLPattern | URLResolver) -> tuple[str, ...]:
    pattern = entry.pattern
    if isinstance(pattern, RoutePattern):
        return tuple(pattern.converters)
    return tuple(pattern.regex.groupindex)
