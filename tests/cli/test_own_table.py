"""A table of one's own: what its columns became is said before anything is asked."""

from __future__ import annotations

import os
import pwd
from pathlib import Path

import pytest
from PIL import Image

import chef
from chef.cli import main
from chef.config import load_recipe
from chef.embedding.cache import cache_folder
from chef.errors import ConfigError
from chef.scenario.table.rows import unreadable


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for number in range(3):
        Image.new("RGB", (64, 48), (60 * number, 0, 90)).save(f"{number}.png")
    rows = "".join(f"{n}.png,What color is {n}?,red\n" for n in range(3))
    Path("odd.csv").write_text(f"shot,prompt,verdict\n{rows}")
    return tmp_path


ADD = ["scenario_cfg.columns.images=shot", "scenario_cfg.columns.answer=verdict"]


def test_unknown_columns_are_refused_with_the_line_to_add(here, capsys) -> None:
    for words in (["eval", "tiny", "odd.csv"], ["eval", "tiny", "odd.csv", "--dry-run"]):
        assert main(words) == 2
        err = capsys.readouterr().err
        assert "hold the images and the answers, and 'shot', 'verdict' would not be used" in err
        assert f"add {' '.join(ADD)} (null" in err
        assert "--allow text-only unscored" in err
    assert not list(here.rglob("predictions.jsonl"))


def test_the_line_to_add_asks_with_images(here, capsys) -> None:
    assert main(["eval", "tiny", "odd.csv", *ADD]) == 0
    captured = capsys.readouterr()
    assert "3 of 3 samples scored" in captured.out
    assert "question: prompt; images: shot; answer: verdict" in captured.err
    assert "not used" not in captured.err


@pytest.mark.parametrize(
    ("columns", "lacking"),
    [
        ("scenario_cfg.columns.images=shot", "the answers, and 'verdict'"),
        ("scenario_cfg.columns.answer=verdict", "the images, and 'shot'"),
        ("scenario_cfg.columns={images: null, answer: null}", ""),
        ("scenario_cfg.columns={images: shot, answer: null}", ""),
        ("scenario_cfg.columns={images: shot, answer: verdict}", ""),
    ],
)
def test_null_says_that_there_is_none(here, capsys, columns: str, lacking: str) -> None:
    assert main(["eval", "tiny", "odd.csv", columns, "--dry-run"]) == (2 if lacking else 0)
    assert lacking in capsys.readouterr().err


def test_what_is_allowed_is_asked_all_the_same(here, capsys) -> None:
    assert main(["eval", "tiny", "odd.csv", "--allow", "text-only", "--dry-run"]) == 2
    assert "hold the answers" in capsys.readouterr().err
    report = chef.evaluate("tiny", "odd.csv", allow=["text-only", "unscored"])
    assert len(list(here.rglob("predictions.jsonl"))) == 1
    # What was begun goes on, and shows its results, without the words.
    assert chef.evaluate("tiny", "odd.csv").folder == report.folder
    with pytest.raises(ConfigError, match="'text' is not known"):
        chef.evaluate("tiny", "odd.csv", allow=["text"])


@pytest.mark.parametrize(
    "table", ["question,answer\nWhich?,red\n", "question,A,B,answer\nWhich?,red,blue,A\n"]
)
def test_a_table_whose_columns_are_all_used_is_text_alone(here, table: str) -> None:
    Path("plain.csv").write_text(table)
    assert main(["eval", "tiny", "plain.csv", "--dry-run"]) == 0


def test_the_first_sample_is_shown(here, capsys) -> None:
    assert main(["list", "odd.csv"]) == 2
    out = capsys.readouterr().out
    assert "  question  prompt\n  not used  shot, verdict\n" in out
    assert "  no image\n" in out
    assert f"add {' '.join(ADD)}" in out
    assert main(["list", "odd.csv", *ADD]) == 0
    out = capsys.readouterr().out
    assert "  image 1: 0.png, 64 x 48 pixels\n" in out
    assert "  question: What color is 0?\n  answer: ['red']\n" in out
    assert "asked as:\n  <image>\n  What color is 0?\n" in out


def test_options_are_shown(here, capsys) -> None:
    Path("choice.csv").write_text("image,question,A,B,answer\n1.png,Which?,red,blue,B\n")
    assert main(["list", "choice.csv"]) == 0
    out = capsys.readouterr().out
    assert "option 1: red\n  option 2: blue\n" in out
    assert "  options   A, B\n" in out


def test_a_recipe_of_a_table_is_called_by_its_file(here) -> None:
    recipe = load_recipe("odd.csv", ADD)
    assert recipe.name == "odd"
    assert recipe.scenario.options["columns"] == {"images": "shot", "answer": "verdict"}


def test_a_tsv_of_a_benchmark_is_refused_alike(here, capsys) -> None:
    rows = "".join(f"{n}\t{n}.png\tWhat color is {n}?\tred\n" for n in range(3))
    Path("odd.tsv").write_text(f"index\tfile\tquestion\tgold\n{rows}")
    Path("odd.yaml").write_text(
        "scenario_cfg: {dataset_name: Tsv, path: odd.tsv}\n"
        "eval_cfg: {inferencer_cfg: {inferencer_type: Direct}}\n"
    )
    assert main(["eval", "tiny", "odd.yaml"]) == 2
    err = capsys.readouterr().err
    assert "hold the images and the answers, and 'file', 'gold' would not be used" in err
    assert "rename the column of images to 'image_path' ('file' looks like it)" in err
    assert "to 'answer' ('gold' looks like it), or say which it is: dataset_name: Records" in err
    assert not list(here.rglob("predictions.jsonl"))
    assert main(["eval", "tiny", "odd.yaml", "--allow", "text-only", "unscored"]) == 0


