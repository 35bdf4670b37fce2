"""What files of VLMEvalKit import besides the base classes of its data sets and models."""
