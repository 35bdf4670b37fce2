"""Language models that classify by the word with which they go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from chef.models.classifier.network import InBatches, Loaded
from chef.models.huggingface.loading import LoadingOptions

#: Tokens to spare where a text is cut: at its new end it may be spelt by others.
_SPARE = 4


class FirstWord(Loaded):
    """A causal language model that is asked for one token; a ChefError if it cannot be loaded."""

    def __init__(self, source: LoadingOptions) -> None:
        import transformers

        super().__init__(source, "AutoModelForCausalLM")
        network = self.network
        network.tokenizer.padding_side = "left"
        # Greedy, whatever the checkpoint suggests.
        network.model.generation_config = transformers.GenerationConfig(
            pad_token_id=network.tokenizer.pad_token_id,
            eos_token_id=network.tokenizer.eos_token_id,
        )

    def fitted(self, prompt_of: Callable[[str], str], text: str) -> tuple[str, bool]:
        """A prompt that the model can read, and whether the end of the text was cut for it."""
        network = self.network
        prompt = prompt_of(text)
        over = self._length(prompt) + 1 - network.limit  # one token is for the reply
        if over <= 0:
            return prompt, False
        ids = network.tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]
        kept = ids[: max(0, len(ids) - over - _SPARE)]
        return prompt_of(network.tokenizer.decode(kept, skip_special_tokens=True)), True

    def words(self, prompts: Sequence[str], batch_size: int) -> Iterator[tuple[int, str]]:
        """The position of each prompt with the first token of the reply, the longest first."""
        lengths = [self._length(prompt) for prompt in prompts]
        yield from InBatches(self._words, batch_size).results(prompts, lengths)

    def _words(self, prompts: list[str]) -> list[str]:
        network = self.network
        encoded: Any = network.tokenizer(prompts, padding=True, return_tensors="pt")
        encoded.pop("token_type_ids", None)
        written = network.model.generate(
            **encoded.to(network.device), max_new_tokens=1, do_sample=False
        )
        return [network.tokenizer.decode(row[-1:]) for row in written]

    def _length(self, prompt: str) -> int:
        return len(self.network.tokenizer(prompt, verbose=False)["input_ids"])
