"""Recipe, model and run folder together."""

from __future__ import annotations

import dataclasses
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import Hashing

from chef.config import load_model, load_recipe
from chef.errors import ConfigError, DataError, RunError, SampleError
from chef.evaluator import Evaluator, RunOptions
from chef.run.folder import JOURNAL, RunFolder
from chef.run.subset import SampleIds, draw_indices
from chef.session.runners import LocalRunner

Write = Callable[..., Path]


def evaluator(path: Path, **options: int) -> Evaluator:
    return Evaluator(load_recipe(path), RunOptions(**options))


def run_recipe(path: Path, folder: Path, model_file: Path, model: Hashing, **options: int):
    built = evaluator(path, **options)
    with RunFolder(folder, built.config(load_model(model_file))) as store:
        return built.evaluate(model, store, LocalRunner(model))


def test_a_run_writes_all_result_files(
    recipe_file: Write, model_file: Path, tmp_path: Path
) -> None:
    report = run_recipe(recipe_file(), tmp_path / "run", model_file, Hashing())
    results = json.loads((tmp_path / "run" / "results.json").read_text())
    assert results["result"]["ACC"] == report.metrics["ACC"].value
    assert results["metrics"]["ACC"]["n"] == 20
    assert results["coverage"]["coverage"] == 1.0
    lines = [json.loads(line) for line in (tmp_path / "run" / JOURNAL).open()]
    assert {line["id"] for line in lines} == {f"n{n}" for n in range(20)}
    assert lines[0]["scores"]["ppl_results"]
    assert lines[0]["sample"]["gt_choice"] in range(4)
    scores = [json.loads(line) for line in (tmp_path / "run" / "scores.jsonl").open()]
    hits = [entry["metric_result"] for entry in scores]
    assert 100 * sum(hits) / 20 == pytest.approx(report.metrics["ACC"].value)
    environment = json.loads((tmp_path / "run" / "environment.json").read_text())
    assert environment["model_fingerprint"] == "hashing"
    assert environment["sessions"][0]["asked"] == 20
    assert "torch" in environment["versions"]


def test_a_finished_run_does_not_ask_again(
    recipe_file: Write, model_file: Path, tmp_path: Path
) -> None:
    first = run_recipe(recipe_file(), tmp_path / "run", model_file, Hashing())
    journal = (tmp_path / "run" / JOURNAL).read_bytes()
    again = Hashing()
    second = run_recipe(recipe_file(), tmp_path / "run", model_file, again, batch_size=3)
    assert again.calls == []
    assert second == first
    assert (tmp_path / "run" / JOURNAL).read_bytes() == journal


def test_errors_are_not_wrong_answers_and_are_retried(
    recipe_file: Write, model_file: Path, tmp_path: Path
) -> None:
    path = recipe_file()
    clean = run_recipe(path, tmp_path / "clean", model_file, Hashing())
    failed = run_recipe(path, tmp_path / "run", model_file, Hashing(broken="7?"))
    # 7? and 17? are shown a text with "7?"
    assert failed.coverage.errors == 2
    assert failed.coverage.coverage == 18 / 20
    assert failed.metrics["ACC"].n == 18
    repaired = Hashing()
    assert run_recipe(path, tmp_path / "run", model_file, repaired).to_json(
        samples=True
    ) == clean.to_json(samples=True)
    assert sum(len(call) for call in repaired.calls) == 2


def test_a_stopped_run_keeps_its_answers(
    recipe_file: Write, model_file: Path, tmp_path: Path
) -> None:
    class Dying(Hashing):
        def score(self, requests):
            if len(self.calls) == 2:
                raise RunError("the server is gone")
            return super().score(requests)

    path = recipe_file(size=30)
    with pytest.raises(RunError, match="the server is gone"):
        run_recipe(path, tmp_path / "run", model_file, Dying(), batch_size=5)
    resumed = Hashing()
    report = run_recipe(path, tmp_path / "run", model_file, resumed)
    assert sum(len(call) for call in resumed.calls) == 20
    whole = run_recipe(path, tmp_path / "whole", model_file, Hashing())
    assert report.to_json(samples=True) == whole.to_json(samples=True)
    sessions = json.loads((tmp_path / "run" / "environment.json").read_text())["sessions"]
    assert [session["asked"] for session in sessions] == [10, 20]


