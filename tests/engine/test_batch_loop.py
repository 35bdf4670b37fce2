"""An inferencer with a batch loop of its own: journaled, resumed, one failure is one error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import FAKES

from chef.config import load_model, load_recipe
from chef.errors import RunError
from chef.evaluator import Evaluator, RunOptions
from chef.run.folder import RunFolder
from chef.session.runners import LocalRunner
from chef.types import Prediction, Status

PLUGIN = """\
from chef.inferencer.direct import Direct

CALLS = []

class Mine(Direct):
    def inference(self, model, dataset):
        CALLS.append([len(dataset), self.batch_size])
        for batch in dataset.batches(self.batch_size):
            prompts = self.instruction_handler.generate(batch)
            outputs = model.batch_generate(batch["image_path"], prompts, self.max_new_tokens)
            predictions = [
                {"id": batch["id"][i], "query": prompts[i], "answer": outputs[i], "extra": i,
                 "question": batch["question"][i], "image_path": batch["image_path"][i]}
                for i in range(len(outputs))
            ]
            self._after_inference_step(predictions)
"""
LATE = (
    PLUGIN.replace("        for batch", "        predictions = []\n        for batch")
    .replace("predictions = [\n", "predictions += [\n")
    .replace("            self._after", "        self._after")
)
RECIPE = """\
plugins: [{fakes}, mine.py]
scenario_cfg: {{dataset_name: Numbers, size: 23}}
eval_cfg:
  inferencer_cfg: {{inferencer_type: Mine, batch_size: 4}}
