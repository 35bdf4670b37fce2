"""The engine: one-sample programs in, full batches out."""
