"""Figures are records of numbers first, and drawings second."""
