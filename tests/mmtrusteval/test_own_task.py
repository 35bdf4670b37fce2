"""Tasks of a user's own classes: as a file, from Python, and step by step."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from chef.mmtrusteval import BaseTask, Response
from mmtrusteval.conftest import CHAINS

from chef.cli import main
from chef.errors import ConfigError, ReplyError
from chef.models.hooks.mmtrusteval.model import ChatModel

#: The answers are yes to 1 and 2, and the truth is yes to 1 and 3: worked out by hand.
EXPECTED = {
    "first_letter:accuracy_score": 0.5,
    "first_letter:accuracy_score_small": 1.0,
    "first_letter:accuracy_score_large": 0.0,
    "rule_yes_or_no_eval:pred_mean": 0.5,
    "rule_yes_or_no_eval:pred_mean_small": 0.5,
    "rule_yes_or_no_eval:pred_mean_large": 0.5,
    "first_letter:pred_no_op": [0, 1, 1, 0],
    "content": ["Is 0 odd?", "Is 1 odd?", "Is 2 odd?", "Is 3 odd?"],
    "pred": ["No.", "Yes.", "Yes.", "No."],
    "label": [0, 1, 0, 1],
    "extra": [{"subset": "small"}] * 2 + [{"subset": "large"}] * 2,
}


class Steps(BaseTask):
    """Runs step by step, as it overrides one."""

    def get_handlers(self) -> None:
        super().get_handlers()


def task(kind: type[BaseTask], folder: Path, **given: Any) -> BaseTask:
    given = {"evaluator_seq_cfgs": CHAINS, "save_dir": folder / "results", **given}
    return kind("odd-numbers", given.pop("model_id", "parrot-1"), **given)


def without_rates(results: Mapping[str, Any]) -> dict[str, Any]:
    return {key: item for key, item in results.items() if ":failure_rate" not in key}


@pytest.mark.parametrize("kind", [BaseTask, Steps])
def test_a_task_gives_what_is_worked_out_by_hand(
    own: ModuleType, tmp_path: Path, kind: type[BaseTask]
) -> None:
    log = tmp_path / "logs" / "numbers.json"
    results = task(kind, tmp_path, log_file=str(log)).pipeline()
    assert without_rates(results) == EXPECTED
    assert {results[key] for key in results if ":failure_rate" in key} == {0.0}
    written = json.loads(log.read_text())
    totals = {key: item for key, item in EXPECTED.items() if not isinstance(item, list)}
    assert without_rates(written["total_results"]) == totals
    assert written["per_sample_results"][1] == {
        "first_letter:pred_no_op": 1,
        "content": "Is 1 odd?",
        "pred": "Yes.",
        "label": 1,
        "extra": {"subset": "small"},
    }
    assert own.Parrot.seen[0] == (
        "cuda:0",
        [{"role": "user", "content": "Is 0 odd?"}],
        {"max_new_tokens": 50, "do_sample": False},
    )


def test_a_task_file_runs_and_goes_on(own: ModuleType, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    content = {
        "plugins": ["own.py"],
        "dataset_id": "odd-numbers",
        "model_id": "parrot-2",
        "dataset_cfg": {"opening": "Would you say that"},
        "method_cfg": {"red-dot": {"img_dir": str(tmp_path / "images")}},
        "evaluator_seq_cfgs": CHAINS,
        "log_file": str(tmp_path / "log.json"),
    }
    file.write_text(yaml.safe_dump(content))
    command = ["eval", str(file), "--save_dir", str(tmp_path / "results")]
    assert main(command) == 0
    asked = [messages[0]["content"] for _, messages, _ in own.Parrot.seen]
    assert asked[0]["text"] == "Would you say that 0 odd?"
    assert {Path(item["image_path"]).parent.name for item in asked} == {"images"}
    assert main(command) == 0
    assert len(own.Parrot.seen) == 4  # finished: nothing is asked again
    log = json.loads((tmp_path / "log.json").read_text())
    assert log["per_sample_results"][0]["content"] == asked[0]
    assert log["run"]["model"] == "parrot-2"


@pytest.mark.parametrize("kind", [BaseTask, Steps])
def test_a_method_of_chefs_changes_a_users_data_set(
    own: ModuleType, tmp_path: Path, kind: type[BaseTask]
) -> None:
    method = {"unrelated-image-color": {"img_dir": str(tmp_path / "images")}}
    results = task(kind, tmp_path, method_cfg=method).pipeline()
    assert [item["text"] for item in results["content"]] == EXPECTED["content"]
    assert all(Path(item["image_path"]).is_file() for item in results["content"])


def test_what_a_subclass_overrides_is_used(own: ModuleType, tmp_path: Path) -> None:
    class Mine(BaseTask):
        def get_dataloader(self) -> list[list[dict[str, Any]]]:
            return [*super().get_dataloader()][1:]

        def generate(self, dataloader: Any, **generation_kwargs: Any) -> list[dict[str, Any]]:
            found = super().generate(dataloader, **generation_kwargs)
            return [{**item, "response": item["response"].upper()} for item in found]

        def eval(self, responses: Any) -> dict[str, Any]:
            return {**super().eval(responses), "mine:count": len(responses)}

        def save_results(self, results: Any) -> None:
            (tmp_path / "own.json").write_text(json.dumps(results["mine:count"]))

    results = task(Mine, tmp_path, log_file=str(tmp_path / "log.json")).pipeline()
    assert results["pred"] == ["YES.", "YES.", "NO."]
    assert (tmp_path / "own.json").read_text() == "3"
    assert not (tmp_path / "log.json").exists()
    assert not (tmp_path / "results").exists()


def test_a_judge_is_asked_step_by_step(own: ModuleType, tmp_path: Path) -> None:
    keys = {"prompt_template": "Is {pred} 1 or 2? {label}"}
    chains = [
        {
            "chatmodel_eval": keys,
            "rule_yes_or_no_eval": {"metrics_cfg": {"pred_mean": None}},
        }
    ]
    judge = {"model_cfg": {"model_name": "MMTrustEval", "model_id": "parrot-2"}}
    given = {"evaluator_seq_cfgs": chains, "judge_cfg": judge}
    found = task(Steps, tmp_path, **given).pipeline()
    assert found["chatmodel_eval:pred_no_op"] == ["Yes."] * 4
    assert found["chatmodel_eval->rule_yes_or_no_eval:pred_mean"] == 1.0
    assert own.Parrot.seen[4][1][0]["content"] == "Is No. 1 or 2? 0"


def test_a_model_of_chefs_answers_both_ways(own: ModuleType, tmp_path: Path) -> None:
    ways = [task(kind, tmp_path, model_id="tiny").pipeline() for kind in (BaseTask, Steps)]
    assert ways[0] == ways[1]


@pytest.mark.parametrize("kind", [BaseTask, Steps])
@pytest.mark.parametrize(
    ("given", "what", "hint"),
    [
        ({"dataset_cfg": {"openin": "Is"}}, "openin", "opening"),
        ({"model_id": "parot-1"}, "no model 'parot-1'", "parrot-1"),
        ({"method_cfg": {"red-dots": {}}}, "red-dots", "red-dot"),
        ({"evaluator_seq_cfgs": [{"first_leter": {}}]}, "first_leter", "first_letter"),
    ],
)
def test_what_is_misspelt_is_told(
    own: ModuleType,
    tmp_path: Path,
    kind: type[BaseTask],
    given: dict[str, Any],
    what: str,
    hint: str,
) -> None:
    with pytest.raises(ConfigError) as raised:
        task(kind, tmp_path, **given).pipeline()
    assert what in str(raised.value)
    assert hint in (raised.value.hint or "")
    assert own.Parrot.seen == []


def test_a_failed_reply_is_no_answer(own: ModuleType, tmp_path: Path) -> None:
    def chat(self: object, messages: Any, **_: Any) -> Response:
        if "2" in messages[0]["content"]:
            return Response("parrot-1", "Error in generation: timeout")
        return Response("parrot-1", "Yes.")

    own.Parrot.chat, kept = chat, own.Parrot.chat
    try:
        results = task(BaseTask, tmp_path).pipeline()
        assert len(results["pred"]) == 3  # the answer that there is not counts nowhere
        with pytest.raises(ReplyError, match="timeout"):
            task(Steps, tmp_path).pipeline()
    finally:
        own.Parrot.chat = kept


def test_replies_come_in_batches_where_the_class_has_them(own: ModuleType) -> None:
    from chef.types import Generate, Text, Turn

    batches = []

    def chat_batch(self: object, batch: Any, **kwargs: Any) -> list[str]:
        batches.append((len(batch), kwargs))
        return [messages[0]["content"] for messages in batch]

    asked = [Generate((Turn("user", (Text(text),)),), stop=("c",)) for text in ("abc", "d")]
    own.Parrot.chat_batch = chat_batch
    try:
        replies = ChatModel(model_id="parrot-1").generate(asked)
    finally:
        del own.Parrot.chat_batch
    assert [reply.text for reply in replies] == ["ab", "d"]
    assert batches == [(2, {"max_new_tokens": 16, "do_sample": False, "stop_sequences": ["c"]})]


ROWS = """\
import json
from pathlib import Path
from chef.mmtrusteval import BaseDataset, TxtSample
class Rows(BaseDataset):
    dataset_ids = ["rows"]
    def __init__(self, dataset_id, method_hook=None):
        super().__init__(dataset_id, method_hook)
        self.names = json.loads(Path(__file__).with_name("rows.json").read_text())
        self.dataset = [TxtSample(f"Is {name} odd?", 1) for name in self.names]
    def sample_id(self, index):
        return self.names[index]
    def __getitem__(self, index):
        if self.names[index] == "broken":
            raise ValueError("this row is broken")
        return self.dataset[index]
"""


def test_rows_that_are_new_are_asked_and_no_others(own: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "rows.py").write_text(ROWS)
    chains = [{"first_letter": {"metrics_cfg": {"pred_mean": None}}}]
    content = {"dataset_id": "rows", "model_id": "parrot-1", "evaluator_seq_cfgs": chains}
    file, log = tmp_path / "rows.yaml", tmp_path / "log.json"
    given = {"plugins": ["own.py", "rows.py"], **content, "log_file": str(log)}
    file.write_text(yaml.safe_dump(given))
    command = ["eval", str(file), "--save_dir", str(tmp_path / "results")]
    asked = []
    for names in (["1", "5", "broken"], ["7", "1", "5"]):
        own.Parrot.seen.clear()
        (tmp_path / "rows.json").write_text(json.dumps(names))
        code = main(command)
        asked.append((code, sorted(seen[1][0]["content"] for seen in own.Parrot.seen)))
    assert asked == [(1, ["Is 1 odd?", "Is 5 odd?"]), (0, ["Is 7 odd?"])]
    assert json.loads(log.read_text())["total_results"]["first_letter:pred_mean"] == 1 / 3
