"""What files of ChEF (the project LAMM) import besides the base classes of its ingredients."""
