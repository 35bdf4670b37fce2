"""What two rooms must agree on: boxes, option letters, digests, random streams."""
