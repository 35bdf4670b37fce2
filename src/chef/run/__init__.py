"""A run on disk: its folder, its environment, its sessions, and which samples it asks."""
