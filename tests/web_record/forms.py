"""Pages as people use them: what a reader sees, and what a browser sends of the form that it was given."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse


def text(answer: HttpResponse) -> str:
    """What a reader sees."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def page(client: Client, name: str, *args: str) -> HttpResponse:
    """A page of the chess club by its name."""
    return client.get(reverse(name, args=["chess", *args]))


def post(client: Client, name: str, /, *args: str, **data: Any) -> HttpResponse:
    """What comes of sending this to it, redirects followed."""
    return client.post(reverse(name, args=["chess", *args]), data, follow=True)


def form_of(answer: HttpResponse, action: str = "") -> dict[str, str]:
    """What a browser would send of the page's form (the one with that action), nothing typed or ticked anew."""
    main = answer.content.decode().partition("<main")[2]
    forms = re.findall(r"<form[^>]*>.*?</form>", main, re.DOTALL)
    chosen = next(one for one in forms if 'method="post"' in one and action in one)
    sent: dict[str, str] = {}
    for tag in re.findall(r"<input[^>]*>", chosen):
        told = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        if told.get("type") != "checkbox":
            sent[told["name"]] = unescape(told.get("value", ""))
        elif " checked" in tag:
            sent[told["name"]] = unescape(told.get("value", "on"))
    for name, inner in re.findall(r'<select name="(\w+)"[^>]*>(.*?)</select>', chosen, re.DOTALL):
        found = re.search(r'<option value="([^"]*)" selected', inner)
        sent[name] = unescape(found[1]) if found else ""
    sent.pop("csrfmiddlewaretoken")
    return sent
