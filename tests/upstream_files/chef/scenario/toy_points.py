from .LAMM_dataset import ScanNetLAMMDataset, ScanQALAMMDataset, ScanReferLAMMDataset
from .octavius_pcl_dataset import OctaviusPCLDataset
from .lamm_sysmsg import common_task2sysmsg, locating_task2sysmsg


class ToyScanQADataset(ScanQALAMMDataset):
    """Point clouds: the file loads, nothing is asked."""

    task_name = 'VQA_lamm_3D'
    dataset_name = 'ScanQA_LAMM'
