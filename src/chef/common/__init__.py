"""What several packages share: boxes, option letters, digests, random streams."""
