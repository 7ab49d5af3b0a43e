"""How many of a machine's processors others took while something was measured on it."""

import os
import resource
import time
from dataclasses import dataclass

import psutil

from experiments.environment import usable_processors

# Time in which a processor worked, for whomever: `user` holds a guest's time already, and `steal` is what a
# host gave to its other guests.
_WORKED = ("user", "nice", "system", "irq", "softirq", "steal")


@dataclass(frozen=True)
class Sample:
    """Seconds since some start: of the clock, of work on the processors that this process may use, and of the
    part of that work that this process and its finished children did."""

    clock: float
    worked: float
    own: float


def take_sample() -> Sample:
    """The times now."""
    usable = os.sched_getaffinity(0)
    worked = sum(
        getattr(times, field, 0.0)
        for processor, times in enumerate(psutil.cpu_times(percpu=True))
        if processor in usable
        for field in _WORKED
    )
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return Sample(time.monotonic(), worked, sum(usage.ru_utime + usage.ru_stime for usage in usages))


def taken_by_others(begin: Sample, end: Sample) -> float:
    """How many processors others took between the samples, on average: 0.5 is half of one processor."""
    elapsed = end.clock - begin.clock
    if elapsed <= 0:
        return 0.0
    return max(0.0, (end.worked - begin.worked) - (end.own - begin.own)) / elapsed


def load_between(begin: Sample, end: Sample) -> dict[str, float]:
    """What a record says of the load: the processors that this process may use, and how many of them others
    took."""
    return {
        "processors": usable_processors(),
        "taken_by_others": round(taken_by_others(begin, end), 3),
    }
