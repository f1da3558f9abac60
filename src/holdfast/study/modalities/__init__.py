"""Audits of each modality: one file each."""
