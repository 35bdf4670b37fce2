"""Ctrl-C while a command still loads ends it at once and in silence; its status is then 130."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest
from conftest import ROOT

#: Sends the signal when a module is looked for.
PROGRAM = """
import runpy, signal, sys

class Sending:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Sending())
sys.path[:0] = ["src", "tools"]
sys.argv[1:] = {words!r}
{command}
"""
COMMANDS = {
    "chef": "import chef_command; chef_command.console()",
    "python -m chef": "runpy.run_module('chef', run_name='__main__')",
    "tools/eval.py": "runpy.run_path('tools/eval.py', run_name='__main__')",
}
WORDS = ["tiny", "Shapes/ppl", "--dry-run"]


def interrupted(command: str, module: str) -> subprocess.CompletedProcess[str]:
    words = WORDS if command == "tools/eval.py" else ["eval", *WORDS]
    code = PROGRAM.format(module=module, words=words, command=COMMANDS[command])
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("module", ["chef.cli", "chef.cli.arguments", "chef.cli.asking"])
def test_ctrl_c_while_a_command_loads_is_silent(command: str, module: str) -> None:
    done = interrupted(command, module)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


@pytest.mark.parametrize(("command", "module"), [("chef", "chef"), ("tools/eval.py", "guard")])
def test_ctrl_c_before_anything_of_chef_is_loaded(command: str, module: str) -> None:
    test_ctrl_c_while_a_command_loads_is_silent(command, module)


def test_ctrl_c_later_is_told() -> None:
    done = interrupted("chef", "chef.session.session")
    assert done.returncode == 3
    assert done.stderr == "\ninterrupted\n"


def test_ctrl_c_that_is_ignored_stays_so() -> None:
    """As of a command that a script starts with ``&``."""
    code = PROGRAM.format(module="chef.cli", words=["list", "PPL"], command=COMMANDS["chef"])
    code = f"import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n{code}"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
