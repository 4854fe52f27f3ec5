"""The one exception by which a service refuses a person's wish."""

from datetime import datetime


class DomainError(Exception):
    """A refusal in the user's words. Nothing was changed.

    code: stable, for programs. message: one sentence for people, translated. until: when the reason ends, if it does.
    """

    def __init__(self, code: str, message: str, *, until: datetime | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.until = until


class NotAllowed(DomainError):
    """The actor lacks the capability."""


class NotFound(DomainError):
    """There is no such thing, or not for this actor."""


class Stale(DomainError):
    """The thing changed since the actor's page was drawn."""
