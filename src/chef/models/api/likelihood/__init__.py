"""Options scored by a server that gives log-probabilities: `scoring.score` is where to begin."""
