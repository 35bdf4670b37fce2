"""Groups of models put together, as scripts do that choose what to run."""

from vlmeval.config import (
    api_models,
    internvl_series,
    llava_series,
    qwen_series,
    supported_VLM,
)

models = {}
for group in [llava_series, qwen_series, internvl_series, api_models]:
    models.update(group)
unknown = [name for name in models if name not in supported_VLM]
