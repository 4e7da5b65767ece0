import pytest

import shop
from shop import Price, Order


def test_cost():
    order = Order("3")
    assert order.cost(Price(1)).cents == 4
    assert shop.open_shop("x")
    with pytest.raises(KeyError):
        missing_name()
