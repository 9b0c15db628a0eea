"""What older versions of Python do not have; names in annotations can be found at run time by this.

It comes from typing_extensions, and where that is not installed an alias is its value.
"""

import sys
from typing import TYPE_CHECKING, Any

__all__ = ["Buffer", "TypeAliasType", "Unpack"]

if TYPE_CHECKING:
    from typing_extensions import Buffer, TypeAliasType, Unpack
elif sys.version_info >= (3, 12):
    from collections.abc import Buffer
    from typing import TypeAliasType, Unpack
else:
    try:
        from typing_extensions import Buffer, TypeAliasType, Unpack
    except ImportError:
        Buffer = bytes | bytearray | memoryview  # those of many that have a name in common with all versions

        def TypeAliasType(_: str, value: Any) -> Any:  # noqa: N802
            """What the alias stands for."""
            return value

        class Unpack:
            """Says nothing more than the options themselves."""

            def __class_getitem__(cls, options: Any) -> Any:
                return options
