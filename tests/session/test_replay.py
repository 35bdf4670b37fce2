"""Replayed conversations are the requests that a model really received."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import ROOT, process_restored
from fakes import chance

import chef
from chef.image import Image
from chef.instruction.retriever import nearest
from chef.models import Model
from chef.report.load import Run, load_run
from chef.report.views import Views
from chef.session.replay import RunReplay
from chef.types import Generate, Generated, Prediction, Request, Score, Scored

SHAPES = ROOT / "configs" / "recipes" / "Shapes"
#: Every inferencer, with and without chains of thought, examples in each form, and several turns.
RECIPES = (
    "ppl", "direct", "ppl_CoT", "direct_CoT", "mcq_icl_fixed_direct", "mcq_icl_random_ppl_CoT",
    "yesno_icl_random_ppl", "mcq_icl_topk_text_ppl", "mcq_icl_topk_img_ppl_CoT",
    "classification_multi_ppl", "classification_conversation_ppl", "detection_direct",
    "detection_multi_direct", "detection_conversation", "detection_det", "detection_det_ppl",
    "caption_ppl",
)  # fmt: skip


def written(request: Request) -> str:
    """All that a model is given, images as digests of their pixels."""
    turns = [
        (turn.role, [part.digest if isinstance(part, Image) else part.text for part in turn.parts])
        for turn in request.conversation
    ]
    if isinstance(request, Score):
        return repr((turns, request.candidates, request.answer_prefix))
    how = (request.max_new_tokens, request.stop, request.temperature, request.seed)
    return repr((turns, how, request.answer_prefix))


class Recording(Model):
    """Answers by chance, in words that name shapes, and notes everything that it is asked."""

    name = "recording"

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()

    def fingerprint(self) -> str:
        return "recording"

    def generate(self, requests: Sequence[Generate]) -> list[Generated]:
        return [self._text(item) for item in requests]

    def _text(self, request: Generate) -> Generated:
        self.asked[written(request)] += 1
        number = chance(written(request))
        text = f" a red circle, a blue star and {number:.3f} green squares \n"
        return Generated(text, "length" if number < 0.3 else "stop", tokens=9)

    def score(self, requests: Sequence[Score]) -> list[tuple[Scored, ...]]:
        for item in requests:
            self.asked[written(item)] += 1
        return [
            tuple(Scored(-7 * chance(written(item), one), 3) for one in item.candidates)
            for item in requests
        ]


def replayed(run: Run) -> Counter[str]:
    """The requests of a run, replayed; each has to be exact."""
    replay, found = RunReplay(run.record), Counter[str]()
    for prediction in run.predictions:
        told = replay(prediction)
        assert (told.note, bool(told.exchanges)) == ("", True)
        found.update(written(item.request) for item in told.exchanges)
    return found


def evaluated(recipe: Any, to: Path, model: Model, **options: Any) -> Run:
    report = chef.evaluate(model, recipe, save_dir=to, on_progress=lambda _: None, **options)
    return load_run(report.folder)


@pytest.mark.parametrize("name", RECIPES)
@pytest.mark.usefixtures("small_pool")
def test_what_is_replayed_was_sent(name: str, tmp_path: Path) -> None:
    recipe = yaml.safe_load((SHAPES / f"{name}.yaml").read_text())
    recipe["scenario_cfg"]["size"] = 20  # also of the pool, whose vectors take time
    model = Recording()
    run = evaluated(recipe, tmp_path, model, limit=3, seed=4)
    assert replayed(run) == model.asked


@pytest.mark.parametrize("compat", ["corrected", "upstream"])
@pytest.mark.usefixtures("small_pool")
def test_examples_are_taken_from_the_journal_without_their_encoder(
    compat: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = yaml.safe_load((SHAPES / "mcq_icl_topk_text_ppl.yaml").read_text())
    recipe |= {"compat": compat}
    recipe["scenario_cfg"]["size"] = 20
    model = Recording()
    run = evaluated(recipe, tmp_path, model, limit=3, batch_size=2)
    encoded: list[str] = []
    embed = nearest.embed
    monkeypatch.setattr(nearest, "embed", lambda *given: encoded.append(given[-1]) or embed(*given))
    monkeypatch.setattr(nearest.cache, "read", lambda *_: None)
    assert replayed(run) == model.asked
    assert encoded == []
    unknown = changed(run, ices=["q-none", "q-other"])
    told = RunReplay(run.record)(unknown)
    assert told.note == "shown as the journal has it: other in-context examples are chosen now"
    assert encoded  # chosen again


def test_rotations_sampled_text_and_upstream_rules(tmp_path: Path) -> None:
    circular = {
        "scenario_cfg": {"dataset_name": "Shapes", "task": "mcq", "size": 20, "circular": True},
        "eval_cfg": {"inferencer_cfg": {"inferencer_type": "Direct", "temperature": 0.7}},
    }
    upstream = {
        "compat": "upstream",
        "scenario_cfg": {"dataset_name": "Shapes", "task": "mcq", "size": 20},
        "eval_cfg": {
            "instruction_cfg": {"incontext_cfg": {"retriever_type": "random", "ice_num": 2}},
            "inferencer_cfg": {"inferencer_type": "PPL", "CoT": True},
        },
    }
    for number, recipe in enumerate((circular, upstream)):
        model = Recording()
        run = evaluated(recipe, tmp_path / str(number), model, limit=8, batch_size=3)
        assert replayed(run) == model.asked


def test_a_model_of_one_image_was_shown_bare_examples(tmp_path: Path) -> None:
    class OneImage(Recording):
        max_images = 1

    model = OneImage()
    run = evaluated(SHAPES / "yesno_icl_random_ppl.yaml", tmp_path, model, limit=2)
    assert run.environment["sessions"][0]["bare_examples"] == 1
    assert replayed(run) == model.asked


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return evaluated(SHAPES / "direct_CoT.yaml", tmp_path, Recording(), limit=2)


def changed(run: Run, **changes: Any) -> Prediction:
    """The first prediction with keys of its trace or its answer changed."""
    first = run.predictions[0]
    answer = changes.pop("answer", first.answer)
    status = changes.pop("status", first.status)
    return Prediction(
        first.sample_id, status, answer, first.scores, {**first.trace, **changes}, first.sample,
        images=first.images,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"query": "asked otherwise"}, "it is worded otherwise now"),
        ({"CoT_query": "Think!"}, "its chain of thought is asked for otherwise now"),
        ({"ices": ["q1"]}, "other in-context examples are chosen now"),
        ({"answer": ["a", "b"]}, "a step of its program is not journaled"),
        ({"worded_by": "Own.build_prompt"}, "worded by the model (Own.build_prompt)"),
    ],
)
def test_what_is_not_exact_says_why(run: Run, changes: dict[str, Any], why: str) -> None:
    told = RunReplay(run.record)(changed(run, **changes))
    assert not told.exchanges
    assert why in told.note


def test_a_wording_changed_in_the_recipe_is_seen(run: Run) -> None:
    config = run.folder / "config.yaml"
    text = config.read_text()
    assert "defined_prompt: null" in text
    config.write_text(text.replace("defined_prompt: null", "defined_prompt: 'Hm, {question}'"))
    again = load_run(run.folder)
    told = RunReplay(again.record)(again.predictions[0])
    assert told.note == "shown as the journal has it: it is worded otherwise now"
    view = Views(again, RunReplay(again.record)).of(again.predictions[0].sample_id)
    trace = again.predictions[0].trace
    texts = [part for item in view.messages for part in item.parts if isinstance(part, str)]
    assert texts[0] == trace["CoT_query"].replace("<image>\n", "")
    assert texts[1] == trace["CoT_answer"]
    assert [item.parts[0] for item in view.messages if item.role == "user"] == [0, 0]


def test_plugins_run_only_when_trusted(tmp_path: Path) -> None:
    fakes = ROOT / "tests" / "fakes.py"
    recipe = tmp_path / "r.yaml"
    recipe.write_text(
        f"plugins: [{fakes}]\nscenario_cfg: {{dataset_name: Numbers, size: 3}}\n"
        "eval_cfg: {inferencer_cfg: {inferencer_type: PPL}}\n"
    )
    with process_restored():
        run = evaluated(recipe, tmp_path / "runs", Recording())
    (first, *_) = run.predictions
    (run.folder / ".seal").rename(run.folder / "kept")
    untrusted = RunReplay(load_run(run.folder).record)(first)
    assert not untrusted.exchanges
    assert "--trust" in untrusted.note
    with process_restored():
        trusted = RunReplay(load_run(run.folder, trust=True).record)(first)
    assert (trusted.note, len(trusted.exchanges)) == ("", 1)
    (run.folder / "kept").rename(run.folder / ".seal")  # a run of the user's own needs no option
    own = RunReplay(load_run(run.folder).record)(first)
    assert (own.note, len(own.exchanges)) == ("", 1)


def test_a_failed_sample_shows_what_it_was_asked(tmp_path: Path) -> None:
    class Failing(Recording):
        def generate(self, requests: Sequence[Generate]) -> list[Generated]:
            super().generate(requests)
            raise ValueError("too hot")

    run = evaluated(SHAPES / "direct.yaml", tmp_path, Failing(), limit=1)
    view = Views(run, RunReplay(run.record)).of(run.predictions[0].sample_id)
    assert (view.verdict, view.answers) == ("error", [])
    assert "too hot" in view.error
    assert view.messages[0].role == "user"
    assert json.dumps(view.messages[0].parts[0]) == "0"
