from .Singleturn import Direct_Inferencer


class Toy_Inferencer(Direct_Inferencer):
    """Direct, with longer answers where the recipe says nothing."""

    def __init__(self, max_new_tokens=64, **kwargs):
        super().__init__(max_new_tokens=max_new_tokens, **kwargs)
