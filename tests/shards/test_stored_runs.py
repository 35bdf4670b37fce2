"""Runs in object stores: the figures of a folder, whatever dies, and no part of another run."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from conftest import FAKES, ROOT

import chef
from chef.cli import main
from chef.errors import ConfigError
from chef.shards.looking import result_at, scored
from chef.shards.store import Driver, Store

pytest.importorskip("fsspec", reason="pip install 'chef-eval[store]'")
Write = Callable[..., Path]

#: A model that notes what it is asked, and ends its process at a question unless a file is there.
FRAGILE = """\
import os
from pathlib import Path
from fakes import Hashing
HERE = Path(__file__).parent

class Fragile(Hashing):
    def _enter(self, requests):
        super()._enter(requests)
        with (HERE / "asked.txt").open("a") as stream:
            stream.writelines(text.split("?")[0].split()[-1] + "\\n" for text in self.calls[-1])
        if not (HERE / "safe").exists() and any("17?" in text for text in self.calls[-1]):
            os._exit(9)
"""
#: A model with other answers.
SALTED = """\
from fakes import Hashing, chance, seen
from chef.types import Scored

class Salted(Hashing):
    def score(self, requests):
        self._enter(requests)
        return [
            tuple(Scored(-5 * chance("salt", seen(item), option), 2) for option in item.candidates)
            for item in requests
        ]
"""
#: A metric whose figure is no mean of the scores of samples.
SPREAD = """\
from chef.metric.base import Metric

class Spread(Metric):
    def score_sample(self, record):
        return {"metric_result": float(record["choice"] == record["gt_choice"])}

    def metric_func(self, answers):
        rate = sum(answer["metric_result"] for answer in answers) / len(answers)
        return {"spread": rate * (1 - rate), "last": float(answers[-1]["id"][1:])}
