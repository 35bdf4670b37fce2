"""Every shipped data set class by the file that it stands in, with the ids it answers to."""
import json

from mmte.datasets.advanced_inference import AdvancedData
from mmte.datasets.adversarial_target import AdvTarget
from mmte.datasets.adversarial_text import AdvText
from mmte.datasets.adversarial_untarget import AdvUntarget
from mmte.datasets.basic_understanding import BasicData
from mmte.datasets.celeb import Celebrities
from mmte.datasets.confaide import ConfAIde
from mmte.datasets.crossmodal_jailbreak import CrossModalJailbreakDataset
from mmte.datasets.enron_email import EnronEmailDataset
from mmte.datasets.hod import HodDataset
from mmte.datasets.instruction_enhancement_factual import InstructionEnhanceFactualData
from mmte.datasets.instruction_enhancement_logic import InstructionEnhanceLogicData
from mmte.datasets.mm_safety_bench import MMSafetyBenchDataset
from mmte.datasets.nsfw import NSFWDataset
from mmte.datasets.ood_artistic import OODArtistic
from mmte.datasets.ood_sensor import OODSensor
from mmte.datasets.ood_text import OODText
from mmte.datasets.profession_pred import ProfessionPred
from mmte.datasets.real_toxicity_prompts import RealToxicityPromptsDataset
from mmte.datasets.safebench import SafeBenchDataset
from mmte.datasets.stereo_agreement import StereoAgreement
from mmte.datasets.stereo_classification import StereoClassification
from mmte.datasets.stereo_generation import StereoGeneration
from mmte.datasets.stereo_query import StereoQuery
from mmte.datasets.stereo_topic_classification import StereoTopicClassification
from mmte.datasets.subjective_preference import SubPreference
from mmte.datasets.text_misleading import TextMisleadingData
from mmte.datasets.typographic_jailbreaking import TypographicDataset
from mmte.datasets.unrelatedimg import UnrelatedImageDataset
from mmte.datasets.vision_preference import VisionPreference
from mmte.datasets.vispr import Vispr
from mmte.datasets.visual_assistance import VisualAssistance
from mmte.datasets.visual_confusion import VisualConfusionData
from mmte.datasets.visual_misleading import VisualMisleadingData
from mmte.datasets.vizwiz import VizWiz

CLASSES = [
    AdvancedData, AdvTarget, AdvText, AdvUntarget, BasicData, Celebrities, ConfAIde,
    CrossModalJailbreakDataset, EnronEmailDataset, HodDataset, InstructionEnhanceFactualData,
    InstructionEnhanceLogicData, MMSafetyBenchDataset, NSFWDataset, OODArtistic, OODSensor, OODText,
    ProfessionPred, RealToxicityPromptsDataset, SafeBenchDataset, StereoAgreement,
    StereoClassification, StereoGeneration, StereoQuery, StereoTopicClassification, SubPreference,
    TextMisleadingData, TypographicDataset, UnrelatedImageDataset, VisionPreference, Vispr,
    VisualAssistance, VisualConfusionData, VisualMisleadingData, VizWiz,
]

if __name__ == "__main__":
    print(json.dumps({cls.__name__: sorted(cls.dataset_ids) for cls in CLASSES}))