def test_a_tsv_with_images_may_have_columns_that_are_not_used(here) -> None:
    Path("fine.tsv").write_text("index\timage_path\tquestion\tanswer\tsource\n1\t0.png\tq\tA\tx\n")
    section = {"dataset_name": "Tsv", "path": "fine.tsv"}
    asking = {"inferencer_cfg": {"inferencer_type": "Direct"}}
    use = load_recipe({"scenario_cfg": section, "eval_cfg": asking}).scenario.build()
    assert (use.column_use().unused, dict(use.column_use().lacking)) == (("source",), {})


def test_a_workbook_a_list_in_json_and_a_folder_of_classes_are_tables(here, capsys) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    for row in (["Bild", "Frage", "Antwort"], ["0.png", "Welche Farbe?", "blau"]):
        book.active.append(row)
    book.save("fragen.xlsx")
    Path("list.json").write_text('[{"image": "0.png", "question": "Which?", "answer": "blue"}]')
    for name, question in (("fragen.xlsx", "Welche Farbe?"), ("list.json", "Which?")):
        assert main(["list", name]) == 0
        assert f"question: {question}" in capsys.readouterr().out
    for name in ("dark", "light"):
        Path("classes", name).mkdir(parents=True)
        Image.new("RGB", (8, 8)).save(f"classes/{name}/1.png")
    assert main(["list", "classes"]) == 2
    assert "one for all rows: template: TEXT" in capsys.readouterr().err
    assert main(["list", "classes", "scenario_cfg.template=Is it dark?"]) == 0
    assert "answer    label" in capsys.readouterr().out


@pytest.mark.parametrize("variables", [{}, {"CHEF_CACHE": "cache"}])
def test_a_process_without_a_home_asks(here, capsys, monkeypatch, variables) -> None:
    """In a container a process may run as a user that no list names, without ``$HOME``."""

    def of_nobody(user: int) -> None:
        raise KeyError(user)

    monkeypatch.setattr(pwd, "getpwuid", of_nobody)
    for name in ("HOME", "XDG_STATE_HOME", "CHEF_CACHE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert main(["eval", "tiny", "odd.csv", *ADD, "--limit", "1"]) == 0
    assert "1 of 1 samples scored" in capsys.readouterr().out
    folder = cache_folder()
    assert "~" not in folder.parts
    assert not os.path.lexists("~")


def test_a_folder_may_be_called_like_a_home(here, capsys) -> None:
    Path("~of_no_user").mkdir()
    Path("odd.csv").rename("~of_no_user/odd.csv")
    root = "scenario_cfg.image_root=."
    assert main(["eval", "tiny", "~of_no_user/odd.csv", *ADD, root, "--limit", "1"]) == 0
    assert main(["eval", "tiny", "~of_no_user/even.csv"]) == 2
    assert "there is: ~of_no_user/odd.csv" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("header", "first"),
    [(",question,answer", "0,"), ("Unnamed: 0,question,answer", "0,"), ("question,answer,", "")],
)
def test_columns_without_a_name_are_no_images(here, capsys, header: str, first: str) -> None:
    """Pandas writes the numbers of rows in one, and spreadsheets leave empty ones at the end."""
    Path("mine.csv").write_text(f"{header}\n" + f"{first}Is it?,yes{'' if first else ','}\n" * 2)
    assert main(["eval", "tiny", "mine.csv", "--dry-run"]) == 0
    assert "not used" not in capsys.readouterr().err


def test_an_empty_file_of_json_is_a_table_without_rows(here, capsys) -> None:
    Path("none.json").touch()
    assert main(["eval", "tiny", "none.json"]) == 2
    assert "none.json: is " in capsys.readouterr().err


def test_a_table_that_may_not_be_read_says_so(here) -> None:
    error = unreadable(Path("odd.csv"), PermissionError(13, "Permission denied"))
    assert (error.what, error.hint) == (
        "cannot be read: Permission denied",
        "check its permissions",
    )


def test_a_run_goes_on_where_its_table_is_spelled_otherwise(here, capsys) -> None:
    command = ["eval", "tiny", "odd.csv", *ADD, "--run-name", "r"]
    assert main([*command, "--limit", "2"]) == 0
    command[2] = "./odd.csv"
    assert main(command) == 0
    command[2] = str(here / "odd.csv")
    assert main(command) == 0
    err = capsys.readouterr().err
    assert "2 of 3 samples are already answered" in err
    assert "nothing is asked" in err
    assert len(list(here.rglob("predictions.jsonl"))) == 1


def test_a_run_goes_on_in_another_folder(here, capsys, monkeypatch) -> None:
    command = ["eval", "tiny", "odd.csv", *ADD, "--run-name", "r"]
    assert main([*command, "--limit", "2"]) == 0
    (here / "inner").mkdir()
    monkeypatch.chdir(here / "inner")
    command[2] = "../odd.csv"
    assert main([*command, "--save-dir", "../results"]) == 0
    assert "2 of 3 samples are already answered" in capsys.readouterr().err
    for number in range(3):
        Path(f"../{number}.png").rename(f"{number}.png")
    Path("odd.csv").write_text(Path("../odd.csv").read_text().replace("What", "Which"))
    Path("more").mkdir()
    monkeypatch.chdir("more")
    assert main([*command, "--save-dir", "../../results"]) == 2  # another table of that name
    assert "the data files have changed since" in capsys.readouterr().err
