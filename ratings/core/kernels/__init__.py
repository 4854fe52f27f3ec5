"""Scalar formulas, one small function each: plain Python for the live path, compiled with numba for replays.

Nothing here allocates, raises or keeps anything; scratch is passed in. Functions call one another by module-level
names, so that `ratings.core.compiled` can compile a whole module at once.
"""

from typing import Protocol


class Vector(Protocol):
    """What a kernel reads and writes by position: a list in the live path, a numpy array in a replay."""

    def __getitem__(self, position: int, /) -> float:
        """The number at a position."""
        ...

    def __len__(self) -> int:
        """How many numbers there are."""
        ...

    def __setitem__(self, position: int, value: float, /) -> None:
        """Store a number at a position."""
        ...


Vectors = tuple[Vector, ...]
