"""Every fenced block of README.md and docs/ runs or is checked, page by page, in order.

The guide runs as printed, in a folder of its own that has nothing of the checkout, and what it
quotes of a command's output is printed by the command before it. Of other pages commands ask a few
samples. What cannot run here is listed by its content, with the reason.
"""

from __future__ import annotations

import re
import runpy
import shlex
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import ROOT
from document import PAGES, Block, blocks, inline, text_of
from mmtrusteval_data import write_mmtrusteval

from chef.cli import main
from chef.cli.arguments import build_parser, parse
from chef.config import load_model, load_recipe
from chef.config.task import read_task
from chef.config.tasks import is_task
from chef.errors import ConfigError
from chef.session.settings import Settings
from chef.suite.members.file import read_suite
from chef.suite.sweep.running import Sweep

NAMES = [str(page.relative_to(ROOT)) for page in PAGES]

GUIDE = ROOT / "docs" / "guide"

#: Commands that are not chef's, or that need what a test has not; checked by eye.
UNRUN = {
    "make demo": "makes an environment; downloads torch",
    "make test": "runs this test",
    "make check": "runs ruff and mypy",
    ". .venv/bin/activate": "changes a shell",
    ".venv/bin/pre-commit install": "changes the checkout",
    "pip install .": "installs; tests/packaging does",
    "pip install '.[hub,ray]'": "installs",
    "pip install torch torchvision --index-url https://download.pytorch.org/whl/cpu": "downloads",
}
#: Commands of chef that are parsed and not run.
PARSED = {
    "chef eval hf:llava-hf/llava-1.5-7b-hf Shapes/ppl --limit 32": "downloads 15 GB",
    "chef eval llava.yaml Shapes/ppl --dry-run": "asks the hub",
    "chef eval my_openai.yaml Shapes/direct --limit 20": "asks OpenAI",
    "chef prepare MMBench_DEV_EN": "downloads data",
    "chef eval tiny MMBench_DEV_EN": "of the command before it",
    "chef eval --model_cfg tiny --recipe_cfg 'configs/recipes/{Shapes,Digits}/*.yaml'":
        "all shipped recipes; tests/test_tiny.py runs each",
    "chef eval privacy/p3-infoflow truthfulness/t6-visual-confusion --model_id tiny my_model.yaml":
        "a model file that the reader has",
    "chef eval privacy/p3-infoflow --dataset_id all --model_id tiny": "as the command before it",
    "chef eval tiny desiderata": "takes minutes; tests/suite/members checks suites",
    "chef eval tiny vision": "takes a minute; tests/suite/members asks it of another recipe",
    "chef eval tiny vision recipe=Shapes/color_ppl": "tests/suite/members asks it",
    "chef eval tiny robustness 'methods=[gaussian-noise, shot-noise, impulse-noise, speckle-noise, "
    "defocus-blur, glass-blur, motion-blur, zoom-blur, "
    "gaussian-blur, snow, frost, fog, brightness, spatter, contrast, elastic-transform, "
    "pixelate, jpeg-compression, "
    "saturate, center-crop, resize-x, resize-y, "
    "rotate]' 'severities=[1, 3, 5]'":
        "takes minutes; docs/background/many_runs.md runs one method",
    "chef eval sweeps/Shapes --limit 300": "takes half an hour",
    "chef eval --model_cfg tiny --recipe_cfg Shapes/ppl Shapes/noise Shapes/pgd":
        "tests/test_tiny.py runs each",
    "chef eval truthfulness/t5-text-misleading --model_id tiny --judge_cfg judge.yaml":
        "a judge that the reader has; tests/task/test_every_task.py runs it",
}  # fmt: skip
#: Blocks that another test holds: text, and Python in processes of its own.
HELD = {
    "docs/architecture.md": "tests/test_rooms.py",
    "docs/guide/judges.md": "tests/pages/test_judges_page.py",
    "docs/reference/python.md": "tests/test_api.py",
    "docs/reference/commands.md": "tests/pages/test_reference.py",
    "docs/reference/messages.md": "tests/pages/test_troubleshooting.py",
}
#: Options of other programs, by the page that names them.
OTHER_PROGRAMS = {
    "coming_from.md": {
        "--api-nproc", "--data", "--gen_kwargs", "--log_samples", "--mode", "--nproc-per-node",
        "--num_fewshot", "--num_processes", "--output_path", "--reuse", "--use_cache", "--work-dir",
    },
    "first_run.md": {"--index-url"},
    "mmtrusteval.md": {"--local-dir"},
    "models.md": {"--tensor-parallel-size"},  # vLLM's
    "messages.md": {"--cfg"},  # no option of any command
    "servers.md": {"--max-num-seqs"},
    "vlmevalkit.md": {"--reuse"},
}  # fmt: skip
#: Enough samples to show that a command works.
FEW = ["--limit", "4"]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder as the current one, on a terminal of 80 columns."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.syspath_prepend(tmp_path)
    known = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - known:  # files of one page, not of the next
        if str(getattr(sys.modules[name], "__file__", None)).startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
