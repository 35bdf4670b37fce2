from .LAMM_dataset import ScanQALAMMDataset


class ToyScanQADataset(ScanQALAMMDataset):
    """Point clouds: the file loads, nothing is asked."""

    task_name = "VQA_lamm_3D"
    dataset_name = "ScanQA_LAMM"
