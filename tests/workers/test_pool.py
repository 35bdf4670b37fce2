"""Workers: the same journal as one process, whatever dies on the way."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import FAKES, ROOT
from mmtrusteval_data import write_mmtrusteval
from workers.fragile import FRAGILE, allow_one_death, complete, pool_of

import chef
from chef.cli import main
from chef.config import load_model, load_recipe
from chef.errors import ConfigError, RunError
from chef.evaluator import Evaluator, RunOptions
from chef.run.answers import encode
from chef.run.folder import JOURNAL, RunFolder, load_predictions
from chef.session.recipe_run import RecipeRun
from chef.session.runners import LocalRunner
from chef.types import Prediction, Status
from chef.workers.cluster import connect
from chef.workers.pool import RayPool

Write = Callable[..., Path]


@pytest.fixture(scope="module")
def ray() -> Iterator[None]:
    """One Ray for all tests of this file that do not start their own."""
    cluster = connect(4, None)
    yield
    cluster.close()


@pytest.fixture(scope="module")
def pool(ray: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RayPool]:
    """Two workers with the fake model, a plugin."""
    path = tmp_path_factory.mktemp("pool") / "hashing.yaml"
    path.write_text(f"plugins: [{FAKES}]\nmodel_name: Hashing\n")
    found = complete(pool_of(path, 2))
    yield found
    found.close()


@pytest.fixture
def fragile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model file of `FRAGILE`, which imports `fakes` from where the tests do."""
    (tmp_path / "fragile.py").write_text(FRAGILE)
    path = tmp_path / "fragile.yaml"
    path.write_text("plugins: [fragile.py]\nmodel_name: Fragile\n")
    return path


def run_recipe(
    recipe: Path,
    folder: Path,
    source: RayPool | Path,
    on_prediction: Callable[[Prediction], None] | None = None,
    **options: int,
) -> bytes:
    """Run a recipe by workers, or by the model of a file in this process; its journal, sorted."""
    spec = load_model(source) if isinstance(source, Path) else source.spec
    pool = None if isinstance(source, Path) else source
    evaluator = Evaluator(load_recipe(recipe), RunOptions(**options))
    with RunFolder(folder, evaluator.config(spec)) as store:
        model = spec.model.build()
        evaluator.evaluate(model, store, pool or LocalRunner(model), on_prediction=on_prediction)
        return b"".join(encode(store.finished[name]) for name in evaluator.ids)


def session(folder: Path) -> dict[str, object]:
    return json.loads((folder / "environment.json").read_text())["sessions"][-1]


@pytest.mark.parametrize("inferencer", ["PPL", "Direct"])
def test_the_journal_equals_that_of_one_process(
    inferencer: str, pool: RayPool, recipe_file: Write, model_file: Path, tmp_path: Path
) -> None:
    recipe = recipe_file(inferencer, size=100)
    recipe.write_text(recipe.read_text().replace("size: 100", "size: 100\n  bad: [5, 77]"))
    one = run_recipe(recipe, tmp_path / "one", model_file)
    assert run_recipe(recipe, tmp_path / "two", pool) == one
    assert run_recipe(recipe, tmp_path / "small", pool, batch_size=3) == one
    assert one.count(b"made bad on purpose") == 2
    entry = session(tmp_path / "two")
    assert (entry["asked"], entry["requests"], entry["workers_lost"]) == (100, 98, 0)
    assert sum(worker["asked"] for worker in entry["workers"]) == 100
    assert all(worker["samples_per_second"] > 0 for worker in entry["workers"])
    assert session(tmp_path / "small")["largest_batch"] == 3
    results = [(tmp_path / name / "results.json").read_text() for name in ("one", "two")]
    assert results[0] == results[1]


def test_several_sampled_answers_are_those_of_one_process(
    pool: RayPool, recipe_file: Write, model_file: Path, tmp_path: Path
) -> None:
    recipe = recipe_file("Direct", size=20)
    text = recipe.read_text().replace("size: 20", "size: 20\n  samples: 3")
    recipe.write_text(
        text.replace("inferencer_type: Direct", "inferencer_type: Direct\n    temperature: 1.0")
    )
    one = run_recipe(recipe, tmp_path / "one", model_file)
    assert run_recipe(recipe, tmp_path / "two", pool) == one
    assert one.count(b"\n") == 60
    results = [(tmp_path / name / "results.json").read_text() for name in ("one", "two")]
    assert results[0] == results[1]
    assert "pass@2" in results[0]


