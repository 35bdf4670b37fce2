"""Methods: what is done to the samples of any scenario before a model is asked.

One file a kind of method, one line here for each id.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chef.common.front_modules import attributes
from chef.registry import Registry

if TYPE_CHECKING:
    from chef.method.base import BaseMethod, Method
else:
    __getattr__ = attributes(__name__, {"chef.method.base": ("BaseMethod", "Method")})

METHODS: Registry[Method] = Registry(
    "method",
    {
        "unrelated-image-color": "chef.method.drawn:Color",
        "unrelated-image-noise": "chef.method.drawn:Noise",
        "unrelated-image-nature": "chef.method.drawn:Nature",
        "related-image-generated": "chef.method.drawn:GeneratedImage",
        "related-image-txtembed": "chef.method.drawn:TextAsImage",
        "adversarial-untarget-generated": "chef.method.perturbed:ProjectedGradient",
        "adversarial-target-generated": "chef.method.perturbed:TargetedGradient",
        "without-image": "chef.method.looking:WithoutImage",
        "without-option-images": "chef.method.looking:WithoutOptionImages",
        "without-question": "chef.method.looking:WithoutQuestion",
        "one-color": "chef.method.looking:OneColor",
        "counterfactual": "chef.method.looking:Counterfactual",
        "other-image": "chef.method.looking:OtherImage",
        "noise": "chef.method.perturbed:UniformNoise",
        "gaussian-noise": "chef.method.corruptions.noise:GaussianNoise",
        "shot-noise": "chef.method.corruptions.noise:ShotNoise",
        "impulse-noise": "chef.method.corruptions.noise:ImpulseNoise",
        "speckle-noise": "chef.method.corruptions.noise:SpeckleNoise",
        "defocus-blur": "chef.method.corruptions.noise:DefocusBlur",
        "glass-blur": "chef.method.corruptions.noise:GlassBlur",
        "motion-blur": "chef.method.corruptions.noise:MotionBlur",
        "zoom-blur": "chef.method.corruptions.noise:ZoomBlur",
        "gaussian-blur": "chef.method.corruptions.noise:GaussianBlur",
        "snow": "chef.method.corruptions.weather:Snow",
        "frost": "chef.method.corruptions.weather:Frost",
        "fog": "chef.method.corruptions.weather:Fog",
        "brightness": "chef.method.corruptions.weather:Brightness",
        "spatter": "chef.method.corruptions.weather:Spatter",
        "contrast": "chef.method.corruptions.digital:Contrast",
        "elastic-transform": "chef.method.corruptions.digital:ElasticTransform",
        "pixelate": "chef.method.corruptions.digital:Pixelate",
        "jpeg-compression": "chef.method.corruptions.digital:Jpeg",
        "saturate": "chef.method.corruptions.digital:Saturate",
        "center-crop": "chef.method.corruptions.digital:CenterCrop",
        "resize-x": "chef.method.corruptions.digital:ResizeX",
        "resize-y": "chef.method.corruptions.digital:ResizeY",
        "rotate": "chef.method.corruptions.digital:Rotate",
        "chef-image-corruptions": "chef.method.sequences:ImageSequence",
        "corrupted-data": "chef.method.written:CorruptedData",
        "lowercase": "chef.method.wording.words:Lowercase",
        "contraction": "chef.method.wording.words:Contraction",
        "expansion": "chef.method.wording.words:Expansion",
        "active-to-passive": "chef.method.sequences:Rewritten",
        "passive-to-active": "chef.method.sequences:Rewritten",
        "formal-to-casual": "chef.method.sequences:Rewritten",
        "casual-to-formal": "chef.method.sequences:Rewritten",
        "back-translation": "chef.method.sequences:Rewritten",
        "swap-synonym": "chef.method.wording.words:SwapSynonym",
        "insert-adverb": "chef.method.wording.words:InsertAdverb",
        "append-irrelevant": "chef.method.wording.words:AppendIrrelevant",
        "char-ocr": "chef.method.wording.words:ScanErrors",
        "char-typos": "chef.method.wording.words:Typos",
        "char-spelling": "chef.method.wording.words:SpellingErrors",
        "char-keyboard": "chef.method.wording.words:KeyboardErrors",
        "circular-option": "chef.method.wording.base:CircularOption",
        "reverse-option": "chef.method.wording.base:ReverseOption",
        "verbalizer": "chef.method.wording.base:Verbalized",
        "chef-text-corruptions": "chef.method.sequences:TextSequence",
    },
)

__all__ = ["METHODS", "BaseMethod", "Method"]
