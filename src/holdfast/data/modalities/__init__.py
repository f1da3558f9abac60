"""Sources of each modality: one file each."""
