"""Pages of each modality: one file each."""
