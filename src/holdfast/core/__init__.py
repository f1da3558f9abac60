"""What all other packages build on: records, draws, comparisons, errors, files."""
