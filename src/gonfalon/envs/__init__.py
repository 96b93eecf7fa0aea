"""Games as environments of other libraries, for reinforcement learning.

Each module needs the library of its name; the extra `envs` installs them.

All environments are generic: every variant of `gonfalon.variants()` works, with its house rules as switches.
"""
