"""Documents that can be re-run, one folder each: a new folder is a new study."""
