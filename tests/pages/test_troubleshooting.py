"""Every message that docs/troubleshooting.md quotes is one that chef prints; `...` is any text."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator

import pytest
from conftest import ROOT
from document import Block, blocks

from chef.cli import main

QUOTED = [block for block in blocks(ROOT / "docs" / "troubleshooting.md")
          if block.language == "text"]  # fmt: skip
SHAPES = "scenario_cfg: {dataset_name: Shapes}\n"
PPL = "eval_cfg:\n  inferencer_cfg: {inferencer_type: PPL}\n"
DIRECT = "eval_cfg:\n  inferencer_cfg: {inferencer_type: Direct}\n"
TSV = f"scenario_cfg: {{dataset_name: Tsv, path: rows.tsv}}\n{PPL}"
FILES = {
    "recipe.yaml": f"scenario_cfg:\n  dataset_name: Shapes\n  sice: 20\n{PPL}",
    "tabs.yaml": "scenario_cfg:\n\tdataset_name: Shapes\n",
    "half.yaml": PPL,
    "secret.yaml": TSV.replace("rows.tsv", '"${oc.env:MY_DATA}/x.tsv"'),
    "metric.yaml": f"{SHAPES}{PPL}  metric_cfg: {{metric_type: Acuracy}}\n",
    "mismatch.yaml": f"{SHAPES}{DIRECT}  metric_cfg: {{metric_type: ScienceQA_Calibration}}\n",
    "tsv.yaml": TSV,
    "rows.tsv": "index\tquestion\tA\tB\tanswer\timage_path\n"
    "1\tWhich?\tred\tblue\tC\t\n"
    "2\tWhich?\tred\tblue\tA\tmissing.png\n"
    "3\tWhich?\tred\tblue\tA\t\n"
    "3\tAgain?\tred\tblue\tA\t\n",
    "commas.tsv": "index,question,answer\n1,a,b\n",
    "my.xlsx": "",
    "kosmos.yaml": "model_name: Kosmos2\n",
    "hf.yaml": "model_name: HuggingFace\n",
    "plugin.yaml": "plugins: [my_modle.py]\nmodel_name: Mine\n",
    "my_model.yaml": "plugins: [my_model.py]\nmodel_name: Mine\n",
    "my_model.py": "from chef.models import Model\n\n\nclass Mine(Model):\n"
    "    def generate_one(self, conversation, max_new_tokens):\n        return {}['colour']\n",
    "answers.jsonl": '{"id": "1", "answer": "x"}\n',
}
JUDGED = ("tiny Shapes/direct", "--limit 4 --run_name judged")
JUDGED_RUN = "results/tiny/Shapes/direct-judged"
RUN = ("tiny Shapes/ppl", "--limit 4 --run_name done")
#: What a user typed: model and recipe with more arguments, or any other command.
COMMANDS: tuple[str | tuple[str, str], ...] = (
    "evl",
    "eval --model_cfg tiny",
    "eval --tasks Shapes/ppl",
    ("tiny Shapes/ppl", "dtype=int4"),
    ("tiny Shapes/ppl", "size=5"),
    ("tiny Shapes/pp", ""),
    ("Shapes/ppl tiny", ""),
    (f"tiny {ROOT}/configs/recipes/Shapes", ""),
    ("tiny MMBench/ppl", ""),
    ("plugin.yaml Shapes/direct", ""),
    ("tiny recipe.yaml", ""),
    ("tiny tabs.yaml", ""),
    ("tiny half.yaml", ""),
    ("tiny secret.yaml", ""),
    ("tiny metric.yaml", ""),
    ("tiny mismatch.yaml", ""),
    ("tiny Shapes/ppl", "--dtype int4"),
    ("hf.yaml Shapes/ppl", ""),
    ("kosmos.yaml Shapes/ppl", ""),
    ("hf:./checkpoints/mine Shapes/ppl", ""),
    ("hf:no-such/model Shapes/ppl", "--dry-run"),
    ("tiny Shapes/ppl", "--device cuda:77"),
    ("my_model.yaml Shapes/ppl", "--limit 3"),
    ("my_model.yaml Shapes/direct", "--limit 3"),
    ("my_model.yaml Shapes/direct", "--limit 40"),
    ("tiny tsv.yaml", "scenario_cfg.path=commas.tsv"),
    ("tiny tsv.yaml", "scenario_cfg.path=my.xlsx"),
    ("tiny tsv.yaml", ""),
    RUN,
    RUN,
    ("tiny Shapes/ppl", "--limit 4 --run_name done scenario_cfg.seed=1"),
    ("tiny Shapes/ppl", "--limit 2 --run_name done"),
    "score results/tiny/Shapes",
    "score answers.jsonl",
    JUDGED,
    f"judge {JUDGED_RUN} --judge_cfg tiny judge_cfg.kind=grade",
    f"score {JUDGED_RUN} --metric JudgedGrade",
    f"judge {JUDGED_RUN} --judge_cfg tiny --metric JudgedGrade judge_cfg.max_new_tokens=16",
    "judge recipe.yaml",
)


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """What each command prints, in one folder, one after another."""
    folder = tmp_path_factory.mktemp("mistakes")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.delenv("MY_DATA", raising=False)
        yield [_printed(command) for command in COMMANDS]


def _printed(command: str | tuple[str, str]) -> str:
    if isinstance(command, tuple):
        (model, recipe), more = command[0].split(), command[1]
        command = f"eval --model_cfg {model} --recipe_cfg {recipe} {more}"
    out = io.StringIO()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(out),
        contextlib.suppress(SystemExit),
    ):
        main(command.split())
    return out.getvalue()


def _pattern(block: Block) -> re.Pattern[str]:
    lines = block.text.rstrip("\n").splitlines()
    return re.compile(r"\n".join(".*".join(map(re.escape, line.split("..."))) for line in lines))


@pytest.mark.parametrize("block", QUOTED, ids=str)
def test_the_message_is_printed(block: Block, printed: list[str]) -> None:
    pattern = _pattern(block)
    assert any(pattern.search(text) for text in printed), block.text


def test_there_are_many_and_every_mistake_is_on_the_page(printed: list[str]) -> None:
    assert len(QUOTED) >= 20
    patterns = [_pattern(block) for block in QUOTED]
    for command, text in zip(COMMANDS, printed, strict=True):
        if command not in (RUN, JUDGED):  # the first time it is no mistake
            assert any(pattern.search(text) for pattern in patterns), command
