"""The rules, as plain functions over records; see `kernels.py` for what Python calls."""
