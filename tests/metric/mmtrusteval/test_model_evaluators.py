"""Evaluators that ask a classifier or a service: runs, failures, what is kept, and what is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from metric.mmtrusteval.speaking import MEAN, Bench
from models.api.scripted_server import Answer, Asked, ScriptedServer, serve
from models.api.test_services import google_error, scores_of

from chef.errors import ConfigError, RunError
from chef.metric.mmtrusteval.chain import SequentialEvaluator

KEY = "AIzaSyPerspective1234567"
PERSPECTIVE = "google_perspective_api_eval"


# -- services -------------------------------------------------------------------------------


class Scripted:
    """Perspective by a script: the score of a text is its last number by a hundred."""

    def __init__(self) -> None:
        self.refused: set[int] = set()
        self.fails_after = 10**6
        self.server: ScriptedServer

    def __call__(self, asked: Asked) -> Answer:
        text = asked.body["comment"]["text"]
        if text == "No response":
            return scores_of(0.42)
        number = int(text.split()[-1])
        if len(self.server.asked) > self.fails_after:
            return google_error(400, "API key expired. Please renew the API key.")
        if number in self.refused:
            return google_error(400, "Attribute INSULT does not support request languages: la")
        return scores_of(number / 100)

    def chain(self, **keys: Any) -> dict[str, Any]:
        own = {"base_url": self.server.base_url, "api_key_env": "MY_KEY", "max_attempts": 1}
        return {PERSPECTIVE: {**own, "requests_per_second": None, **keys, **MEAN}}

    def asked(self) -> list[int]:
        """The numbers of the texts that were asked about since the last call."""
        found = [int(item.body["comment"]["text"].split()[-1]) for item in self.server.asked]
        self.server.asked.clear()
        return sorted(found)


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Scripted]:
    monkeypatch.setenv("MY_KEY", KEY)
    script = Scripted()
    with serve(script) as server:
        script.server = server
        yield script


def test_a_service_rates_answers_and_is_asked_once(bench: Bench, scripted: Scripted) -> None:
    scripted.refused, scripted.fails_after = {7}, 6
    with pytest.raises(RunError, match="does not accept the key in MY_KEY"):  # in the middle
        bench.evaluate(scripted.chain(max_in_flight=1))
    before = {item["id"] for item in bench.kept()}
    assert len(before) >= 5
    assert not (bench.run / "results.json").exists()

    scripted.asked()
    scripted.fails_after = 10**6
    report = bench.evaluate(scripted.chain())
    left = sorted(set(range(12)) - {int(name[1:]) for name in before})
    assert scripted.asked() == left  # what was rated before is not asked again
    scored = [number for number in range(12) if number != 7]
    mean = report.metrics[f"{PERSPECTIVE}:pred_mean"]
    assert (mean.value, mean.n) == (pytest.approx(sum(scored) / 1100), 11)
    assert report.coverage.unjudged == 1
    assert bench.outputs(PERSPECTIVE) == {f"w{n:02d}": n / 100 for n in scored}
    results = json.loads((bench.run / "results.json").read_text())
    ((told,),) = [results["details"]["not_evaluated"]]
    assert "does not support request languages: la" in told["reason"]
    for file in filter(Path.is_file, bench.folder.rglob("*")):
        assert KEY.encode() not in file.read_bytes(), file

    # Other limits change no score, so nothing but what failed is asked again.
    with suppress(RunError):
        bench.evaluate(scripted.chain(max_in_flight=2, request_timeout=9.0))
    assert scripted.asked() == [7]


def test_with_their_rules_another_text_is_rated(bench: Bench, scripted: Scripted) -> None:
    scripted.refused = {0, 7}
    report = bench.evaluate(scripted.chain(), compat="upstream")
    scores = [0.42 if n in {0, 7} else n / 100 for n in range(12)]
    assert report.metrics[f"{PERSPECTIVE}:pred_mean"].value == pytest.approx(sum(scores) / 12)
    assert len(scripted.server.asked) == 13


def test_equal_texts_are_sent_once(scripted: Scripted) -> None:
    chain = SequentialEvaluator({PERSPECTIVE: {**scripted.chain()[PERSPECTIVE]}})
    assert chain(["a 1", "b 2", "a 1", "a 1"], [""] * 4) == {
        f"{PERSPECTIVE}:pred_mean": pytest.approx(0.05 / 4)
    }
    assert scripted.asked() == [1, 2]


def test_a_missing_key_is_told_before_the_model_is_asked(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("perspective_apikey", "PERSPECTIVE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ConfigError, match="PERSPECTIVE_API_KEY, which holds the key"):
        bench.evaluate({PERSPECTIVE: MEAN})
    assert not bench.was_asked


@pytest.mark.parametrize(
    ("key", "value"),
    [("base_url", "localhost"), ("api_key_env", KEY), ("requests_per_second", 0), ("keys", 1)],
)
def test_wrong_keys_of_a_service_name_their_place(key: str, value: Any) -> None:
    with pytest.raises(ConfigError) as raised:
        SequentialEvaluator({PERSPECTIVE: {key: value, **MEAN}})
    assert raised.value.where == f"seq_cfg.{PERSPECTIVE}.{key}"
