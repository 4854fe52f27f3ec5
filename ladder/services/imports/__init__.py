"""Importing match histories: read, checked as a whole, then written and rated in one transaction or not at all."""

from ladder.services.imports.door import import_matches
from ladder.services.imports.reports import ImportReport, Source
from ladder.services.imports.words import sentence

__all__ = ["ImportReport", "Source", "import_matches", "sentence"]
