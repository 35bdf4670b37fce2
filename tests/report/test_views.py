"""What a view of a sample says, held against lines written by hand."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import PIL.Image
import pytest
from runs_by_hand import make_own

from chef.errors import DataError
from chef.image import Image
from chef.report.load import load_run
from chef.report.sample_view import BoxView, SampleView
from chef.report.views import Exchanged, Replayed, Views, views_of
from chef.report.views.images import ImageList, link_of
from chef.report.views.thumbnails import Thumbnails, thumbnail
from chef.report.views.views import ScoreScale, boxes_of
from chef.session.replay import RunReplay
from chef.types import Generate, Generated, Prediction, Sample, Status, Text, Turn

CONFIG = """\
model_cfg: {model_name: tiny}
recipe_cfg:
  scenario_cfg: {dataset_name: Shapes}
  eval_cfg: {inferencer_cfg: {inferencer_type: Direct}, metric_cfg: {metric_type: basic}}
run: {sample_len: null, seed: 0}
"""


def line(name: str, **changed: Any) -> dict[str, Any]:
    """A line of the journal."""
    sample = {
        "id": name, "question": "Which?", "options": ["(A", "(B"], "choices": ["cat", "dog"],
        "gt_answers": "(B)", "gt_choice": 1, "category": "pets", "long": "x" * 900,
    }  # fmt: skip
    trace = {"query": "<image>\nWhich?", "tokens": 3}
    return {
        "id": name, "status": "ok", "answer": "(B) dog", "scores": {}, "trace": trace,
        "sample": sample, "images": [], "error": None, **changed,
    }  # fmt: skip


def entry(name: str, score: Any = 1.0, **changed: Any) -> dict[str, Any]:
    """A line of scores.jsonl."""
    found = {"rule": "opening", "text": "B", "span": [1, 2]}
    return {
        "id": name, "status": "ok", "score": score, "metric_result": score, "parsed": 1,
        "evidence": found, **changed,
    }  # fmt: skip


def folder(
    to: Path, lines: Sequence[dict[str, Any]], entries: Sequence[dict[str, Any]], **results: Any
) -> Path:
    """A run folder with these lines."""
    path = to / "tiny" / "Shapes" / "direct-1"
    path.mkdir(parents=True)
    (path / "config.yaml").write_text(CONFIG)
    (path / "predictions.jsonl").write_text("".join(json.dumps(item) + "\n" for item in lines))
    (path / "scores.jsonl").write_text("".join(json.dumps(item) + "\n" for item in entries))
    if results:
        (path / "results.json").write_text(json.dumps(results))
    return path


def view(to: Path, given: dict[str, Any], scored: dict[str, Any] | None = None) -> SampleView:
    path = folder(to, [given], [] if scored is None else [scored])
    return views_of(load_run(path)).of(given["id"])


def test_an_answer_that_was_read(tmp_path: Path) -> None:
    found = view(tmp_path, line("q1"), entry("q1"))
    (answer,) = found.answers
    assert (found.verdict, found.score, found.confidence) == ("right", 1.0, None)
    assert answer.span is not None
    assert answer.text[slice(*answer.span)] == "B"
    assert (answer.rule, answer.parsed, answer.truth) == ("opening", "(B) dog", "(B) dog")
    assert [(o.label, o.text, o.is_chosen, o.is_right) for o in answer.options] == [
        ("A", "cat", False, False), ("B", "dog", True, True)
    ]  # fmt: skip
    assert (found.fields, found.effort) == ({"category": "pets"}, "3 tokens")


def test_scored_options_have_probabilities(tmp_path: Path) -> None:
    scores = {"choice": 0, "probs": [0.7, 0.3], "prob": 0.7, "option_tokens": [1, 1]}
    found = view(tmp_path, line("q1", answer="(A", scores=scores), entry("q1", 0.0, parsed=0))
    assert (found.verdict, found.confidence) == ("wrong", 0.7)
    assert [item.probability for item in found.answers[0].options] == [0.7, 0.3]
    assert [item.is_chosen for item in found.answers[0].options] == [True, False]


@pytest.mark.parametrize("span", [[1, 99], [2, 1], "1:2", [True], [0.5, 1], None])
def test_a_span_outside_of_the_answer_is_none(tmp_path: Path, span: Any) -> None:
    evidence = {"rule": "r", "text": "", "span": span}
    found = view(tmp_path, line("q1"), entry("q1", evidence=evidence))
    assert found.answers[0].span is None


@pytest.mark.parametrize(
    ("status", "scored", "verdict"),
    [
        ("ok", {"metric_result": 1}, "right"),
        ("ok", {"metric_result": False}, "wrong"),
        ("ok", {"metric_result": 0.25}, "partly"),
        ("truncated", {"metric_result": 1.0}, "right"),
        ("ok", {"metric_result": 0.0, "parsed": None}, "unread"),
        ("refused", {"metric_result": 0.0, "parsed": None}, "refused"),
        ("ok", {"no_truth": True}, "unscored"),
        ("ok", {"unjudged": "the judge was not asked"}, "unscored"),
        ("ok", {"metric_result": "high"}, "unscored"),
        ("ok", {"status": "error", "error": {"message": "m"}}, "error"),
        ("error", {}, "error"),
        ("ok", {}, "unscored"),
    ],
)
def test_verdicts(status: str, scored: dict[str, Any], verdict: str) -> None:
    prediction = Prediction("q", Status(status), "a")
    found = {"id": "q", "status": status, **scored} if scored else {}
    assert ScoreScale().verdict(prediction, found) == verdict


@pytest.mark.parametrize(
    ("scores", "higher", "verdicts"),
    [
        ([0, 1, 0.5], True, ["wrong", "right", "partly"]),
        ([0, 1, 0.5], False, ["right", "wrong", "partly"]),
        ([0, 1, 0.5], None, ["partly"] * 3),
        ([0, 1, 7.5], True, ["partly"] * 3),  # ratings: 1 is the lowest of them
        ([0, 1, -2], False, ["partly"] * 3),
        ([0, float("nan")], True, ["wrong", "unscored"]),
    ],
)
def test_the_scale_is_that_of_the_run(
    scores: list[float], higher: bool | None, verdicts: list[str]
) -> None:
    entries = [{"id": "q", "status": "ok", "metric_result": item} for item in scores]
    scale, prediction = ScoreScale.of(entries, higher), Prediction("q", Status.OK, "a")
    assert [scale.verdict(prediction, item) for item in entries] == verdicts


def test_an_answer_that_came_after_scoring_is_unscored(tmp_path: Path) -> None:
    found = view(tmp_path, line("q1", answer="(A) cat"), entry("q1", answer="(B) dog"))
    assert found.verdict == "unscored"


def test_an_error_has_its_remedy(tmp_path: Path) -> None:
    error = {"type": "ValueError", "message": "too hot", "at": "m.py:3, in generate"}
    found = view(tmp_path, line("q1", status="error", answer=None, error=error))
    assert found.verdict == "error"
    assert found.error.splitlines() == [
        "ValueError: too hot", "at m.py:3, in generate",
        "-> correct m.py:3; the same command asks these samples again",
    ]  # fmt: skip


def test_several_turns(tmp_path: Path) -> None:
    turns = [
        {"turn": 0, "prompt_idx": 0, "prefix": "", "question": "What?", "answer": "dog",
         "options": ["cat", "dog"], "choice": 1, "probs": [0.1, 0.9], "prob": 0.9},
        {"turn": 1, "prompt_idx": 1, "prefix": "dog", "question": "Where?", "answer": "left",
         "options": ["left", "right"], "choice": 0, "probs": [0.6, 0.4], "prob": 0.6},
    ]  # fmt: skip
    asked = [{"prefix": "", "gt_answers": "cat"}, {"prefix": "dog", "gt_answers": "left"}]
    given = line("q1", answer=["dog", "left"], scores={"turn_answer": turns})
    given["sample"]["multi_turn_prefix"] = asked
    found = view(tmp_path, given, entry("q1", 0.5, parsed=["dog", "left"], evidence=None))
    assert [(one.text, one.truth, one.parsed) for one in found.answers] == [
        ("dog", "cat", "dog"), ("left", "left", "left")
    ]  # fmt: skip
    assert [[o.is_right for o in one.options] for one in found.answers] == [
        [True, False], [True, False]
    ]  # fmt: skip
    assert found.confidence == 0.6  # of the turn that the model is least sure of


def test_an_unknown_sample_names_those_that_may_be_meant(tmp_path: Path) -> None:
    views = views_of(load_run(folder(tmp_path, [line("mcq-12"), line("mcq-120")], [])))
    with pytest.raises(DataError) as raised:
        views.of("MCQ-12")
    assert raised.value.hint == "did you mean one of these: mcq-12, mcq-120?"
    with pytest.raises(DataError) as raised:
        views.of("zzz")
    assert raised.value.hint == "ids of this run are for example mcq-12, mcq-120"


def test_boxes_are_shares_inside_of_the_image() -> None:
    record = {"gt_answers": [{"label": "dog", "bbox": [0.1, 0.2, 0.5, 0.6]}, {"label": "no box"}]}
    parsed = [
        {"label": "cat", "bbox": [-0.1, 0.5, 1.5, 0.9]},
        {"label": "out", "bbox": [1.2, 1.2, 1.5, 1.5]},
        {"label": "odd", "bbox": [0.5, 0.1, 0.2, 0.4]},
    ]
    assert boxes_of(record, {"parsed": parsed}) == [
        BoxView((0.1, 0.2, 0.5, 0.6), "dog", is_reference=True),
        BoxView((0.0, 0.5, 1.0, 0.9), "cat"),
    ]
    assert boxes_of({"gt_answers": "a dog"}, {"parsed": 3}) == []


def picture(file: Path, color: str = "red", size: tuple[int, int] = (900, 300)) -> Image:
    PIL.Image.new("RGB", size, color).save(file)
    return Image(file)


def test_thumbnails_are_small_kept_and_made_once(tmp_path: Path) -> None:
    image = picture(tmp_path / "a.png")
    record = {"path": str(image.source), "digest": image.digest}
    run = folder(tmp_path, [line("q1", images=[record])], [])
    make_own(run)
    views = views_of(load_run(run))
    (shown,) = views.of("q1").images
    assert (shown.key, shown.width, shown.height) == (image.digest, 900, 300)
    data = views.thumbnail(shown.key)
    assert data is not None
    with PIL.Image.open(io.BytesIO(data)) as small:
        assert (small.format, small.size) == ("WEBP", (320, 107))
    assert [file.suffix for file in (run / "thumbnails").iterdir()] == [".webps"]
    # The next page does not need the image any more: what the model saw is kept.
    (tmp_path / "a.png").unlink()
    later = views_of(load_run(run))
    assert later.of("q1").images[0].key == image.digest
    assert later.thumbnail(image.digest) == data


def test_an_image_replaced_since_is_not_shown(tmp_path: Path) -> None:
    image = picture(tmp_path / "a.png")
    record = {"path": str(image.source), "digest": image.digest}
    run = folder(tmp_path, [line("q1", images=[record])], [])
    make_own(run)
    picture(tmp_path / "a.png", "blue")
    views = views_of(load_run(run))
    found = views.of("q1")
    assert found.images[0].key == ""
    assert "image 1 of sample 'q1' has been replaced since" in found.note
    assert not (run / "thumbnails").exists()


@pytest.mark.parametrize("content", [b"", b"no image", b"\x89PNG\r\n\x1a\n" + b"\0" * 40])
def test_a_broken_image_is_a_note(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.png").write_bytes(content)
    given = line("q1", images=[{"path": str(tmp_path / "a.png"), "digest": "0" * 32}])
    run = folder(tmp_path, [given], [])
    assert "is not opened, because the run is not yours" in views_of(load_run(run)).of("q1").note
    make_own(run)
    found = views_of(load_run(run)).of("q1")
    assert found.images[0].key == ""
    assert "image 1 of sample 'q1' cannot be shown: " in found.note


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    run = folder(tmp_path, [line("q1")], [])
    (run / "thumbnails").write_text("in the way")
    thumbnails, image = Thumbnails(run), picture(tmp_path / "a.png")
    thumbnails.add(image.digest, image)
    for number in range(100):  # more than are held in memory
        other = Image(PIL.Image.new("RGB", (4, 4), (number, 0, 0)))
        thumbnails.add(other.digest, other)
    assert thumbnails.read(image.digest) == thumbnail(image)
    assert (run / "thumbnails").read_text() == "in the way"


def test_a_file_of_thumbnails_that_a_kill_has_cut(tmp_path: Path) -> None:
    images = [Image(PIL.Image.new("RGB", (40, 4), (number, 0, 0))) for number in range(3)]
    thumbnails = Thumbnails(tmp_path)
    for image in images:
        thumbnails.add(image.digest, image)
    (file,) = (tmp_path / "thumbnails").iterdir()
    file.write_bytes(file.read_bytes()[:-1])
    later = Thumbnails(tmp_path)
    assert [later.has(image.digest) for image in images] == [True, True, False]
    later.add(images[2].digest, images[2])
    again = Thumbnails(tmp_path)
    assert [again.read(image.digest) for image in images] == [*map(thumbnail, images)]


def test_the_thumbnails_of_earlier_versions(tmp_path: Path) -> None:
    image = Image(PIL.Image.new("RGB", (4, 4)))
    (tmp_path / "thumbnails").mkdir()
    file = tmp_path / "thumbnails" / f"{image.digest}.webp"
    file.write_bytes(thumbnail(image))
    assert Thumbnails(tmp_path).read(image.digest) == thumbnail(image)
    file.write_bytes(thumbnail(image)[:-1])
    assert Thumbnails(tmp_path).read(image.digest) is None


def test_a_drawn_image_is_not_drawn_again_for_its_size(tmp_path: Path) -> None:
    pixels = PIL.Image.effect_noise((97, 45), 50).convert("RGB")
    image = Image(lambda: pixels, "drawn")
    Thumbnails(tmp_path).add(image.digest, image)

    def never() -> PIL.Image.Image:
        raise AssertionError

    assert Thumbnails(tmp_path).size(image.digest, Image(never, "drawn")) == (97, 45)
    large = Image(lambda: pixels.resize((970, 450)), "large")
    Thumbnails(tmp_path).add(large.digest, large)
    assert Thumbnails(tmp_path).size(large.digest, large) == (970, 450)


@pytest.mark.parametrize("key", ["", "../config", "..%2fconfig", "0" * 31, "G" * 32])
def test_no_key_leads_out_of_the_folder(tmp_path: Path, key: str) -> None:
    run = folder(tmp_path, [line("q1")], [])
    assert Thumbnails(run).read(key) is None


def test_links_lead_to_files_alone(tmp_path: Path) -> None:
    file = tmp_path / "a #1?.png"
    assert link_of(Image(file)) == f"file://{tmp_path}/a%20%231%3F.png"
    assert link_of(Image(file), tmp_path) == "./a%20%231%3F.png"
    assert link_of(Image(file), tmp_path / "page") == f"file://{tmp_path}/a%20%231%3F.png"
    for source in ("http://example.org/a.png", "data:image/png;base64,AA==", b"bytes"):
        assert link_of(Image(source), tmp_path) == ""


def test_a_conversation_that_goes_on_is_shown_once(tmp_path: Path) -> None:
    image = Image(PIL.Image.new("RGB", (4, 4)), "drawn")
    first = (Turn("user", (image, Text("One?"))),)
    second = (*first, Turn("assistant", (Text("yes"),)), Turn("user", (Text("Two?"),)))
    alone = (Turn("user", (image, Text("Three?"))),)

    class Told:
        def prefetch(self, ids: Sequence[str]) -> None:
            raise AssertionError(ids)

        def __call__(self, prediction: Prediction) -> Replayed:
            asked = [Generate(item) for item in (first, second, alone)]
            replies = [Generated("yes"), Generated("no"), Generated("well")]
            pairs = zip(asked, replies, strict=True)
            return Replayed(Sample(prediction.sample_id, (image,)), [Exchanged(*p) for p in pairs])

    found = Views(load_run(folder(tmp_path, [line("q1")], [])), Told()).of("q1")
    assert [(m.role, list(m.parts), m.kind, m.begins) for m in found.messages] == [
        ("user", [0, "One?"], "question", False),
        ("assistant", ["yes"], "reply", False),
        ("user", ["Two?"], "question", False),
        ("assistant", ["no"], "reply", False),
        ("user", [0, "Three?"], "question", True),
        ("assistant", ["well"], "reply", False),
    ]
    assert len(found.images) == 1


def test_a_link_to_another_file_is_no_thumbnail(tmp_path: Path) -> None:
    run = folder(tmp_path, [line("q1")], [])
    (tmp_path / "secret").write_text("mine")
    (run / "thumbnails").mkdir()
    (run / "thumbnails" / f"{'0' * 32}.webp").symlink_to(tmp_path / "secret")
    assert Thumbnails(run).read("0" * 32) is None


def test_files_that_config_yaml_names_are_not_run(tmp_path: Path) -> None:
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n")
    run = folder(tmp_path, [line("q1")], [entry("q1")])
    text = CONFIG.replace("recipe_cfg:\n", f"recipe_cfg:\n  plugins: [{tmp_path / 'evil.py'}]\n")
    (run / "config.yaml").write_text(text)
    loaded = load_run(run)
    found = Views(loaded, RunReplay(loaded.record)).of("q1")
    assert (found.verdict, found.fields["category"]) == ("right", "pets")
    assert "config.yaml names Python files, which its recipe runs" in found.note
    assert not (tmp_path / "ran").exists()


def test_an_image_of_an_example_that_is_newer_than_the_run_is_said(tmp_path: Path) -> None:
    run = folder(tmp_path, [line("q1")], [])
    old, new = picture(tmp_path / "old.png"), picture(tmp_path / "new.png", "blue")
    moment = (run / "predictions.jsonl").stat().st_mtime
    os.utime(tmp_path / "old.png", (moment - 9, moment - 9))
    os.utime(tmp_path / "new.png", (moment + 9, moment + 9))
    prediction = Prediction("q1", Status.OK, "a")
    images = ImageList(prediction, Sample("q1"), None, asked=moment)
    assert [images.index(old), images.index(new), images.index(old)] == [0, 1, 0]
    assert images.notes == [
        "image 2 of the in-context examples is in a file that was written after the run"
    ]
