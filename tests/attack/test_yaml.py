# The tables are easier to read in long lines.
# ruff: noqa: E501
"""Recipes and model files that stand for more than they show, or for nothing that can be built."""

from __future__ import annotations

import random
import resource
import string
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from conftest import ROOT

from chef.cli import main
from chef.config.document import read_document
from chef.errors import ChefError, ConfigError

Q = "'"
LETTERS = string.ascii_lowercase


def aliases(levels: int, width: int = 10) -> str:
    """Lists of lists: ``width ** levels`` values."""
    lines = [f"a: &a [{', '.join('x' * width)}]"]
    for one, other in pairwise(LETTERS[: levels + 1]):
        lines.append(f"{other}: &{other} [{', '.join([f'*{one}'] * width)}]")
    return "\n".join(lines)


def interpolations(levels: int, first: str = "x", width: int = 10) -> str:
    lines = [f"a: '{first}'"]
    for one, other in pairwise(LETTERS[: levels + 1]):
        lines.append(f"{other}: '{f'${{{one}}}' * width}'")
    return "\n".join(lines)


BOMBS = {
    "aliases": (aliases(12), "with its aliases"),
    "aliases of mappings": (
        "a: &a {x: 1, y: 2}\n"
        + "\n".join(
            f"{two}: &{two} {{p: *{one}, q: *{one}, r: *{one}}}"
            for one, two in pairwise(LETTERS[:15])
        ),
        "with its aliases",
    ),
    "merge keys": (
        "a: &a {x: 1}\n"
        + "\n".join(
            f"{two}: &{two} {{<<: [{', '.join([f'*{one}'] * 9)}]}}"
            for one, two in pairwise(LETTERS[:10])
        ),
        "with its aliases",
    ),
    "a list that contains itself": ("a: &a [*a]", "an anchor refers to itself"),
    "interpolations": (interpolations(12), "written out"),
    "interpolations of nothing": (interpolations(12, first=""), "written out"),
    "interpolations in lists": (
        "a: [1, 2, 3]\n"
        + "\n".join(
            f"{two}: [{', '.join([f'{Q}${{{one}}}{Q}'] * 9)}]"
            for one, two in pairwise(LETTERS[:10])
        ),
        "written out",
    ),
    "an interpolation of itself": ("a: ${a}", "contains itself"),
    "two of one another": ("a: ${b}\nb: x${a}", "contains itself"),
    "a mapping inside itself": ("a: {b: '${a}'}", "contains itself"),
    "a mapping inside itself, relatively": ("a: {b: '${..a}'}", "contains itself"),
    "made names": ("a: ${b}\nb: c\nc: 1\nd: ${${a}}", "inside another interpolation"),
    "a long chain": (
        "\n".join(["k0: 1", *(f"k{n}: ${{k{n - 1}}}" for n in range(1, 4000))]),
        "written out",
    ),
    "a long chain upwards": (
        "\n".join([*(f"k{n}: ${{k{n + 1}}}" for n in range(4000)), "k4000: 1"]),
        "too often",
    ),
    "depth": ("a: " + "[" * 300_000, "nested deeper"),
    "depth of keys": ("? " * 5000 + "x", "nested deeper"),
    "values": ("a: 1\n" * 30_000, "more than 20,000 values"),
    "a number": ("a: " + "9" * 400_000, "digits"),
    "a number to the base 60": ("a: " + "1:" * 200_000 + "1", "digits"),
    "size": ("a: " + "x" * 1_100_000, "are allowed"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused(name: str, tmp_path: Path) -> None:
    text, said = BOMBS[name]
    file = tmp_path / "recipe.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=said) as error:
        read_document(file)
    assert str(file) in str(error.value)


def test_bombs_take_neither_memory_nor_time(tmp_path: Path) -> None:
    """All of them in one process that may have 1 GB; it is killed after 30 s."""
    for number, (text, _) in enumerate(BOMBS.values()):
        (tmp_path / f"{number}.yaml").write_text(text)
    code = (
        "import sys, pathlib\n"
        "from chef.config.document import read_document\n"
        "from chef.errors import ConfigError\n"
        "for file in sorted(pathlib.Path(sys.argv[1]).glob('*.yaml')):\n"
        "    try: read_document(file)\n"
        "    except ConfigError: continue\n"
        "    sys.exit(str(file))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        env={"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=300,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30)),
        check=False,
    )
    assert done.returncode == 0, done.stderr[-500:]


