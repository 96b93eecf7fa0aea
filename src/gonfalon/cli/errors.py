"""The error for a command with impossible arguments."""


class CommandError(Exception):
    """A mistake in the command's arguments. It is shown as one line; the exit status is 2."""