@pytest.mark.parametrize("broken", ["7?", None], ids=["half done", "finished"])
def test_other_weights_are_refused(
    broken: str | None, recipe_file: Write, model_file: Path, tmp_path: Path
) -> None:
    class Other(Hashing):
        def fingerprint(self) -> str:
            return "other weights"

    run_recipe(recipe_file(), tmp_path / "run", model_file, Hashing(broken=broken))
    with pytest.raises(ConfigError, match=r"its code, its settings or its weights\) has changed"):
        run_recipe(recipe_file(), tmp_path / "run", model_file, Other())


def test_other_wording_plugins_or_environment_are_refused(
    recipe_file: Write, model_file: Path, tmp_path: Path, monkeypatch
) -> None:
    import chef.instruction.handler as handler

    plugin = tmp_path / "extra.py"
    method = "    def generate_one(self, conversation, max_new_tokens): return str()\n"
    source = f"from chef.models import Model\nclass Extra(Model):\n    number = 1\n{method}"
    plugin.write_text(source)
    path = recipe_file()
    path.write_text(
        path.read_text()
        .replace("plugins: [", f"plugins: [{plugin}, ")
        .replace("size: 20", "size: ${oc.decode:${oc.env:CHEF_SIZE}}")
    )
    monkeypatch.setenv("CHEF_SIZE", "20")
    run_recipe(path, tmp_path / "run", model_file, Hashing())
    run_recipe(path, tmp_path / "run", model_file, Hashing())
    monkeypatch.setenv("CHEF_SIZE", "21")
    with pytest.raises(ConfigError, match=r"decided_by\.environment"):
        run_recipe(path, tmp_path / "run", model_file, Hashing())
    monkeypatch.setenv("CHEF_SIZE", "20")
    plugin.write_text(source.replace("1", "2"))
    monkeypatch.setattr("chef.config.plugins._loaded", {})  # as in a process of the next day
    with pytest.raises(ConfigError, match=r"decided_by\.plugins"):
        run_recipe(path, tmp_path / "run", model_file, Hashing())
    plugin.write_text(source)
    pool = handler.load_pool("VQA")
    changed = dataclasses.replace(pool, prompts=("{question} Well?", *pool.prompts[1:]))
    monkeypatch.setattr(handler, "load_pool", lambda _: changed)
    with pytest.raises(ConfigError, match=r"decided_by\.wording"):
        run_recipe(path, tmp_path / "run", model_file, Hashing())


def test_another_seed_is_refused_and_another_length_is_not(
    recipe_file: Write, model_file: Path, tmp_path: Path
) -> None:
    """A run of some samples grows into the whole run."""
    some, rest = Hashing(), Hashing()
    run_recipe(recipe_file(), tmp_path / "run", model_file, some, sample_len=5)
    with pytest.raises(ConfigError, match=r"run\.seed: 0 in the folder, 1 now"):
        run_recipe(recipe_file(), tmp_path / "run", model_file, rest, seed=1)
    report = run_recipe(recipe_file(), tmp_path / "run", model_file, rest)
    assert sum(len(call) for call in some.calls) == 5
    assert sum(len(call) for call in rest.calls) == 15
    whole = run_recipe(recipe_file(), tmp_path / "whole", model_file, Hashing())
    assert report.to_json(samples=True) == whole.to_json(samples=True)


def test_the_seed_determines_the_subset_and_the_sampling(recipe_file: Write) -> None:
    one, two = (evaluator(recipe_file("Direct"), sample_len=5, seed=seed) for seed in (1, 2))
    assert one.ids != two.ids
    sample = one.scenario[3]
    requests = [next(item.inferencer.infer(sample)) for item in (one, two)]
    assert requests[0].seed != requests[1].seed