ORDINARY = """
scenario_cfg: &scenario {dataset_name: Shapes, size: 10}
other: *scenario
size: ${scenario_cfg.size}
relative: {a: '${.b}', b: 1, c: '${..size}'}
second: ${list[1]}
list: [1, '${.0}']
name: scenario_cfg
made: ${${name}.size}
environment: ${oc.decode:${oc.env:NO_SUCH_VARIABLE,7}}
default: '${oc.env:NO_SUCH_VARIABLE,"{}"}'
created: ${oc.create:{a:1}}
keys: ${oc.dict.keys:scenario_cfg}
chosen: ${oc.select:nothing,3}
written: \\${name}
"""


def test_ordinary_aliases_and_interpolations_are_resolved(tmp_path: Path) -> None:
    file = tmp_path / "recipe.yaml"
    file.write_text(ORDINARY)
    values = read_document(file).values
    assert values["other"] == {"dataset_name": "Shapes", "size": 10}
    assert values["relative"] == {"a": 1, "b": 1, "c": 10}
    assert (values["size"], values["second"], values["made"]) == (10, 1, 10)
    assert (values["environment"], values["default"]) == (7, "{}")
    assert (values["created"], values["chosen"]) == ({"a": 1}, 3)
    assert values["keys"] == ["dataset_name", "size"]
    assert values["written"] == "${name}"


ODD = (
    "0", "1.5", "true", "null", "''", "x", "- a", "[]", "!!float x", "a: !!float x", "!!int 0x",
    "a: !!timestamp x", "a: 2001-99-99", "a: !!binary '@@'", "a: !!set {x, y}", "a: !!omap [x: 1]",
    "a: !!python/object/apply:os.system ['touch never']", "a: !local x", "? [a]\n: b",
    "<<: 3", "<<: [1]", "%YAML 9.9\n---\na: 1", "---\na: 1\n---\nb: 2", "a: ???", "a: ${oc.env}",
    "a: ${oc.env:}", "a: ${b:", "a: ${", "a: '${}'", "a: ${b.c.d}", "\0", "a: '\\ud800'", '"\\ud800": 1',
    "1: 2", "true: 2", "2001-01-01: 2", "~: 2", "a: &x", "a: *x", "\t a: 1", "a:\n\t- b", "a: 'b",
    "scenario_cfg: 3\neval_cfg: 4", "scenario_cfg: []\neval_cfg: []", "eval_cfg: {}",
    "scenario_cfg: {dataset_name: [1]}\neval_cfg: {}", "scenario_cfg: {dataset_name: null}\neval_cfg: {}",
    "scenario_cfg: {dataset_name: Shapes, size: -1}\neval_cfg: {inferencer_cfg: {inferencer_type: PPL}}",
    "scenario_cfg: {dataset_name: Shapes, size: 1e400}\neval_cfg: {inferencer_cfg: {inferencer_type: PPL}}",
    "scenario_cfg: {dataset_name: Shapes, size: .nan}\neval_cfg: {inferencer_cfg: {inferencer_type: PPL}}",
    "plugins: 3\nscenario_cfg: {dataset_name: Shapes}\neval_cfg: {inferencer_cfg: {inferencer_type: PPL}}",
    "plugins: [[a]]\nscenario_cfg: {dataset_name: Shapes}\neval_cfg: {inferencer_cfg: {inferencer_type: PPL}}",
)  # fmt: skip


