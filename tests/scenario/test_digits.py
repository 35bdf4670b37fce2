"""Digits: the scans, compared with scikit-learn's own images."""

from __future__ import annotations

from collections import Counter

import pytest

from chef.errors import ConfigError
from chef.scenario.digits import Digits, load_scans, split_of

np = pytest.importorskip("numpy")
datasets = pytest.importorskip("sklearn.datasets")

SPLITS = ("train", "pool", "test")


def test_the_splits_are_a_partition_of_the_data() -> None:
    parts = [Digits(split=split).indices for split in SPLITS]
    assert sorted(sum(parts, ())) == list(range(1797))
    shares = [len(part) / 1797 for part in parts]
    assert shares == pytest.approx([0.6, 0.15, 0.25], abs=0.03)


def test_equal_scans_never_straddle_splits() -> None:
    where: dict[bytes, set[str]] = {}
    for split in SPLITS:
        for index in Digits(split=split).indices:
            where.setdefault(load_scans()[index][0], set()).add(split)
    assert all(len(splits) == 1 for splits in where.values())


@pytest.mark.parametrize("split", SPLITS)
def test_every_split_has_every_digit_about_equally_often(split: str) -> None:
    scenario = Digits(split=split)
    digits = Counter(load_scans()[index][1] for index in scenario.indices)
    assert set(digits) == set(range(10))
    assert min(digits.values()) > 0.6 * len(scenario) / 10


def test_pictures_and_truths_are_those_of_scikit_learn() -> None:
    data = datasets.load_digits()
    scenario = Digits(split="test")
    for index in range(0, len(scenario), 37):
        sample, source = scenario[index], scenario.indices[index]
        pixels = np.asarray(sample.images[0].load())
        assert pixels.shape == (72, 72, 3)
        small = pixels[4::9, 4::9, 0]
        assert np.array_equal(small, data.images[source].astype(int) * 255 // 16)
        assert sample.answer == str(data.target[source])
        assert sample.options[sample.fields["gt_choice"]] == sample.answer
        assert sample.id == scenario.sample_id(index) == f"digits-{source}"


def test_enlarging_adds_no_grey_levels() -> None:
    pixels = np.asarray(Digits()[0].images[0].load())
    blocks = pixels.reshape(8, 9, 8, 9, 3)
    assert (blocks == blocks[:, :1, :, :1]).all()


def test_a_scans_split_depends_on_its_pixels_only() -> None:
    blank = bytes(64)
    assert split_of(blank) == split_of(bytes(64))
    assert {split_of(bytes([value]) + bytes(63)) for value in range(17)} > {"train"}


def test_wrong_options_are_refused() -> None:
    with pytest.raises(ConfigError, match="unknown split 'validation'"):
        Digits(split="validation")
    with pytest.raises(ConfigError, match="unknown labels 'words'"):
        Digits(labels="words")


def test_past_the_end() -> None:
    scenario = Digits(split="pool")
    with pytest.raises(IndexError):
        scenario[len(scenario)]


def test_letters_hide_which_digit_is_which() -> None:
    plain, hidden = Digits(), Digits(labels="letters")
    pool = hidden.pool()
    assert pool is not None
    meaning: dict[str, set[str]] = {}
    for scenario, digits in ((hidden, plain), (pool, plain.pool())):
        for index in range(len(scenario)):
            sample = scenario[index]
            assert sample.options == tuple("ABCDEFGHIJ")
            assert sample.options[sample.fields["gt_choice"]] == sample.answer
            meaning.setdefault(sample.answer, set()).add(digits[index].answer)
    # One letter, one digit; the same in the examples as in the questions.
    assert sorted(digit for (digit,) in meaning.values()) == list("0123456789")
    assert meaning != {letter: {str(n)} for n, letter in enumerate("ABCDEFGHIJ")}


def test_the_letters_follow_from_the_seed() -> None:
    def answers(seed: int) -> list[str]:
        scenario = Digits(labels="letters", seed=seed)
        return [scenario[index].answer for index in range(40)]

    assert answers(0) == answers(0) != answers(1)
