"""A run on disk: its folder, its environment, its sessions and its subset of samples."""
