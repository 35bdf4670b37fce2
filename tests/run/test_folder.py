"""The run folder: nothing half-written is ever trusted, and nothing whole is ever lost."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import forked
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chef.common.writing import write_atomically
from chef.errors import ConfigError, RunError
from chef.run.answers import encode
from chef.run.configuration import differences, read_config
from chef.run.folder import JOURNAL, RunFolder, load_predictions
from chef.run.reading import move_aside
from chef.types import Prediction, Status

CONFIG = {"model_cfg": {"model_name": "m", "device": "cpu"}, "recipe_cfg": {"size": 3}}


def prediction(name: str, answer: str = 'é\n"quoted"', status: Status = Status.OK) -> Prediction:
    return Prediction(
        name, status, answer, {"probs": [0.25, 0.75]}, {"query": "q?"}, {"id": name}, None
    )


def test_a_run_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    with RunFolder(tmp_path / "run", CONFIG) as folder:
        folder.append(prediction("a"))
        folder.append(prediction("b"))
    with RunFolder(tmp_path / "run", CONFIG) as folder:
        assert folder.finished == {"a": prediction("a"), "b": prediction("b")}
        assert folder.todo(["a", "b", "c"]) == ["c"]
    assert load_predictions(tmp_path / "run" / JOURNAL)["a"] == prediction("a")


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_truncated_journal_is_repaired(tmp_path_factory: pytest.TempPathFactory, data) -> None:
    path = tmp_path_factory.mktemp("cut") / "run"
    names = [f"s{n}" for n in range(4)]
    with RunFolder(path, CONFIG) as folder:
        for name in names:
            folder.append(prediction(name))
    whole = (path / JOURNAL).read_bytes()
    cut = data.draw(st.integers(0, len(whole)))
    (path / JOURNAL).write_bytes(whole[:cut])
    # A line that lacks nothing but its line feed is whole.
    kept = (whole[:cut] + b"\n" if whole[cut : cut + 1] == b"\n" else whole[:cut]).count(b"\n")
    with RunFolder(path, CONFIG) as folder:
        assert list(folder.finished) == names[:kept]
        for name in folder.todo(names):
            folder.append(prediction(name))
    assert (path / JOURNAL).read_bytes() == whole


def test_a_damaged_line_is_skipped_with_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with RunFolder(tmp_path / "run", CONFIG) as folder:
        for name in "abc":
            folder.append(prediction(name))
    lines = (tmp_path / "run" / JOURNAL).read_bytes().splitlines(keepends=True)
    lines[1] = b"\xff\x00 not json\n"
    (tmp_path / "run" / JOURNAL).write_bytes(b"".join(lines))
    with RunFolder(tmp_path / "run", CONFIG) as folder:
        assert folder.todo("abc") == ["b"]
        assert "line 2" in caplog.text


def test_errors_are_asked_again_and_the_last_line_counts(tmp_path: Path) -> None:
    with RunFolder(tmp_path / "run", CONFIG) as folder:
        failed = Prediction("a", Status.ERROR, error={"type": "E", "message": "m"})
        folder.append(failed)
        assert folder.todo(["a"]) == ["a"]
    with RunFolder(tmp_path / "run", CONFIG) as folder:
        assert folder.finished["a"] == failed
        folder.append(prediction("a"))
    with RunFolder(tmp_path / "run", CONFIG) as folder:
        assert folder.finished["a"].status is Status.OK
        assert folder.todo(["a"]) == []


def test_another_configuration_is_refused_with_differences(tmp_path: Path) -> None:
    with RunFolder(tmp_path / "run", CONFIG) as folder:
        folder.append(prediction("a"))
    changed = {"model_cfg": {"model_name": "m", "device": "cuda"}, "recipe_cfg": {"size": 4}}
    with pytest.raises(ConfigError) as caught:
        RunFolder(tmp_path / "run", changed)
    assert "recipe_cfg.size: 3 in the folder, 4 now" in str(caught.value)
    assert "device" not in str(caught.value)  # it changes no answer
    assert "--run_name" in str(caught.value)
    RunFolder(tmp_path / "run", CONFIG).close()  # and the refusal left no lock behind


FAILED = Prediction("a", Status.ERROR, error={"type": "E", "message": "m"})
OTHER = {**CONFIG, "recipe_cfg": {"size": 4}}


@pytest.mark.parametrize("line", [b"", b'{"sample_id":"a","stat', encode(FAILED)])
def test_a_folder_without_answers_is_used_for_another_configuration(tmp_path, line) -> None:
    path = tmp_path / "run"
    RunFolder(path, CONFIG).close()
    (path / JOURNAL).write_bytes(line)
    (path / "results.json").write_text("{}")
    with RunFolder(path, OTHER) as folder:
        assert folder.finished == {}
        folder.append(prediction("b"))
    assert read_config(path) == OTHER
    assert list(load_predictions(path / JOURNAL)) == ["b"]
    assert not (path / "results.json").exists()
    with pytest.raises(ConfigError, match="size: 4 in the folder, 3 now"):
        RunFolder(path, CONFIG)


def test_a_crash_while_a_folder_begins_again_is_harmless(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "run"
    with RunFolder(path, CONFIG) as folder:
        folder.append(FAILED)

    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(RunFolder, "_write_config", dies)
        with pytest.raises(KeyboardInterrupt):
            RunFolder(path, OTHER)
    for config in (CONFIG, OTHER):  # both the old command and the new one go on
        with RunFolder(path, config) as folder:
            assert folder.todo(["a"]) == ["a"]


def test_answers_are_reused_on_request_and_that_is_recorded(tmp_path: Path) -> None:
    path = tmp_path / "run"
    with RunFolder(path, CONFIG) as folder:
        folder.append(prediction("a"))
        folder.append(replace(FAILED, sample_id="b"))
    with RunFolder(path, OTHER, reuse=True) as folder:
        assert folder.todo(["a", "b", "c"]) == ["c", "b"]
        (entry,) = folder.read_json("environment.json")["reused_answers"]
    assert entry["answers"] == 1
    assert entry["made_with"] == ["recipe_cfg.size: 3 in the folder, 4 now"]
    with RunFolder(path, OTHER, reuse=True) as folder:  # once is enough, and recorded once
        assert len(folder.read_json("environment.json")["reused_answers"]) == 1
    RunFolder(path, OTHER).close()


def test_a_folder_is_moved_aside_unless_it_is_in_use(tmp_path: Path) -> None:
    path = tmp_path / "run"
    assert move_aside(path) is None
    for number in (1, 2):
        with RunFolder(path, CONFIG) as folder:
            folder.append(prediction("a"))
            with pytest.raises(RunError, match="another process"):
                move_aside(path)
        assert move_aside(path) == tmp_path / f"run.old{number}"
        assert not path.exists()
    assert list(load_predictions(tmp_path / "run.old1" / JOURNAL)) == ["a"]


def test_the_plugin_file_that_changed_is_named() -> None:
    def config(**files: str) -> dict[str, object]:
        named = {f"{name}.py": of for name, of in files.items()}
        return {"decided_by": {"plugins": "-".join(files.values()), "plugin_files": named}}

    assert differences(config(a="1", b="2"), config(a="1", b="2")) == []
    assert differences(config(a="1", b="2"), config(a="1", b="3", c="4")) == [
        "decided_by.plugins: the file b.py has changed; the file c.py is new"
    ]
    assert differences(config(a="1"), config()) == [
        "decided_by.plugins: the file a.py is no longer used"
    ]
    old = {"decided_by": {"plugins": "1"}}  # of an earlier version, which did not name them
    assert differences(old, config(a="1")) == []
    assert differences(old, config(a="2")) == [
        "decided_by.plugins: the code of a plugin, or the version of a package with one, "
        "has changed"
    ]


@pytest.mark.parametrize(("size", "is_same"), [(500, True), (9, False)])
def test_a_key_that_a_later_version_added_counts_as_its_default(size: int, is_same: bool) -> None:
    def config(**keys: object) -> dict[str, object]:
        scenario = {"scenario_cfg": {"dataset_name": "Shapes", "seed": 0, **keys}}
        return {"model_cfg": {"model_name": "m"}, "recipe_cfg": scenario}

    changes = differences(config(), config(size=size))
    assert (changes == []) is is_same
    assert differences(config(size=size), config())  # an earlier version does not know the key


def test_a_key_of_no_ingredient_is_no_default() -> None:
    before = {"recipe_cfg": {"scenario_cfg": {"dataset_name": "Mine"}}}
    now = {"recipe_cfg": {"scenario_cfg": {"dataset_name": "Mine", "size": 100}}}
    assert len(differences(before, now)) == 1


def test_differences_of_nested_values() -> None:
    before = {"a": {"b": [1, 2], "c": None}, "d": {}}
    assert differences(before, {"a": {"b": (1, 2), "c": None}, "d": {}}) == []
    assert differences(before, {"a": {"b": [1]}, "d": {}}) == [
        "a.b: [1, 2] in the folder, [1] now",
        "a.c: None in the folder, '(absent)' now",
    ]


def test_a_path_is_the_same_in_any_spelling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As seen from the current folder: what it holds is compared by its digests."""
    monkeypatch.chdir(tmp_path)
    Path("t.csv").touch()

    def of(path: str, key: str = "path") -> dict[str, object]:
        return {"recipe_cfg": {"scenario_cfg": {key: path}}}

    for spelling in ("./t.csv", "data/../t.csv", str(Path("t.csv").absolute())):
        assert differences(of("t.csv"), of(spelling)) == []
    assert len(differences(of("t.csv"), of("../t.csv"))) == 1
    assert len(differences(of("t.csv", "template"), of("./t.csv", "template"))) == 1
    Path("t.csv").unlink()  # it was written in another folder
    assert differences(of("t.csv"), of("../t.csv")) == []
    assert differences(of("data/t.csv"), of("/x/data/t.csv")) == []
    assert len(differences(of("data/t.csv"), of("/x/t.csv"))) == 1


