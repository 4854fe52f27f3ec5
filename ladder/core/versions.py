"""What a form was drawn from, as a short word, so that nobody overwrites what they have not seen."""

import json
from hashlib import sha256
from typing import Any


def version_of(value: Any) -> str:
    """A word that differs whenever the value does; the value is plain data as JSON takes it."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:16]
