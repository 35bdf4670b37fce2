"""How the embedded encoder of images and texts was made."""
