"""What files of MMTrustEval import: its registry, tasks and chat models over those of chef."""
