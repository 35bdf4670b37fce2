"""Whole runs: recipes that score options, by a server with the embedded model's checkpoint."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from models.api.scripted_server import Answer, ScriptedServer, completion, serve

import chef
from chef.errors import ConfigError
from chef.models.api.openai_model import OpenAIModel
from chef.models.api.settings import Server
from chef.scoring.result import RunResult


def served(server: ScriptedServer, **keys: Any) -> dict[str, Any]:
    """The content of a model file."""
    return {"model_name": "OpenAI", "base_url": server.base_url, "model": "tiny", **keys}


def lines(report: RunResult) -> dict[str, dict[str, Any]]:
    text = (report.folder / "predictions.jsonl").read_text()
    return {line["id"]: line for line in map(json.loads, text.splitlines())}


def check_equal(found: RunResult, expected: RunResult) -> None:
    mine, true = lines(found), lines(expected)
    assert mine.keys() == true.keys()
    for key, line in true.items():
        assert mine[key]["status"] == line["status"]
        assert mine[key]["answer"] == line["answer"]
        for measure in ("logprob_sums", "option_tokens", "CoT_answer"):
            if measure in line:
                assert mine[key][measure] == pytest.approx(line[measure], abs=1e-4)
    assert found.metrics.keys() == expected.metrics.keys()
    for name, metric in expected.metrics.items():
        assert found.metrics[name].value == pytest.approx(metric.value, abs=1e-4)


@pytest.mark.parametrize(
    ("recipe", "limit", "keys"),
    [
        ("Shapes/ppl", 6, {"logprobs": "prompt"}),
        ("Shapes/ppl_CoT", 4, {"logprobs": "prompt", "continues": True}),
        ("Shapes/classification_multi_ppl", 2, {"logprobs": "prompt"}),
        ("Shapes/detection_det_ppl", 2, {"logprobs": "prompt"}),
        ("Shapes/detection_conversation_ppl", 1, {"logprobs": "prompt"}),
        ("Shapes/calibration", 3, {"logprobs": "prompt"}),
        ("Shapes/yesno_ppl", 6, {"logprobs": "top", "top_logprobs": 700}),
        (
            "Shapes/color_ppl",
            6,
            {"logprobs": "top", "top_logprobs": 700, "continues": True},
        ),
    ],
)
def test_as_in_this_process(
    true_server: ScriptedServer, tmp_path: Path, recipe: str, limit: int, keys: dict[str, Any]
) -> None:
    tiny = {"model_name": "tiny", "dtype": "float32", "device": "cpu", "scoring": "naive"}
    expected = chef.evaluate(tiny, recipe, limit=limit, save_dir=tmp_path / "here")
    found = chef.evaluate(
        served(true_server, **keys), recipe, limit=limit, save_dir=tmp_path / "there"
    )
    assert len(lines(found)) == limit
    check_equal(found, expected)


def test_without_log_probabilities_options_are_refused(
    true_server: ScriptedServer, tmp_path: Path
) -> None:
    for recipe in ("Shapes/ppl", "Shapes/ppl_CoT", "Shapes/classification_multi_ppl"):
        with pytest.raises(ConfigError) as error:
            chef.evaluate(served(true_server), recipe, limit=4, save_dir=tmp_path)
        assert "inferencer_type: Direct" in str(error.value)
    assert true_server.bodies == []


def test_several_words_are_refused_before_the_first_sample(
    true_server: ScriptedServer, tmp_path: Path
) -> None:
    keys = {"logprobs": "top", "continues": True}
    with pytest.raises(ConfigError, match="several words"):
        chef.evaluate(served(true_server, **keys), "Shapes/caption_ppl", save_dir=tmp_path)
    assert true_server.bodies == []


def test_the_model_probes_what_its_file_states(true_server: ScriptedServer) -> None:
    ignoring = serve(Answer(completion("A")))
    for keys in ({"logprobs": "prompt"}, {"logprobs": "top", "continues": True}):
        model = OpenAIModel("tiny", server=Server(true_server.base_url), **keys)
        model.submit(model.probe()).result(30)
        model.close()
    with ignoring as server:
        model = OpenAIModel("tiny", server=Server(server.base_url), logprobs="prompt")
        with pytest.raises(ConfigError, match="no prompt_logprobs") as error:
            model.submit(model.probe()).result(30)
        model.close()
    assert "Direct" in str(error.value)


def test_an_option_that_is_not_listed_is_an_error_of_its_sample(
    true_server: ScriptedServer, tmp_path: Path
) -> None:
    """The embedded model is so sure that the colours of some samples are not in a short list."""
    keys = {"logprobs": "top", "top_logprobs": 20, "continues": True}
    report = chef.evaluate(
        served(true_server, **keys), "Shapes/color_ppl", limit=12, save_dir=tmp_path
    )
    found = lines(report)
    failed = [line for line in found.values() if line["status"] == "error"]
    assert failed
    assert all("likeliest first tokens" in line["error"]["message"] for line in failed)
    assert report.coverage.errors == len(failed)
