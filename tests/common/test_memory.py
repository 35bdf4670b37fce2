"""What activations on the CPU took is used again, and goes back with the model."""

from __future__ import annotations

import platform
import sys

import forked
import pytest

PROGRAM = """\
import resource
import sys

import torch

from chef.common.device import free_memory, keep_freed_memory


def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(10):
        torch.ones(16 * 1024 * 1024)  # 64 MiB
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def resident():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize() / 2**20


plain, start = faults(), resident()
keep_freed_memory(torch.device("cpu"))
faults(), faults()  # until the free blocks are of the size that is wanted
kept, held = faults(), resident()
free_memory()
print(plain, kept, held - start, resident() - start)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library than glibc")
def test_freed_memory_is_used_again_until_the_model_is_released() -> None:
    done = forked.run([sys.executable, "-c", PROGRAM])
    assert done.returncode == 0, done.stderr
    plain, kept, held, left = map(float, done.stdout.split())
    assert kept < plain / 4
    assert held > 60  # MiB: the last tensor's
    assert left < 8
