"""How the data sets of ChEF's scenarios are fetched and laid out."""
