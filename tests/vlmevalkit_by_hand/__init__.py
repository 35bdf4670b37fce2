"""Cases for what `compat: vlmevalkit` computes, worked out by hand from its description alone."""
