"""Runs of a model behind a server from the command line: budgets, resuming, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import FAKES

from chef.cli import main
from chef.run.configuration import differences
from chef.run.session import traffic_of

PLUGIN = """\
import asyncio
from pathlib import Path

from chef.models.api.failures import Failure, RequestFailedError
from chef.models.api.server_model import Received, ServerModel
from chef.models.api.traffic import Traffic
from chef.types import Generated

LOG = Path(__file__).with_name("sent.txt")
NOW = [0]


class Counting(ServerModel):
    name = "counting"

    def __init__(self, traffic: Traffic, *, base_url: str = "http://s.test/v1",
                 api_key_env: str | None = None, refused: bool = False) -> None:
        super().__init__(traffic)
        self.base_url, self.api_key_env, self._refused = base_url, api_key_env, refused
        self._sent, self._two = 0, asyncio.Event()

    async def attempt(self, request):
        NOW[0] += 1
        with LOG.open("a") as file:
            file.write(f"{request.conversation[-1].text.split('?')[0]} {NOW[0]}\\n")
        if self._refused:
            raise RequestFailedError("status 401", Failure.UNAUTHORIZED)
        # The first question goes alone, to try the key. The next answer waits until two questions
        # are in flight, so that no machine is too slow for it.
        self._sent += 1
        if NOW[0] > 1:
            self._two.set()
        if self._sent > 1:
            await asyncio.wait_for(self._two.wait(), 20)
        NOW[0] -= 1
        return Received(Generated("zero", tokens=2), 100, 2)
"""
LOOP = """\
from chef.inferencer.direct import Direct


class Mine(Direct):
    def inference(self, model, dataset):
        for batch in dataset.batches(self.batch_size):
            prompts = self.instruction_handler.generate(batch)
            outputs = model.batch_generate(batch["image_path"], prompts, self.max_new_tokens)
            self._after_inference_step(
                [{"id": name, "answer": text} for name, text in zip(batch["id"], outputs)]
            )
"""


@pytest.fixture
def run(tmp_path: Path, recipe_file: Callable[..., Path]) -> Callable[..., int]:
    """Runs `chef eval` on forty samples, with options."""
    (tmp_path / "counting.py").write_text(PLUGIN)
    model = tmp_path / "m.yaml"
    model.write_text(
        "plugins: [counting.py]\nmodel_name: Counting\nprice_input: 10\nprice_output: 100\n"
    )
    recipe = recipe_file("Direct", 40)

    def run(*options: str, recipe: Path = recipe) -> int:
        given = ["--model_cfg", str(model), "--recipe_cfg", str(recipe)]
        return main(["eval", *given, "--save_dir", str(tmp_path / "out"), *options])

    return run


def sent(folder: Path) -> list[str]:
    """The numbers of the questions in the order in which they were sent."""
    return [line.split()[0] for line in (folder / "sent.txt").read_text().splitlines()]


def session(folder: Path) -> dict[str, Any]:
    (file,) = (folder / "out").rglob("environment.json")
    found: dict[str, Any] = json.loads(file.read_text())["sessions"][-1]
    return found


def test_a_run_tells_what_it_sent(run: Callable[..., int], tmp_path: Path, capsys: Any) -> None:
    assert run() == 0
    told = capsys.readouterr().err
    assert "at most 64 requests in flight" in told
    assert "40 requests, 4,000 tokens in, 80 out, cost 0.05, latency median " in told
    assert "in flight, cost 0.0" in told
    found = session(tmp_path)
    assert found["server"]["cost"] == pytest.approx(4000 * 10e-6 + 80 * 100e-6)
    assert found["server"]["most_in_flight"] > 4
    assert "batches" not in found


def test_a_spent_budget_ends_the_run_and_the_same_command_goes_on(
    run: Callable[..., int], tmp_path: Path, capsys: Any
) -> None:
    assert run("--model_args", "max_requests=15") == 3
    told = capsys.readouterr().err
    assert "max_requests is 15, 15 requests were sent; 15 of 40 samples are answered" in told
    (folder,) = (path.parent for path in (tmp_path / "out").rglob("config.yaml"))
    assert f"chef score {folder}" in told
    assert main(["score", str(folder)]) in (0, 1)
    assert run("--model_args", "max_requests=15") == 3
    # Other limits are another matter than another model: the run is found, and goes on.
    assert run("--model_args", "max_in_flight=2,request_timeout=9,api_key_env=OTHER") == 0
    assert sorted(sent(tmp_path), key=int) == [str(number) for number in range(40)]
    assert session(tmp_path)["asked"] == 10
    assert session(tmp_path)["server"]["most_in_flight"] == 2
    assert (
        run("--run_name", folder.name.partition("-")[2], "--model_args", "base_url=http://o") == 2
    )
    assert "model_cfg.base_url" in capsys.readouterr().err


def test_a_wrong_key_is_one_line_and_one_request(
    run: Callable[..., int], tmp_path: Path, capsys: Any
) -> None:
    assert run("--model_args", "refused=true,api_key_env=MY_KEY") == 2
    told = capsys.readouterr().err
    assert "http://s.test/v1: the server does not accept the key in MY_KEY (status 401)" in told
    assert sent(tmp_path) == ["0"]


def test_workers_are_refused_with_the_reason(
    run: Callable[..., int], tmp_path: Path, capsys: Any
) -> None:
    assert run("--workers", "2") == 2
    told = capsys.readouterr().err
    assert "max_in_flight" in told
    assert "leave the workers out" in told
    assert not (tmp_path / "out").exists()


def test_a_batch_size_is_not_used_and_that_is_told(
    run: Callable[..., int], tmp_path: Path, capsys: Any
) -> None:
    assert run("--batch_size", "2") == 0
    told = capsys.readouterr().err
    assert "the batch size 2 is not used" in told
    assert "--model_args max_in_flight=2" in told
    assert session(tmp_path)["server"]["most_in_flight"] > 4


def test_an_inferencer_with_its_own_loop_sends_its_batch_concurrently(
    run: Callable[..., int], tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text(LOOP)
    recipe = tmp_path / "mine.yaml"
    recipe.write_text(
        f"plugins: [{FAKES}, mine.py]\nscenario_cfg: {{dataset_name: Numbers, size: 40}}\n"
        "eval_cfg:\n  inferencer_cfg: {inferencer_type: Mine, batch_size: 10}\n"
    )
    assert run(recipe=recipe) == 0
    assert sorted(sent(tmp_path), key=int) == [str(number) for number in range(40)]
    assert 4 < session(tmp_path)["server"]["most_in_flight"] <= 10
    assert session(tmp_path)["asked"] == 40


def test_keys_of_the_traffic_are_free_only_where_the_model_has_all_of_them() -> None:
    from chef.models.api.traffic import TRAFFIC_KEYS

    full = dict.fromkeys(TRAFFIC_KEYS)
    before = {"model_cfg": {**full, "api_key_env": "A", "temperature": 0}}
    now = {"model_cfg": {**full, "max_attempts": 9, "api_key_env": "B", "temperature": 1}}
    assert differences(before, now) == ["model_cfg.temperature: 0 in the folder, 1 now"]
    assert differences({"model_cfg": {"max_attempts": 1}}, {"model_cfg": {"max_attempts": 2}})


def test_a_model_in_this_process_has_no_traffic() -> None:
    from fakes import Hashing

    assert traffic_of(Hashing()) == ""
