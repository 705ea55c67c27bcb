"""The command that starts a run: bubblewrap, the change of user, and the environment.

In bubblewrap a submission has no network, its own processes, a small private home, and a
read-only system, of which it sees Python, the library, the data and its own files only.
"""

import os
import sys
from pathlib import Path

import kmds_lib

WORKER = Path(__file__).with_name("worker.py")
COMMAND = (sys.executable, "-P", "-s", "-u", WORKER)  # behind the prefix
LIBRARY = Path(kmds_lib.__file__).parent
SYSTEM_PATHS = (
    "/usr /bin /lib /lib64 /lib32 /sbin /etc/ld.so.cache /etc/alternatives /etc/localtime "
    "/etc/fonts"
)
ISOLATED = (
    "bwrap --die-with-parent --unshare-pid --unshare-net --unshare-ipc --unshare-uts "
    "--hostname coursework --cap-drop ALL"
)
FILE_SYSTEM = (
    "--proc /proc --dev /dev --size 1048576 --tmpfs /dev/shm --remount-ro /dev "
    "--perms 1777 --size {size} --tmpfs /tmp"
)
# As root: bubblewrap keeps the right to change the user, and a second one forbids namespaces.
KEEP_USER_CHANGE = "--cap-add CAP_SETUID --cap-add CAP_SETGID"
CHANGE_USER = (
    "setpriv --reuid={user} --regid={user} --clear-groups --no-new-privs --inh-caps=-all "
    "--bounding-set=-all"
)
NO_NAMESPACES = "--unshare-user --disable-userns"
NO_BUBBLEWRAP = (
    "Nothing was graded: without bubblewrap (version 0.8 or later, with permission to create "
    "namespaces) a submission can use the network and read all your files, including the answers. "
    "Install it, or write c.Grader.without_bubblewrap = True into nbgrader_config.py."
)


def has_own_user() -> bool:
    """Return True if a run gets its own user id, which requires root."""
    return os.geteuid() == 0


def command_prefix(confined: bool, folder: Path, user: int, file_size: int) -> list[str]:
    """Return the command prefix: bubblewrap and the change of user."""
    arguments = _bubblewrap_arguments(folder, file_size) if confined else []
    if has_own_user():
        arguments += CHANGE_USER.format(user=user).split()
        if confined:
            arguments += f"bwrap {NO_NAMESPACES} --dev-bind / / --".split()
    return arguments


def _bubblewrap_arguments(folder: Path, size: int) -> list[str]:
    """Return the bubblewrap command with everything that the sandbox shows."""
    arguments = ISOLATED.split()
    arguments += (KEEP_USER_CHANGE if has_own_user() else NO_NAMESPACES).split()
    for path in SYSTEM_PATHS.split():
        arguments += ["--ro-bind-try", path, path]
    arguments += FILE_SYSTEM.format(size=size).split()
    # After /tmp, because Python may be installed there.
    prefixes = map(Path, dict.fromkeys((sys.base_prefix, sys.prefix)))
    shown = [each for each in prefixes if not each.is_relative_to("/usr")]
    for each in (*shown, WORKER, LIBRARY, folder / "job"):
        for parent in [*each.parents][-2::-1]:  # folders that anyone may enter
            arguments += ["--perms", "0755", "--dir", str(parent)]
        arguments += ["--ro-bind", os.path.realpath(each), str(each)]
    arguments += ["--perms", "0777", "--dir", str(folder / "home")]
    return [*arguments, "--remount-ro", "/", "--chdir", "/tmp", "--"]


def environment(home: Path) -> dict[str, str]:
    """Return the environment of a run, without the grader's variables, which may be secret."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": str(home),
        "USER": "student",
        "TMPDIR": str(home),
        "MPLCONFIGDIR": f"{home}/matplotlib",
        "PYTHONPATH": str(LIBRARY.parent),
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        **{f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL")},
    }
