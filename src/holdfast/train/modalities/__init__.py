"""Modalities whose models are no classifiers: one file each."""