@pytest.mark.usefixtures("small_pool")
def test_the_page_runs(
    page: Path, desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    namespace: dict[str, Any] = {"__name__": "page"}
    lay_out(page, desk)
    printed = ""
    for block in blocks(page):
        if block.language == "sh":
            type_in(block, monkeypatch)
            printed = capsys.readouterr().out
        elif is_held(block):
            check(block, desk)
        elif block.language == "python" and block.file is None:
            exec(compile(block.text, str(block), "exec"), namespace)
        elif block.language == "text":
            assert page.parent == GUIDE, block
            assert block.printed.search(printed), f"{block}: printed is\n{printed}"
        else:
            check(block, desk)


def lay_out(page: Path, desk: Path) -> None:
    """The files that a page prints, and what its commands need of a checkout or of data."""
    for part in () if page.parent == GUIDE else ("configs", "tools", "benchmarks"):
        (desk / part).symlink_to(ROOT / part)
    if page.name == "mmtrusteval.md":
        write_mmtrusteval(desk / "data")
    for block in blocks(page):
        if block.file is not None:
            (desk / block.file).write_text(block.text)


def type_in(block: Block, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the commands of a block of shell."""
    for command in block.commands:
        if variable := re.fullmatch(r"export (\w+)=(.*)", command):
            monkeypatch.setenv(*variable.groups())
        else:
            run_command(command, block)


def check(block: Block, desk: Path) -> None:
    """Check a block that is no command."""
    if block.language == "python":
        compile(block.text, str(block), "exec")
    elif block.language == "yaml":
        check_yaml(block, desk)
    elif block.language == "toml":
        assert tomllib.loads(block.text), block
    else:
        assert block.language == "text", f"{block}: a block of '{block.language}'"


def is_held(block: Block) -> bool:
    return str(block.page.relative_to(ROOT)) in HELD


def check_yaml(block: Block, desk: Path) -> None:
    """Read it as a model file, as a pool of wordings, as a task, or as a recipe in parts."""
    content = yaml.safe_load(block.text)
    file = desk / (block.file or "block.yaml")
    if "model_name" in content:
        file.write_text(block.text)
        assert load_model(file).model.name == content["model_name"]
    elif "prompts" in content:
        assert set(content) <= {
            "prompts", "templates", "multiturn_prompts", "multiturn_templates"}, block  # fmt: skip
    elif "vary" in content:
        file.write_text(block.text)
        assert Sweep(file, Settings(save_dir=desk)).plan.cells, block
    elif "members" in content:
        file.write_text(block.text)
        assert read_suite(file).figures, block
    elif is_task(content):
        file.write_text(block.text)
        assert read_task(file).dataset_id == content["dataset_id"]
    else:
        inferencer = {"inferencer_type": "PPL"}
        whole = {"scenario_cfg": {"dataset_name": "Shapes"}, "eval_cfg": {}, **content}
        whole["eval_cfg"].setdefault("inferencer_cfg", inferencer)
        file.write_text(block.text if block.file else yaml.safe_dump(whole))
        # A recipe of a page without commands may name data that the reader has.
        assert load_recipe(file).scenario.name == whole["scenario_cfg"]["dataset_name"]


def run_command(command: str, block: Block) -> None:
    """Run a command of chef or a script that the page prints; check any other."""
    words = shlex.split(command)
    if command in UNRUN:
        return
    if words[0] == "python" and not words[1].startswith(("tools/", "benchmarks/", "-m")):
        runpy.run_path(words[1], run_name="__main__")
        return
    arguments = chefs_arguments(words)
    if arguments is None:
        check_script(words, block)
        return
    assert_parses(arguments, command)
    if command in PARSED:
        return
    given = [found for word in arguments for found in expanded(word)]
    if given[0] == "eval" and "--ids" not in given and block.page.parent != GUIDE:
        given = shortened(given)
    try:
        code = main(given)
    except SystemExit as stop:  # --help, --version
        code = stop.code
    assert code == 0, f"{block}: {command}"


def shortened(arguments: list[str]) -> list[str]:
    """The arguments of ``eval`` with a few samples, whatever the number that the page gives."""
    if "--limit" in arguments:
        place = arguments.index("--limit")
        arguments = arguments[:place] + arguments[place + 2 :]
    return [word for word in arguments if word != "--debug"] + FEW


def expanded(word: str) -> list[str]:
    """A word with stars, as the shell expands it in the current folder."""
    return sorted(map(str, Path().glob(word))) if "*" in word else [word]


def chefs_arguments(words: list[str]) -> list[str] | None:
    """The arguments of `chef` that a command means; None if it is another program."""
    if words[0] == "chef":
        return words[1:]
    scripts = {
        "tools/eval.py": "eval", "tools/prepare_data.py": "prepare", "tools/run_task.py": "eval"
    }  # fmt: skip
    if words[0] == "python" and words[1] in scripts:
        return [scripts[words[1]], *words[2:]]
    return words[3:] if words[:3] == ["python", "-m", "chef"] else None


def assert_parses(arguments: list[str], command: str) -> None:
    code: object = 0
    try:
        parse(arguments)
    except SystemExit as stop:  # --help, --version
        code = stop.code
    assert code == 0, command


def check_script(words: list[str], block: Block) -> None:
    """A script of the checkout whose options it declares."""
    assert words[0] == "python", f"{block}: `{shlex.join(words)}` is neither run nor in a list"
    source = (ROOT / words[1]).read_text()
    for word in words[2:]:
        assert not word.startswith("--") or f'"{word}"' in source, (block, word)


def test_the_lists_have_nothing_that_no_page_says() -> None:
    said = {command for page in PAGES for block in blocks(page) if block.language == "sh"
            for command in block.commands}  # fmt: skip
    assert set(UNRUN) | set(PARSED) <= said


def test_every_option_in_the_text_exists() -> None:
    """Also in sentences and tables; other programs' options are in a short list."""
    _, commands = build_parser()
    known = {
        option.replace("_", "-") for command in commands.values() for option in command.options
    }
    for script in [*ROOT.glob("tools/*.py"), *ROOT.glob("benchmarks/*.py")]:
        known |= {
            name.replace("_", "-") for name in re.findall(r'"(--[\w-]+)"', script.read_text())
        }
    for page in PAGES:
        for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", text_of(page)):
            if option in OTHER_PROGRAMS.get(page.name, ()):
                continue
            assert option.replace("_", "-") in known | {"--version"}, f"{page.name}: {option}"


def test_every_command_in_a_sentence_parses() -> None:
    """`chef score RUN_DIR`, but not `chef eval`, which names a command, nor shortened ones."""
    _, commands = build_parser()
    seen = set()
    pages = (page for page in PAGES if page.name != "rooms.md")  # which quotes docstrings
    for page in pages:
        for code in inline(page):
            words = code.replace("\\|", "|").split()
            if words[:1] != ["chef"] or len(words) < 2 or "..." in words:
                continue
            assert words[1] in {*commands, "COMMAND", "--help", "--version"}, f"{page.name}: {code}"
            if len(words) > 2 and words[1] in commands:
                seen.add(code)
                assert_parses(words[1:], code)
    assert len(seen) > 10


#: Recipes that have every key that an override of the pages names; one of them has to take it.
TAKERS = (
    "Shapes/ppl",
    "Shapes/direct_CoT",
    "MMBench/ppl",
    "Shapes/mcq_icl_topk_img_ppl",
    "VLMEvalKit/mcq",
)


def test_every_override_is_taken_by_a_recipe_or_a_model_file() -> None:
    said = {override for page in PAGES
            for override in re.findall(r"(?<![\w.])(?:scenario|eval|model)_cfg\.[\w.]+=[\w./]+",
                                       text_of(page))}  # fmt: skip
    # Data sets of a page's own plugin are known there alone, and its commands run.
    of_page = {f"scenario_cfg.dataset_name={name}" for name in ("Colors_DEV", "MyColors")}
    of_page.add("model_cfg.key=value")  # any key
    given = sorted(override for override in said - of_page if not re.search(r"=[A-Z.]+$", override))
    assert len(given) >= 5
    for override in given:
        if override.startswith("model_cfg."):
            key = override.removeprefix("model_cfg.")
            assert load_model(ROOT / "configs/models/llava15.yaml", [key]).model.options, override
        else:
            assert any(takes(recipe, override) for recipe in TAKERS), override


def takes(recipe: str, override: str) -> bool:
    try:
        load_recipe(ROOT / "configs" / "recipes" / f"{recipe}.yaml", [override])
    except ConfigError:
        return False
    return True
