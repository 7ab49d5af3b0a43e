"""Output files: what the command gsst does with its own holds for them."""

from __future__ import annotations

import errno
import io
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from gsst._command_error import EXIT_INPUT_OUTPUT, EXIT_USAGE, CommandError
from gsst._termination import hold_termination, keep_on_termination, remove_on_termination

if TYPE_CHECKING:
    from typing_extensions import Buffer


@contextmanager
def _errors_name(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


class OutputStream(io.RawIOBase):
    """Writes to a descriptor. Errors name the file, and all bytes are written or there is one."""

    def __init__(self, descriptor: int, path: Path) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._path = path
        self._position = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def write(self, data: Buffer, /) -> int:
        left = memoryview(data).cast("B")
        count = len(left)
        with _errors_name(self._path):
            while left:
                left = left[os.write(self._descriptor, left) :]
        self._position += count
        return count


def _status(path: Path) -> os.stat_result | None:
    """Of the file that a link is for, or of the link where there is none."""
    with suppress(OSError):
        return path.stat()
    with suppress(OSError):
        return path.lstat()
    return None


def _already_exists(path: Path) -> CommandError:
    return CommandError(EXIT_INPUT_OUTPUT, f"{path}: already exists; -f replaces it")


def _copy_attributes(descriptor: int, given: os.stat_result, *, times: bool) -> None:
    """As far as file system and rights allow. What fails leaves the file tighter, never looser."""
    permissions = given.st_mode & 0o777
    try:
        os.fchown(descriptor, -1, given.st_gid)
    except OSError:
        # A group that cannot be kept must not leave the file open to another group.
        permissions &= ~0o070
    with suppress(OSError):
        os.fchown(descriptor, given.st_uid, -1)
    with suppress(OSError):
        os.fchmod(descriptor, permissions)
    if times:
        with suppress(OSError):
            os.utime(descriptor, ns=(given.st_atime_ns, given.st_mtime_ns))


def _publish(unfinished: Path, target: Path, path: Path, *, replace: bool) -> None:
    if replace:
        unfinished.replace(target)
        return
    try:
        # Unlike renaming, this never replaces a file. The other name goes next.
        os.link(unfinished, target)
    except FileExistsError:
        raise _already_exists(path) from None
    except OSError:
        # Some file systems have no links: look, then rename.
        if os.path.lexists(target):
            raise _already_exists(path) from None
        unfinished.rename(target)


@contextmanager
def _device(target: Path, path: Path) -> Iterator[OutputStream]:
    with _errors_name(path):
        descriptor = os.open(target, os.O_WRONLY | os.O_NOCTTY)
    try:
        yield OutputStream(descriptor, path)
    except BaseException:
        os.close(descriptor)
        raise
    with _errors_name(path):
        os.close(descriptor)


@contextmanager
def _new_file(
    target: Path, path: Path, given: os.stat_result | None, *, times: bool, replace: bool
) -> Iterator[OutputStream]:
    # Nobody can know the name before, and so wait there with a file or a link of that name.
    unfinished = target.with_name(f".gsst-{secrets.token_hex(16)}")
    descriptor = -1
    is_ours = True
    try:
        with hold_termination(), _errors_name(path):
            remove_on_termination(unfinished)
            # Without a file to follow, the permissions are those that the caller's mask leaves.
            mode = 0o666 if given is None else 0o600
            try:
                descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
            except FileExistsError:
                is_ours = False
                raise
        yield OutputStream(descriptor, path)
        if given is not None:
            _copy_attributes(descriptor, given, times=times)
        finished, descriptor = descriptor, -1
        with _errors_name(path):
            os.close(finished)
            with hold_termination():
                _publish(unfinished, target, path, replace=replace)
    finally:
        if descriptor >= 0:
            os.close(descriptor)
        with hold_termination():
            if is_ours:
                unfinished.unlink(missing_ok=True)
            keep_on_termination(unfinished)


@contextmanager
def output_file(path: Path, *, source: Path | None = None, replace: bool = True) -> Iterator[OutputStream]:
    """What is written to: a new file, or a device or named pipe that exists already.

    A new file gets its name once it is whole, if no exception ends the block; until then its name is `.gsst-`
    and random characters, in the same folder. `source` is the file that is read, whose permissions and times
    the new one gets; without it the permissions are those of the file that is replaced. A link stays, and the
    file that it is for is replaced. Raises OSError, and CommandError for a file that exists unless `replace`,
    and for the source's own.
    """
    try:
        # Through a link to the file that it is for.
        target = Path(os.path.realpath(path, strict=True))
    except OSError:
        target = path
    given = None if source is None else source.stat()
    found = _status(target)
    if found is not None:
        if stat.S_ISDIR(found.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(found.st_mode) and not stat.S_ISLNK(found.st_mode):
            with _device(target, path) as device:
                yield device
            return
        if given is not None and os.path.samestat(found, given):
            raise CommandError(EXIT_USAGE, f"{path}: input and output are the same file")
        if not replace:
            raise _already_exists(path)
        if source is None and stat.S_ISREG(found.st_mode):
            given = found
    if given is not None and not stat.S_ISREG(given.st_mode):
        given = None
    with _new_file(target, path, given, times=source is not None, replace=replace) as file:
        yield file
