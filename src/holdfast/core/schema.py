"""The version of what ``--json`` prints, errors included, and of ``verdict.json``."""

SCHEMA = 2
