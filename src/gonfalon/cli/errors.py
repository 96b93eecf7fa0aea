"""The error of a command that was asked for something impossible."""


class CommandError(Exception):
    """A mistake in the command's arguments. Shown as one line; the exit status is 2."""
