"""The fast scorer (shared prefixes) gives the scores of the reference scorer, on every family."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from chef.errors import ConfigError, SampleError
from chef.image import Image
from chef.models.huggingface.likelihood.auto import AutoScorer
from chef.models.huggingface.likelihood.shared_prefix import scorer as scoring
from chef.models.huggingface.likelihood.shared_prefix import tree
from chef.models.huggingface.likelihood.shared_prefix.images import UnsupportedError
from chef.models.huggingface.likelihood.shared_prefix.scorer import SharedPrefixScorer
from chef.models.huggingface.model import HuggingFaceModel
from chef.types import Conversation, Score, Scored, Text, Turn

TOLERANCE = 1e-4  # nats, float32, in sums
OPTIONS = (
    ("(A) a red circle", "(B) a blue square", "(C)"),
    ("two", "7"),
    ("yes", "no", "yes", "yes, a red circle", "yes, a blue square", "(é) größer"),
    ("a",),
)
PREFIXES = ("", "The answer is ", "The answer is (")


def chosen(model: HuggingFaceModel) -> AutoScorer:
    return model._ready()[2]


def both(model: HuggingFaceModel) -> tuple[SharedPrefixScorer, Any]:
    """The two scorers; the test fails for a model that fell back to the reference."""
    scorer = chosen(model)
    assert isinstance(scorer.shared, SharedPrefixScorer), scorer.notices
    return scorer.shared, scorer.naive


def largest(left: Sequence[tuple[Scored, ...]], right: Sequence[tuple[Scored, ...]]) -> float:
    """The largest difference of two sums; token counts and winners are to be the same."""
    pairs = [pair for a, b in zip(left, right, strict=True) for pair in zip(a, b, strict=True)]
    assert [a.tokens for a, _ in pairs] == [b.tokens for _, b in pairs]
    winners = [
        [max(each, key=lambda item: item.mean).mean for each in side] for side in (left, right)
    ]
    assert winners[0] == pytest.approx(winners[1], abs=TOLERANCE)
    return max(abs(a.logprob_sum - b.logprob_sum) for a, b in pairs)


@pytest.fixture
def asked(conversations: list[Conversation]) -> list[Score]:
    """Ragged in every way, with several questions about one image among them."""
    (one, *_), (four, *_) = conversations[0], conversations[3]
    again = (Turn("user", (four.parts[0], Text("Is it red? " * 3))),)
    long = (Turn("user", (one.parts[0], Text("How many shapes are there? " * 40))),)
    everything = [*conversations, again, again, long]
    return [
        Score(c, OPTIONS[(i + j) % 4], prefix)
        for i, c in enumerate(everything)
        for j, prefix in enumerate(PREFIXES)
    ]


def test_scores_are_those_of_the_oracle(model: HuggingFaceModel, asked: list[Score]) -> None:
    shared, naive = both(model)
    shared.counts = type(shared.counts)()
    expected = naive.score(asked)
    assert largest(shared.score(asked), expected) <= TOLERANCE
    assert not chosen(model).notices
    assert shared.counts.computed <= 1.25 * shared.counts.nodes  # padding, on ragged tiny prompts
    for size in (1, 4):
        batches = [asked[i : i + size] for i in range(0, len(asked), size)]
        replies = [reply for batch in batches for reply in shared.score(batch)]
        assert largest(replies, expected) <= TOLERANCE
    assert largest(shared.score(asked[::-1])[::-1], expected) <= TOLERANCE


@pytest.mark.parametrize("limit", [8, 60])
def test_trees_cut_into_trunks_and_branches(
    model: HuggingFaceModel, asked: list[Score], limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Small trees cut as large ones are: branches continue from the keys and values of trunks."""
    shared, naive = both(model)
    monkeypatch.setattr(tree, "SHORTEST_TRUNK", 3)
    monkeypatch.setattr(shared, "limit", limit)
    pasts = []
    run = shared.forward.run

    def spy(*arguments: Any, **options: Any) -> Any:
        pasts.append(options["past"].depth)
        return run(*arguments, **options)

    monkeypatch.setattr(shared.forward, "run", spy)
    assert largest(shared.score(asked), naive.score(asked)) <= TOLERANCE
    assert max(pasts) > 10


