"""The checks of each modality: one file each."""
