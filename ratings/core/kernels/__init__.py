"""Scalar formulas, one small function each: plain Python for the live path, compiled with numba for replays.

Nothing here allocates, raises or keeps anything. Functions call one another by module-level names, so that
`ratings.core.compiled` can compile a whole module at once.
"""