def test_precision_stops_where_one_process_does(
    pool: RayPool, recipe_file: Write, model_file: Path, tmp_path: Path
) -> None:
    recipe = load_recipe(recipe_file(size=500))
    model = load_model(model_file).model.build()
    kept, asked = [], []
    for name, runner in (("one", LocalRunner(model)), ("two", pool)):
        evaluator = Evaluator(recipe, RunOptions(precision=7))
        with RunFolder(tmp_path / name, evaluator.config(pool.spec)) as store:
            run = RecipeRun(evaluator, evaluator.preview())
            run.take(store)
            run.ask(model, runner, evaluator.admit(model, store), None)
            asked.append(b"".join(encode(store.finished[one]) for one in sorted(store.finished)))
        kept.append((tmp_path / name / "stopped_early.json").read_bytes())
    assert kept[0] == kept[1]
    assert asked[0] == asked[1]
    total = asked[0].count(b"\n")
    assert 64 < total < 500
    entry = session(tmp_path / "two")
    assert (entry["asked"], entry["requests"]) == (total, total)
    assert sum(worker["asked"] for worker in entry["workers"]) == total  # in all chunks


def test_workers_are_given_a_task_of_mmtrusteval(
    pool: RayPool, model_file: Path, tmp_path: Path
) -> None:
    write_mmtrusteval(tmp_path / "data")
    task = tmp_path / "task.yaml"
    task.write_text(
        "dataset_id: confaide-image\n"
        f"dataset_cfg: {{data_root: '{tmp_path / 'data'}'}}\n"
        f"method_cfg: {{unrelated-image-color: {{img_dir: '{tmp_path / 'images'}'}}}}\n"
        "evaluator_seq_cfgs: [{rule_match_and_score_eval: {metrics_cfg: {failure: }}}]\n"
    )
    one = run_recipe(task, tmp_path / "one", model_file)
    assert run_recipe(task, tmp_path / "two", pool) == one
    assert session(tmp_path / "two")["asked"] == 16


def test_workers_have_the_priority_of_the_run(pool: RayPool) -> None:
    own = os.getpriority(os.PRIO_PROCESS, 0)
    for worker in pool.workers:
        assert os.getpriority(os.PRIO_PROCESS, worker.started.pid) == own


def test_one_worker_resumes_and_reproduces_the_run_of_two(
    pool: RayPool, recipe_file: Write, model_file: Path, tmp_path: Path
) -> None:
    recipe = recipe_file(size=60)
    expected = run_recipe(recipe, tmp_path / "two", pool)
    alone = pool_of(model_file, 1)
    alone.cluster, alone._setup, alone._options = pool.cluster, pool._setup, pool._options
    alone.workers = pool.workers[:1]  # the second worker has a rest
    alone.wanted = 1
    run_recipe(recipe, tmp_path / "one", pool, sample_len=25)
    assert run_recipe(recipe, tmp_path / "one", alone) == expected
    asked = json.loads((tmp_path / "one" / "environment.json").read_text())["sessions"]
    assert [(item["asked"], len(item["workers"])) for item in asked] == [(25, 2), (35, 1)]


def test_examples_are_the_same_on_every_worker_and_in_any_batch(
    pool: RayPool, model_file: Path, tmp_path: Path
) -> None:
    """Those drawn at random; see below for the most similar ones, whose encoder needs torch."""
    recipe = ROOT / "configs" / "recipes" / "Digits" / "icl_random_ppl.yaml"
    one = run_recipe(recipe, tmp_path / "one", model_file, sample_len=40)
    assert run_recipe(recipe, tmp_path / "two", pool, sample_len=40) == one
    assert run_recipe(recipe, tmp_path / "small", pool, sample_len=40, batch_size=2) == one
    chosen = {
        tuple(item.trace["ices"]) for item in load_predictions(tmp_path / "two" / JOURNAL).values()
    }
    assert len(chosen) > 20
    assert len(session(tmp_path / "two")["workers"]) == 2


def test_a_killed_worker_is_replaced(
    ray: None, fragile: Path, recipe_file: Write, model_file: Path, tmp_path: Path
) -> None:
    recipe = recipe_file(size=200)
    pool = complete(pool_of(fragile, 2, "seconds=0.05"))
    seen: list[str] = []

    def kill(prediction: Prediction) -> None:
        seen.append(prediction.sample_id)
        if len(seen) == 30:
            victim = next(worker for worker in pool.workers if worker.busy)
            os.kill(victim.started.pid, signal.SIGKILL)

    try:
        found = run_recipe(recipe, tmp_path / "killed", pool, kill, batch_size=4)
    finally:
        pool.close()
    assert len(seen) == len(set(seen)) == 200, "an answer came twice"
    assert len((tmp_path / "killed" / JOURNAL).read_bytes().splitlines()) == 200
    assert session(tmp_path / "killed")["workers_lost"] == 1
    assert found == run_recipe(recipe, tmp_path / "whole", model_file)


