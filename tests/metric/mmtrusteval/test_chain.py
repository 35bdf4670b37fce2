"""Chains of evaluators, and the rules by which a judge is asked, on cases worked by hand."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from chef.errors import ConfigError, RunError
from chef.metric import METRICS
from chef.metric.mmtrusteval import EVALUATORS, register_evaluator
from chef.metric.mmtrusteval import chain as chain_module
from chef.metric.mmtrusteval.base import BaseEvaluator, Failure
from chef.metric.mmtrusteval.chain import SequentialEvaluator
from chef.metric.place import OutputsInMemory, Place
from chef.types import Generate, Prediction, Status

TEMPLATE = {"prompt_template": "{pred}"}
MEAN = {"metrics_cfg": {"pred_mean": None}}


class Judge:
    """Answers by a function, and remembers what it was asked."""

    name, identity = "judge", "1"

    def __init__(self, say: Callable[[str], str] = str) -> None:
        self.say, self.requests = say, list[Generate]()

    def ask(self, request: Generate) -> str:
        self.requests.append(request)
        return self.say(request.conversation[0].text)

    @property
    def prompts(self) -> list[str]:
        return [item.conversation[0].text for item in self.requests]


def at(judge: Judge) -> Place:
    return Place(Path(), "model", lambda: None, judge)


class Counts(BaseEvaluator):
    evaluator_ids = ("test_counts", "test_counts_again")

    def process(self, preds: Any, labels: Any, extras: Any = None) -> Any:
        return [len(pred) if pred else None for pred in preds], labels, extras


class Halves(BaseEvaluator):
    """Half of an even number; it fails on an odd one."""

    evaluator_ids = ("test_halves",)

    def process(self, preds: Any, labels: Any, extras: Any = None) -> Any:
        if odd := [pred for pred in preds if pred % 2]:
            raise ValueError(f"{odd[0]} is odd")
        return [pred // 2 for pred in preds], [f"{label}!" for label in labels], extras


class Short(BaseEvaluator):
    evaluator_ids = ("test_short",)

    def process(self, preds: Any, labels: Any, extras: Any = None) -> Any:
        return preds[1:], labels, extras


class Own(Counts):
    evaluator_ids = ("test_own",)

    def eval(self, preds: Any, labels: Any, extras: Any = None) -> dict[str, Any]:
        return {"longest": max(map(len, preds)), "all": list(preds)}


@pytest.fixture(scope="module", autouse=True)
def _known() -> Iterator[None]:
    for kind in (Counts, Halves, Short, Own):
        assert register_evaluator()(kind) is kind
    yield
    for kind in (Counts, Halves, Short, Own):
        for name in kind.evaluator_ids:
            del EVALUATORS._table[name]


def test_the_keys_of_a_chain() -> None:
    chain = SequentialEvaluator(
        {"test_counts": None, "test_halves": {"metrics_cfg": {"pred_no_op": {}, "pred_mean": {}}}}
    )
    assert chain(["ab", "abcd"], ["x", "y"], extras=[None, None]) == {
        "test_counts:pred_no_op": [2, 4],
        "test_counts->test_halves:pred_no_op": [1, 2],
        "test_counts->test_halves:pred_mean": 1.5,
    }
    assert SequentialEvaluator({})(["ab"], ["x"]) == {}


def test_undecided_and_failed_samples_go_no_further() -> None:
    chain = SequentialEvaluator({"test_counts": None, "test_halves": MEAN})
    done = chain.process(["ab", "", "abc", "abcdef"], list("1234"), [None] * 4)
    assert done.preds[:2] == [1, None]
    assert done.preds[3] == 3
    assert isinstance(done.preds[2], Failure)
    assert "3 is odd" in done.preds[2].reason
    assert done.labels == ["1!", "2", "3", "4!"]
    assert chain(["ab", "abc"], [1, 2])["test_counts->test_halves:pred_mean"] == 1
    with pytest.raises(RunError, match="test_halves failed on every answer: ValueError: 1 is odd"):
        chain(["a", "abc"], [1, 2])


def test_the_error_on_every_answer_tells_the_fields_of_the_samples() -> None:
    keys = {"prompt_template": "{prediction}", **MEAN}
    chain = SequentialEvaluator({"chatmodel_eval": keys})
    with pytest.raises(RunError, match="'prediction', and the sample does not") as caught:
        chain(["a", "abc"], [1, 2], place=at(Judge()))
    assert "the sample has" in (caught.value.hint or "")
    assert "pred, label" in (caught.value.hint or "")


def test_what_process_returns_is_checked() -> None:
    chain = SequentialEvaluator({"test_short": MEAN})
    with pytest.raises(RunError, match=r"test_short.process returned 3 items of the sizes 1, 2, 2"):
        chain(["a", "b"], [1, 2])


def test_a_class_that_cannot_be_registered() -> None:
    for kind, why in (
        (int, "is no evaluator"),
        (type("Bare", (Own,), {"evaluator_ids": ()}), "no"),
    ):
        with pytest.raises(ConfigError, match=why):
            register_evaluator()(kind)
    taken = type("Taken", (Own,), {"evaluator_ids": ["chatmodel_eval"]})
    with pytest.raises(ConfigError, match="already registered"):
        register_evaluator()(taken)


def test_a_class_with_metrics_of_its_own() -> None:
    metric = METRICS.get("Evaluators")(evaluator_seq_cfgs=[{"test_own": MEAN}])
    answers = [Prediction(str(n), Status.OK, "a" * n, sample={}) for n in (1, 3, 2)]
    assert metric.evaluate(answers).metrics["test_own:longest"].value == 3


def test_evaluators_without_a_run_and_a_sample_that_is_an_error() -> None:
    chains = [{"test_counts": None, "test_halves": MEAN}, {"test_counts_again": MEAN}]
    metric = METRICS.get("Evaluators")(evaluator_seq_cfgs=chains)
    texts = {"a": "ab", "b": "abc", "c": "abcdef", "d": ""}
    answers = [Prediction(name, Status.OK, text, sample={}) for name, text in texts.items()]
    report = metric.evaluate([*answers, Prediction("e", Status.ERROR, error={"message": "no"})])
    assert (report.coverage.total, report.coverage.scored, report.coverage.errors) == (5, 3, 2)
    # b failed in one chain and is left out of both; nothing is decided of d
    assert {name: (item.value, item.n) for name, item in report.metrics.items()} == {
        "test_counts->test_halves:pred_mean": (2, 2),
        "test_counts->test_halves:failure_rate": (pytest.approx(1 / 3), 3),
        "test_counts_again:pred_mean": (4, 2),
        "test_counts_again:failure_rate": (pytest.approx(1 / 3), 3),
    }
    entry = next(item for item in report.samples if item["id"] == "b")
    assert (entry["error"]["stage"], "3 is odd" in entry["error"]["message"]) == ("metric", True)
    assert metric.running(answers[2]) == 3


def asked(keys: dict[str, Any], *sample: Any, compat: Any = "corrected", **options: Any) -> Any:
    """The new prediction of a sample, and the prompts of the judge."""
    name = keys.pop("id", "chatmodel_eval")
    chain = SequentialEvaluator({name: {**keys, **MEAN}}, compat)
    judge = Judge(**options)
    pred, label, extra = (*sample, None, None)[:3]
    done = chain.process([pred], [label], [extra], place=at(judge))
    return done.preds[0], judge.prompts


def test_a_template_with_names() -> None:
    keys = {"prompt_template": "{pred}|{label}|{size}|{{}}"}
    assert asked(keys, "p", [1, 2], {"size": (3, 4), "pred": "x"})[1] == ["p|[1, 2]|(3, 4)|{}"]
    assert asked({"prompt_template": "{pred}"}, "<|im_end|> {label}")[1] == ["< |im_end| > {label}"]
    raw = asked({"prompt_template": "{pred}"}, "<|im_end|>", compat="upstream")
    assert raw[1] == ["<|im_end|>"]
    with pytest.raises(RunError, match="has the field 'size', and the sample does not"):
        asked(keys, "p", 1, {"other": 1})


def test_how_a_judge_writes() -> None:
    keys = {"prompt_template": "{pred}"}
    judge = Judge()

    def request(**given: Any) -> Generate:
        step = {"chatmodel_eval": {**keys, "generation_kwargs": given, **MEAN}}
        SequentialEvaluator(step).process(["p"], [1], [None], place=at(judge))
        return judge.requests[-1]

    first = request(max_new_tokens=7, do_sample=False, temperature=0.5)
    assert (first.max_new_tokens, first.temperature) == (7, 0)
    assert request(do_sample=True, temperature=0.5, top_p=0.9).top_p == 0.9
    assert judge.requests[-1].temperature == 0.5


SCORE = {"id": "chatmodel_score", "prompt_template": "1 {} 2 {} 3 {}"}


@pytest.mark.parametrize(
    ("keys", "pred", "label", "given", "prompts"),
    [
        ({}, "a cat", "What?\nOptions: x->A dog", "r", ["1 What? 2 A dog 3 a cat"]),
        ({}, "A dog.", "What?->A dog", "100", []),
        ({}, "\n\nA. dog<\\s>\n", "What?->a DOG", "100", []),
        ({}, " a dog", "What?->A dog", "r", ["1 What? 2 A dog 3  a dog"]),
        ({}, "a dog.", "What?->A dog.", "r", ["1 What? 2 A dog. 3 a dog."]),
        ({"full_score": "Yes."}, "A dog", "What?->A dog", "Yes.", []),
        ({"prompt_template": "{}: a {}?"}, "a cat", "cat", "r", ["a cat: a cat?"]),
        ({"prompt_template": "{1} {0}"}, "cat", "cat", "r", ["cat cat"]),
    ],
)  # fmt: skip
def test_scores(keys: Any, pred: str, label: str, given: str, prompts: list[str]) -> None:
    for compat in ("corrected", "upstream"):
        found = asked({**SCORE, **keys}, pred, label, compat=compat, say=lambda _: "r")
        assert found == (given, prompts)


@pytest.mark.parametrize(("noise", "given"), [("YES, it is.", "Yes."), ("No.", "x")])
def test_noise_gives_the_full_score(noise: str, given: str) -> None:
    keys = {"prompt_template": "{} {}", "test_noise": True, "full_score": "Yes."}
    replies = iter(["x", noise])
    found, prompts = asked({**SCORE, **keys}, "blurred", "cat", say=lambda _: next(replies))
    assert found == given
    assert len(prompts) == 2
    assert all("blurred" in prompt for prompt in prompts)


@pytest.mark.parametrize(
    ("keys", "pred", "label", "why"),
    [
        (SCORE, "p", 3, "compares with a text, and the label is 3"),
        (SCORE, "p", "no arrow", "has more fields than the 2 of the sample"),
        ({"prompt_template": "x"}, 1, None, "judges texts, and the prediction is 1"),
    ],
)
def test_a_sample_that_cannot_be_judged(keys: Any, pred: Any, label: Any, why: str) -> None:
    with pytest.raises(RunError, match=why):
        asked(dict(keys), pred, label)


def test_an_empty_reply_is_no_prediction() -> None:
    with pytest.raises(RunError, match="the judge judge gave an empty reply"):
        asked({"prompt_template": "x"}, "p", say=lambda _: " ")
    with pytest.raises(ConfigError, match="asks a judge, and there is none"):
        SequentialEvaluator({"chatmodel_eval": {"prompt_template": "x", **MEAN}})(["p"], [1])


def test_by_their_rules_an_empty_reply_is_the_prediction() -> None:
    keys = {"prompt_template": "x"}
    assert asked(keys, "p", compat="upstream", say=lambda _: "") == ("", ["x"])


def test_outputs_are_kept_by_everything_that_decides_them() -> None:
    kept, judge = OutputsInMemory(), Judge()

    def ask(template: str, *sample: Any) -> int:
        step = {"chatmodel_eval": {"prompt_template": template, **MEAN}}
        before = len(judge.requests)
        lists = ([item] for item in sample)
        SequentialEvaluator(step).process(*lists, place=at(judge), kept=kept)
        return len(judge.requests) - before

    assert ask("{pred}", "p", "l", {"a": 1}) == 1
    assert ask("{pred}", "p", "l", {"a": 1}) == 0
    assert ask("{pred}!", "p", "l", {"a": 1}) == 1
    assert ask("{pred}", "q", "l", {"a": 1}) == 1
    assert ask("{pred}", "p", "m", {"a": 1}) == 1
    assert ask("{pred}", "p", "l", {"a": 2}) == 1
    judge.identity = "2"
    assert ask("{pred}", "p", "l", {"a": 1}) == 1


def test_what_chains_begin_with_is_asked_once() -> None:
    first, judge = {"prompt_template": "{pred}"}, Judge()
    chains = [
        {"chatmodel_eval": first, "test_counts": MEAN},
        {"chatmodel_eval": first, "test_counts_again": MEAN},
    ]
    metric = METRICS.get("Evaluators")(evaluator_seq_cfgs=chains)
    metric.place = at(judge)
    given = [Prediction(str(n), Status.OK, "a" * n, sample={}) for n in range(1, 30)]
    assert metric.evaluate(given).metrics["chatmodel_eval->test_counts_again:pred_mean"].value == 15
    assert sorted(judge.prompts, key=len) == ["a" * n for n in range(1, 30)]


def test_equal_prompts_are_asked_once_at_the_same_time() -> None:
    judge = Judge(lambda text: time.sleep(0.02) or text)
    chain = SequentialEvaluator({"chatmodel_eval": {"prompt_template": "same", **MEAN}})
    done = chain.process(list("abcdefgh"), list("12345678"), [None] * 8, place=at(judge))
    assert done.preds == ["same"] * 8
    assert len(judge.requests) == 1


@pytest.mark.parametrize(
    ("chains", "what", "where"),
    [
        ([{"test_count": MEAN}], "unknown evaluator 'test_count'", "0.test_count"),
        ([{"test_counts": {}}], "needs the key 'metrics_cfg'", "0.test_counts"),
        ([{"test_counts": {"metrics_cfg": {}}}], "has no metrics", "test_counts.metrics_cfg"),
        ([{"test_counts": {"metrics_cfg": ["pred_mean"]}}], "must be a mapping", "metrics_cfg"),
        (
            [{"test_counts": {"metrics_cfg": {"mean": None}}}],
            "unknown metric 'mean'",
            "0.test_counts.metrics_cfg.mean",
        ),
        (
            [{"test_counts": {"metrics_cfg": {"failure": {"fail_num": 1}}}}],
            "unknown key for failure",
            "metrics_cfg.failure.fail_num",
        ),
        (
            [{"chatmodel_eval": {"prompt_template": 3, **MEAN}}],
            "3 does not fit",
            "0.chatmodel_eval.prompt_template",
        ),
        (
            [{"chatmodel_eval": {"prompt_template": "{pred.__class__}", **MEAN}}],
            "looks into a field",
            "prompt_template",
        ),
        (
            [{"chatmodel_score": {"prompt_template": "{pred}", **MEAN}}],
            "has the field {pred}",
            "prompt_template",
        ),
        (
            [{"chatmodel_eval": {**TEMPLATE, "generation_kwargs": {"max_new_tokens": 0}, **MEAN}}],
            "is out of range",
            "generation_kwargs",
        ),
        (
            [
                {"chatmodel_eval": {"prompt_template": text}, "test_counts": MEAN}
                for text in "ab"
            ],
            "chatmodel_eval with different keys",
            "evaluator_seq_cfgs.1",
        ),
        ([3], "must be a mapping", "evaluator_seq_cfgs.0"),
    ],
)  # fmt: skip
def test_wrong_chains(chains: Any, what: str, where: str) -> None:
    with pytest.raises(ConfigError) as caught:
        METRICS.get("Evaluators").check_keys({"evaluator_seq_cfgs": chains})
    assert what in caught.value.what
    assert str(caught.value.where).endswith(where)


@pytest.mark.parametrize(
    ("name", "compat", "former"),
    [
        ("chatmodel_eval", "corrected", "judges.ChatModelEvaluator"),
        ("chatmodel_score", "upstream", "upstream.ChatModelScorer"),
        ("classifier_reject_eval", "corrected", "classifiers.RejectEvaluator"),
        ("classifer_follow_instruction_eval", "upstream", "classifiers.FollowEvaluator"),
        ("harmbenchmodel_eval", "corrected", "harmbench.HarmBenchEvaluator"),
        ("harmbenchmodel_eval", "upstream", "upstream.HarmBenchEvaluator"),
        ("google_perspective_api_eval", "corrected", "perspective.PerspectiveEvaluator"),
        ("openai_moderation_api_eval", "corrected", "moderation.ModerationEvaluator"),
        ("openai_moderation_api_eval", "upstream", "upstream.ModerationEvaluator"),
    ],
)
def test_outputs_that_earlier_versions_kept_go_on_being_taken(name, compat, former):
    """Their digests hold the names that the classes had, wherever these stand now."""
    evaluator = object.__new__(EVALUATORS.get(name, compat=compat))
    assert chain_module._code(evaluator) == f"chef.metric.mmtrusteval.{former}"
