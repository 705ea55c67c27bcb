"""CPU time, memory and files of processes, as far as psutil and Linux report them."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import psutil


def tree(pid: int) -> list[psutil.Process]:
    """Return a process and its descendants."""
    with contextlib.suppress(psutil.Error):
        first = psutil.Process(pid)
        return [first, *first.children(recursive=True)]
    return []


def of_user(user: int) -> list[psutil.Process]:
    """Return the processes of a user."""
    found = psutil.process_iter(["uids", "num_threads"])
    return [each for each in found if each.info["uids"] and each.info["uids"].real == user]


def kill(processes: list[psutil.Process]) -> None:
    """Kill processes, of which some may have ended."""
    for each in processes:
        with contextlib.suppress(psutil.Error):
            each.kill()


def cpu_seconds(process: psutil.Process) -> float:
    """Return the CPU time of a process and of the children that it has waited for."""
    with contextlib.suppress(psutil.Error):
        return float(sum(process.cpu_times()[:4]))
    return 0.0


def memory_bytes(processes: list[psutil.Process]) -> int:
    """Return the memory of processes, including files in memory that no folder shows."""
    in_memory = {key: size for each in processes for key, size in _memory_files(each)}
    return sum(map(_own_memory, processes)) + sum(in_memory.values())


def _own_memory(process: psutil.Process) -> int:
    """Return the memory of a process; on Linux, shared pages count in part."""
    with contextlib.suppress(psutil.Error):
        found = process.memory_full_info()
        return int(getattr(found, "pss", found.uss))
    return 0


def _memory_files(process: psutil.Process) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield the identity and the size of each file in memory that a process holds open."""
    with contextlib.suppress(OSError):  # files are closed and processes end meanwhile
        for path in Path(f"/proc/{process.pid}/fd").iterdir():
            if os.readlink(path).startswith("/memfd:"):
                found = path.stat()
                yield (found.st_dev, found.st_ino), found.st_blocks * 512


def count_sandbox_files(process: psutil.Process) -> int:
    """Return the number of files in the /tmp of a sandboxed process; 0 outside a sandbox."""
    folder = f"/proc/{process.pid}/root/tmp"
    with contextlib.suppress(OSError):
        if os.stat(folder).st_dev != os.stat("/tmp").st_dev:
            found = os.statvfs(folder)
            return found.f_files - found.f_ffree
    return 0
