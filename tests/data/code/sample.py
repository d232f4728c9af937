"""Reads settings."""
from __future__ import annotations

import os
from typing import (
    Any,
    Dict,
)

LIMIT = 10


@dataclass
class Reader(Base):
    """Reads one file.

    More words.
    """

    path: str
    depth = 3

    def __init__(self, path, *,
                 depth=3):
        """Opens it."""
        body_mark(0)
        body_mark(1)
        body_mark(2)
        body_mark(3)
        body_mark(4)
        body_mark(5)
        body_mark(6)

    @property
    async def size(self) -> int:
        text = """
def not_a_function():
    a string
"""
        body_mark(0)
        body_mark(1)
        body_mark(2)
        body_mark(3)
        body_mark(4)
        body_mark(5)
        body_mark(6)
        raise ValueError("no size")


def top_level(a, b={"x": 1}):
    body_mark(0)
    body_mark(1)
    body_mark(2)
    body_mark(3)
    body_mark(4)
    body_mark(5)
    body_mark(6)
    # TODO: mind the sign


if __name__ == "__main__":
    top_level(1)
