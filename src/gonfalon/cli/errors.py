"""What a command says when it was asked for something that is not there."""


class CommandError(Exception):
    """A mistake in what was asked: one line for a person, exit status 2."""
