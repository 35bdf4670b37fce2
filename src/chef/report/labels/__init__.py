"""Labels of people: what they are asked, what they said, and what that makes of the scores."""
