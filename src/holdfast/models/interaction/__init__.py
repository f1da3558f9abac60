"""Models that read the items of a history and say what comes next."""