@pytest.mark.parametrize("option", ["--recipe_cfg", "--model_cfg"])
@pytest.mark.parametrize("text", ODD)
def test_an_odd_file_is_bad_input(
    text: str, option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "odd.yaml"
    file.write_bytes(text.encode())
    given = {"--recipe_cfg": "Shapes/ppl", "--model_cfg": "tiny", option: str(file)}
    arguments = [part for pair in given.items() for part in pair]
    code = main(["eval", *arguments, "--dry-run"])
    said = capsys.readouterr().err
    assert code == 2, said
    assert "this is a bug" not in said
    assert "Traceback" not in said
    assert "odd.yaml" in said
    assert {item.name for item in tmp_path.iterdir()} == {"odd.yaml"}, "the file was executed"


OVERRIDES = (
    "eval_cfg=[]", "scenario_cfg=3", "scenario_cfg=", "=3", "x=!!float y", "scenario_cfg.size=[",
    "scenario_cfg.size=!!timestamp x", "scenario_cfg.size=${oc.env:NOPE}", "scenario_cfg.=3", ".=1",
    "scenario_cfg..size=3", "scenario_cfg[0]=3", "eval_cfg=null", "scenario_cfg.size=${scenario_cfg}",
    "scenario_cfg.size=x", "scenario_cfg.size=1e999", "a.b.c.d.e.f=1", "scenario_cfg.size.x=1",
    "eval_cfg.inferencer_cfg=PPL", "eval_cfg.inferencer_cfg=[1,2]", "model_cfg=3", "model_cfg.name=..",
    "model_cfg.name=...", "model_cfg.name=", "model_cfg=[]", "x={a: &a [1,1,1,1,1,1,1,1,1,1], b: &b "
    "[*a,*a,*a,*a,*a,*a,*a,*a,*a], c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b], d: &d [*c,*c,*c,*c,*c,*c,*c,*c]"
    ", e: [*d,*d,*d,*d,*d,*d,*d,*d,*d]}", "scenario_cfg.size=" + "9" * 5000, "scenario_cfg=" + "[" * 900,
)  # fmt: skip


@pytest.mark.parametrize("override", OVERRIDES, ids=lambda text: text[:30])
def test_an_odd_override_is_bad_input(override: str, capsys) -> None:
    given = ["eval", "--model_cfg", "tiny", "--recipe_cfg", "Shapes/ppl", "--dry-run", override]
    try:
        code = main(given)
    except SystemExit as ended:  # of argparse
        code = ended.code
    said = capsys.readouterr().err
    assert code == 2, said
    assert "this is a bug" not in said
    assert "Traceback" not in said


SHIPPED = sorted((ROOT / "configs").rglob("*.yaml"))
TOKENS = (
    "", "null", "true", "-1", "0", "1e309", ".nan", ".inf", "''", "[]", "{}", "[[[]]]", "${a}", "${",
    "*x", "&x", "!!int", "!!str", "<<:", "\t", "\0", "é", "\u202e", "99999999999999999999", "../../x",
    "/dev/zero", "/", "~", "%", "@", "`", "|", ">", "? ", "- ", ": ", "#", "'", '"', "\\", "\r", "Shapes",
)  # fmt: skip


def mutated(text: str, rng: random.Random) -> str:
    """The text with one to four changes: cut, repeated, moved or replaced pieces."""
    for _ in range(rng.randint(1, 4)):
        pieces = text.splitlines(keepends=True) if rng.random() < 0.5 else list(text)
        if not pieces:
            return rng.choice(TOKENS)
        at = rng.randrange(len(pieces))
        kind = rng.randrange(5)
        if kind == 0:
            del pieces[at : at + rng.randint(1, 5)]
        elif kind == 1:
            pieces.insert(at, rng.choice(TOKENS))
        elif kind == 2:
            pieces[at:at] = pieces[at : at + rng.randint(1, 20)]
        elif kind == 3:
            pieces[at] = rng.choice(TOKENS)
        else:
            line = pieces[at]
            key, colon, _ = line.partition(":")
            pieces[at] = f"{key}{colon} {rng.choice(TOKENS)}\n" if colon else rng.choice(TOKENS)
        text = "".join(pieces)
    return text


@pytest.mark.parametrize("seed", range(20))
def test_mutated_recipes_and_models_are_read_or_refused(seed: int, tmp_path: Path) -> None:
    """50 mutations for each seed: none raises anything but an error of chef that names the file."""
    from chef.config import load_model, load_recipe

    rng = random.Random(seed)
    for number in range(50):
        source = rng.choice(SHIPPED)
        file = tmp_path / f"{number}.yaml"
        file.write_text(mutated(source.read_text(), rng), encoding="utf-8")
        load = load_model if "models" in source.parts else load_recipe
        said = refusal(load, file)
        assert not said or str(file) in said, file.read_text()


def refusal(load: Callable[[Path], object], file: Path) -> str:
    try:
        load(file)
    except ChefError as error:
        return str(error)
    return ""
