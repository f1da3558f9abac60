"""Repairs: changes of training that should make explanations hold, one file each."""
