"""How relevance passes a layer: one rule, one file. ``core/rules`` is the door through which models obey."""
