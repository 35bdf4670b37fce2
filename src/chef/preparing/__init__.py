"""Download of the data sets of ChEF's scenarios."""
