"""Downloads one file and keeps it only if it has the pinned digest."""

import http.client
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

from data.catalogue import Download
from data.errors import DataUnavailableError, HostUnreachableError
from data.files import copy_bytes, describe_mismatch, digest_of, new_file

TIMEOUT_SECONDS = 20


def download(source: Download, destination: Path) -> None:
    """Writes the file to `destination`; raises DataUnavailableError and leaves no file on failure, nor a new
    folder where nothing answers."""
    try:
        with (
            urllib.request.urlopen(source.url, timeout=TIMEOUT_SECONDS) as response,
            new_file(destination) as temporary,
        ):
            with temporary.open("wb") as file:
                # One byte more than expected is enough to know that the file is the wrong one.
                copy_bytes(response, file, limit=source.digest.bytes + 1)
            actual = digest_of(temporary)
            if actual != source.digest:
                raise DataUnavailableError(f"{source.url}: {describe_mismatch(source.digest, actual)}")
    except urllib.error.HTTPError as error:
        raise DataUnavailableError(f"{source.url}: HTTP status {error.code} {error.reason}") from error
    except urllib.error.URLError as error:
        host = urlsplit(source.url).netloc
        raise HostUnreachableError(f"{host} cannot be reached: {error.reason}") from error
    except (OSError, http.client.HTTPException) as error:
        raise DataUnavailableError(f"{source.url}: {error}") from error