"""


@pytest.fixture
def ready(tmp_path: Path):
    """An evaluator, its model, and a way to run them in one folder."""

    def ready(plugin: str = PLUGIN, model_keys: str = "", name: str = "mine", **options: int):
        place = tmp_path / name
        place.mkdir(exist_ok=True)
        (place / "mine.py").write_text(plugin)
        (place / "r.yaml").write_text(RECIPE.format(fakes=FAKES))
        (place / "m.yaml").write_text(f"plugins: [{FAKES}]\nmodel_name: Hashing\n{model_keys}")
        spec = load_model(place / "m.yaml")
        evaluator = Evaluator(load_recipe(place / "r.yaml"), RunOptions(**options))
        return evaluator, spec.model.build(), spec

    return ready


def run_recipe(evaluator, model, spec, path: Path, on_prediction=None):
    with RunFolder(path, evaluator.config(spec)) as folder:
        report = evaluator.evaluate(model, folder, LocalRunner(model), on_prediction=on_prediction)
        return dict(folder.finished), report


def answers(found: dict[str, Prediction]) -> dict[str, object]:
    return {name: prediction.answer for name, prediction in found.items()}


def direct(tmp_path: Path, **keys: object) -> dict[str, Prediction]:
    path = tmp_path / "direct.yaml"
    path.write_text(RECIPE.format(fakes=FAKES).replace(", mine.py", "").replace("Mine", "Direct"))
    (tmp_path / "m.yaml").write_text(f"plugins: [{FAKES}]\nmodel_name: Hashing\n")
    spec = load_model(tmp_path / "m.yaml")
    return run_recipe(Evaluator(load_recipe(path)), spec.model.build(), spec, tmp_path / "direct")[
        0
    ]


@pytest.mark.parametrize("plugin", [PLUGIN, LATE], ids=["batch by batch", "all at the end"])
def test_it_answers_as_the_engine_does(ready, tmp_path: Path, plugin: str) -> None:
    found, report = run_recipe(*ready(plugin), tmp_path / "run")
    assert answers(found) == answers(direct(tmp_path))
    assert report.coverage.scored == 23
    one = found["n5"]
    assert one.sample["gt_answers"] == "one"
    assert one.trace["query"] == "5? long long long long long\nThe answer is"
    assert one.trace["extra"] == 1
    assert "image_path" not in one.trace
    assert "question" not in one.trace  # the sample says it


def test_batches_are_the_loops_own(ready, tmp_path: Path) -> None:
    evaluator, model, spec = ready()
    run_recipe(evaluator, model, spec, tmp_path / "run")
    assert [len(call) for call in model.calls] == [4, 4, 4, 4, 4, 3]
    evaluator, model, spec = ready(batch_size=10)
    run_recipe(evaluator, model, spec, tmp_path / "other")
    assert [len(call) for call in model.calls] == [10, 10, 3]
    session = json.loads((tmp_path / "other" / "environment.json").read_text())["sessions"][0]
    assert (session["requests"], session["asked"]) == (23, 23)


def test_a_crash_keeps_what_was_handed_over_and_nothing_is_asked_twice(
    ready, tmp_path: Path
) -> None:
    class PowerCutError(Exception):
        pass

    seen = []

    def cut(prediction: Prediction) -> None:
        seen.append(prediction.sample_id)
        if len(seen) == 9:
            raise PowerCutError

    evaluator, model, spec = ready()
    with pytest.raises(PowerCutError):
        run_recipe(evaluator, model, spec, tmp_path / "run", cut)
    assert len((tmp_path / "run" / "predictions.jsonl").read_text().splitlines()) == 9
    evaluator, again, spec = ready()
    found, _ = run_recipe(evaluator, again, spec, tmp_path / "run")
    assert answers(found) == answers(direct(tmp_path))
    asked = [text for call in again.calls for text in call]
    assert len(asked) == 23 - 9
    assert not any(text.startswith(("0?", "8?")) for text in asked)


@pytest.mark.parametrize("plugin", [PLUGIN, LATE], ids=["batch by batch", "all at the end"])
def test_a_request_that_fails_is_one_error(ready, tmp_path: Path, plugin: str) -> None:
    found, report = run_recipe(*ready(plugin, "broken: '13?'\n"), tmp_path / "run")
    assert [name for name, item in found.items() if item.status is Status.ERROR] == ["n13"]
    assert "cannot digest 13" in found["n13"].error["message"]
    assert report.coverage.scored == 22


@pytest.mark.parametrize("plugin", [PLUGIN, LATE], ids=["batch by batch", "all at the end"])
def test_a_sample_that_cannot_be_made_is_one_error(ready, tmp_path: Path, plugin: str) -> None:
    evaluator, model, spec = ready(plugin)
    evaluator.scenario.bad = frozenset({2, 3, 20})
    found, _ = run_recipe(evaluator, model, spec, tmp_path / "run")
    failed = {name for name, item in found.items() if item.status is Status.ERROR}
    assert failed == {"n2", "n3", "n20"}
    assert "made bad on purpose" in found["n2"].error["message"]


def test_memory_that_does_not_suffice_halves_the_batch(ready, tmp_path: Path) -> None:
    found, report = run_recipe(*ready(model_keys="rows_that_fit: 2\n"), tmp_path / "run")
    assert report.coverage.scored == 23
    assert answers(found) == answers(direct(tmp_path))


def test_a_loop_that_always_fails_ends_the_run(ready, tmp_path: Path) -> None:
    broken = PLUGIN.replace("prompts = self", "1 / 0\n            prompts = self")
    with pytest.raises(RunError, match=r"16 samples in a row failed in Mine; .*ZeroDivision"):
        run_recipe(*ready(broken), tmp_path / "run")


def test_a_sample_passed_over_is_an_error(ready, tmp_path: Path) -> None:
    lazy = PLUGIN.replace("range(len(outputs))", "range(len(outputs)) if batch['id'][i] != 'n7'")
    lazy = lazy.replace("for i in range(len(outputs)) if", "for i in range(len(outputs))\n if")
    found, _ = run_recipe(*ready(lazy), tmp_path / "run")
    assert [name for name, item in found.items() if item.status is Status.ERROR] == ["n7"]
    assert "no prediction" in found["n7"].error["message"]


def test_a_prediction_without_a_name_is_refused(ready, tmp_path: Path) -> None:
    nameless = PLUGIN.replace('"id": batch["id"][i], ', "")
    with pytest.raises(RunError, match="a prediction needs 'answer' and the 'id'"):
        run_recipe(*ready(nameless), tmp_path / "run")


def test_other_ways_of_writing_the_loop(ready, tmp_path: Path) -> None:
    loader = PLUGIN.replace(
        "dataset.batches(self.batch_size)",
        "DataLoader(dataset, batch_size=self.batch_size, collate_fn=dataset.collate)",
    ).replace("CALLS = []", "CALLS = []\nfrom torch.utils.data import DataLoader")
    loader = loader.replace(
        'model.batch_generate(batch["image_path"], prompts, self.max_new_tokens)',
        "model.generate(prompts)",
    )
    found, _ = run_recipe(*ready(loader, name="loader"), tmp_path / "run")
    assert answers(found) == answers(direct(tmp_path))


def test_images_examples_and_scores_reach_the_model(tmp_path: Path, ready) -> None:
    """On the drawn shapes: with in-context examples, the loop's own wording, and options."""
    (tmp_path / "mine.py").write_text(
        "from chef.inferencer.direct import Direct\n"
        "class Mine(Direct):\n"
        "    def inference(self, model, dataset):\n"
        "        assert (dataset.dataset_name, dataset.task_name) == ('Shapes', 'VQA')\n"
        "        for batch in dataset.batches(1):\n"
        "            prompts = self.instruction_handler.generate(batch)\n"
        "            whole = model.batch_generate(batch['image_path'], prompts)\n"
        "            own = model.batch_generate(batch['image_path'], ['Hm?'] * len(prompts), 3)\n"
        "            for i, options in enumerate(batch['options']):\n"
        "                rows = len(options)\n"
        "                scores = model.ppl_inference([None] * rows, [prompts[i]] * rows,\n"
        "                    options, ['The answer is ' + option for option in options])\n"
        "                self._after_inference_step({'id': batch['id'][i], 'answer': whole[i],\n"
        "                    'own': own[i], 'scores': scores})\n"
    )
    (tmp_path / "r.yaml").write_text(
        "plugins: [mine.py]\nscenario_cfg: {dataset_name: Shapes, size: 4}\n"
        "eval_cfg:\n  instruction_cfg:\n    incontext_cfg: {retriever_type: fixed, ice_num: 1}\n"
        "  inferencer_cfg: {inferencer_type: Mine}\n"
    )
    (tmp_path / "m.yaml").write_text(f"plugins: [{FAKES}]\nmodel_name: Hashing\n")
    spec, evaluator = load_model(tmp_path / "m.yaml"), Evaluator(load_recipe(tmp_path / "r.yaml"))
    model = spec.model.build()
    found, _ = run_recipe(evaluator, model, spec, tmp_path / "run")
    assert {str(item.error) for item in found.values()} == {"None"}
    whole, own, scored = model.calls[0][0], model.calls[1][0], model.calls[2]
    sample = evaluator.scenario[0]
    assert sample.images[0].digest in whole
    assert whole.count("The answer is") == 3  # asked twice, answered once
    assert own == f"{sample.images[0].digest}|Hm?"
    assert scored == [whole]  # one request for the options of one prompt
    options = len(sample.options)
    assert len(found[sample.id].trace["scores"]) == options
