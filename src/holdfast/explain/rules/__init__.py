"""How relevance passes through a layer: one rule, one file. Models call them through ``core/rules``."""
