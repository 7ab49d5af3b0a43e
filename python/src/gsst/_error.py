"""The exception of the package."""

import enum


class ErrorCode(enum.IntEnum):
    """Why a call failed; the numbers are those of the library's gsst_error and do not change.

    11 to 15 are of the library's GPU part, which gsst.gpu uses, 16 of its streams, which have no call here.
    """

    NULL_POINTER = 1
    INVALID_ARGUMENT = 2
    OUTPUT_TOO_SMALL = 3
    OVERLAP = 4
    WRONG_FORMAT = 5
    UNSUPPORTED_VERSION = 6
    DAMAGED = 7
    WRONG_CHECKSUM = 8
    OUT_OF_MEMORY = 9
    INTERNAL = 10
    SCRATCH_TOO_SMALL = 11
    MISALIGNED = 12
    WRONG_MEMORY = 13
    WRONG_DEVICE = 14
    CUDA = 15
    STOPPED = 16


class Error(Exception):
    """What the library refuses, with its code and a text that says what is wrong and where."""

    code: ErrorCode
    message: str

    def __init__(self, code: int, message: str) -> None:
        super().__init__(code, message)
        self.code = ErrorCode(code)
        self.message = message

    def __str__(self) -> str:
        return self.message