def test_two_processes_cannot_write_one_run(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom pathlib import Path\nfrom chef.run.folder import RunFolder\n"
        "from chef.errors import RunError\n"
        "try:\n    RunFolder(Path(sys.argv[1]), {})\n"
        "except RunError as error:\n    print(error.what)"
    )
    with RunFolder(tmp_path / "run", {}):
        done = forked.run([sys.executable, "-c", program, str(tmp_path / "run")], check=True)
    assert done.stdout.strip() == "another process is writing this run"


def test_predictions_of_unknown_origin_are_refused(tmp_path: Path) -> None:
    (tmp_path / JOURNAL).write_text("{}\n")
    with pytest.raises(ConfigError, match="origin is unknown"):
        RunFolder(tmp_path, CONFIG)


def test_what_stands_where_a_run_folder_should_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match=r"cannot be written: \S*/file is a file\n"):
        RunFolder(tmp_path / "file" / "model" / "run", CONFIG)
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(ConfigError, match="/link is a link that leads nowhere"):
        RunFolder(tmp_path / "link" / "run", CONFIG)


def test_a_full_disk_stops_the_run_with_a_hint(tmp_path: Path, monkeypatch) -> None:
    with RunFolder(tmp_path / "run", CONFIG) as folder:

        def full(*_: object) -> int:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "write", full)
        with pytest.raises(RunError, match="No space left") as caught:
            folder.append(prediction("a"))
        assert "resumes the run" in str(caught.value)
        monkeypatch.undo()


