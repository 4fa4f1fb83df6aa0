"""For the documentation site: examples in docstrings become blocks of code that can be read and copied."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import griffe

sys.path.insert(0, str(Path(__file__).parent))

from docsite import fenced  # found beside this file


class Examples(griffe.Extension):
    """Sees every docstring once it is read."""

    def on_instance(self, *, obj: Any, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)