def test_a_sample_that_kills_its_worker_is_an_error(
    ray: None, fragile: Path, recipe_file: Write, tmp_path: Path
) -> None:
    """It kills three workers, and a fourth one continues, despite few replacements."""
    pool = pool_of(fragile, 1, "deadly=['20?']")
    try:
        run_recipe(recipe_file(size=60), tmp_path / "run", pool, batch_size=4)
    finally:
        pool.close()
    found = load_predictions(tmp_path / "run" / JOURNAL)
    assert len(found) == 60
    bad = {name: item for name, item in found.items() if item.status is Status.ERROR}
    assert bad.keys() == {"n20"}
    assert "3 workers have died with it" in bad["n20"].error["message"]
    entry = session(tmp_path / "run")
    assert (entry["asked"], entry["workers_lost"]) == (60, 3)


def test_a_worker_that_hangs_or_exits_costs_the_samples_at_fault(
    ray: None, fragile: Path, recipe_file: Write, tmp_path: Path
) -> None:
    """``sys.exit()`` ends no worker; one whose call does not end is replaced."""
    pool = pool_of(fragile, 1, "exits=['5?']", "hangs=['20?']")
    try:
        run_recipe(recipe_file(size=32), tmp_path / "run", pool, batch_size=4, timeout=1)
    finally:
        pool.close()
    found = load_predictions(tmp_path / "run" / JOURNAL)
    assert len(found) == 32
    bad = {name: item.error for name, item in found.items() if item.status is Status.ERROR}
    assert bad.keys() == {"n5", "n20"}
    assert bad["n5"]["type"] == "ExitError"
    assert "no reply within 1 s" in bad["n20"]["message"]
    assert session(tmp_path / "run")["workers_lost"] <= 3


