"""Why a data set could not be had."""


class DataUnavailableError(Exception):
    """A data set cannot be downloaded or generated, or is not what it must be."""


class HostUnreachableError(DataUnavailableError):
    """No connection to the host: other files on it need not be tried."""
