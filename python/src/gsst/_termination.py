"""What happens when a signal ends the command: the file that is not finished is removed."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

# Those of the command gsst.
ENDING_SIGNALS = frozenset(
    {
        signal.SIGALRM,
        signal.SIGHUP,
        signal.SIGINT,
        signal.SIGQUIT,
        signal.SIGTERM,
        signal.SIGUSR1,
        signal.SIGUSR2,
        signal.SIGXCPU,
    }
)

_unfinished: set[Path] = set()
# Only where a thread waits for signals: a lock that is held during a fork stays locked in the child.
_lock: threading.Lock | None = None


@contextmanager
def hold_termination() -> Iterator[None]:
    """No signal of the watch ends the process meanwhile: for steps that must not be interrupted half-way."""
    if _lock is None:
        yield
        return
    with _lock:
        yield


def remove_on_termination(path: Path) -> None:
    """To be called in hold_termination(), before the file is there."""
    _unfinished.add(path)


def keep_on_termination(path: Path) -> None:
    """To be called in hold_termination(), once there is no such file any longer."""
    _unfinished.discard(path)


def start_termination_watch() -> None:
    """Starts a thread that waits for those signals, removes unfinished files and lets the signal end all.

    For a command, in its main thread before any other is started, since threads take over which signals are
    blocked. Signals that the caller ignores (nohup) stay ignored. Python's own handlers would run between two
    steps of the main thread only, and one step may compress for long.
    """
    global _lock
    _lock = threading.Lock()
    watched = {number for number in ENDING_SIGNALS if signal.getsignal(number) is not signal.SIG_IGN}
    signal.pthread_sigmask(signal.SIG_BLOCK, watched)
    for number in watched:
        signal.signal(number, signal.SIG_DFL)
    threading.Thread(target=_wait_for, args=(watched,), daemon=True).start()


def _wait_for(watched: set[signal.Signals]) -> None:
    number = signal.sigwait(watched)
    with hold_termination():
        for path in _unfinished:
            with suppress(OSError):
                path.unlink()
        # By the signal itself, so that the caller sees which one it was.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, watched)
        os.kill(os.getpid(), number)
