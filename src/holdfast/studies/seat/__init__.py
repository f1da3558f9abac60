"""Stable and Explainable Attention: the paper's published tables."""
