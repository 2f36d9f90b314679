"""The base of every exception that trueodds raises."""


class TrueoddsError(Exception):
    """Base class of all trueodds exceptions: catch it to catch them all."""


class MissingExtraError(TrueoddsError, ImportError):
    """Raised when a feature needs a library that is not installed, such as NumPy for sessions."""

    def __init__(self, feature: str, module: str, extra: str) -> None:
        super().__init__(feature, module, extra)
        self.feature = feature
        self.module = module
        self.extra = extra

    def __str__(self) -> str:
        return f"{self.feature} needs {self.module}: pip install 'trueodds[{self.extra}]'"
