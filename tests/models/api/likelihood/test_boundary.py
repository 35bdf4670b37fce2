"""Where an option begins, told from the texts of tokens, against the offsets of the tokenizer."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import pytest
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

from chef.errors import ReplyError
from chef.models.api.replies import PromptToken, first_scored, first_scored_after

TEXT = """The answer is (A) yes or no; a red star, 12 blue squares. Réponse: où est-il? naïve
猫は赤い。答えは青です 魑魅魍魎 😀 🟥🟦 l'étoile  two  spaces New York [0.12, 0.34]"""
WORDS = TEXT.split(" ")


def byte_level() -> Tokenizer:
    """As of GPT-2, Llama 3 and Qwen: a token may hold a part of a character."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=330, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator([" ".join(WORDS)] * 3, trainer)
    return tokenizer


def whole_lines() -> Tokenizer:
    """Without words: merges reach across spaces and brackets, so boundaries lie within tokens."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=400, initial_alphabet=alphabet, show_progress=False)
    rng = random.Random(0)
    lines = [" ".join(rng.choices(WORDS, k=6)) for _ in range(200)]
    tokenizer.train_from_iterator(lines, trainer)
    return tokenizer


def sentence_pieces() -> Tokenizer:
    """As of Llama 2 and Vicuna: a token decoded alone loses its leading space."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    )
    tokenizer.decoder = decoders.Sequence(
        [
            decoders.Replace("▁", " "),
            decoders.ByteFallback(),
            decoders.Fuse(),
            decoders.Strip(" ", 1, 0),
        ]
    )
    trainer = trainers.BpeTrainer(vocab_size=200, special_tokens=["<unk>"], show_progress=False)
    text = " ".join(word for word in WORDS if word.isascii() or "é" in word)
    tokenizer.train_from_iterator([text.replace(" ", " ▁")] * 3, trainer)
    # Signs that it has not seen are bytes, each a token.
    written = json.loads(tokenizer.to_str())
    vocabulary = written["model"]["vocab"]
    for byte in range(256):
        vocabulary[f"<0x{byte:02X}>"] = len(vocabulary)
    return Tokenizer.from_str(json.dumps(written))


def tokens_of(tokenizer: Tokenizer, text: str) -> list[PromptToken]:
    """As a server tells them: each token is decoded alone."""

    def alone(token: int) -> str:
        return str(tokenizer.decode([token], skip_special_tokens=False))

    return [PromptToken(alone(token), -1.0, str(token)) for token in tokenizer.encode(text).ids]


def by_offsets(tokenizer: Tokenizer, text: str, option: str) -> int:
    """The first token whose characters end in the option."""
    offsets = tokenizer.encode(text).offsets
    return next(i for i, (_, end) in enumerate(offsets) if end > len(text) - len(option))


def cases(seed: int) -> list[tuple[str, str]]:
    rng = random.Random(seed)
    found = []
    while len(found) < 400:
        text = " ".join(rng.choices(WORDS, k=rng.randint(3, 8)))
        cut = rng.randint(1, len(text) - 1)
        # What stands before is a prompt, which begins with a mark of its own.
        found.append(("<user>" + text[:cut], text[cut:]))
    return found


@pytest.mark.parametrize("kind", [byte_level, whole_lines, sentence_pieces])
def test_never_wrong(kind: Callable[[], Tokenizer]) -> None:
    """Wherever a text is cut, the position is that of the offsets, or there is an error."""
    tokenizer = kind()
    direct = refused = 0
    for before, option in cases(seed=1):
        whole = tokens_of(tokenizer, before + option)
        expected = by_offsets(tokenizer, before + option, option)
        found = first_scored([token.text for token in whole], option)
        direct += found is not None
        if found is None:
            try:
                found = first_scored_after(whole, tokens_of(tokenizer, before), option)
            except ReplyError:
                refused += 1
                continue
        assert found == expected, (before, option, [token.text for token in whole])
    assert direct > 80, "texts of tokens hardly ever tell"
    assert refused < 10


def told(*texts: str) -> list[PromptToken]:
    return [PromptToken(text, -1.0, text) for text in texts]


def test_end_of_a_turn_is_no_option() -> None:
    """A server that closes the last message adds tokens after the option."""
    closed = ["It", " is", " red", "<|end|>"]
    assert first_scored(closed, "red") is None
    with pytest.raises(ReplyError, match="cannot be told"):
        first_scored_after(told(*closed), told("It", " is", "<|end|>"), "red")


def test_an_empty_token_before_the_option_may_belong_to_it() -> None:
    """Servers give the text of a character to the last of its tokens, and no text to the others."""
    assert first_scored(["It", " is", "", "\N{CAT}"], "\N{CAT}") is None
    whole = [*told("It", " is"), PromptToken("", -1.0, "240"), PromptToken("\N{CAT}", -1.0, "177")]
    assert first_scored_after(whole, told("It", " is"), "\N{CAT}") == 2


def test_the_end_of_the_prefix_may_be_cut_otherwise() -> None:
    before = told("x", " ab")
    assert first_scored_after(told("x", " a", "b\ufffd", "\ufffd"), before, "\N{CAT}") == 2
    with pytest.raises(ReplyError):
        first_scored_after(told("x", " q", "\ufffd"), before, "\N{CAT}")


def test_a_changed_option_is_an_error() -> None:
    """Some templates strip what stands at the end of a reply."""
    assert first_scored(["It", " is", " r", "ed"], "red ") is None
    with pytest.raises(ReplyError, match="cannot be told"):
        first_scored_after(told("It", " is", " blue"), told("It", " is"), "red")
