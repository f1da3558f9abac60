"""How runs of each modality explain new examples: one file each."""
