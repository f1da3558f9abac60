"""Networks that others trained, as parts of a model of ours."""
