"""Every message that the page of messages quotes is one that chef prints; `...` is any text."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator, Mapping

import pytest
from conftest import ROOT
from document import Block, blocks
from models.api.scripted_server import Answer, Asked, completion, serve

from chef.cli import main

QUOTED = [block for block in blocks(ROOT / "docs" / "reference" / "messages.md")
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
    "pasted.yaml": "model_name: OpenAI\nbase_url: http://h.test/v1/chat/completions\nmodel: some\n",
    "scheme.yaml": "model_name: OpenAI\nbase_url: localhost:8000/v1\nmodel: some\n",
    "in_file.yaml": "model_name: OpenAI\napi_key: k7dq-Zw93mmXe41\nmodel: some\n",
    "answers.jsonl": '{"id": "1", "answer": "x"}\n',
}
#: What the server of ``NAME.yaml`` answers: to a request for its models, and to a question.
SERVERS = {
    "lost": (Answer("Not Found", 404), Answer("Not Found", 404)),
    "other": (
        Answer({"data": [{"id": "some-7b"}]}),
        Answer({"error": {"message": "The model `some` does not exist"}}, 404),
    ),
    "locked": (Answer("Unauthorized", 401), Answer("Unauthorized", 401)),
    "loading": (Answer("", 503), Answer("still loading", 503)),
    "good": (Answer({"data": [{"id": "some"}]}), Answer(completion("(A)"))),
}
DOWN = "model_cfg.base_url=http://127.0.0.1:9/v1 model_cfg.max_attempts=1"
JUDGED = ("tiny Shapes/direct", "--limit 4 --run_name judged")
JUDGED_RUN = "results/tiny/Shapes/direct-judged"
RUN = ("tiny Shapes/ppl", "--limit 4 --run_name done")
#: What a user typed: model and recipe with more arguments, or any other command.
COMMANDS: tuple[str | tuple[str, str], ...] = (
    "evl",
    "eval --model_cfg tiny",
    "eval --cfg Shapes/ppl",
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
    ("good.yaml Shapes/direct", DOWN),
    ("pasted.yaml Shapes/direct", ""),
    ("scheme.yaml Shapes/direct", ""),
    ("lost.yaml Shapes/direct", "v2"),
    ("lost.yaml Shapes/direct", "bare"),
    ("other.yaml Shapes/direct", ""),
    ("good.yaml Shapes/direct", "model_cfg.api_key_env=MY_SERVER_KEY"),
    ("locked.yaml Shapes/direct", ""),
    ("in_file.yaml Shapes/direct", ""),
    ("good.yaml Shapes/ppl", ""),
    ("good.yaml Shapes/direct", "--workers 2"),
    ("loading.yaml Shapes/direct", "model_cfg.max_attempts=2"),
    ("good.yaml Shapes/direct", "--limit 8 model_cfg.max_requests=3 model_cfg.max_in_flight=1"),
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
    f"score {JUDGED_RUN} --judge tiny judge_cfg.kind=grade",
    f"score {JUDGED_RUN} --metric JudgedGrade",
    f"score {JUDGED_RUN} --judge tiny --metric JudgedGrade judge_cfg.max_new_tokens=16",
    "score recipe.yaml --judge",
)


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """What each command prints, in one folder, one after another."""
    folder = tmp_path_factory.mktemp("mistakes")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    with pytest.MonkeyPatch.context() as patch, contextlib.ExitStack() as servers:
        patch.chdir(folder)
        patch.delenv("MY_DATA", raising=False)
        patch.delenv("MY_SERVER_KEY", raising=False)
        addresses = {}
        for name, (models, chat) in SERVERS.items():
            server = servers.enter_context(serve(_script(models, chat)))
            text = f"model_name: OpenAI\nname: some\nmodel: some\nbase_url: {server.base_url}\n"
            (folder / f"{name}.yaml").write_text(text)
            addresses[name] = server.base_url.removesuffix("/v1")
        ends = {"v2": f"{addresses['lost']}/v2", "bare": addresses["lost"]}
        yield [_printed(command, ends) for command in COMMANDS]


def _script(models: Answer, chat: Answer) -> Callable[[Asked], Answer]:
    return lambda asked: models if asked.path.endswith("/models") else chat


def _printed(command: str | tuple[str, str], addresses: Mapping[str, str]) -> str:
    if isinstance(command, tuple):
        (model, recipe), more = command[0].split(), command[1]
        if more in addresses:
            more = f"model_cfg.base_url={addresses[more]}"
        command = f"eval --model_cfg {model} --recipe_cfg {recipe} {more}"
    out = io.StringIO()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(out),
        contextlib.suppress(SystemExit),
    ):
        main(command.split())
    return out.getvalue()


@pytest.mark.parametrize("block", QUOTED, ids=str)
def test_the_message_is_printed(block: Block, printed: list[str]) -> None:
    pattern = block.printed
    assert any(pattern.search(text) for text in printed), block.text


def test_there_are_many_and_every_mistake_is_on_the_page(printed: list[str]) -> None:
    assert len(QUOTED) >= 20
    patterns = [block.printed for block in QUOTED]
    for command, text in zip(COMMANDS, printed, strict=True):
        if command not in (RUN, JUDGED):  # the first time it is no mistake
            assert any(pattern.search(text) for pattern in patterns), command
