"""Secrets that travel in links: only their hash is kept."""

import hashlib


def hash_of(token: str) -> str:
    """What is kept of a token. Tokens are long and random, so one round of SHA-256 is enough."""
    return hashlib.sha256(token.encode()).hexdigest()