def test_files_are_written_atomically(tmp_path: Path, monkeypatch) -> None:
    target = tmp_path / "results.json"
    write_atomically(target, "old")

    def broken(_: int) -> None:
        raise OSError("power cut")

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(RunError, match="power cut"):
        write_atomically(target, "new, half")
    assert target.read_text() == "old"
    assert [item.name for item in tmp_path.iterdir()] == ["results.json"]  # nothing is left over


def test_json_files_hold_no_nan(tmp_path: Path) -> None:
    with RunFolder(tmp_path / "run", CONFIG) as folder:
        with pytest.raises(ValueError, match="JSON compliant"):
            folder.write_json("results.json", {"value": float("nan")})
        folder.write_json("results.json", {"value": 1})
        assert json.loads((folder.path / "results.json").read_text()) == {"value": 1}
        assert folder.read_json("nothing.json") == {}


def test_other_wordings_are_told_in_words() -> None:
    """Their digests say nothing to a person."""
    one, other = ({"decided_by": {"wording": digest}} for digest in ("07341b94", "f64cf57d"))
    (change,) = differences(one, other)
    assert change == ("decided_by.wording: the wordings that the recipe chooses from have changed")
    # Of another entry of the pool the key says it.
    for number, config in enumerate((one, other)):
        section = {"instruction_cfg": {"prompt_assigned_ids": number}}
        config["recipe_cfg"] = {"eval_cfg": section}
    (change,) = differences(one, other)
    assert change.endswith("prompt_assigned_ids: 0 in the folder, 1 now")
