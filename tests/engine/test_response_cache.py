"""Nothing is generated twice, and what is kept changes no answer."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from conftest import ROOT
from fakes import Hashing, Numbers
from PIL import Image as Pillow

import chef.engine.response_cache
from chef.cli import main
from chef.common import version
from chef.engine.engine import Engine, Job
from chef.engine.response_cache import ResponseCache, request_digest
from chef.errors import ConfigError
from chef.image import Image
from chef.inferencer import INFERENCERS
from chef.instruction import Instruction
from chef.models import MODELS
from chef.run.environment import reply_identity
from chef.run.folder import JOURNAL, load_predictions
from chef.types import Generate, Generated, Prediction, Score, Text, Turn

ASKED = Generate((Turn("user", (Text("why?"),)),), max_new_tokens=8)
REPLY = Generated("because", "stop", 3)


def ask(
    model: Hashing, name: str, responses: ResponseCache | None, **options: object
) -> tuple[dict[str, Prediction], Engine]:
    scenario = Numbers(size=40)
    inferencer = INFERENCERS.get(name)(Instruction("VQA"), **options)
    engine = Engine(model, inferencer, 7, responses=responses)
    jobs = [Job(f"n{index}", partial(scenario.__getitem__, index)) for index in range(40)]
    return {item.sample_id: item for item in engine.run(jobs)}, engine


def test_two_recipes_think_each_thought_once() -> None:
    responses, model = ResponseCache("m"), Hashing()
    recipes = [("PPL", {"CoT": True}), ("Direct", {"CoT": True, "max_new_tokens": 4})]
    alone = [ask(Hashing(), name, None, **options)[0] for name, options in recipes]
    first, engine = ask(model, *[recipes[0][0]], responses, **recipes[0][1])
    assert (engine.executor.statistics.requests, engine.executor.statistics.cache_hits) == (80, 0)
    second, engine = ask(model, recipes[1][0], responses, **recipes[1][1])
    assert (engine.executor.statistics.requests, engine.executor.statistics.cache_hits) == (40, 40)
    assert [first, second] == alone
    again, engine = ask(model, recipes[1][0], responses, **recipes[1][1])
    assert (engine.executor.statistics.requests, engine.executor.statistics.cache_hits) == (0, 80)
    assert again == alone[1]


def test_batches_with_a_cache_are_repeatable() -> None:
    calls = []
    for _ in range(2):
        responses, model = ResponseCache("m"), Hashing()
        ask(model, "Direct", responses, CoT=True)
        ask(model, "PPL", responses, CoT=True)
        calls.append(model.calls)
    assert calls[0] == calls[1]


def test_a_folder_serves_later_calls_of_the_same_model(tmp_path: Path) -> None:
    cache = ResponseCache("m", tmp_path / "new" / "folder")
    cache.put(ASKED, REPLY)
    cache.put(ASKED, Generated("another time"))
    beside = ResponseCache("m", tmp_path / "new" / "folder")  # while the first is open
    assert beside.get(ASKED) == REPLY
    cache.close()
    beside.close()
    assert ResponseCache("m", tmp_path / "new" / "folder").get(ASKED) == REPLY
    assert ResponseCache("other", tmp_path / "new" / "folder").get(ASKED) is None


def test_replies_belong_to_the_versions_they_came_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ResponseCache(reply_identity("m", []), tmp_path).put(ASKED, REPLY)
    assert ResponseCache(reply_identity("m", []), tmp_path).get(ASKED) == REPLY
    monkeypatch.setattr(version, "VERSION", "99")
    assert ResponseCache(reply_identity("m", []), tmp_path).get(ASKED) is None


def test_everything_that_decides_a_reply_names_it() -> None:
    def shown(shade: int) -> Image:
        return Image(Pillow.new("RGB", (2, 2), (shade, 0, 0)))

    user = ASKED.conversation[0]
    sampled = replace(ASKED, temperature=0.5)
    different = [
        ASKED,
        replace(ASKED, conversation=(Turn("system", user.parts),)),
        replace(ASKED, conversation=(Turn("user", (Text("wh"), Text("y?"))),)),
        replace(ASKED, conversation=(user, user)),
        replace(ASKED, conversation=(Turn("user", (shown(1), *user.parts)),)),
        replace(ASKED, conversation=(Turn("user", (shown(2), *user.parts)),)),
        replace(ASKED, conversation=(Turn("user", (*user.parts, shown(2))),)),
        replace(ASKED, max_new_tokens=9),
        replace(ASKED, stop=("a",)),
        replace(ASKED, answer_prefix="a"),
        sampled,
        replace(sampled, seed=1),
        replace(sampled, top_p=0.5),
    ]
    assert len({request_digest(item) for item in different}) == len(different)
    assert request_digest(replace(ASKED, seed=1)) == request_digest(ASKED)  # greedy draws nothing


def test_what_is_not_kept() -> None:
    cache = ResponseCache("m")
    cache.put(ASKED, Generated("no", "refused"))
    assert cache.get(ASKED) is None
    scored = Score(ASKED.conversation, ("a",))
    cache.put(scored, ())
    assert cache.get(scored) is None


def test_a_full_cache_keeps_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chef.engine.response_cache, "PAGES", 8)
    cache = ResponseCache("m")
    asked = [replace(ASKED, answer_prefix=str(n)) for n in range(100)]
    for item in asked:
        cache.put(item, Generated("x" * 1000))
    kept = [cache.get(item) is not None for item in asked]
    assert kept[0]
    assert not kept[-1]
    assert 4 < sum(kept) < 40


def test_a_folder_that_holds_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "responses.sqlite").write_text("no database, but long enough to be read as one" * 9)
    with pytest.raises(ConfigError, match="response cache"):
        ResponseCache("m", tmp_path)
    with pytest.raises(ConfigError, match="response cache"):
        ResponseCache("m", tmp_path / "responses.sqlite")


CODE = """\
from chef.models import Model

def words():
    return "{words}"

class Speaks(Model):
    def generate_one(self, conversation, max_new_tokens):
        return words()
"""


def test_replies_of_a_plugin_end_with_its_code(tmp_path: Path) -> None:
    """Not the class alone decides, but what it calls."""
    (tmp_path / "m.yaml").write_text("plugins: [speaks.py]\nmodel_name: Speaks\n")
    recipe = ROOT / "configs/recipes/Shapes/direct.yaml"
    answers = []
    for words in ("one", "three"):  # of other lengths, or Python may take its bytecode for new
        (tmp_path / "speaks.py").write_text(CODE.format(words=words))
        arguments = ["--save_dir", str(tmp_path / words), "--time", "t", "--sample_len", "2"]
        main(["eval", "--model_cfg", str(tmp_path / "m.yaml"), "--recipe_cfg", str(recipe),
              "--response_cache", str(tmp_path / "kept"), *arguments])  # fmt: skip
        for name in [name for name in sys.modules if name.startswith("chef_plugin_speaks")]:
            del sys.modules[name]  # as in another process
        for known in (MODELS._table, MODELS._loaded):
            known.pop("Speaks", None)
        (journal,) = (tmp_path / words).rglob(JOURNAL)
        answers.append({item.answer for item in load_predictions(journal).values()})
    assert answers == [{"one"}, {"three"}]
