"""Networks that classify texts: with an output layer of labels, or by the word they say."""
