"""What is tested of each modality: one file each."""