def test_a_lone_surrogate_is_replaced_and_marked(
    recipe_file: Write, model_file: Path, tmp_path: Path
) -> None:
    from chef.types import Generated

    class Odd(Hashing):
        def generate(self, requests):
            return [
                Generated("\ud800" if "3?" in item.conversation[-1].text else "two")
                for item in requests
            ]

    report = run_recipe(recipe_file("Direct", size=10), tmp_path / "run", model_file, Odd())
    assert report.coverage.errors == 0
    lines = [json.loads(line) for line in (tmp_path / "run" / JOURNAL).open()]
    marked = [line["answer"] for line in lines if line["trace"].get("replaced_characters") == 1]
    assert marked == ["\ufffd"]


def test_sample_ids_that_do_not_match_are_refused(recipe_file: Write) -> None:
    built = evaluator(recipe_file())
    built.scenario.sample_id = lambda index: 3
    with pytest.raises(DataError, match="ids must be text"):
        SampleIds.of(built.scenario, [0])
    built.samples = SampleIds({"other": 0})
    with pytest.raises(SampleError, match="calls itself 'n0'"):
        built._make("other")


def test_samples_whose_id_occurs_before_are_errors(
    recipe_file: Write, model_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = recipe_file(size=6)
    numbers = type(evaluator(path).scenario)
    made = numbers.__getitem__
    monkeypatch.setattr(numbers, "sample_id", lambda self, index: f"n{min(index, 4)}")
    monkeypatch.setattr(
        numbers,
        "__getitem__",
        lambda self, index: replace(made(self, index), id=self.sample_id(index)),
    )
    report = run_recipe(path, tmp_path / "run", model_file, Hashing())
    assert (report.coverage.scored, report.coverage.errors) == (5, 1)
    lines = [json.loads(line) for line in (tmp_path / "run" / JOURNAL).open()]
    error = next(line["error"]["message"] for line in lines if line["error"])
    assert "sample 6 has the id 'n4' of sample 5" in error
    # Which one keeps the id does not depend on what is drawn.
    assert SampleIds.of(evaluator(path).scenario, [5]).positions == {"n4 (sample 6)": 5}


def test_bad_first_samples_do_not_stop_a_run(
    recipe_file: Write, model_file: Path, tmp_path: Path
) -> None:
    path = recipe_file(size=40)
    bad = list(range(30))
    path.write_text(path.read_text().replace("size: 40", f"size: 40\n  bad: {bad}"))
    assert evaluator(path).preview().sample.id == "n30"
    assert run_recipe(path, tmp_path / "run", model_file, Hashing()).coverage.scored == 10


def test_a_metric_that_fails_loses_no_answer(
    recipe_file: Write, model_file: Path, tmp_path: Path, monkeypatch
) -> None:
    from chef.metric.vqa.accuracy import Accuracy

    def fails(*_: object) -> None:
        raise ZeroDivisionError("of mine")

    monkeypatch.setattr(Accuracy, "metric_func", fails)
    with pytest.raises(RunError, match="the metric Accuracy failed: ZeroDivisionError"):
        run_recipe(recipe_file(), tmp_path / "run", model_file, Hashing())
    monkeypatch.undo()
    again = Hashing()
    assert run_recipe(recipe_file(), tmp_path / "run", model_file, again).coverage.scored == 20
    assert again.calls == []


def test_changed_data_is_refused(model_file: Path, tmp_path: Path) -> None:
    data, recipe = tmp_path / "data.tsv", tmp_path / "tsv.yaml"
    recipe.write_text(
        f"scenario_cfg: {{dataset_name: Tsv, path: {data}}}\n"
        "eval_cfg: {inferencer_cfg: {inferencer_type: PPL}}\n"
    )
    rows = "index\tquestion\tA\tB\tanswer\n1\tq7?\tone\ttwo\tA\n2\tr?\tone\ttwo\tB\n"
    data.write_text(rows)
    run_recipe(recipe, tmp_path / "run", model_file, Hashing(broken="q7?"))
    data.write_text(rows.replace("two\tB", "two\tA"))  # the only row with an answer
    with pytest.raises(ConfigError, match="the data files have changed"):
        run_recipe(recipe, tmp_path / "run", model_file, Hashing())


def test_a_recipe_incompatible_with_all_samples_is_refused_early(tmp_path: Path) -> None:
    path = tmp_path / "caption.yaml"
    path.write_text(
        "scenario_cfg: {dataset_name: Shapes, task: caption, ppl: false}\n"
        "eval_cfg: {inferencer_cfg: {inferencer_type: PPL}}\n"
    )
    with pytest.raises(ConfigError, match="use inferencer_type: Direct"):
        evaluator(path).preview()
    path.write_text(
        "scenario_cfg: {dataset_name: Shapes}\n"
        "eval_cfg:\n"
        "  instruction_cfg: {defined_prompt: What is this}\n"
        "  inferencer_cfg: {inferencer_type: Direct}\n"
    )
    with pytest.raises(ConfigError, match=r"has no \{question\}"):
        evaluator(path).preview()


def test_the_subset_is_drawn_with_the_seed_and_is_chefs() -> None:
    import numpy as np

    drawn = np.random.RandomState(0).choice(100, 8, replace=False).tolist()
    assert draw_indices(100, 8, 0) == drawn
    assert draw_indices(100, 8, 1) != drawn
    assert [*draw_indices(5, 8, 0)] == [0, 1, 2, 3, 4]
    assert draw_indices(100, 8, 0, lambda index: f"alone {index}") == drawn


def test_a_subset_takes_whole_groups() -> None:
    def group(index: int) -> str | None:
        return f"{index % 25}" if index < 100 else None

    chosen = draw_indices(110, 32, 0, group)
    assert len(chosen) <= 32
    assert len(chosen) > 32 - 4
    names = {group(index) for index in chosen if index < 100}
    assert sum(index < 100 for index in chosen) == 4 * len(names)
    assert set(chosen) < set(draw_indices(110, 64, 0, group))
    assert draw_indices(110, 64, 1, group) != draw_indices(110, 64, 0, group)


def test_one_group_may_be_larger_than_the_subset() -> None:
    assert draw_indices(6, 2, 0, lambda index: f"{index // 3}") in ([0, 1, 2], [3, 4, 5])


def png(size: tuple[int, int] = (8, 8)) -> bytes:
    from PIL import Image as Pillow

    stream = io.BytesIO()
    Pillow.effect_noise(size, 90).convert("RGB").save(stream, "PNG")
    return stream.getvalue()


def bomb() -> bytes:
    """A PNG of some bytes that claims 50,000 x 50,000 pixels."""
    import struct
    import zlib

    data = png()
    header = struct.pack(">II", 50_000, 50_000) + data[24:29]
    checksum = struct.pack(">I", zlib.crc32(b"IHDR" + header))
    return data[:16] + header + checksum + data[33:]


def test_every_kind_of_bad_image_is_one_recorded_error(model_file: Path, tmp_path: Path) -> None:
    images = {
        "good.png": png(),
        "corrupt.png": b"\x89PNG\r\n\x1a\n" + b"nonsense" * 20,
        "empty.png": b"",
        "truncated.png": png((64, 64))[:2000],
        "bomb.png": bomb(),
        "text.png": b"this is not an image",
        "fine.png": png((16, 8)),
    }
    rows = ["index\timage_path\tquestion\tA\tB\tanswer"]
    for number, (name, data) in enumerate([*images.items(), ("missing.png", None)]):
        if data is not None:
            (tmp_path / name).write_bytes(data)
        rows.append(f"{number}\t{name}\tWhat is it?\tone\ttwo\tA")
    (tmp_path / "bad.tsv").write_text("\n".join(rows) + "\n")
    recipe = tmp_path / "tsv.yaml"
    recipe.write_text(
        f"scenario_cfg: {{dataset_name: Tsv, path: {tmp_path / 'bad.tsv'}}}\n"
        "eval_cfg: {inferencer_cfg: {inferencer_type: PPL}}\n"
    )
    report = run_recipe(recipe, tmp_path / "run", model_file, Hashing())
    assert report.coverage.errors == 6
    assert report.metrics["ACC"].n == 2
    errors = {entry["id"]: entry["error"] for entry in report.samples if entry.get("error")}
    assert set(errors) == {"1", "2", "3", "4", "5", "7"}
    for name, error in errors.items():
        assert error["type"] in ("ImageError", "SampleError")
        number = int(name)
        assert (["", *images, ""])[number + 1] in error["message"]
