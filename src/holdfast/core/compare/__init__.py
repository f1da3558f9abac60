"""Comparisons: ``(a, b) → value`` per instance, one file each."""
