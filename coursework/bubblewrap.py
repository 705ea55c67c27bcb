"""The command that starts a worker: bubblewrap, and a user id of its own."""

import os
import sys
from pathlib import Path

import kmds_lib

MB = 1 << 20
WORKER = Path(__file__).with_name("worker.py")
LIBRARY = Path(kmds_lib.__file__).parent
SYSTEM_PATHS = ("/usr", "/bin", "/lib", "/lib64", "/lib32", "/sbin")
SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime", "/etc/fonts")
ISOLATED = (
    "bwrap --die-with-parent --unshare-pid --unshare-net --unshare-ipc --unshare-uts "
    "--hostname coursework --cap-drop ALL"
)
FILE_SYSTEM = (
    "--proc /proc --dev /dev --size {shared} --tmpfs /dev/shm --remount-ro /dev "
    "--perms 1777 --size {size} --tmpfs /tmp"
)
# As root: bubblewrap keeps the right to change the user, and a second one forbids namespaces.
KEEP_USER_CHANGE = "--cap-add CAP_SETUID --cap-add CAP_SETGID"
CHANGE_USER = (
    "setpriv --reuid={user} --regid={user} --clear-groups --no-new-privs --inh-caps=-all "
    "--bounding-set=-all"
)
NO_NAMESPACES = "--unshare-user --disable-userns"


def has_user_per_run() -> bool:
    """Return True if each run gets its own user id, which requires root."""
    return os.geteuid() == 0


def command_prefix(confined: bool, folder: Path, user: int, file_size: int) -> list[str]:
    """Return the command prefix: bubblewrap and the change of user."""
    arguments = _bubblewrap_arguments(folder, file_size) if confined else []
    if has_user_per_run():
        arguments += CHANGE_USER.format(user=user).split()
        if confined:
            arguments += f"bwrap {NO_NAMESPACES} --dev-bind / / --".split()
    return arguments


def _bubblewrap_arguments(folder: Path, size: int) -> list[str]:
    """Return the bubblewrap command with everything that the sandbox shows."""
    arguments = ISOLATED.split()
    arguments += (KEEP_USER_CHANGE if has_user_per_run() else NO_NAMESPACES).split()
    for path in SYSTEM_PATHS:
        if os.path.islink(path):
            arguments += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            arguments += ["--ro-bind", path, path]
    for path in SYSTEM_FILES:
        arguments += ["--ro-bind-try", path, path]
    arguments += FILE_SYSTEM.format(shared=MB, size=size).split()
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
        "IPYTHONDIR": f"{home}/ipython",
        "PYTHONPATH": str(LIBRARY.parent),
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "TQDM_DISABLE": "1",
        **{f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL")},
    }