"""


@pytest.fixture
def recipe(recipe_file: Write) -> Path:
    """60 questions, of which two cannot be made."""
    path = recipe_file("PPL", size=60)
    path.write_text(path.read_text().replace("size: 60", "size: 60\n  bad: [5, 33]"))
    return path


@pytest.fixture
def fragile(tmp_path: Path) -> Path:
    (tmp_path / "fragile.py").write_text(FRAGILE)
    (tmp_path / "fragile.yaml").write_text("plugins: [fragile.py]\nmodel_name: Fragile\n")
    return tmp_path / "fragile.yaml"


def ask(url: object, model: Path, recipe: Path, *more: str, name: str = "r") -> int:
    return main(
        ["eval", "--model_cfg", str(model), "--recipe_cfg", str(recipe), "--save-dir", str(url),
         "--run-name", name, *(["--shard-size", "16"] if "://" in str(url) else []), *more]
    )  # fmt: skip


def run_of(url: str, name: str = "r", model: str = "hashing") -> Store:
    return Store(f"{url}/{model}/Numbers/r-{name}")


def parts_of(store: Store) -> dict[str, bytes]:
    return {name: store.read(name) or b"" for name in store.names("parts")}


def killed(at: str, call: Callable[[], object]) -> int:
    """The exit code of a process in which a function of this name ends it."""
    child = os.fork()
    if not child:
        owner, _, name = at.rpartition(".")
        setattr(eval(owner, {"os": os, **_owners()}), name, lambda *_, **__: os._exit(7))
        try:
            call()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _owners() -> dict[str, object]:
    from chef.shards.asking import ShardedRun

    return {"ShardedRun": ShardedRun, "Store": Store}


def test_the_figures_are_those_of_a_folder(
    url: str, recipe: Path, model_file: Path, tmp_path: Path,
    capsys: pytest.CaptureFixture[str], cache: Path,
) -> None:  # fmt: skip
    assert ask(tmp_path / "results", model_file, recipe) == 1  # two samples cannot be made
    folder = tmp_path / "results" / "hashing" / "Numbers" / "r-r"
    plain = json.loads((folder / "results.json").read_text())
    capsys.readouterr()
    assert ask(url, model_file, recipe) == 1
    store = run_of(url)
    assert f"Run: {store.url}" in capsys.readouterr().out
    result = result_at(store.url)
    assert result.value == plain["result"]["ACC"]
    assert result.coverage.to_json() == plain["coverage"]
    again, other = scored(store.url, None, {}), scored(store.url, "VQA", {})
    assert again.metrics == result.metrics
    assert other.value == result.value
    whole = scored(store.url, None, {}, whole=True)
    assert {key: item.to_json() for key, item in whole.metrics.items()} == plain["metrics"]
    # Every answer stands in a part as it does in a journal, and nothing is left behind.
    lines = [json.loads(line) for data in parts_of(store).values()
             for line in gzip.decompress(data).splitlines()]  # fmt: skip
    journal = {json.loads(line)["id"]: json.loads(line)
               for line in (folder / "predictions.jsonl").read_text().splitlines()}  # fmt: skip
    assert {line["id"]: line for line in lines if "sample" in line} == journal
    assert store.names("claims") == []
    assert not [*cache.rglob("predictions.jsonl")]
    manifest = json.loads(store.read("manifest.json") or b"")
    assert manifest["samples"] == 60
    assert len(manifest["parts"]) == 4


def test_a_run_under_way_is_shown_as_far_as_it_is_there(
    url: str, recipe: Path, model_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(url, model_file, recipe)
    store = run_of(url)
    for name in ("manifest.json", store.names("parts")[0]):
        store.remove(name)
    capsys.readouterr()
    assert main(["show", store.url]) == 1
    part = result_at(store.url).coverage
    assert part.total == 60
    assert 10 < part.missing < 25
    assert f"{part.scored} of 60 samples scored" in capsys.readouterr().out


def test_a_shard_done_twice_is_the_same_bytes(
    recipe: Path, model_file: Path, tmp_path: Path
) -> None:
    url = f"file://{tmp_path}/runs"
    ask(url, model_file, recipe, name="one")
    ask(url, model_file, recipe, "--batch-size", "1", name="two")
    one, two = (parts_of(run_of(url, name)) for name in ("one", "two"))
    assert one == two
    assert len(one) == 4


def test_what_was_answered_before_a_kill_is_not_asked_again(
    recipe: Path, fragile: Path, tmp_path: Path
) -> None:
    url, asked = f"file://{tmp_path}/runs", tmp_path / "asked.txt"
    child = os.fork()
    if not child:
        try:
            ask(url, fragile, recipe, "--batch-size", "1")
        finally:
            os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    store = run_of(url, model="Fragile")
    before, done = asked.read_text().split(), len(parts_of(store))
    assert done < 4
    assert store.read("manifest.json") is None
    assert len(store.names("claims")) == 1
    (tmp_path / "safe").touch()
    asked.unlink()
    assert ask(url, fragile, recipe) == 1
    after = asked.read_text().split()
    # The one in flight is asked again, alone; its shard is this machine's, and goes on.
    assert sorted({*before} & {*after}) == ["17"]
    assert len({*before, *after}) == 58
    assert store.names("claims") == []
    ask(url, fragile, recipe, name="whole")
    assert parts_of(store) == parts_of(run_of(url, "whole", "Fragile"))


@pytest.mark.parametrize("at", ["os.link", "ShardedRun._end", "Store.remove"])
def test_a_kill_around_a_put_is_made_good(
    at: str, recipe: Path, model_file: Path, tmp_path: Path
) -> None:
    """Killed in a put, between the last part and the manifest, and before a claim is removed."""
    url = f"file://{tmp_path}/runs"
    if at == "os.link":  # the run's settings are put first, and so is the claim
        ask(url, model_file, recipe)
        store = run_of(url)
        store.remove("manifest.json")
    assert killed(at, lambda: ask(url, model_file, recipe)) == 7
    assert run_of(url).read("manifest.json") is None
    assert ask(url, model_file, recipe) == 1
    assert run_of(url).read("manifest.json") is not None
    assert run_of(url).names("claims") == []
    assert result_at(run_of(url).url).coverage.scored == 58


def test_another_driver_keeps_its_shard(
    url: str, recipe: Path, model_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(url, model_file, recipe)
    store = run_of(url)
    taken = store.names("parts")[1]
    for name in (taken, "manifest.json"):
        store.remove(name)
    claim = f"claims/{taken[6:].removesuffix('.jsonl.gz')}.000000.json"
    store.create(claim, msgspec.json.encode(Driver.here()))  # it lives, and is not this one
    assert ask(url, model_file, recipe) == 3
    told = capsys.readouterr().err
    assert "another driver asks 1 of the shards" in told
    assert store.place(claim) in told
    assert taken not in store.names("parts")
    store.remove(claim)
    assert ask(url, model_file, recipe) == 1
    assert taken in store.names("parts")


def test_parts_of_other_settings_and_damaged_ones_are_refused(
    recipe: Path, model_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"file://{tmp_path}/runs"
    ask(url, model_file, recipe)
    assert ask(url, model_file, recipe, "--seed", "7") == 2
    told = capsys.readouterr().err
    assert "run.seed" in told
    assert "/r-r/run.json" in told
    assert "--run-name NAME" in told
    assert ask(url, model_file, recipe, "--seed", "7", name="other") == 1
    store, other = run_of(url), run_of(url, "other")
    part = store.names("parts")[0]
    whole = store.read(part) or b""
    for bad, code, what in (
        (other.read(part) or b"", 2, "it was made of other settings"),
        (whole[:200], 2, "it ends within its head"),
        (b"no part", 2, "cannot be read"),
    ):
        store.remove(part)
        store.create(part, bad)
        capsys.readouterr()
        assert ask(url, model_file, recipe) == code
        told = capsys.readouterr().err
        assert what in told
        assert store.place(part) in told
        assert "remove the object" in told
    store.remove(part)
    store.create(part, whole[:-40])  # its head is whole
    assert main(["score", store.url]) == 2
    assert "its bytes are not those that its head names" in capsys.readouterr().err
    store.remove(part)
    assert ask(url, model_file, recipe) == 1
    assert store.read(part) == whole


def test_a_figure_that_is_no_mean_is_computed_from_all_parts(
    recipe: Path, model_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "spread.py").write_text(SPREAD)
    text = recipe.read_text().replace(f"[{FAKES}]", f"[{FAKES}, spread.py]")
    recipe.write_text(f"{text}  metric_cfg: {{metric_type: Spread}}\n")
    url = f"file://{tmp_path}/runs"
    ask(tmp_path / "results", model_file, recipe)
    ask(url, model_file, recipe)
    folder = tmp_path / "results" / "hashing" / "Numbers" / "r-r"
    plain = json.loads((folder / "results.json").read_text())
    result = result_at(run_of(url).url)
    assert {name: item.to_json() for name, item in result.metrics.items()} == plain["metrics"]
    capsys.readouterr()
    assert main(["compare", run_of(url).url, run_of(url).url]) == 2
    assert "is no mean of the scores of samples" in capsys.readouterr().err


def test_two_runs_are_compared_part_by_part(
    url: str, recipe: Path, recipe_file: Write, model_file: Path, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    (tmp_path / "salted.py").write_text(SALTED)
    other = tmp_path / "other.yaml"
    other.write_text("plugins: [salted.py]\nmodel_name: Salted\nbroken: '44?'\n")
    runs = []
    for model, name in ((model_file, "hashing"), (other, "Salted")):
        ask(url, model, recipe)
        ask(tmp_path / "results", model, recipe)
        runs.append((run_of(url, model=name).url, tmp_path / f"results/{name}/Numbers/r-r"))
    (a, one), (b, two) = runs
    capsys.readouterr()
    assert main(["compare", a, b, "--json", str(tmp_path / "stored.json")]) == 0
    assert "b - a" in capsys.readouterr().out
    assert main(["compare", str(one), str(two), "--json", str(tmp_path / "plain.json")]) == 0
    stored = json.loads((tmp_path / "stored.json").read_text())
    pair = json.loads((tmp_path / "plain.json").read_text())["pairs"][0]
    assert stored["alone"] == 1
    assert stored["difference"]["n"] == 57
    plain = pair["differences"]["ACC"]["difference"]
    assert stored["difference"]["value"] == plain["value"]
    assert stored["difference"]["stderr"] == pytest.approx(plain["stderr"], rel=0.15)
    assert (stored["gained"], stored["lost"]) == (len(pair["gained"]), len(pair["lost"]))
    capsys.readouterr()
    assert main(["compare", a, b, "--by", "category"]) == 2
    assert "--by needs a run in a folder" in capsys.readouterr().err
    ask(url, model_file, recipe, "--shard-size", "30", name="wide")
    assert main(["compare", a, run_of(url, "wide").url]) == 2
    assert "with the same --shard-size" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["--fresh"], "parts in an object store are never changed"),
        (["--precision", "3"], "a run in an object store takes no --precision"),
        (["--race", "--model_cfg", "tiny"], "a race takes no --save-dir URL"),
        (["--shard-size", "0"], "0 is no number of samples"),
        (["--workers", "2"], "workers cannot reach the memory of this process"),
    ],
)
def test_what_cannot_be_is_refused(
    words: list[str], what: str, recipe: Path, model_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if "--workers" in words:
        pytest.importorskip("ray", reason="pip install 'chef-eval[ray]'")
    assert ask("memory://refused", model_file, recipe, *words) == 2
    assert what in capsys.readouterr().err


def test_python_keeps_runs_at_an_address_and_scores_them(
    url: str, recipe: Path, model_file: Path, tmp_path: Path
) -> None:
    folder = chef.evaluate(str(model_file), str(recipe), save_dir=tmp_path / "results")
    stored = chef.evaluate(str(model_file), str(recipe), save_dir=url, name="r")
    assert stored.figure.value == folder.figure.value
    assert (stored.coverage, stored.samples) == (folder.coverage, ())
    assert Store(f"{url}/hashing/Numbers/r-r").names("parts") == ["parts/00000-of-00001.jsonl.gz"]
    again = chef.score(f"{url}/hashing/Numbers/r-r")
    assert again.figure == stored.figure


def test_python_and_folders_refuse_what_is_not_theirs(
    recipe: Path, model_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = str(model_file), str(recipe)
    with pytest.raises(ConfigError, match="is an address, and no folder") as caught:
        chef.evaluate(*names, save_dir=Path("s3://bucket/runs"))
    assert "give it as a text" in str(caught.value)
    with pytest.raises(ConfigError, match="precision: only runs in folders have it"):
        chef.evaluate(*names, save_dir="memory://refused", precision=3)
    with pytest.raises(ConfigError, match="a suite needs a folder"):
        chef.evaluate(names[0], "desiderata", save_dir="memory://refused")
    with pytest.raises(ConfigError, match=r"is scored by chef.score\(ADDRESS\) alone"):
        chef.compare("memory://a", "memory://b")
    assert ask(tmp_path / "results", model_file, recipe, "--shard-size", "9") == 2
    assert "it is of a run in an object store" in capsys.readouterr().err
    assert main(["show", "memory://a", "--json"]) == 2
    assert "--json needs a run in a folder" in capsys.readouterr().err


def test_no_run_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("show", "score"):
        assert main([command, "memory://nothing/here"]) == 2
        told = capsys.readouterr().err
        assert "memory://nothing/here: there is no run: it has no run.json" in told


PROGRAM = """
import sys
from chef.cli import main
code = main(sys.argv[1:])
print(code, [name for name in sys.modules if name.startswith(("chef.shards", "s3fs"))])
"""


def test_a_run_in_a_folder_loads_nothing_of_this(recipe: Path, model_file: Path) -> None:
    command = ["eval", "--model_cfg", str(model_file), "--recipe_cfg", str(recipe),
               "--save-dir", str(recipe.parent / "results")]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *command], capture_output=True, text=True, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(FAKES.parent)}, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "1 []"
