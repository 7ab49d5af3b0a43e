"""A process that used several threads is forked, by os.fork() and by multiprocessing."""

import os
import subprocess
import sys
from pathlib import Path

import gsst

# A child that waits for threads which it does not have would wait forever.
START = """
import multiprocessing, os, signal
import gsst

signal.alarm(60)
TEXT = b"final deposits sleep furiously " * 4000

def calls_are_right(_=None):
    frame = gsst.compress(TEXT, block_bytes=10_000, threads=3)
    return frame == FRAME and gsst.decompress(frame, threads=4) == TEXT

FRAME = gsst.compress(TEXT, block_bytes=10_000)
assert calls_are_right()
"""

FORK = """
child = os.fork()
if child == 0:
    signal.alarm(60)
    os._exit(0 if calls_are_right() else 1)
assert os.waitpid(child, 0)[1] == 0
assert calls_are_right()
"""

POOL = """
with multiprocessing.get_context("fork").Pool(2, signal.alarm, (60,)) as pool:
    assert pool.map(calls_are_right, range(4)) == [True] * 4
assert calls_are_right()
"""


def run_program(program: str) -> None:
    # Where the package is, seen from every folder. Python 3.12 warns of a fork where other threads are.
    folder = str(Path(gsst.__file__).absolute().parent.parent)
    environment = {**os.environ, "PYTHONPATH": folder, "PYTHONWARNINGS": "ignore::DeprecationWarning"}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr


def test_a_forked_child_uses_several_threads() -> None:
    run_program(START + FORK)


def test_workers_of_multiprocessing_use_several_threads() -> None:
    run_program(START + POOL)
