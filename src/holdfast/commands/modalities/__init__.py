"""How runs on each modality are asked: one file each."""
