"""How the embedded model is made: tokenizer, model, data, training, evaluation."""
