"""Names of shipped data sets, as the package's own list of data sets has them."""
from .image_base import img_root_map, ImageBaseDataset
from .image_caption import ImageCaptionDataset
from .image_mt import MMDUDataset
from .image_shortqa import HLEDataset, ImageShortQADataset, PathVQA_TEST, PathVQA_VAL
from .image_yorn import ImageYORNDataset
from .text_mcq import CustomTextMCQDataset, TextMCQDataset
from .image_mcq import (
    MMMUDataset, AffordanceDataset, CVBench, CVQA, CustomMCQDataset, GMAIMMBenchDataset,
    HRBenchDataset, LEGO, MMERealWorld, MMMUProDataset, MSEarthMCQ, MUIRDataset, MedXpertQA_MM_test,
    MicroBench, NaturalBenchDataset, OmniEarthMCQBench, OmniMedVQA, PuzzleVQA, SCAM, TDBench,
    TopViewRS, TreeBench, VLMBlind, VMCBenchDataset, VisuLogic, VisualPuzzles, WeMath, XLRSBench,
    _3DSRBench,
)
from .image_vqa import (
    AyaVisionBench, BMMR, CRPE, CoreCognition, CountBenchQA, CustomVQADataset, LENS, LLaVABench,
    LLaVABench_KO, LogicVista, MMEReasoning, MME_CoT, MMNIAH, MMReason, MMSci_Captioning, MMVMBench,
    MMVet, MTVQADataset, MathCanvas, MathVerse, MathVision, MathVista, OCRBench, OCRBench_v2,
    OCR_Reasoning, OlympiadBench, Omni3DBench, PhyX, Physics_yale, QSpatial, SeePhys,
    TDBenchGrounding, TableVQABench, TallyQA, VGRPBench, VLMsAreBiased, VTCBench, VizWiz,
    WildDocBenchmark, ZEROBench,
)


class ToyFamily(CustomMCQDataset):
    """A table that nobody has named before, under the rules for such; it is not run."""

    @classmethod
    def supported_datasets(cls):
        return ['ToyFamily']
