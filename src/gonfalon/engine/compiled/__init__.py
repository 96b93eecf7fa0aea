"""Code compiled by Numba: the interface to a family's kernels, and functions that all families share."""
