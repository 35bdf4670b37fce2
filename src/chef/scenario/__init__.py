"""Scenarios, which make the samples of a data set.

To add one, write a subclass of `Scenario` (or of `chef.scenario.records.listed.Listed`, for data
sets listed in JSON) and name it in ``SCENARIOS``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chef.common.front_modules import attributes
from chef.registry import Registry

if TYPE_CHECKING:
    from chef.scenario.base import Scenario
else:
    __getattr__ = attributes(__name__, {"chef.scenario.base": ("Scenario",)})

SCENARIOS: Registry[Scenario] = Registry(
    "scenario",
    {
        "Shapes": "chef.scenario.shapes.scenario:Shapes",
        "Digits": "chef.scenario.digits:Digits",
        "Tsv": "chef.scenario.tsv.scenario:Tsv",
        "Records": "chef.scenario.table.scenario:Records",
        "CIFAR10": "chef.scenario.lamm:CIFAR10",
        "VOC2012": "chef.scenario.voc2012:VOC2012",
        "Flickr30k": "chef.scenario.flickr30k:Flickr30k",
        "Omnibenchmark": "chef.scenario.omnibenchmark:Omnibenchmark",
        "FSC147": "chef.scenario.lamm:FSC147",
        "CIFAR10_LAMM": "chef.scenario.lamm:CIFAR10Lamm",
        "VOC2012_LAMM": "chef.scenario.lamm:VOC2012Lamm",
        "SVT": "chef.scenario.lamm:SVT",
        "UCMerced": "chef.scenario.lamm:UCMerced",
        "CelebA(Hair)": "chef.scenario.lamm:CelebAHair",
        "CelebA(Smile)": "chef.scenario.lamm:CelebASmile",
        "Locating_VOC2012": "chef.scenario.lamm:LocatingVOC2012",
        "Locating_LSP": "chef.scenario.lamm:LocatingLSP",
        "Flickr30k_LAMM": "chef.scenario.lamm:Flickr30kLamm",
        "FSC147_LAMM": "chef.scenario.lamm:FSC147Lamm",
        "ScienceQA": "chef.scenario.scienceqa:ScienceQA",
        "MMBench": "chef.scenario.mmbench:MMBench",
        "MME": "chef.scenario.yes_no:MME",
        "SEEDBench": "chef.scenario.seedbench:SEEDBench",
        "SEEDBench2": "chef.scenario.seedbench:SEEDBench2",
        "POPE_COCO_random": "chef.scenario.yes_no:PopeRandom",
        "POPE_COCO_popular": "chef.scenario.yes_no:PopePopular",
        "POPE_COCO_adversarial": "chef.scenario.yes_no:PopeAdversarial",
        "MMMU": "chef.scenario.mmmu:MMMU",
        "Winoground": "chef.scenario.winoground:Winoground",
        "Winoground_Cap": "chef.scenario.winoground:WinogroundCap",
        "Ch3Ef": "chef.scenario.ch3ef:Ch3Ef",
        "ScienceQA_LAMM": "chef.scenario.lamm:ScienceQALamm",
        "AI2D": "chef.scenario.lamm:AI2D",
        "MMTrustEval": "chef.scenario.mmtrusteval.scenario:MMTrustEval",
    },
    upstream={
        "VOC2012": "chef.scenario.upstream.chef:VOC2012",
        "Flickr30k": "chef.scenario.upstream.chef:Flickr30k",
        "ScienceQA": "chef.scenario.upstream.chef:ScienceQA",
        "MMBench": "chef.scenario.upstream.chef:MMBench",
        "MME": "chef.scenario.upstream.chef:MME",
        "SEEDBench": "chef.scenario.upstream.chef:SEEDBench",
        "Winoground": "chef.scenario.upstream.chef:Winoground",
        "MMTrustEval": "chef.scenario.upstream.mmtrusteval:MMTrustEval",
    },
    further="chef.scenario.vlmevalkit.table:targets",
)

__all__ = ["SCENARIOS", "Scenario"]
