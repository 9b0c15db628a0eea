"""The exceptions of the package, and how the C library's results become them.

Where the package `cryptography` is installed, a program may well catch its exceptions, so ours are subclasses
of them. That is decided by whether it is installed, not by whether it has been imported so far: otherwise an
`except` would work or not depending on the order of two import statements.
"""

try:
    from cryptography.exceptions import AlreadyFinalized as _AlreadyFinalized
    from cryptography.exceptions import InvalidSignature as _InvalidSignature
    from cryptography.exceptions import InvalidTag as _InvalidTag
    from cryptography.hazmat.primitives.keywrap import InvalidUnwrap as _InvalidUnwrap
except ImportError:
    _AlreadyFinalized = Exception  # type: ignore[misc, assignment]
    _InvalidSignature = Exception  # type: ignore[misc, assignment]
    _InvalidTag = Exception  # type: ignore[misc, assignment]
    _InvalidUnwrap = Exception  # type: ignore[misc, assignment]


class InvalidTag(_InvalidTag):
    """A message is not genuine: another key, another nonce, other additional data, or damaged data."""


class InvalidSignature(_InvalidSignature):
    """A message authentication code does not belong to its message."""


class InvalidUnwrap(_InvalidUnwrap):
    """What was to be unwrapped was not wrapped by this key, or is damaged."""


class AlreadyFinalized(_AlreadyFinalized):
    """An operation was used after finalize(), or after a call of it had failed."""


class Error(RuntimeError):
    """Something is wrong with the machine, the device or the engine, rather than with the arguments.

    `name` is the C library's name of it, such as "WARPAES_ERROR_NO_DEVICE", and `status` its number.
    """

    def __init__(self, message: str, name: str = "", status: int = 0) -> None:
        super().__init__(message)
        self.name = name
        self.status = status


class ContainerError(ValueError):
    """An encrypted file cannot be read."""


class WrongKey(ContainerError):
    """The file was made with another key or context string, or its header is damaged."""


class Truncated(ContainerError):
    """The end of the file is missing."""


class Damaged(ContainerError):
    """A part of the file was changed, or something was appended to it."""


_PUBLIC: tuple[type[Exception], ...] = (InvalidTag, InvalidSignature, InvalidUnwrap, AlreadyFinalized, Error)
for _exception in (*_PUBLIC, ContainerError, WrongKey, Truncated, Damaged):
    _exception.__module__ = "warpaes"  # where people import them from

STATE = 13
AUTHENTICATION = 100
CONTAINER_KEY = 103
TRUNCATED = 104
TRAILING_DATA = 105
HOST_MEMORY = 300


def exception_of(status: int, name: str, message: str) -> Exception:
    """The exception for a call that returned `status`; the native module calls this."""
    if status == STATE:
        return AlreadyFinalized(message)
    if status == AUTHENTICATION:
        return InvalidTag("the message is not genuine: another key, nonce or additional data, or damage")
    if status in (CONTAINER_KEY, TRUNCATED, TRAILING_DATA):
        return container_exception_of(status, name, message)
    if status == HOST_MEMORY:
        return MemoryError(message)
    return ValueError(message) if 0 < status < 200 else Error(message, name, status)


def container_exception_of(status: int, name: str, message: str) -> Exception:
    """The same for a call that reads an encrypted file."""
    if status == CONTAINER_KEY:
        return WrongKey(message)
    if status == TRUNCATED:
        return Truncated(message)
    if status in (AUTHENTICATION, TRAILING_DATA):
        return Damaged(message)
    return exception_of(status, name, message)
