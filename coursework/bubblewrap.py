"""The command that starts a worker: control group, bubblewrap, and a user id of its own."""

import contextlib
import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import kmds_lib

MB = 1 << 20
WORKER = Path(__file__).with_name("worker.py")
LIBRARY = Path(kmds_lib.__file__).parent
SYSTEMD_VARIABLES = ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")
SYSTEM_PATHS = ("/usr", "/bin", "/lib", "/lib64", "/lib32", "/sbin")
SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime", "/etc/fonts")
PROBE_SECONDS = 3.0  # for a test of systemd-run


def has_user_per_run() -> bool:
    """Return True if each run gets its own user id, which requires root."""
    return os.geteuid() == 0


@functools.cache
def _control_group(memory: int) -> tuple[str, ...]:
    """Return the command prefix for a control group, in which the kernel limits the memory.

    It is empty where systemd does not run; there the grader measures four times per second.
    """
    if (program := shutil.which("systemd-run")) is None:
        return ()
    arguments = (program, *(("--user",) if os.geteuid() else ()), "--scope", "--quiet")
    arguments += ("--collect", "-p", f"MemoryMax={memory}", "-p", "MemorySwapMax=0", "--")
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        probe = [*arguments, "true"]
        if not subprocess.run(probe, capture_output=True, timeout=PROBE_SECONDS).returncode:
            return arguments
    return ()


def command_prefix(
    confined: bool, folder: Path, user: int, memory: int, file_size: int
) -> list[str]:
    """Return the command prefix: control group, bubblewrap, and the change of user."""
    arguments: list[str] = []
    if confined:
        arguments += _control_group(memory)
        arguments += _bubblewrap_arguments(folder, file_size)
    if has_user_per_run():
        arguments += ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
        arguments += ["--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"]
        if confined:  # a second bwrap, because --disable-userns needs --unshare-user
            arguments += ["bwrap", "--unshare-user", "--disable-userns"]
            arguments += ["--dev-bind", "/", "/", "--"]
    return arguments


def _bubblewrap_arguments(folder: Path, size: int) -> list[str]:
    """Return the bubblewrap command with everything that the sandbox shows."""
    arguments = ["bwrap", "--die-with-parent", "--unshare-pid", "--unshare-net", "--unshare-ipc"]
    arguments += ["--unshare-uts", "--hostname", "coursework", "--cap-drop", "ALL"]
    arguments += [word for name in SYSTEMD_VARIABLES for word in ("--unsetenv", name)]
    if has_user_per_run():  # setpriv has to change the user id inside
        arguments += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        arguments += ["--unshare-user", "--disable-userns"]
    for path in SYSTEM_PATHS:
        if os.path.islink(path):
            arguments += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            arguments += ["--ro-bind", path, path]
    for path in SYSTEM_FILES:
        arguments += ["--ro-bind-try", path, path]
    arguments += ["--proc", "/proc", "--dev", "/dev", "--size", str(MB), "--tmpfs", "/dev/shm"]
    arguments += [
        "--remount-ro",
        "/dev",
        "--perms",
        "1777",
        "--size",
        str(size),
        "--tmpfs",
        "/tmp",
    ]
    # After /tmp, because Python may be installed there.
    for path in dict.fromkeys((sys.base_prefix, sys.prefix)):
        if Path("/usr") not in (Path(path), *Path(path).parents):
            arguments += _read_only_bind(path)
    for shown in (WORKER, LIBRARY, folder / "job"):
        arguments += _read_only_bind(shown)
    arguments += ["--perms", "0777", "--dir", str(folder / "home")]
    return [*arguments, "--remount-ro", "/", "--chdir", "/tmp", "--"]


def _read_only_bind(path: str | Path) -> list[str]:
    """Return the bubblewrap arguments for a read-only path in folders that anyone may enter."""
    arguments = []
    for folder in [*Path(path).parents][-2::-1]:
        arguments += ["--perms", "0755", "--dir", str(folder)]
    return [*arguments, "--ro-bind", os.path.realpath(path), str(path)]


def environment(confined: bool, home: Path) -> dict[str, str]:
    """Return the environment of a run, without the grader's variables, which may be secret."""
    systemd = {name: os.environ[name] for name in SYSTEMD_VARIABLES if name in os.environ}
    return {
        **(systemd if confined else {}),
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": str(home),
        "USER": "student",
        "TMPDIR": str(home),
        "MPLCONFIGDIR": f"{home}/matplotlib",
        "IPYTHONDIR": f"{home}/ipython",
        "PYTHONPATH": str(LIBRARY.parent),
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "TQDM_DISABLE": "1",
        **{f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL")},
    }
