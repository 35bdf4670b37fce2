"""Vectors of texts and images: encoders, their cache, and nearest neighbours."""
