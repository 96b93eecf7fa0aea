"""The rules GR-1 to GR-40 as plain functions over records; `kernels.py` holds what Python calls."""