def test_scores_depend_on_every_image(model: HuggingFaceModel, images: list[Image]) -> None:
    """Features that are mixed up, or not there, would show."""
    shared, naive = both(model)
    one, two, three, _ = images
    requests = [
        Score((Turn("user", (*shown, Text("Which is red?"))),), OPTIONS[0])
        for shown in ((one, two), (two, one), (one, three), (three,), (one,), (one, one))
    ]
    replies = shared.score(requests)
    assert largest(replies, naive.score(requests)) <= TOLERANCE
    sums = [reply[0].logprob_sum for reply in replies]
    gaps = [abs(a - b) for i, a in enumerate(sums) for b in sums[:i]]
    assert min(gaps) > 2 * TOLERANCE


def fresh(model: HuggingFaceModel) -> SharedPrefixScorer:
    """A scorer that has encoded and counted nothing yet."""
    shared, naive = both(model)
    return SharedPrefixScorer(shared.rows.runtime, shared.renderer, lambda _: 4, 8192, naive)


def test_images_are_encoded_once(
    load: Callable[[str], HuggingFaceModel],
    images: list[Image],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scorer = fresh(load("llava"))
    encoded = []
    base = scorer.rows.runtime.model.model
    encode = base.get_image_features

    def spy(pixel_values: Any, **options: Any) -> Any:
        encoded.append(len(pixel_values))
        return encode(pixel_values, **options)

    monkeypatch.setattr(base, "get_image_features", spy)
    one, two, three, _ = images
    copy = Image(one.load())  # equal pixels, another object
    questions = [
        Score((Turn("user", (image, Text(text))),), ("yes", "no"))
        for image, text in ((one, "Is it red?"), (copy, "Is it blue?"), (two, "Is it red?"))
    ]
    scorer.score(questions)
    assert sum(encoded) == 2
    scorer.score([Score((Turn("user", (two, one, three, Text("Which?"))),), ("a", "b"))])
    assert sum(encoded) == 3


def test_each_token_is_computed_once(
    load: Callable[[str], HuggingFaceModel], images: list[Image]
) -> None:
    scorer = fresh(load("llava"))

    def computed(*requests: Score) -> int:
        before = scorer.counts.computed
        scorer.score(requests)
        return scorer.counts.computed - before

    asked = Turn("user", (images[0], Text("What is the colour of the large shape?")))
    prompt = computed(Score((asked,), ("a",), "("))
    assert computed(Score((asked,), ("a", "b", "c", "d"), "(")) == prompt  # no continuation
    assert computed(*[Score((asked,), ("a", "b"), "(")] * 3) == prompt
    (reply,) = scorer.score([Score((asked,), ("one circle",), "(")])
    assert computed(Score((asked,), ("a", "one circle"), "(")) == prompt + reply[0].tokens - 1
    other = Turn("user", (images[0], Text("What is the colour of the small shape?")))
    assert computed(Score((asked,), ("a",), "("), Score((other,), ("a",), "(")) < 1.6 * prompt


def test_examples_are_computed_once_for_all_calls(
    model: HuggingFaceModel, images: list[Image]
) -> None:
    _, naive = both(model)
    scorer = fresh(model)
    one, *others = images
    shots = (
        Turn("user", (one, Text("How many shapes are there? " * 12))),
        Turn("assistant", (Text("There are two."),)),
    )
    asked = [
        Score((*shots, Turn("user", (image, Text("Which?")))), OPTIONS[0])
        for image in (*others, others[0])
    ]
    rows = []
    for request in asked:
        before = scorer.counts.computed
        assert largest(scorer.score([request]), naive.score([request])) <= TOLERANCE
        rows.append(scorer.counts.computed - before)
    if scorer.rows.together:
        return  # images are processed together with their row: only whole rows are shared
    assert max(rows[2:]) < 0.6 * min(rows[:2])
    scorer.forward.run = None  # type: ignore[assignment]
    with pytest.raises(TypeError):
        scorer.score(asked)
    assert scorer._kept is None  # whatever failed, the memory is released


def test_the_same_prompt_in_the_next_call(model: HuggingFaceModel, images: list[Image]) -> None:
    """What is kept of a call never ends inside a block, whose tokens see each other."""
    scorer, naive = fresh(model), chosen(model).naive
    asked = (Turn("user", (images[0], Text("How many shapes are there? " * 20))),)
    for prefix in ("", "The answer is "):
        request = Score(asked, ("yes", "no", "a red circle"), prefix)
        expected = naive.score([request])
        for _ in range(3):
            assert largest(scorer.score([request]), expected) <= TOLERANCE


def test_a_score_that_is_no_number_stays_one_and_stays_alone(
    load: Callable[[str], HuggingFaceModel], images: list[Image]
) -> None:
    import torch

    scorer = fresh(load("llava"))
    words = scorer.rows.runtime.model.get_input_embeddings().weight
    token = scorer.rows.runtime.tokenizer("Z", add_special_tokens=False)["input_ids"][0]
    kept = words[token].clone()
    asked = (Turn("user", (images[0], Text("What is it?"))),)
    with torch.no_grad():
        words[token] = float("nan")
    try:
        bad, good = scorer.score([Score(asked, ("aZa", "two")), Score(asked, ("two", "7"))])
        expected = scorer.oracle.score([Score(asked, ("two", "7"))])
    finally:
        with torch.no_grad():
            words[token] = kept
    assert bad[0].logprob_sum != bad[0].logprob_sum
    assert bad[1].logprob_sum == pytest.approx(good[0].logprob_sum, abs=TOLERANCE)
    assert largest([good], expected) <= TOLERANCE


@pytest.mark.parametrize("family", ["llava", "gemma3", "qwen2_5_vl"])
def test_eager_attention(
    family: str, checkpoint: Callable[[str], Path], asked: list[Score]
) -> None:
    shared, naive = both(
        HuggingFaceModel(str(checkpoint(family)), device="cpu", attn_implementation="eager")
    )
    assert largest(shared.score(asked), naive.score(asked)) <= TOLERANCE


@pytest.mark.parametrize("family", ["llava", "qwen3_vl", "paligemma"])
def test_half_precision(family: str, checkpoint: Callable[[str], Path], asked: list[Score]) -> None:
    model = HuggingFaceModel(str(checkpoint(family)), device="cpu", dtype="bfloat16")
    replies = model.score(asked)
    assert isinstance(chosen(model).shared, SharedPrefixScorer)
    verified = model.verify(asked)
    assert verified is not None
    assert verified.agrees, verified
    assert verified.largest > 0
    assert model.score(asked) == replies


def test_an_image_mark_in_an_option_is_refused(
    load: Callable[[str], HuggingFaceModel], images: list[Image]
) -> None:
    shared, naive = both(load("llava"))
    request = Score((Turn("user", (images[0], Text("What is it?"))),), ("two", "a <image>"))
    for scorer in (shared, naive):
        with pytest.raises(SampleError, match="<image>"):
            scorer.score([request])


# -- choosing between the two -------------------------------------------------------------------


def test_cross_attention_falls_back_and_says_so(
    checkpoint: Callable[[str], Path], images: list[Image]
) -> None:
    model = HuggingFaceModel(str(checkpoint("mllama")), device="cpu")
    asked = [
        Score((Turn("user", (image, Text("What is it?"))),), ("two", "(B)", "a circle"))
        for image in images[:3]
    ]
    replies = model.score(asked)
    assert largest(replies, chosen(model).naive.score(asked)) <= TOLERANCE
    assert len({reply[0].logprob_sum for reply in replies}) == 3
    (notice,) = model.notices
    assert "reference scorer" in notice
    assert "encoded already" in notice
    assert model.rows(asked[0]) == 3
    with pytest.raises(ConfigError, match="scoring"):
        HuggingFaceModel(str(checkpoint("mllama")), device="cpu", scoring="shared").load()


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scores are a little wrong, as they would be if siblings saw each other."""
    right = scoring.logprobs

    def wrong(logits: Any, index: Any, tokens: Any) -> Any:
        return right(logits, index, tokens) * 1.01

    monkeypatch.setattr(scoring, "logprobs", wrong)


def test_a_fast_path_that_is_wrong_is_not_used(
    broken: None, checkpoint: Callable[[str], Path], images: list[Image]
) -> None:
    asked = [Score((Turn("user", (images[0], Text("What is it?"))),), ("two", "(B)"))]
    model = HuggingFaceModel(str(checkpoint("llava")), device="cpu")
    assert model.rows(asked[0]) == 1
    assert largest(model.score(asked), chosen(model).naive.score(asked)) <= TOLERANCE
    assert "1 request(s) scored by both scorers" in model.notices[0]
    assert len(model.notices) == 1
    assert model.verify(asked) is None  # only the reference is left
    assert model.rows(asked[0]) == 2


def test_the_model_file_can_insist(
    broken: None, checkpoint: Callable[[str], Path], images: list[Image]
) -> None:
    asked = [Score((Turn("user", (images[0], Text("What is it?"))),), ("two", "(B)"))]
    model = HuggingFaceModel(str(checkpoint("llava")), device="cpu", scoring="shared")
    found = model.verify(asked)
    assert found is not None
    assert not found.agrees
    assert "wrong for this model" in model.notices[0]
    assert isinstance(chosen(model).shared, SharedPrefixScorer)
    plain = HuggingFaceModel(str(checkpoint("llava")), device="cpu", scoring="naive")
    assert largest(plain.score(asked), chosen(model).naive.score(asked)) <= TOLERANCE
    assert plain.verify(asked) is None
    assert not plain.notices


def test_a_fast_path_that_fails_is_not_used(
    checkpoint: Callable[[str], Path], images: list[Image], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("shapes do not match")

    monkeypatch.setattr(scoring, "logprobs", fail)
    asked = [Score((Turn("user", (images[0], Text("What is it?"))),), ("two", "(B)"))]
    model = HuggingFaceModel(str(checkpoint("llava")), device="cpu")
    assert largest(model.score(asked), chosen(model).naive.score(asked)) <= TOLERANCE
    assert "shapes do not match" in model.notices[0]


@pytest.mark.parametrize(
    "failure", [UnsupportedError("not foreseen"), RuntimeError("not foreseen")]
)
def test_a_fast_path_that_fails_later_costs_no_answer(
    failure: Exception,
    checkpoint: Callable[[str], Path],
    images: list[Image],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = [Score((Turn("user", (images[0], Text("What is it?"))),), ("two", "(B)"))]
    for verifies in (False, True):
        model = HuggingFaceModel(str(checkpoint("llava")), device="cpu")
        expected = model.score(asked)

        def fail(*_: object) -> None:
            raise failure

        monkeypatch.setattr(chosen(model).shared, "score", fail)
        if verifies:
            assert model.verify(asked) is None
        assert largest(model.score(asked), expected) <= TOLERANCE
        assert len(model.notices) == 1
        assert "not foreseen" in model.notices[0]


def test_a_sample_at_fault_leaves_the_fast_path(
    checkpoint: Callable[[str], Path], images: list[Image]
) -> None:
    model = HuggingFaceModel(str(checkpoint("llava")), device="cpu")
    turn = Turn("user", (images[0], Text("What is it?")))
    model.score([Score((turn,), ("two", "(B)"))])
    with pytest.raises(SampleError, match="empty"):
        model.score([Score((turn,), ("two", ""))])
    assert not model.notices


def test_prefixes_that_see_themselves_take_little_memory(
    load: Callable[[str], HuggingFaceModel], images: list[Image]
) -> None:
    scorer = fresh(load("paligemma"))
    for number in range(3):
        turn = Turn("user", (images[0], Text(f"{number}? " * 50)))
        scorer.score([Score((turn,), ("two", "7"))])
    assert [len(name) for name in scorer.rows._prefixes] == [16] * 3
