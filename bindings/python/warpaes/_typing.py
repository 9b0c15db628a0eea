"""What Python 3.10 does not have. Names that stand in annotations can be found at run time by this."""

import sys
from typing import Any

__all__ = ["Unpack"]

if sys.version_info >= (3, 11):
    from typing import Unpack
else:
    try:
        from typing_extensions import Unpack
    except ImportError:

        class Unpack:
            """Says nothing more than the options themselves."""

            def __class_getitem__(cls, options: Any) -> Any:
                return options
