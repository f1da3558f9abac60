"""The words everything else is written in: records, draws, comparisons, errors."""
