"""For all tests: hypothesis without deadlines, since the first use of a game compiles it."""

from hypothesis import settings

settings.register_profile("gonfalon", deadline=None, print_blob=True)
settings.load_profile("gonfalon")