@pytest.mark.usefixtures("ray")
def test_when_all_workers_die_the_run_stops_and_can_be_resumed(
    fragile: Path,
    recipe_file: Write,
    model_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    allow_one_death(monkeypatch)
    recipe, folder = recipe_file(size=60), tmp_path / "run"
    pool = pool_of(fragile, 1, f"deadly={[f'{number}?' for number in range(32, 60)]}")
    evaluator = Evaluator(load_recipe(recipe), RunOptions(batch_size=4))
    # The folder records the configuration of a model that does not die, so it can be resumed.
    with RunFolder(folder, evaluator.config(load_model(fragile))) as store:
        try:
            with pytest.raises(RunError, match="every worker died, including the replacements"):
                evaluator.evaluate(pool.spec.model.build(), store, pool)
        finally:
            pool.close()
    kept = load_predictions(folder / JOURNAL)
    answered = {name for name, item in kept.items() if item.status is not Status.ERROR}
    assert answered == {f"n{number}" for number in range(32)}
    # Deaths of one quarantined sample do not count, those of the next do.
    assert session(folder)["workers_lost"] == 4
    resumed = run_recipe(recipe, folder, fragile)
    assert resumed == run_recipe(recipe, tmp_path / "whole", model_file)
    assert session(folder)["asked"] == 28


def test_notices_of_workers_are_shown_and_recorded_once(
    ray: None, fragile: Path, recipe_file: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(
        ["eval", "--model_cfg", str(fragile), "--recipe_cfg", str(recipe_file(size=60)),
         "model_cfg.warns=[slow now]", "--workers", "2", "--save_dir", str(tmp_path), "--time", "t"]
    )  # fmt: skip
    assert code == 0
    assert capsys.readouterr().err.count("note: Fragile: slow now\n") == 1
    (folder,) = (tmp_path / "Fragile" / "Numbers").iterdir()
    assert session(folder)["notices"] == ["slow now"]


def test_errors_of_a_worker_have_what_where_and_hint(
    ray: None, fragile: Path, recipe_file: Write, tmp_path: Path
) -> None:
    pool = pool_of(fragile, 1, "refuses=true")
    try:
        with pytest.raises(ConfigError) as refused:
            run_recipe(recipe_file(), tmp_path / "refused", pool)
    finally:
        pool.close()
    assert str(refused.value) == "worker 1: model.yaml: no such weights\n  -> look again"


def test_a_model_that_always_fails_stops_the_run(
    ray: None, fragile: Path, recipe_file: Write, tmp_path: Path
) -> None:
    """A chunk of 16 with one bad sample never sees 16 failures: they are counted across chunks."""
    recipe = recipe_file("Direct", size=100)
    recipe.write_text(recipe.read_text().replace("size: 100", f"size: 100\n  bad: {[3, 20, 40]}"))
    pool = pool_of(fragile, 1, "broken='?'")
    try:
        with pytest.raises(RunError, match="worker 1: 16 requests in a row failed in the model"):
            run_recipe(recipe, tmp_path / "run", pool)
    finally:
        pool.close()
    assert all(
        item.status is Status.ERROR
        for item in load_predictions(tmp_path / "run" / JOURNAL).values()
    )


def test_a_worker_with_another_recipe_or_other_weights_is_refused(
    pool: RayPool, recipe_file: Write, model_file: Path, tmp_path: Path
) -> None:
    recipe = recipe_file()
    evaluator = Evaluator(load_recipe(recipe))
    recipe.write_text(recipe.read_text().replace("size: 20", "size: 21"))
    with (
        RunFolder(tmp_path / "run", evaluator.config(pool.spec)) as store,
        pytest.raises(RunError, match="its configuration is not the same"),
    ):
        evaluator.evaluate(pool.spec.model.build(), store, pool)
    assert run_recipe(recipe, tmp_path / "after", pool).count(b"\n") == 21  # the pool is still good
    other = RayPool(load_model(model_file), "of other weights", 1)
    try:
        with pytest.raises(RunError, match="its weights, or the dtype"):
            other.prepare()
    finally:
        other.close()


def test_the_embedded_model_on_two_workers(
    ray: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recipes = [str(ROOT / "configs" / "recipes" / name) for name in
               ("Shapes/ppl.yaml", "Digits/icl_topk_img_direct.yaml")]  # fmt: skip
    given = ["--model_cfg", str(ROOT / "configs" / "models" / "tiny.yaml"),
             "--recipe_cfg", *recipes, "--sample_len", "24"]  # fmt: skip
    where = ["--save_dir", str(tmp_path / "results"), "--time", "t"]
    assert main(["eval", *given, *where, "--workers", "2"]) == 0
    err = capsys.readouterr().err
    assert re.search(r"\d workers?; start-up: Ray [\d.]+ s, .* throughput: .* samples/s", err)
    expected = (
        "sample",
        "batch size",
        "no worker has started yet",
    )  # the second where starting takes long
    noise = [line for line in err.splitlines() if not any(word in line for word in expected)]
    assert [line for line in noise if line.strip()] == []
    alone = ["eval", *given, "--save_dir", str(tmp_path / "alone"), "--time", "t"]
    assert main(alone) == 0
    for run in ("Shapes/ppl-t", "Digits/icl_topk_img_direct-t"):
        one, two = (
            load_predictions(tmp_path / folder / "tiny" / run / JOURNAL)
            for folder in ("alone", "results")
        )
        assert one.keys() == two.keys()
        assert len(one) == 24
        for name, item in one.items():
            assert two[name].answer == item.answer
            assert two[name].status is item.status
            assert two[name].trace.get("ices") == item.trace.get("ices")
            scores, others = (found.scores.get("ppl_results", []) for found in (item, two[name]))
            assert others == pytest.approx(scores, abs=1e-4)


def test_a_race_with_workers_ends_as_one_without(
    pool: RayPool, recipe_file: Write, tmp_path: Path
) -> None:
    del pool  # Ray is running
    recipe, models = recipe_file(size=64), []
    for name in ("One", "Two"):
        plugin, file = tmp_path / f"{name}.py", tmp_path / f"{name}.yaml"
        plugin.write_text(
            f"from fakes import Hashing\n\nclass {name}(Hashing):\n    name = '{name}'\n"
        )
        file.write_text(f"plugins: [{FAKES}, {plugin}]\nmodel_name: {name}\n")
        models.append(file)
    found = [
        chef.race(models, recipe, save_dir=tmp_path / str(workers), workers=workers)
        for workers in (None, 1)
    ]
    assert found[0].to_json()["duels"] == found[1].to_json()["duels"]
    assert found[0].asked == found[1].asked
    journals = [
        sorted(tmp_path.glob(f"{key}/*/Numbers/*/predictions.jsonl")) for key in ("None", "1")
    ]
    assert [len(files) for files in journals] == [2, 2]
    for one, other in zip(*journals, strict=True):
        assert sorted(one.read_bytes().splitlines()) == sorted(other.read_bytes().splitlines())
