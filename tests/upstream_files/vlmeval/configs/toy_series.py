"""Groups of models put together, as scripts do that choose what to run."""
from vlmeval.config import api_models, supported_VLM
from vlmeval.config import (
    cambrian_series, chameleon_series, deepseekvl_series, idefics_series, instructblip_series,
    internvl_series, janus_series, llava_series, mantis_series, minigpt4_series, ovis_series,
    qwen_series, vila_series, wemm_series, xcomposer_series, xtuner_series, yivl_series,
)
from vlmeval.api import HFChatModel, OpenAIWrapper, SiliconFlowAPI

models = {}
for group in [llava_series, qwen_series, internvl_series, api_models]:
    models.update(group)
unknown = [name for name in models if name not in supported_VLM]
