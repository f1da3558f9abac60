"""Anything that can be trained again: a recipe, its seeds, and what is kept of them."""
