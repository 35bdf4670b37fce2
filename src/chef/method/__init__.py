"""Methods: what is done to the samples of any scenario before a model is asked.

One file a kind of method, one line here for each id.
"""

from chef.method.base import BaseMethod, Method
from chef.registry import Registry

METHODS: Registry[Method] = Registry(
    "method",
    {
        "unrelated-image-color": "chef.method.unrelated:Color",
        "unrelated-image-noise": "chef.method.unrelated:Noise",
        "unrelated-image-nature": "chef.method.unrelated:Nature",
        "related-image-generated": "chef.method.generated:GeneratedImage",
        "related-image-txtembed": "chef.method.text:TextAsImage",
        "adversarial-untarget-generated": "chef.method.adversarial:ProjectedGradient",
        "adversarial-target-generated": "chef.method.adversarial:TargetedGradient",
        "noise": "chef.method.perturbed:UniformNoise",
    },
)

__all__ = ["METHODS", "BaseMethod", "Method"]
