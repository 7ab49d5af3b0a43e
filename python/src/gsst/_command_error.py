"""What ends a command, with the exit codes of the command gsst."""

EXIT_DAMAGED = 1
EXIT_USAGE = 2
EXIT_INPUT_OUTPUT = 3


class CommandError(Exception):
    """A message for who called the command, and its exit code."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
