"""Holdfast: can I trust this explanation?"""

__version__ = "0.1.0"
