"""The store is away: say so in words and ask again later, instead of a broken page."""

import logging
from collections.abc import Callable

import redis
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from kombu.exceptions import OperationalError as BrokerError

logger = logging.getLogger(__name__)


class StoreOutage:
    """Middleware: a request that needed the store while it is away is answered 503 with what was kept."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Nothing to do while all is well."""
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Only for errors of the store and the broker; everything else stays what it is."""
        if not isinstance(error, redis.RedisError | BrokerError):
            return None
        logger.error("store away for %s: %s", request.path, error)
        answer = render(request, "503.html", status=503)
        answer["Retry-After"] = "5"
        return answer
