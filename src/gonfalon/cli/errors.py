"""The error of a command with impossible arguments."""


class CommandError(Exception):
    """A mistake in the command's arguments. Shown as one line; the exit status is 2."""
