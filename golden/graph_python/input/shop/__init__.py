"""A shop."""

from .money import Amount as Price
from .orders import *
from . import money

__all__ = ["Price", "Order", "open_shop"]


def open_shop(name):
    return money.parse(name)
