"""The listening socket, and under which names the machine answers on it."""

from __future__ import annotations

import contextlib
import errno
import socket

from ladder.project.embedded.errors import EmbeddedError

DEFAULT_PORT = 8000
TRIED = 50
EVERYWHERE = {"0.0.0.0", "::"}  # noqa: S104 - what a person may ask for with --host
LOCAL = ["localhost", "127.0.0.1", "[::1]"]


def listen(host: str, port: int | None) -> socket.socket:
    """Listen on the port that was asked for; on the next free one from 8000 when none was."""
    if port is not None:
        return _listen(host, port)
    for candidate in range(DEFAULT_PORT, DEFAULT_PORT + TRIED):
        with contextlib.suppress(PortInUseError):
            return _listen(host, candidate)
    raise EmbeddedError(f"The ports {DEFAULT_PORT} to {DEFAULT_PORT + TRIED - 1} are all in use; choose one: --port N.")


def names_of(host: str) -> list[str]:
    """Host names and addresses under which a browser may ask for the pages: the value for ALLOWED_HOSTS."""
    if host not in EVERYWHERE:
        return list(dict.fromkeys([*LOCAL, _bracketed(host)]))
    name = socket.gethostname()
    address = _address_in_lan()
    return list(dict.fromkeys([*LOCAL, name, f"{name}.local", *([address] if address else [])]))


def url_of(host: str, port: int) -> str:
    """The address to type into a browser."""
    if host in EVERYWHERE:
        host = _address_in_lan() or "127.0.0.1"
    return f"http://{_bracketed(host)}:{port}"


class PortInUseError(EmbeddedError):
    """Somebody else listens there."""


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise EmbeddedError(f"--host {host} is no address of this machine ({error.strerror}).") from error
    listener = socket.socket(family, kind, protocol)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(512)
    except OSError as error:
        listener.close()
        raise _explained(host, port, error) from error
    return listener


def _explained(host: str, port: int, error: OSError) -> EmbeddedError:
    if error.errno == errno.EADDRINUSE:
        return PortInUseError(f"Port {port} is in use by another program; stop it, or choose another port: --port N.")
    if error.errno == errno.EACCES:
        return EmbeddedError(f"Port {port} is for root only on this system; choose one above 1023: --port N.")
    return EmbeddedError(f"Cannot listen on {host} port {port}: {error.strerror}.")


def _address_in_lan() -> str | None:
    """The address this machine uses towards others; no packet is sent for it."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        address: str = probe.getsockname()[0]
        return address
    return None


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
