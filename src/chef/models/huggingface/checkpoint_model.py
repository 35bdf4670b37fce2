"""A model that is a checkpoint of transformers, whatever computes it: its processor and prompts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chef.errors import ConfigError, SampleError
from chef.guard.files import read_text
from chef.image import Image
from chef.models.base import IMAGE_TOKENS, Model
from chef.models.huggingface.fingerprint import fingerprint
from chef.models.huggingface.loading import LoadingOptions, Processing, check
from chef.models.huggingface.rendering import Renderer
from chef.types import Request, Score

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels


class CheckpointModel(Model):
    """The base of models that are checkpoints: a subclass loads one, and answers.

    Args:
        model_path: name on the hub (``owner/name``) or local folder.
        name: the folder of its results; default: the last part of ``model_path``.
        max_images: how many images the model takes at once; None for any number.
        chat_template: Jinja text, or the path of a file of it; default: the checkpoint's own.
        options: further fields of `LoadingOptions`.
    """

    def __init__(
        self,
        model_path: str,
        name: str | None,
        max_images: int | None,
        chat_template: str | None,
        options: Mapping[str, Any],
    ) -> None:
        self.name = name or Path(model_path).name or model_path
        template = _read_template(chat_template)
        self.source = LoadingOptions(path=model_path, chat_template=template, **options)
        _ = self.source.folder  # a missing folder is reported now, not after torch is loaded
        if max_images is not None and max_images < 1:
            raise ConfigError(f"max_images is {max_images}", hint="set it to 1 or more")
        self.max_images = max_images
        self._image_costs: dict[tuple[int, int], int] = {}

    def load(self) -> Processing:
        """Load processor and weights, once."""
        raise NotImplementedError

    @property
    def renderer(self) -> Renderer:
        """Writes the prompts of the loaded model."""
        raise NotImplementedError

    def check_settings(self) -> None:
        check(self.source)

    def prepare(self) -> None:
        self.load()

    def prompt_text(self, request: Request) -> str:
        """As `Model.prompt_text`: after the chat template, with one mark for each image."""
        conversation, prefix = request.conversation, request.answer_prefix
        if isinstance(request, Score):
            row = self.renderer.reply(conversation, prefix, request.candidates[0])
        else:
            row = self.renderer.prompt(conversation, prefix)
        whole = row.text + (row.suffix or "")
        return whole[: len(whole) - row.scored]

    def fingerprint(self) -> str:
        return fingerprint(self.source)

    def row_cost(self, request: Request) -> int:
        """The cost of one row, with the number of tokens this processor makes of each image."""
        images = [image for turn in request.conversation for image in turn.images]
        estimated = super().cost(request) - len(images) * IMAGE_TOKENS
        return estimated + sum(self.image_cost(image) for image in images)

    def image_cost(self, image: Image) -> int:
        """How many tokens an image becomes; images of one size cost the same."""
        try:
            size = image.size
        except SampleError:  # reported when the request is sent, not while its cost is estimated
            return IMAGE_TOKENS
        if size not in self._image_costs:
            self._image_costs[size] = self._count_image_tokens(image.view())
        return self._image_costs[size]

    def _count_image_tokens(self, pixels: Pixels) -> int:
        """How many tokens an image becomes, by the processor's own count if it has one."""
        processing = self.load()
        sizes = [(pixels.height, pixels.width)]
        fixed = processing.image_options
        options = {"images_kwargs": dict(fixed)} if fixed else {}
        try:
            counted = processing.processor._get_num_multimodal_tokens(  # noqa: SLF001
                image_sizes=sizes, **options
            )
            return int(counted["num_image_tokens"][0])
        except Exception:  # it is only an estimate, and some processors cannot count
            return IMAGE_TOKENS

    def make_renderer(self, processing: Processing) -> Renderer:
        """What writes prompts by the chat template; a ConfigError where there is none."""
        processor = processing.processor
        template = (
            self.source.chat_template
            or processor.chat_template
            or getattr(processing.tokenizer, "chat_template", None)
        )
        if template is None and not processing.quirk.prefix_lm:
            raise ConfigError(
                "the checkpoint has no chat template",
                where=self.source.path,
                hint="add the key 'chat_template' to the model file: Jinja text, or the path of "
                "a file of it",
            )

        def render(messages: list[dict[str, Any]], add_generation_prompt: bool) -> str:
            text: str = processor.apply_chat_template(
                messages,
                chat_template=template if isinstance(template, str) else None,
                add_generation_prompt=add_generation_prompt,
                tokenize=False,
            )
            return text

        mark = getattr(processor, "image_token", None)
        return Renderer(self.name, render, mark, processing.quirk)


def _read_template(chat_template: str | None) -> str | None:
    """The text of a template; an argument without Jinja is the path of a file."""
    if chat_template is None or "{" in chat_template:
        return chat_template
    path = Path(chat_template).expanduser()
    try:
        return read_text(path)
    except OSError as error:
        raise ConfigError(
            f"the chat template cannot be read ({error.strerror})",
            where=chat_template,
            hint="give the path of a Jinja file, or the Jinja text itself",
        ) from None
