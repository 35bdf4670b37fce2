"""A fresh checkout with an environment in ``.venv``, an installed chef, and a bare shell."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path

ROOT = Path(__file__).parents[2]
_IGNORED = shutil.ignore_patterns(
    ".git", ".venv", "results", "__pycache__", "*.egg-info", ".*_cache"
)
#: The whole environment of the shell, besides HOME: nothing of the developer's is there. It has one
#: thread, because other tests run on the other cores.
_VARIABLES = ("PATH=/usr/local/bin:/usr/bin:/bin", "OMP_NUM_THREADS=1", "COLUMNS=80")


@dataclass(frozen=True)
class Typed:
    """A command and what came of it; ``text`` is standard output and standard error."""

    command: str
    code: int
    text: str


def clone(target: Path) -> None:
    """Clone the repository, with what is not committed yet; without git it is copied."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        shutil.copytree(ROOT, target, ignore=_IGNORED)
        return
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(target)], check=True)
    listed = ["git", "ls-files", "-z", "--modified", "--others", "--exclude-standard"]
    changed = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, changed.split("\0")):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_file():
            shutil.copy2(ROOT / name, target / name)
        else:
            (target / name).unlink(missing_ok=True)


def install(checkout: Path) -> None:
    """Do what ``make`` would do in minutes and 6.7 GB: install the checkout in ``.venv``.

    It is a new one, with the packages of the environment that runs the tests and the code of the
    checkout. The stamp tells make that it is done; the real installation is a test of its own.
    """
    venv = checkout / ".venv"
    packages = _environment(venv)
    (packages / "checkout.pth").write_text(f"{checkout / 'src'}\n")
    _write_scripts(venv, chef=_command(), pytest="pytest:console_main")
    (venv / ".installed").touch()


def install_package(checkout: Path, venv: Path) -> None:
    """Put into a new environment what ``pip install .`` puts there: the package, and its command.

    The wheel itself is made by ``tests/packaging``, with packages that this may be run without.
    """
    packages = _environment(venv)
    build = [sys.executable, "setup.py", "--quiet", "build_py", "--build-lib", str(packages)]
    subprocess.run(build, cwd=checkout, check=True, capture_output=True)
    _write_scripts(venv, chef=_command())


def _command() -> str:
    """The function behind the command, as ``module:function``."""
    (script,) = entry_points(group="console_scripts", name="chef")
    return script.value


def _write_scripts(venv: Path, **scripts: str) -> None:
    for name, target in scripts.items():
        module, _, function = target.partition(":")
        file = venv / "bin" / name
        file.write_text(
            f"#!{venv}/bin/python\nimport sys\nfrom {module} import {function}\n"
            f"sys.exit({function}())\n"
        )
        file.chmod(0o755)


def _environment(venv: Path) -> Path:
    """Make one with the packages of the environment that runs the tests; its folder of packages."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    (packages,) = venv.glob("lib/python*/site-packages")
    beside = sysconfig.get_path("purelib")
    # That environment may name other folders of packages, which a bare path would not follow.
    # Its own chef, where it has one, comes last.
    (packages / "zz_beside.pth").write_text(f"import site; site.addsitedir({beside!r})\n")
    return packages


def bare_shell(folder: Path, *commands: str, timeout: int = 1200) -> list[Typed]:
    """Type commands into one shell, whose environment is bare."""
    home = folder.parent / "home"
    home.mkdir(exist_ok=True)
    script = "\n".join(f'{command}\necho "@@ $?"' for command in commands)
    done = subprocess.run(
        ["env", "-i", f"HOME={home}", *_VARIABLES, "sh", "-c", f"exec 2>&1\n{script}"],
        cwd=folder, timeout=timeout, capture_output=True, text=True, check=False,
    )  # fmt: skip
    parts = re.split(r"^@@ (\d+)\n", done.stdout, flags=re.MULTILINE)
    assert len(parts) == 2 * len(commands) + 1, done.stdout + done.stderr
    pairs = zip(commands, parts[1::2], parts[0::2], strict=False)
    return [Typed(command, int(code), text) for command, code, text in pairs]


def fenced_blocks(page: str) -> Iterator[tuple[str, list[str]]]:
    """Each fenced block of a page: its language, and its lines."""
    language, lines = None, []
    for line in page.splitlines():
        if not line.startswith("```"):
            lines.append(line)
        elif language is None:
            language, lines = line[3:], []
        else:
            yield language, lines
            language, lines = None, []


def command_lines(page: str) -> list[str]:
    """The command lines of a page: those of its blocks of shell, with continued lines joined."""
    texts = ["\n".join(lines) for language, lines in fenced_blocks(page) if language == "sh"]
    lines = [line for text in texts for line in text.replace("\\\n", " ").splitlines()]
    commands = [line.partition("  #")[0].strip() for line in lines]
    return [command for command in commands if command]


def named_files(page: str) -> dict[str, str]:
    """The files that a page prints: blocks whose first line is a comment with the name."""
    named = (
        (re.fullmatch(r"# (\S+\.\w+)", lines[0]), lines)
        for language, lines in fenced_blocks(page)
        if language and lines
    )
    return {name[1]: "\n".join(lines[1:]) + "\n" for name, lines in named if name}
