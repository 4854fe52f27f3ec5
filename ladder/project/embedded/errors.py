"""The one error of this package."""


class EmbeddedError(RuntimeError):
    """The embedded servers cannot run; the message says why and what to do, in one or two sentences."""
