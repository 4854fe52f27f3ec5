"""The one error of the rating core."""


class RatingInputError(ValueError):
    """Input that cannot be rated. `field` names what is wrong, the message says why; nothing was changed."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message

    def __reduce__(self) -> tuple[type["RatingInputError"], tuple[str, str]]:
        return (RatingInputError, (self.field, self.message))
