"""Image files that were replaced after they were asked: only their samples are asked again."""

from __future__ import annotations

import json
import os
from pathlib import Path

import PIL.Image
import pytest
from conftest import FAKES

import chef.run.asked_data
from chef.cli import main
from chef.image import Image
from chef.run.asked_data import IMAGES
from chef.run.journal import JOURNAL

SIZE = 4


class Tool:
    """``chef eval`` on questions about image files, which are replaced between the calls."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str], kind: str) -> None:
        self.folder, self.capsys = folder, capsys
        (folder / "m.yaml").write_text(f"plugins: [{FAKES}]\nmodel_name: Hashing\n")
        for number in range(SIZE):
            self.draw(number, number, old=True)
        if kind == "tsv":
            rows = [f"{n}\tWhat is it?\t{n}.png\tyes\tno\tA" for n in range(SIZE)]
            head = "index\tquestion\timage_path\tA\tB\tanswer"
            (folder / "q.tsv").write_text("\n".join([head, *rows]))
            scenario = f"{{dataset_name: Tsv, path: {folder / 'q.tsv'}}}"
        else:
            records = [
                {"id": str(n), "image": f"{n}.png", "query": "What is it?",
                 "gt_choices": ["yes", "no"], "gt_choice": 0}
                for n in range(SIZE)
            ]  # fmt: skip
            (folder / "meta_file").mkdir()
            (folder / "meta_file" / "VQA_ScienceQA.json").write_text(json.dumps(records))
            scenario = f"{{dataset_name: ScienceQA, base_data_path: {folder}}}"
        (folder / "r.yaml").write_text(
            f"scenario_cfg: {scenario}\neval_cfg: {{inferencer_cfg: {{inferencer_type: PPL}}}}\n"
        )
        self.command = ["eval", "--model_cfg", str(folder / "m.yaml"), "--recipe_cfg",
                        str(folder / "r.yaml"), "--save_dir", str(folder / "out")]  # fmt: skip

    def draw(self, number: int, colour: int, *, old: bool = False) -> None:
        file = self.folder / f"{number}.png"
        PIL.Image.new("RGB", (9, 9), (colour, 200, 0)).save(file)
        if old:
            os.utime(file, (1, 1))

    def __call__(self, *more: str) -> tuple[int, str]:
        code = main([*self.command, *more])
        return code, self.capsys.readouterr().err

    @property
    def run(self) -> Path:
        (found,) = (self.folder / "out").glob("*/*/*")
        return found

    def asked(self) -> list[int]:
        environment = json.loads((self.run / "environment.json").read_text())
        return [session["asked"] for session in environment["sessions"]]

    def journal(self) -> list[tuple[str, str]]:
        lines = [json.loads(line) for line in (self.run / JOURNAL).read_text().splitlines()]
        return [(line["id"], line["status"]) for line in lines]


@pytest.fixture(params=["tsv", "list"])
def tool(
    request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Tool:
    return Tool(tmp_path, capsys, request.param)


def test_samples_with_replaced_images_are_asked_again(tool: Tool) -> None:
    assert tool()[0] == 0
    first = tool.journal()
    tool.draw(2, 99)
    code, error = tool()
    assert code == 0
    assert "the images of 1 sample(s) have changed" in error
    assert "this run is finished" not in error
    assert "5/4" not in error
    assert "5sample [" not in error
    assert "3 of 4 samples are already answered" in error
    assert tool.asked() == [SIZE, 1]
    (name,) = {name for name, _ in tool.journal()[SIZE:]}
    assert tool.journal() == [*first, (name, "error"), (name, "ok")]
    assert "this run is finished" in tool()[1]  # once only
    assert tool.asked() == [SIZE, 1]


def test_a_replaced_file_is_noticed_behind_a_method(tool: Tool) -> None:
    noisy = "scenario_cfg.method_cfg=[{rotate: {}}]"
    assert tool(noisy)[0] == 0
    tool.draw(2, 99)
    assert "the images of 1 sample(s) have changed" in tool(noisy)[1]
    assert tool.asked() == [SIZE, 1]


def test_only_touched_files_are_decoded(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    tool()
    decoded: list[str] = []

    class Counted(Image):
        __slots__ = ()

        @property
        def digest(self) -> str:
            decoded.append(Path(self.name).name)
            return super().digest

    monkeypatch.setattr(chef.run.asked_data, "Image", Counted)
    tool()
    assert decoded == []
    os.utime(tool.folder / "1.png", (5, 5))  # written again, with the same pixels
    tool()
    assert decoded == ["1.png"]
    assert tool()[0] == 0
    assert decoded == ["1.png"]  # remembered
    (tool.run / IMAGES).unlink()  # as after kill -9, or of an earlier version
    tool()
    assert sorted(decoded) == ["0.png", "1.png", "1.png", "2.png", "3.png"]
    assert tool.asked() == [SIZE]


def test_a_file_replaced_during_the_session_is_noticed_by_the_next(tool: Tool) -> None:
    tool.draw(3, 3)  # as new as the session
    os.utime(tool.folder / "3.png")
    tool()
    tool.draw(3, 77)
    assert "the images of 1 sample(s) have changed" in tool()[1]


def test_gone_files_tell_nothing_and_broken_ones_are_asked(tool: Tool) -> None:
    tool()
    (tool.folder / "0.png").rename(tool.folder / "away.png")
    assert tool()[0] == 0
    assert tool.asked() == [SIZE]
    (tool.folder / "away.png").rename(tool.folder / "0.png")
    (tool.folder / "1.png").write_bytes(b"broken")
    code, error = tool()
    assert code == 1
    assert "images of 1 sample(s)" in error
    assert tool.journal()[-1][1] == "error"


def test_other_images_throughout_are_refused_or_reused(tool: Tool) -> None:
    tool()
    for number in range(SIZE):
        tool.draw(number, 100 + number)
    code, error = tool()
    assert code == 2
    assert "all image files have changed" in error
    assert "this run is finished" not in error
    assert tool.journal() == [item for item in tool.journal() if item[1] == "ok"]
    assert tool("--reuse-answers")[0] == 0
    assert tool.asked() == [SIZE]
    environment = json.loads((tool.run / "environment.json").read_text())
    (entry,) = environment["reused_answers"]
    assert entry["made_with"] == ["the images of 4 sample(s) have changed"]
    assert tool()[0] == 0  # accepted once and for all
    tool.draw(0, 50)
    assert "the images of 1 sample(s) have changed" in tool()[1]
