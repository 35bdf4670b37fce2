"""What scenarios share: sections of keys, turns about boxes and levels, captions, labels."""
