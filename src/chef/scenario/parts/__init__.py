"""Parts that several scenarios use."""
