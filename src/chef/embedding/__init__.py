"""Embeddings of texts and images: encoders, a cache on disk, and nearest neighbours."""
