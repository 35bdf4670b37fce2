"""Paths that lead to no regular file: each is refused at once, wherever a path is given."""

from __future__ import annotations

import ast
import os
import re
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from package_source import called, nodes, trees

from chef.cli import main
from chef.guard.files import NotAFileError, open_file, read_text

TINY = "tiny"
KINDS = ("pipe", "folder", "device", "socket")
#: The modules that may open files by themselves: of the package's own data, and of what chef wrote.
OWN_FILES = {
    "guard/files.py",
    "guard/folder.py",
    "guard/trust.py",  # the key
    "cli/example.py",
    "cli/description.py",
    "cli/listing.py",
    "cli/view.py",  # opens a browser
    "common/front_modules.py",
    "common/yaml_text.py",
    "config/tasks/__init__.py",
    "reading/boxes/structures.py",  # a reader's brackets, no files
    "reading/mmtrusteval_rules/word_lists.py",
    "instruction/pools.py",
    "method/corruptions/digital.py",  # to memory
    "method/wording/base.py",
    "preparing/convert.py",
    "preparing/sources.py",
    "report/export/figures.py",
    "report/page/render.py",
    "scenario/download.py",  # what it downloads
    "scenario/mmtrusteval/table.py",
    "suite/trust/scores.py",
    "shards/store.py",  # of /proc
    "workers/replica.py",  # of /proc
}


@pytest.fixture(params=KINDS)
def odd(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A path to something that is no regular file; relative, because sockets have short names."""
    path = tmp_path / "odd"
    if request.param == "pipe":
        os.mkfifo(path)
    elif request.param == "folder":
        path.mkdir()
    elif request.param == "device":
        path.symlink_to("/dev/zero")
    else:
        here = Path.cwd()
        os.chdir(tmp_path)
        try:
            socket.socket(socket.AF_UNIX).bind("odd")
        finally:
            os.chdir(here)
    return path


def test_nothing_but_a_regular_file_is_opened(odd: Path) -> None:
    with pytest.raises(NotAFileError, match="not a file"):
        open_file(odd)


def test_a_regular_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_bytes(b"a\r\nb\rc\n")
    assert read_text(file) == "a\nb\nc\n"
    (tmp_path / "link").symlink_to(file)
    assert read_text(tmp_path / "link") == "a\nb\nc\n"


TSV = "index\tquestion\tA\tB\tanswer\timage_path\n1\tWhat?\tx\ty\tA\t{path}\n"


def recipe(folder: Path, scenario: str, rest: str = "") -> Path:
    file = folder / "recipe.yaml"
    file.write_text(
        f"scenario_cfg: {{{scenario}}}\n"
        f"eval_cfg: {{inferencer_cfg: {{inferencer_type: PPL}}{rest}}}\n"
    )
    return file


def model(folder: Path, text: str) -> Path:
    file = folder / "model.yaml"
    file.write_text(text)
    return file


def as_recipe(folder: Path, path: Path) -> list[str]:
    return ["--model_cfg", TINY, "--recipe_cfg", str(path)]


def as_model(folder: Path, path: Path) -> list[str]:
    return ["--model_cfg", str(path), "--recipe_cfg", "Shapes/ppl"]


def as_tsv(folder: Path, path: Path) -> list[str]:
    return as_recipe(folder, recipe(folder, f"dataset_name: Tsv, path: {path}"))


def as_image(folder: Path, path: Path) -> list[str]:
    (folder / "data.tsv").write_text(TSV.format(path=path))
    return as_tsv(folder, folder / "data.tsv")


def as_list(folder: Path, path: Path) -> list[str]:
    (folder / "meta_file").mkdir(exist_ok=True)
    (folder / "meta_file" / "VQA_ScienceQA.json").symlink_to(path)
    return as_recipe(
        folder, recipe(folder, f"dataset_name: ScienceQA_LAMM, base_data_path: {folder}")
    )


def as_pool(folder: Path, path: Path) -> list[str]:
    rest = f", instruction_cfg: {{pool_file: {path}}}"
    return as_recipe(folder, recipe(folder, "dataset_name: Shapes", rest))


def as_plugin(folder: Path, path: Path) -> list[str]:
    file = recipe(folder, "dataset_name: Shapes")
    file.write_text(file.read_text() + f"plugins: [{path}]\n")
    return as_recipe(folder, file)


def as_template(folder: Path, path: Path) -> list[str]:
    from chef.models.tiny import FOLDER

    text = f"model_name: HuggingFace\nmodel_path: {FOLDER}\nchat_template: {path}\n"
    return as_model(folder, model(folder, text))


def as_checkpoint_file(folder: Path, path: Path) -> list[str]:
    from chef.models.tiny import FOLDER

    copy = folder / "checkpoint"
    copy.mkdir()
    for file in FOLDER.iterdir():
        (copy / file.name).symlink_to(path if file.name == "config.json" else file)
    return as_model(folder, model(folder, f"model_name: HuggingFace\nmodel_path: {copy}\n"))


WAYS = (
    as_recipe,
    as_model,
    as_tsv,
    as_image,
    as_list,
    as_pool,
    as_plugin,
    as_template,
    as_checkpoint_file,
)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_a_run_is_refused_and_told_why(
    way: Callable[[Path, Path], list[str]], odd: Path, tmp_path: Path, capsys
) -> None:
    code = main(["eval", *way(tmp_path, odd), "--save_dir", str(tmp_path / "results")])
    said = capsys.readouterr().err
    assert code in {1, 2, 3}, said
    assert "Traceback" not in said
    assert "this is a bug" not in said
    assert "not a file" in said or "is a folder" in said or "folder has no config.json" in said, (
        said
    )


def test_files_from_outside_are_opened_in_one_place() -> None:
    """No other module calls ``open``, ``read_text`` or ``read_bytes`` of a path."""
    found = []
    for name, tree in trees().items():
        if name in OWN_FILES:
            continue
        for node in nodes(tree):
            if isinstance(node, ast.Call) and re.fullmatch(
                r"(open|.*\.(read_text|read_bytes))|.*\.open", called(node)
            ):
                call = ast.unparse(node)
                if not re.search(r"'[wx]b?'", call) and not call.startswith(("PIL.", "os.open")):
                    found.append(f"{name}:{node.lineno}: {call}")
    assert not found
