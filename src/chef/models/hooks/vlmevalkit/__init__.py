"""Models written for VLMEvalKit: the classes that they are subclasses of, with chef underneath."""
