"""Generation of text: decoding loop, sampling, stopping, cache."""
